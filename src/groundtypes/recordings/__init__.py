"""What an LLM was asked and what it answered, every attempt of it, as plain data."""

from groundtypes.recordings.calls import Attempt, RecordedCall
from groundtypes.recordings.capture import Recording, record
from groundtypes.recordings.file import read_calls

__all__ = ["Attempt", "RecordedCall", "Recording", "read_calls", "record"]
