"""What an LLM was asked and what it answered, every attempt of it, as plain data."""

from groundtypes.integrations.recordings.calls import Attempt, RecordedCall, read_calls
from groundtypes.integrations.recordings.capture import Recording, record

__all__ = ["Attempt", "RecordedCall", "Recording", "read_calls", "record"]
