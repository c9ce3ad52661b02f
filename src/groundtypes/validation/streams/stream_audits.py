"""`StreamAudit`: what was judged of a stream, and what was passed on."""

from dataclasses import dataclass, field
from typing import Any

from groundtypes.validation.audits import Audit
from groundtypes.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class GuardedSentence:
    """A sentence, list item, table row, heading or block of code of a stream.

    Attributes:
        start: Where it begins in the text that came, in code points.
        end: Where it ends.
        text: What it is.
        verdicts: The verdicts of all checks on it. Entailment is not judged of what claims nothing.
        passed: What was passed on in its place; `""` if it was left out.
        left_out_with: Where the failing sentence begins on whose account this one was left out,
            too, such as the item around a nested one; `None` otherwise.
    """

    start: int
    end: int
    text: str
    verdicts: tuple[Verdict, ...]
    passed: str
    left_out_with: int | None = None

    @property
    def ok(self) -> bool:
        """Whether all checks hold."""
        return all(verdict.ok for verdict in self.verdicts)

    @property
    def faults(self) -> tuple[Verdict, ...]:
        """The failing verdicts."""
        return tuple(verdict for verdict in self.verdicts if not verdict.ok)


@dataclass(frozen=True, slots=True)
class StreamAudit(Audit[str]):
    """The audit of the text of a stream, as far as it has been passed on.

    It is that of a `str` field with the checks: `given` is the text that came, `verdicts` are those
    of all sentences in order, `error` holds every fault. With `on_fault="drop"` the failing
    verdicts are marked `dropped`, and `value` is the text without the sentences.

    Attributes:
        sentences: The sentences with their places in the text and their verdicts.
        passed: What was passed on.
        complete: Whether the stream has ended by itself, and all of it was judged.
    """

    sentences: tuple[GuardedSentence, ...] = ()
    passed: str = field(default="", repr=False)
    complete: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as JSON can hold it, with the places and the verdicts of sentences."""
        sentences = [
            {
                "start": sentence.start,
                "end": sentence.end,
                "ok": sentence.ok,
                "left_out_with": sentence.left_out_with,
                "verdicts": [verdict.to_dict() for verdict in sentence.verdicts],
            }
            for sentence in self.sentences
        ]
        return {**Audit.to_dict(self), "complete": self.complete, "sentences": sentences}

    def __repr__(self) -> str:
        return Audit.__repr__(self)
