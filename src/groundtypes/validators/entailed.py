"""`Entailed`: the references, or sibling fields, entail every sentence of the value."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from groundtypes.errors import FAULTS, MarkerError, fault_message
from groundtypes.judges import check_threshold
from groundtypes.ledger import Unsettled
from groundtypes.references import References, Span
from groundtypes.scoring import Label
from groundtypes.text.message_excerpts import clip, excerpt, shown_id
from groundtypes.validators.case import Case, held_value
from groundtypes.validators.claim_check import ClaimCheck
from groundtypes.validators.option_values import check_choices, check_flags, sibling_names
from groundtypes.verdicts import Verdict

if TYPE_CHECKING:
    from groundtypes.entailment import Entailment
    from groundtypes.text.hypotheses import Hypothesis

#: How much of a sentence, and of the sentences that decide, an error shows, in characters.
_SENTENCE: Final = 200
_PASSAGE: Final = 300
#: Of an enumeration with more values, no others are compared.
_MOST_CHOICES: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Entailed(ClaimCheck):
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
        claim: The sentence that a value makes which is no text, with `{value}` and the names of
            sibling fields: "The status of the invoice is {value}." A truth value may
            have two forms: "The contract {value:renews|does not renew} automatically." True must
            be entailed, and False contradicted, or its form entailed.
        absent_is_false: Accept False if the references do not entail the claim.
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    by: str | Sequence[str] | None = None
    threshold: float | None = None
    require: Literal["all", "mean"] = "all"
    allow_neutral: bool = False
    resolve_pronouns: bool = False
    claim: str | None = None
    absent_is_false: bool = False

    denies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        names = sibling_names(self.by)
        if self.by is not None and not isinstance(self.by, str):
            object.__setattr__(self, "by", names)  # a list would make the marker unhashable
        check_threshold(self.threshold)
        self.check_claim()
        check_flags(
            allow_neutral=self.allow_neutral,
            resolve_pronouns=self.resolve_pronouns,
            absent_is_false=self.absent_is_false,
            describe=self.describe,
        )
        check_choices(self, require=("all", "mean"))

    @property
    def siblings(self) -> Sequence[str]:
        """The fields that must entail the value."""
        return sibling_names(self.by)

    @property
    def sentence_by_sentence(self) -> bool:
        """Whether no mean over all sentences is asked for."""
        return self.require == "all" and self.claim is None

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        if self.claim is not None:
            return f"Choose what follows from {self._grounds}."
        return f"Say only what {self._grounds} say{'s' * (len(self.siblings) == 1)}."

    @property
    def _grounds(self) -> str:
        return " and ".join(self.siblings) or "the references"

    def judge(self, value: Any, case: Case) -> Iterable[Verdict]:
        """Judge each sentence of the value, or of the claim that it makes."""
        from groundtypes.entailment import questions  # noqa: PLC0415 # slow to load

        text = self.text_of(value, case)
        if isinstance(text, Verdict):
            return [text]
        if self.claim is not None and isinstance(value, bool):
            return [self._judge_truth(value, case)]
        choices = () if self.claim is None else case.field.choices(value)
        if 1 < len(choices) <= _MOST_CHOICES:
            return [self._judge_choice(value, choices, case)]
        sentences = questions.sentences_with_claims(text)
        if len(sentences) > questions.MAX_SENTENCES:
            return [self._too_long(len(sentences), questions.MAX_SENTENCES, case)]
        if self.claim is None and not sentences and any(map(str.isalnum, value)):
            return [self.holds(reason="it claims nothing")]
        return self.judge_sentences(sentences, case)

    def _judge_truth(self, value: bool, case: Case) -> Verdict:  # noqa: FBT001 # the value itself
        """Judge a truth value by what is said of it, and by what the opposite says."""
        threshold = case.threshold(self.threshold)
        judged = self._judged_claims((True, False), case, threshold)
        if judged is None:
            return self.fails(*fault_message("not_entailed_empty"))
        claimed, denied = judged  # the same where the claim has one form
        says_true = claimed.label is Label.ENTAILMENT
        says_false = claimed.label is Label.CONTRADICTION
        if denied.text != claimed.text and denied.label is Label.ENTAILMENT:
            is_surer = denied.scores.entailment > claimed.scores.entailment
            says_true, says_false = says_true and not is_surer, is_surer or not says_true
        lenient = self.allow_neutral or (self.absent_is_false and not value)
        if (says_true if value else says_false) or (lenient and not says_true and not says_false):
            is_false_form = not value and denied.label is Label.ENTAILMENT and says_false
            return self._holding(denied if is_false_form else claimed, threshold)
        if value:
            return self._fault("contradicted" if says_false else "not_entailed", claimed, threshold)
        template = "contradicted_denied" if says_true else "not_entailed_denied"
        return self._fault(template, claimed, threshold)

    def _judge_choice(self, value: Any, choices: Sequence[Any], case: Case) -> Verdict:
        """Judge one of several values: none of the others may follow more surely."""
        threshold = case.threshold(self.threshold)
        judged = self._judged_claims(choices, case, threshold)
        if judged is None:
            return self.fails(*fault_message("not_entailed_empty"))
        own = judged[choices.index(value)]
        surest, choice = max(
            zip(judged, choices, strict=True), key=lambda pair: pair[0].scores.entailment
        )
        is_other = surest.label is Label.ENTAILMENT and surest.text != own.text
        if is_other and surest.scores.entailment > own.scores.entailment:
            written = getattr(choice, "value", choice)
            return self._fault("contradicted_choice", own, threshold, write=str(written))
        return self._verdict(own, threshold)

    def _judged_claims(
        self, choices: Sequence[Any], case: Case, threshold: float
    ) -> "list[Entailment] | None":
        """Return how the claim of each value is judged; `None` if one has no sentence."""
        judged: list[Entailment] = []
        waiting = is_empty = False
        for choice in choices:
            try:
                entailments = self._entailments(str(self.claim_of(choice, case)), case, threshold)
            except Unsettled:
                waiting = True
                continue
            if entailments:
                judged.append(min(entailments, key=lambda one: one.scores.entailment))
            else:
                is_empty = True
        if waiting:
            raise Unsettled
        return None if is_empty else judged

    def _entailments(self, text: str, case: Case, threshold: float) -> "Sequence[Entailment]":
        from groundtypes.entailment import questions  # noqa: PLC0415 # slow to load
        from groundtypes.entailment.decision import decide_entailment  # noqa: PLC0415 # the same

        sentences = questions.sentences_with_claims(text)[: questions.MAX_SENTENCES]
        premises = case.references if self.by is None else self._sibling_texts(case)
        asked = questions.build_questions(
            sentences,
            premises,
            case.question,
            sentences_in_all=len(sentences),
            may_abstain=False,
        )
        return decide_entailment(asked, case.nli, case.ask, threshold)

    def _too_long(self, count: int, limit: int, case: Case) -> Verdict:
        slug, message = fault_message(
            "not_entailed_too_long", count=f"{count:,}", limit=f"{limit:,}"
        )
        threshold = case.threshold(self.threshold)
        return self.fails(slug, message, label=Label.NEUTRAL.value, score=0.0, threshold=threshold)

    def judge_sentences(
        self, sentences: "Sequence[Hypothesis]", case: Case, before: "Sequence[Hypothesis]" = ()
    ) -> Iterator[Verdict]:
        """Judge sentences of one text; there is one verdict for each, unless `require="mean"`."""
        from groundtypes.entailment.decision import decide_entailment  # noqa: PLC0415 # slow to load
        from groundtypes.entailment.questions import build_questions  # noqa: PLC0415 # the same

        if self.resolve_pronouns and sentences:
            sentences = self._resolved(sentences, before, case)
        premises = case.references if self.by is None else self._sibling_texts(case)
        # Of a mean, each sentence counts by itself.
        count = len(before) + len(sentences) if self.sentence_by_sentence else 1
        questions = build_questions(
            sentences,
            premises,
            case.question,
            before,
            sentences_in_all=count,
            may_abstain=self.claim is None,
        )
        threshold = case.threshold(self.threshold)
        entailments = decide_entailment(questions, case.nli, case.ask, threshold)
        if not entailments:
            slug, message = fault_message("not_entailed_empty")
            neutral = Label.NEUTRAL.value
            verdict = self.fails(slug, message, label=neutral, score=0.0, threshold=threshold)
            yield self._decided(verdict, 0.0, case)
        elif self.require == "mean":
            # The score that was calibrated is that of the weakest sentence.
            lowest = min(each.score for each in entailments)
            for verdict in self._verdicts_on_mean(entailments, threshold):
                yield self._decided(verdict, lowest, case)
        else:
            for each in entailments:
                yield self._decided(self._verdict(each, threshold), each.score, case)

    def _decided(self, verdict: Verdict, score: float, case: Case) -> Verdict:
        """Return the verdict with what a review band says, if it is one for such verdicts."""
        if self.threshold is not None or self.allow_neutral or self.claim is not None:
            return verdict
        return replace(verdict, decision=case.decision(score, ok=verdict.ok))

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
            return self._holding(entailment, threshold)
        return self._fault("not_entailed" if neutral else "contradicted", entailment, threshold)

    def _holding(self, entailment: "Entailment", threshold: float) -> Verdict:
        return self.holds(
            label=entailment.label.value,
            score=entailment.scores.entailment,
            threshold=threshold,
            span=entailment.span,
            reason=_reason(entailment),
            engine=entailment.engine,
        )

    def _fault(
        self,
        template: str,
        entailment: "Entailment",
        threshold: float,
        score: float | None = None,
        *,
        write: str = "",
    ) -> Verdict:
        """Return the failing verdict on a sentence; `score` is by default the sentence's own."""
        from groundtypes.text.excerpts import deciding_excerpt  # noqa: PLC0415 # as above

        values: dict[str, Any] = {
            "sentence": excerpt(entailment.text, _SENTENCE),
            "grounds": self._grounds,
            "write": clip(write, _SENTENCE),
        }
        if entailment.passage is None:
            template = "not_entailed_nothing"
        else:
            values["passage"] = deciding_excerpt(
                entailment.passage, entailment.text, entailment.differing_words, _PASSAGE
            )
            values["where"] = self._where(entailment.span)
            values["because"] = entailment.because
            if self.claim is not None:
                template = f"{template}_value" if f"{template}_value" in FAULTS else template
        slug, message = fault_message(template, **values)
        return self.fails(
            slug,
            message,
            label=entailment.label.value,
            score=entailment.scores.entailment if score is None else score,
            threshold=threshold,
            span=entailment.span,
            reason=_reason(entailment),
            engine=entailment.engine,
        )

    def _where(self, span: Span | None) -> str:
        if span is None:
            return self._grounds
        name = shown_id(span.reference)
        return name if self.siblings else f"reference {name}"


def _texts_of(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the texts of a sibling field, each with the id that it gets as a reference."""
    value = held_value(value)
    if value is None:
        return
    if isinstance(value, str):
        yield name, str(value)
        return
    if isinstance(value, list | tuple | set | frozenset):
        items = [held_value(item) for item in value]
        if all(isinstance(item, str) for item in items):
            yield from ((f"{name}.{number}", str(item)) for number, item in enumerate(items))
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
    if entailment.unsupported:
        words = ", ".join(f'"{clip(each, _SENTENCE)}"' for each in entailment.unsupported[:10])
        return f"not supported: {words}"
    return entailment.difference
