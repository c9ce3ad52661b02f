"""What an LLM was asked and what it answered, every attempt of it, as plain data."""

from groundtypes.integrations.recordings.calls import Attempt, RecordedCall
from groundtypes.integrations.recordings.capture import Recording, record
from groundtypes.integrations.recordings.file import read_calls

__all__ = ["Attempt", "RecordedCall", "Recording", "read_calls", "record"]
