"""`Supported`: the references bear out every claim that the value makes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from groundtypes.claims.attribution import claims_and_uncovered_sentences
from groundtypes.claims.claim import CheckedClaim
from groundtypes.claims.extract import extract
from groundtypes.claims.extract_and_label import extract_and_label
from groundtypes.claims.label import label, resolve_checker
from groundtypes.errors import clip, fault_message
from groundtypes.scoring import Label
from groundtypes.validators.case import Case
from groundtypes.validators.check import Check
from groundtypes.verdicts import Verdict

__all__ = ["Supported"]

_SHOWN: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Supported(Check):
    """Holds when the references entail every claim of the value.

    An LLM takes the value apart into claims and labels each of them, in one call; what that call
    leaves open goes into a second. There is a verdict for each claim, with its label, and the
    passage that decided as its span. A sentence that the LLM passes over, or of which its claims
    leave much out, is judged as a whole.

    Options:
        allow_neutral: Accept claims that the references neither bear out nor contradict.
        extract_first: Extract claims as triplets in a call of their own, and label them in a
            second, for 1.7 times the tokens. So it is, too, where `Judges(checker=...)` names
            another engine that labels them.
        joint: Label many claims in one call; else extract them first, and label each in a call of
            its own.
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    allow_neutral: bool = False
    extract_first: bool = False
    joint: bool = True

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        if self.allow_neutral:
            return "Say nothing that contradicts the references."
        return "Make no claim that the references do not bear out."

    def judge(self, value: str, case: Case) -> Iterable[Verdict]:
        """Judge each claim of the value."""
        checked, tokens = self._checked(value, case)
        if not checked:
            slug, message = fault_message("claim_unsupported_none")
            yield self.fails(slug, message, tokens=tokens)
        for number, one in enumerate(checked):
            # What counts for none of them is counted once.
            yield self._verdict(one, (one.tokens or 0) + (0 if number else tokens))

    def _checked(self, value: str, case: Case) -> tuple[list[CheckedClaim], int]:
        """Return the claims with their labels, and tokens that count for none of them."""
        checker = case.judges.checker
        if checker is None and self.joint and not self.extract_first:
            return extract_and_label(value, case.references, case.question, case.llm, case.ask)
        extracted, tokens = extract(value, case.question, case.llm, case.ask)
        checked = label(
            claims_and_uncovered_sentences(value, extracted),
            case.references,
            case.question,
            case.llm if checker is None else resolve_checker(checker),
            case.ask,
            joint=self.joint,
        )
        return checked, tokens

    def _verdict(self, one: CheckedClaim, tokens: int) -> Verdict:
        score = one.scores.entailment if one.scores else None
        claim = f'"{clip(" ".join(one.text.split()), _SHOWN)}"'
        if one.label is Label.ENTAILMENT or (one.label is Label.NEUTRAL and self.allow_neutral):
            return self.holds(
                label=one.label.value, score=score, span=one.span, reason=claim, tokens=tokens
            )
        wording = "claim_contradicted" if one.label is Label.CONTRADICTION else "claim_unsupported"
        values: dict[str, str] = {"claim": claim}
        if one.passage is None or one.span is None:
            wording = "claim_unsupported_nothing"
        else:
            values["passage"] = f'"{clip(" ".join(one.passage.split()), _SHOWN)}"'
            values["reference"] = clip(one.span.reference, 40)
        slug, message = fault_message(wording, **values)
        return self.fails(
            slug,
            message,
            label=one.label.value,
            score=score,
            span=one.span,
            reason=claim,
            tokens=tokens,
        )
