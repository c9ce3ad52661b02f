"""`guard`: a stream that passes each sentence on when it is judged."""

from collections.abc import AsyncIterable, Iterable, Mapping, Sequence
from contextvars import copy_context
from typing import Any, Final, get_args, overload

from groundtypes.errors import ContextError
from groundtypes.judges import Judges
from groundtypes.rounds.grounding import ground, grounded_in
from groundtypes.validation.streams.async_stream import AsyncGuardedStream
from groundtypes.validation.streams.judge import PartJudge, checked_checks
from groundtypes.validation.streams.pipeline import Pipeline
from groundtypes.validation.streams.sync_stream import GuardedStream
from groundtypes.validation.streams.writer import Notice, OnFault, Writer
from groundtypes.validators.check import Check
from groundtypes.validators.entailed import Entailed
from groundtypes.validators.figures import Figures

_ON_FAULT: Final = get_args(OnFault)
_DEFAULT_CHECKS: Final = (Entailed(), Figures())


@overload
def guard(
    stream: AsyncIterable[str],
    references: object,
    *,
    question: str | None = None,
    judges: Judges | None = None,
    checks: Sequence[Check] = _DEFAULT_CHECKS,
    on_fault: OnFault = "mark",
    notice: Notice | None = None,
) -> AsyncGuardedStream: ...


@overload
def guard(
    stream: Iterable[str],
    references: object,
    *,
    question: str | None = None,
    judges: Judges | None = None,
    checks: Sequence[Check] = _DEFAULT_CHECKS,
    on_fault: OnFault = "mark",
    notice: Notice | None = None,
) -> GuardedStream: ...


def guard(
    stream: Any,
    references: object,
    *,
    question: str | None = None,
    judges: Judges | None = None,
    checks: Sequence[Check] = _DEFAULT_CHECKS,
    on_fault: OnFault = "mark",
    notice: Notice | None = None,
) -> Any:
    """Return an iterator over a stream of text in which every sentence is judged before it passes.

    Text passes sentence by sentence, in order, as soon as the sentence is complete and judged; a
    list with its introduction, a table and a block of code pass as a whole. Meanwhile the stream is
    read on. What passes is the same wherever the chunks of the stream end. `audit` of the iterator
    holds the verdicts and their places.

    Args:
        stream: The chunks of text: an iterable, or an async iterable. The result is of the same
            kind; the async one works on asyncio and trio.
        references: References in any shape that `References.of` reads.
        question: The question that the text answers.
        judges: The engines; by default those of `grounded_in`, else the bundled NLI engine.
        checks: What must hold of each sentence.
        on_fault: What happens to a sentence that fails. `"mark"`: a mark follows it. `"drop"`: it
            is left out. `"note"`: a note takes its place. `"stop"`: the iterator raises the
            `ValidationError`, and nothing more passes.
        notice: The words of the mark or note, or a function that makes them of the failing
            verdicts.

    Examples:
        >>> from groundtypes import Judges, guard
        >>> from groundtypes.testing import ScriptedNLI
        >>> chunks = ["The tower is ta", "ll and grey. The tower is sm", "all and red."]
        >>> judges = Judges(nli=ScriptedNLI())
        >>> stream = guard(chunks, "The tower is tall and grey.", judges=judges, on_fault="drop")
        >>> "".join(stream)
        'The tower is tall and grey.'
        >>> [(each.start, each.end, each.ok) for each in stream.audit.sentences]
        [(0, 27, True), (28, 55, False)]

    Raises:
        ContextError: The stream is none, or an argument is invalid; while it is read: a chunk is
            no text.
        MarkerError: A check cannot judge one sentence after the other.
        ReferencesError: The references cannot be read.
        pydantic.ValidationError: While it is read, with `on_fault="stop"`: a sentence failed.
        Mistake: While it is read: an engine failed. Nothing that is not judged has passed.
    """
    _reject_other_streams(stream)
    judge = PartJudge(checked_checks(checks), _context(references, question, judges))
    writer = Writer(*_checked_options(on_fault, notice))
    pipeline = Pipeline(judge, writer, copy_context())
    if hasattr(stream, "__aiter__"):
        return AsyncGuardedStream(stream, pipeline)
    return GuardedStream([stream] if isinstance(stream, str) else stream, pipeline)


def _context(references: object, question: str | None, judges: Judges | None) -> Mapping[str, Any]:
    """Return the validation context, with what a block around the call gives to it.

    Raises:
        ReferencesError: The references cannot be read.
        ContextError: The question is not text, or the judges are not a `Judges` object.
    """
    given = grounded_in(references, question=question, judges=judges)  # it checks them
    context = {"references": given.references, "question": question, "judges": judges}
    grounded: Mapping[str, Any] = ground(context)
    return grounded


def _checked_options(on_fault: Any, notice: Any) -> tuple[OnFault, Notice | None]:
    """Return two arguments.

    Raises:
        ContextError: One is invalid.
    """
    if on_fault not in _ON_FAULT:
        raise ContextError(f"on_fault must be one of {', '.join(_ON_FAULT)}, not {on_fault!r}")
    if not (notice is None or isinstance(notice, str) or callable(notice)):
        raise ContextError("notice must be text, or a function of the failing verdicts")
    return on_fault, notice


def _reject_other_streams(stream: Any) -> None:
    """Check that a stream is an iterable of text.

    Raises:
        ContextError: It is not.
    """
    is_iterable = hasattr(stream, "__iter__") or hasattr(stream, "__aiter__")
    if is_iterable and not isinstance(stream, bytes | bytearray):
        return
    hint = " Await it first." if hasattr(stream, "__await__") else ""
    raise ContextError(
        f"guard takes an iterable or async iterable of text, not {type(stream).__name__}.{hint}"
    )
