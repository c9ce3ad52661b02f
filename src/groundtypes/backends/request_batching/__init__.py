"""Questions that wait for the same engine are asked together.

An engine that is free is called at once, by the thread that asks. While it is busy, the questions
of other requests, threads and event loops wait in a queue. When it is free again, they go out as
one batch, in the thread of one of those who wait: it *leads*. There is no thread of its own, no
timer and no delay.

An engine may say by attributes how it is to be asked:

- `calls_at_once`: how many calls it can use at the same time (1 by default). `None` says that it
  orders its questions itself: then nothing waits here.
- `questions_at_once`: the most questions of a call (1024 by default; `None`: no limit). What is
  more goes out in several calls, between which others have their turn.
- `queue_timeout`: how many seconds questions wait for their turn (`None`, the default: no limit); a
  number greater than 0.
"""

from groundtypes.backends.request_batching.asking import ask_together

__all__ = ["ask_together"]
