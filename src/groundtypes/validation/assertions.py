"""`assert_grounded`: an assertion for tests, which reports in the style of pytest's own."""

from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import ndiff
from typing import Any, Final, NamedTuple

from pydantic import BaseModel
from pydantic_core import from_json

from groundtypes.entailment.decision import entail
from groundtypes.errors import ContextError, MissingReferencesError
from groundtypes.figures.outcomes import find_outcomes, nearest_figures
from groundtypes.judges import Judges
from groundtypes.references import References
from groundtypes.report.report_rows import field_values, locate
from groundtypes.rounds.grounding import current_grounding, grounded_in
from groundtypes.scoring import Label, NLIScorer
from groundtypes.text.message_excerpts import clip, shown_id
from groundtypes.validation.audits import Audit
from groundtypes.validation.one_answer import audit
from groundtypes.verdicts import Loc, Verdict

#: How much of a text a message shows, and how many faults.
_MAX_CHARACTERS: Final = 300
_MAX_FAULTS: Final = 10
_NO_REFERENCES: Final = (
    "assert_grounded has no references. Pass them as its second argument, "
    "assert_grounded(answer, references), or give them to the whole test: by the fixture "
    "grounded_references, or inside of `with grounded_in(references):`. An empty list says that "
    "there are none."
)


class _Failure(NamedTuple):
    """One reason why an answer is not grounded.

    Attributes:
        kind: `sentence`, `verdict`, `figure`, or `nothing` if nothing could be judged.
        reason: What is wrong, on one line.
        expected: What the reference says, if there is a passage to compare.
        given: What the answer says.
    """

    kind: str
    reason: str
    expected: str | None = None
    given: str | None = None


def assert_grounded(
    answer: Any,
    references: Any = None,
    model: Any = None,
    *,
    figures: bool = False,
    question: str | None = None,
    nli: NLIScorer | str | None = None,
    judges: Judges | None = None,
    threshold: float | None = None,
) -> None:
    """Assert in a test that an answer is grounded in references.

    Of a text, the references must entail every sentence. Of a model, every check must hold. The
    message shows each fault: the reference's words after `-`, the answer's after `+`.

    Args:
        answer: A text, an instance of a model, or with `model` whatever `audit` takes.
        references: The references; by default those of `grounded_in` or `grounded_references`.
        model: The model whose checks must hold; by default the class of an instance.
        figures: Assert also that every figure in the texts of the answer stands in the references.
        question: The question that the answer is to.
        nli: The NLI engine or its name, by default that of the judges, else the bundled one.
        judges: The engines of the model's checks; by default those of `grounded_in` or of the
            model.
        threshold: The lowest probability of entailment of a sentence, 0.5 by default. The checks of
            a model have their own.

    Raises:
        AssertionError: The answer is not grounded, or nothing in it could be judged.
        Mistake: The references are missing or cannot be read, or an engine is missing or fails.

    Examples:
        >>> from groundtypes.testing import ScriptedNLI
        >>> assert_grounded("It opened in 1932.", ["It opened in 1932."], nli=ScriptedNLI())
        >>> assert_grounded("in 1932", ["In 1932 it opened."], nli=ScriptedNLI(), figures=True)
        Traceback (most recent call last):
        ...
        AssertionError: assert 'in 1932' is grounded in 1 reference
        <BLANKLINE>
          1 of 1 sentences is not entailed (-reference +answer)
        <BLANKLINE>
          sentence 1: contradiction, entailed with 0.02; the closest passage, in reference 0
          - In 1932 it opened.
          + in 1932
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    if nli is not None and not isinstance(nli, str | NLIScorer):
        raise ContextError(
            f"nli is of type {type(nli).__name__}, which has no method score(pairs); pass an NLI "
            "engine"
        )
    grounding = current_grounding()
    if references is None:
        if grounding is None:
            raise MissingReferencesError(message=_NO_REFERENCES)
        references, question = grounding.references, question or grounding.question
    given = grounded_in(references, question=question, judges=judges)
    read = given.references
    if judges is None and grounding is not None:
        judges = grounding.judges
    if model is None and not isinstance(answer, str):
        model = _model_of(answer)
    if model is None:
        judged, failures = _judge_sentences(answer, read, question, nli, judges, threshold)
        texts: Iterable[tuple[Loc, str]] = [((), answer)]
    else:
        if threshold is not None:
            raise ContextError("threshold= is for a text; the checks of a model have their own")
        report = _audit(answer, model, read, question, nli, judges)
        judged, failures = _verdict_failures(report, read)
        values = field_values(_plain(report.given))
        texts = [(value.path, value.text) for value in values if value.is_text]
    if figures:
        failures += _figure_failures(texts, read)
    if judged == 0:
        failures.insert(0, _Failure("nothing", "no part of the answer could be judged"))
    if failures:
        shown = clip(" ".join(repr(answer).split()), 80)
        raise AssertionError(_message(shown, len(read.ids), judged, failures))


def _model_of(answer: Any) -> Any:
    if isinstance(answer, BaseModel) or hasattr(type(answer), "__pydantic_validator__"):
        return type(answer)
    raise ContextError(
        f"assert_grounded takes a text or an instance of a model; for a {type(answer).__name__} "
        "pass the model, too: assert_grounded(answer, references, Model)."
    )


def _audit(
    answer: Any,
    model: Any,
    references: References,
    question: str | None,
    nli: NLIScorer | str | None,
    judges: Judges | None,
) -> Audit[Any]:
    context: dict[str, Any] = {"references": references}
    if question is not None:
        context["question"] = question
    if nli is not None and judges is not None:
        raise ContextError("pass judges=Judges(nli=..., llm=...) instead of both nli and judges")
    if nli is not None:
        judges = Judges(nli=nli)
    if judges is not None:
        context["judges"] = judges
    return audit(model, answer, context=context)


# --- what fails ---------------------------------------------------------------------------------


def _judge_sentences(
    answer: str,
    references: References,
    question: str | None,
    nli: NLIScorer | str | None,
    judges: Judges | None,
    threshold: float | None,
) -> tuple[int, list[_Failure]]:
    """Return how many sentences were judged, and those that fail."""
    judges = judges or Judges()
    calibration = judges.calibration if nli is None and threshold is None else None
    sentences = entail(
        references,
        answer,
        question=question,
        nli=nli or judges.nli,
        threshold=threshold,
        calibration=calibration,
    )
    failures = []
    for number, sentence in enumerate(sentences, 1):
        if sentence.label is not Label.ENTAILMENT:
            reason = (
                f"sentence {number}: {sentence.label.value}, entailed with "
                f"{sentence.scores.entailment:.2f}; "
            )
            if sentence.passage is None:
                reason += "there is no reference"
            else:
                reason += "the closest passage"
            if sentence.span is not None:
                reason += f", in reference {shown_id(sentence.span.reference)}"
            failures.append(_Failure("sentence", reason, sentence.passage, sentence.text))
    return len(sentences), failures


def _verdict_failures(report: Audit[Any], references: References) -> tuple[int, list[_Failure]]:
    """Return how many verdicts there are, and those that fail."""
    given = _plain(report.given)
    failures = [_verdict_failure(verdict, given, references) for verdict in report.faults]
    return len(report.verdicts), failures


def _verdict_failure(verdict: Verdict, given: Any, references: References) -> _Failure:
    reason = f"{_place(verdict.loc)}: {verdict.slug}: {verdict.message}"
    _, value = locate(given, verdict.loc)
    span = verdict.span
    if span is None or not isinstance(value, str) or span.reference not in references.ids:
        return _Failure("verdict", reason)
    passage = references[span.reference].text[span.start : span.end]
    return _Failure("verdict", reason, passage, value)


def _figure_failures(texts: Iterable[tuple[Loc, str]], references: References) -> list[_Failure]:
    failures = []
    for loc, text in texts:
        findings = {finding.figure.text: finding for finding in find_outcomes(text, references)}
        for figure, outcome, *_ in findings.values():
            if not outcome.holds:
                nearest = ", ".join(f'"{near}"' for near in nearest_figures(figure, references))
                where = f"{_place(loc)}: " if loc else ""
                reason = f'{where}figure "{clip(figure.text, 60)}" stands in no reference'
                reason += f"; nearest: {nearest}" if nearest else ""
                failures.append(_Failure("figure", reason))
    return failures


# --- the message --------------------------------------------------------------------------------


def _message(shown: str, references: int, judged: int, failures: list[_Failure]) -> str:
    head = f"assert {shown} is grounded in {references} reference{'s' * (references != 1)}"
    lines = [_summary(judged, failures)]
    for failure in failures[:_MAX_FAULTS]:
        lines += ["", _one_line(failure.reason, 2 * _MAX_CHARACTERS), *_diff(failure)]
    if len(failures) > _MAX_FAULTS:
        lines += ["", f"...and {len(failures) - _MAX_FAULTS} more"]
    return "\n".join([head, "", *(f"  {line}".rstrip() for line in lines)])


def _summary(judged: int, failures: list[_Failure]) -> str:
    counts = Counter(failure.kind for failure in failures)
    parts = []
    if count := counts["nothing"]:
        parts.append("nothing is proved")
    if count := counts["sentence"]:
        parts.append(f"{count} of {judged} sentences {'is' if count == 1 else 'are'} not entailed")
    if count := counts["verdict"]:
        parts.append(f"{count} of {judged} verdicts {'is' if count == 1 else 'are'} a fault")
    if count := counts["figure"]:
        parts.append(f"{count} figure{' stands' if count == 1 else 's stand'} in no reference")
    compared = any(failure.given is not None for failure in failures)
    return ", ".join(parts) + (" (-reference +answer)" if compared else "")


def _diff(failure: _Failure) -> Iterator[str]:
    """Yield the lines of a diff, as pytest shows one of two texts."""
    if failure.given is None:
        return
    given = _one_line(failure.given, _MAX_CHARACTERS)
    expected = [] if failure.expected is None else [_one_line(failure.expected, _MAX_CHARACTERS)]
    for line in ndiff(expected, [given]):
        yield line.rstrip("\n")


def _one_line(text: str, limit: int) -> str:
    return clip(" ".join(text.split()), limit)


def _place(loc: Loc) -> str:
    """Return a location as Python code: `facts[0].quote`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in loc)
    return clip(text.removeprefix("."), 120) or "the answer"


def _plain(given: Any) -> Any:
    if isinstance(given, str | bytes | bytearray):
        try:
            return from_json(given)
        except (ValueError, TypeError):  # a lone surrogate is a TypeError
            return None
    return given
