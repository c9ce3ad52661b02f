"""Streams of text that are judged sentence by sentence, while the next sentence arrives.

`guard` takes the chunks of any client. A `Cutter` makes units of them, which are judged in threads
(`pipeline`), and a `Writer` says what passes.
"""

from groundtypes.validation.streams.async_stream import AsyncGuardedStream
from groundtypes.validation.streams.guarding import guard
from groundtypes.validation.streams.stream_audits import GuardedSentence, StreamAudit
from groundtypes.validation.streams.sync_stream import GuardedStream

__all__ = ["AsyncGuardedStream", "GuardedSentence", "GuardedStream", "StreamAudit", "guard"]
