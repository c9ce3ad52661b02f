"""`Entailed`: the references, or sibling fields, entail every sentence of the value."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any, Final, Literal

from groundtypes.errors import MarkerError, fault_message
from groundtypes.judges import check_threshold
from groundtypes.references import References, Span
from groundtypes.scoring import Label
from groundtypes.text.message_excerpts import excerpt, shown_id
from groundtypes.validators.case import Case
from groundtypes.validators.check import Check
from groundtypes.validators.option_values import check_flags, sibling_names
from groundtypes.verdicts import Verdict

if TYPE_CHECKING:
    from groundtypes.entailment import Entailment
    from groundtypes.text.hypotheses import Hypothesis

_REQUIRE: Final = ("all", "mean")
#: How much of a sentence, and of the sentences that decide, an error shows, in characters.
_SENTENCE: Final = 200
_PASSAGE: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Entailed(Check):
    """Holds when the references entail every sentence of the value.

    The value is split into sentences; each is judged against the passages most similar to it. There
    is a verdict for each sentence, with the label, with the probability of entailment as its score,
    and with the passage that decided as its span. A text without any word is not entailed.

    Args:
        by: The sibling field that must entail the value, or several; also fields that are
            declared later. By default all references of the context must. A list of texts counts
            as several references, `None` as none.
        threshold: The lowest probability of entailment at which a passage entails a sentence; by
            default that of the judges' calibration, else 0.5.
        require: `"all"`: each sentence is entailed. `"mean"`: the mean of the sentences' best
            probabilities reaches the threshold, and none is contradicted.
        allow_neutral: Accept sentences that the references neither entail nor contradict.
        resolve_pronouns: Have the LLM replace pronouns with the nouns they stand for first, so that
            each sentence can be judged on its own. Errors then show the sentence with the nouns.
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    by: str | Sequence[str] | None = None
    threshold: float | None = None
    require: Literal["all", "mean"] = "all"
    allow_neutral: bool = False
    resolve_pronouns: bool = False

    def __post_init__(self) -> None:
        names = sibling_names(self.by)
        if self.by is not None and not isinstance(self.by, str):
            object.__setattr__(self, "by", names)  # a list would make the marker unhashable
        check_threshold(self.threshold)
        check_flags(
            allow_neutral=self.allow_neutral,
            resolve_pronouns=self.resolve_pronouns,
            describe=self.describe,
        )
        if self.require not in _REQUIRE:
            raise MarkerError(f"require must be 'all' or 'mean', not {self.require!r}")

    @property
    def siblings(self) -> Sequence[str]:
        """The fields that must entail the value."""
        return sibling_names(self.by)

    @property
    def sentence_by_sentence(self) -> bool:
        """Whether no mean over all sentences is asked for."""
        return self.require == "all"

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        return f"Say only what {self._grounds} say{'s' * (len(self.siblings) == 1)}."

    @property
    def _grounds(self) -> str:
        return " and ".join(self.siblings) or "the references"

    def judge(self, value: str, case: Case) -> Iterable[Verdict]:
        """Judge each sentence of the value."""
        from groundtypes.entailment import questions  # noqa: PLC0415 # slow to load

        text = case.without_markers(value) or value
        sentences = questions.sentences_with_claims(text)
        if len(sentences) > questions.MAX_SENTENCES:
            return [self._too_long(len(sentences), questions.MAX_SENTENCES, case)]
        return self.judge_sentences(sentences, case)

    def _too_long(self, count: int, limit: int, case: Case) -> Verdict:
        slug, message = fault_message(
            "not_entailed_too_long", count=f"{count:,}", limit=f"{limit:,}"
        )
        threshold = case.threshold(self.threshold)
        return self.fails(slug, message, label=Label.NEUTRAL.value, score=0.0, threshold=threshold)

    def judge_sentences(
        self, sentences: "Sequence[Hypothesis]", case: Case, before: "Sequence[Hypothesis]" = ()
    ) -> Iterator[Verdict]:
        """Judge sentences of one text; there is one verdict for each, unless `require="mean"`.

        Args:
            sentences: What is judged.
            case: The references, the question and the engines.
            before: Sentences before these, to which pronouns may refer.
        """
        from groundtypes.entailment.decision import decide_entailment  # noqa: PLC0415 # slow to load
        from groundtypes.entailment.questions import build_questions  # noqa: PLC0415 # the same

        if self.resolve_pronouns and sentences:
            sentences = self._resolved(sentences, before, case)
        premises = case.references if self.by is None else self._sibling_texts(case)
        # Of a mean, each sentence counts by itself.
        count = len(before) + len(sentences) if self.sentence_by_sentence else 1
        questions = build_questions(
            sentences, premises, case.question, before, sentences_in_all=count
        )
        threshold = case.threshold(self.threshold)
        entailments = decide_entailment(questions, case.nli, case.ask, threshold)
        if not entailments:
            slug, message = fault_message("not_entailed_empty")
            neutral = Label.NEUTRAL.value
            yield self.fails(slug, message, label=neutral, score=0.0, threshold=threshold)
        elif self.require == "mean":
            yield from self._verdicts_on_mean(entailments, threshold)
        else:
            yield from (self._verdict(each, threshold) for each in entailments)

    @staticmethod
    def _resolved(
        sentences: "Sequence[Hypothesis]", before: "Sequence[Hypothesis]", case: Case
    ) -> "Sequence[Hypothesis]":
        """Return the sentences with the nouns that their pronouns stand for."""
        from groundtypes.claims.pronouns import apply_pronoun_reply, pronoun_question  # noqa: PLC0415

        question = pronoun_question(sentences, case.question)
        if question is None:
            return sentences
        together = [*before, *sentences]
        question = pronoun_question(together, case.question)
        if question is None:  # together they are too long
            return sentences
        [reply] = case.ask(case.llm, [question])
        return apply_pronoun_reply(together, reply, case.question)[len(before) :]

    def _sibling_texts(self, case: Case) -> References:
        """Return the siblings' texts as references that have the names of their fields."""
        return References.of(
            {
                key: text
                for name in self.siblings
                for key, text in _texts_of(name, case.sibling(name))
            }
        )

    def _verdicts_on_mean(
        self, entailments: "Sequence[Entailment]", threshold: float
    ) -> Iterator[Verdict]:
        contradicted = [each for each in entailments if each.label is Label.CONTRADICTION]
        if contradicted:
            yield from (self._verdict(each, threshold) for each in contradicted)
            return
        mean = fsum(each.scores.entailment for each in entailments) / len(entailments)
        weakest = min(entailments, key=lambda each: each.scores.entailment)
        if mean >= threshold or self.allow_neutral:
            label = Label.ENTAILMENT if mean >= threshold else Label.NEUTRAL
            yield self.holds(label=label.value, score=mean, threshold=threshold, span=weakest.span)
        else:
            yield self._fault("not_entailed", weakest, threshold, mean)

    def _verdict(self, entailment: "Entailment", threshold: float) -> Verdict:
        neutral = entailment.label is Label.NEUTRAL
        if entailment.label is Label.ENTAILMENT or (neutral and self.allow_neutral):
            return self.holds(
                label=entailment.label.value,
                score=entailment.scores.entailment,
                threshold=threshold,
                span=entailment.span,
                reason=_reason(entailment),
            )
        return self._fault("not_entailed" if neutral else "contradicted", entailment, threshold)

    def _fault(
        self,
        template: str,
        entailment: "Entailment",
        threshold: float,
        score: float | None = None,
    ) -> Verdict:
        """Return the failing verdict on a sentence; `score` is by default the sentence's own."""
        from groundtypes.text.excerpts import deciding_excerpt  # noqa: PLC0415 # as above

        values: dict[str, Any] = {
            "sentence": excerpt(entailment.text, _SENTENCE),
            "grounds": self._grounds,
        }
        if entailment.passage is None:
            template = "not_entailed_nothing"
        else:
            values["passage"] = deciding_excerpt(
                entailment.passage, entailment.text, entailment.differing_words, _PASSAGE
            )
            values["where"] = self._where(entailment.span)
            values["because"] = entailment.because
        slug, message = fault_message(template, **values)
        return self.fails(
            slug,
            message,
            label=entailment.label.value,
            score=entailment.scores.entailment if score is None else score,
            threshold=threshold,
            span=entailment.span,
            reason=_reason(entailment),
        )

    def _where(self, span: Span | None) -> str:
        if span is None:
            return self._grounds
        name = shown_id(span.reference)
        return name if self.siblings else f"reference {name}"


def _texts_of(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the texts of a sibling field, each with the id that it gets as a reference."""
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


def _reason(entailment: "Entailment") -> str | None:
    """Return what weighed most, for people; `None` if there is nothing in particular to tell."""
    if entailment.conflict is not None:
        name = shown_id(entailment.conflict.reference)
        return f"conflict: a passage of reference {name} contradicts it"
    ids = dict.fromkeys(shown_id(span.reference) for span in entailment.spans)
    if entailment.label is Label.ENTAILMENT and len(ids) > 1:
        listed = ", ".join(list(ids)[:10])
        return f"sentences from several places entail it together: reference {listed}"
    return entailment.difference
