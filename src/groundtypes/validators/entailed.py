"""`Entailed`: the references, or sibling fields, entail every sentence of the value."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final, Literal

from groundtypes.claims.pronouns import apply_nouns, pronoun_question
from groundtypes.entailment.decision import Entailment, decide_entailment
from groundtypes.entailment.merging import THRESHOLD
from groundtypes.entailment.questions import build_questions, claiming_sentences
from groundtypes.errors import MarkerError, clip, fault_message
from groundtypes.references import References, Span
from groundtypes.scoring import Label
from groundtypes.text.hypotheses import Hypothesis
from groundtypes.validators.case import Case
from groundtypes.validators.check import Check
from groundtypes.verdicts import Verdict

__all__ = ["Entailed"]

_REQUIRE: Final = ("all", "mean")
_SHOWN: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Entailed(Check):
    """Holds when the references entail every sentence of the value.

    The value is cut into sentences; each is judged against the passages most like it. There is a
    verdict for each sentence, with the label, the probability of entailment as its score, and the
    passage that decided as its span. A text without any word is entailed by nothing.

    Options:
        by: The sibling field that must entail the value, or several; also fields that are
            declared later. By default all references of the context. A list of texts is taken as
            several references, `None` as none.
        threshold: The probability of entailment from which on a passage entails a sentence.
        require: `"all"`: each sentence is entailed. `"mean"`: the mean of the sentences' best
            probabilities reaches the threshold, and none is contradicted.
        allow_neutral: Accept what the references neither entail nor contradict.
        resolve_pronouns: Have the LLM put names for pronouns first, so that each sentence can be
            judged on its own. The sentence in an error is then the one with names.
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    by: str | Sequence[str] | None = None
    threshold: float = THRESHOLD
    require: Literal["all", "mean"] = "all"
    allow_neutral: bool = False
    resolve_pronouns: bool = False

    def __post_init__(self) -> None:
        # A list would make the marker unhashable.
        if self.by is not None and not isinstance(self.by, str):
            object.__setattr__(self, "by", tuple(self.by))
        if not all(isinstance(name, str) and name for name in self.siblings) or self.by == ():
            raise MarkerError(f"by={self.by!r} names no field")
        if not 0.0 < self.threshold <= 1.0:
            raise MarkerError(f"threshold={self.threshold!r} is no probability above 0")
        if self.require not in _REQUIRE:
            raise MarkerError(f"require is 'all' or 'mean', not {self.require!r}")

    @property
    def siblings(self) -> Sequence[str]:
        """The fields that must entail the value."""
        if self.by is None:
            return ()
        return (self.by,) if isinstance(self.by, str) else tuple(self.by)

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        return f"Say only what {self._grounds} say{'s' * (len(self.siblings) == 1)}."

    @property
    def _grounds(self) -> str:
        return " and ".join(self.siblings) or "the references"

    def judge(self, value: str, case: Case) -> Iterable[Verdict]:
        """Judge each sentence of the value."""
        grounds = self._texts(case) if self.by is not None else case.references
        questions = build_questions(self._statements(value, case), grounds, case.question)
        found = decide_entailment(questions, case.nli, case.ask, self.threshold)
        if not found:
            yield self._fault("not_entailed_empty", None)
        elif self.require == "mean":
            yield from self._mean(found)
        else:
            yield from map(self._verdict, found)

    def _statements(self, value: str, case: Case) -> Sequence[Hypothesis]:
        claims = claiming_sentences(value)
        if not self.resolve_pronouns:
            return claims
        asked = pronoun_question(claims, case.question)
        if asked is None:
            return claims
        return apply_nouns(claims, case.ask(case.llm, [asked])[0], case.question)

    def _texts(self, case: Case) -> References:
        """Return the siblings' texts; each piece of evidence names its field as the reference."""
        return References.of(
            {
                key: text
                for name in self.siblings
                for key, text in _texts_of(name, case.sibling(name))
            }
        )

    def _mean(self, found: Sequence[Entailment]) -> Iterator[Verdict]:
        refuted = [one for one in found if one.label is Label.CONTRADICTION]
        if refuted:
            yield from map(self._verdict, refuted)
            return
        mean = fmean(one.scores.entailment for one in found)
        weakest = min(found, key=lambda one: one.scores.entailment)
        if mean >= self.threshold or self.allow_neutral:
            label = Label.ENTAILMENT if mean >= self.threshold else Label.NEUTRAL
            yield self.holds(
                label=label.value, score=mean, threshold=self.threshold, span=weakest.span
            )
        else:
            yield self._fault("not_entailed", weakest, mean)

    def _verdict(self, one: Entailment) -> Verdict:
        if one.label is Label.ENTAILMENT or (one.label is Label.NEUTRAL and self.allow_neutral):
            return self.holds(
                label=one.label.value,
                score=one.scores.entailment,
                threshold=self.threshold,
                span=one.span,
                reason=_reason(one),
            )
        if one.label is Label.CONTRADICTION:
            return self._fault("contradicted", one)
        return self._fault("not_entailed", one)

    def _where(self, span: Span | None) -> str:
        if span is None:
            return self._grounds
        named = clip(span.reference, 40)
        return named if self.siblings else f"reference {named}"

    def _fault(self, wording: str, one: Entailment | None, score: float | None = None) -> Verdict:
        if one is None:
            slug, message = fault_message(wording)
            return self.fails(
                slug, message, label=Label.NEUTRAL.value, score=0.0, threshold=self.threshold
            )
        values: dict[str, Any] = {"sentence": _quoted(one.text), "grounds": self._grounds}
        if one.passage is None:
            wording = "not_entailed_nothing"
        else:
            values["passage"] = _quoted(one.passage)
            values["where"] = self._where(one.span)
        slug, message = fault_message(wording, **values)
        return self.fails(
            slug,
            message,
            label=one.label.value,
            score=one.scores.entailment if score is None else score,
            threshold=self.threshold,
            span=one.span,
        )


def _texts_of(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the texts of a sibling field, each with what stands for a reference id."""
    if value is None:
        return
    if isinstance(value, str):
        yield name, str(value)
        return
    if isinstance(value, list | tuple | set | frozenset) and all(
        isinstance(item, str) for item in value
    ):
        for number, item in enumerate(value):
            yield f"{name}.{number}", str(item)
        return
    raise MarkerError(
        f"Entailed reads the field {name!r}, which holds a {type(value).__name__}: it must be "
        "text, a list of texts, or None."
    )


def _reason(one: Entailment) -> str | None:
    if len(one.spans) > 1:
        places = dict.fromkeys(clip(span.reference, 40) for span in one.spans)
        return f"sentences from several places entail it together: reference {', '.join(places)}"
    if one.conflict is None:
        return None
    return f"conflict: a passage of reference {clip(one.conflict.reference, 40)} contradicts it"


def _quoted(text: str) -> str:
    return f'"{clip(" ".join(text.split()), _SHOWN)}"'
