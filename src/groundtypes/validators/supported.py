"""`Supported`: the references support every claim that the value makes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from groundtypes.claims.attribution import claims_and_uncovered_sentences
from groundtypes.claims.claim import CheckedClaim
from groundtypes.claims.extract import extract_triplets
from groundtypes.claims.extract_and_label import extract_and_label
from groundtypes.claims.label import label_claims, resolve_checker
from groundtypes.errors import fault_message
from groundtypes.scoring import Label
from groundtypes.text.message_excerpts import excerpt, shown_id
from groundtypes.validators.case import Case
from groundtypes.validators.claim_check import ClaimCheck
from groundtypes.validators.option_values import check_choices
from groundtypes.verdicts import Verdict

#: How much of a claim or passage an error shows, in characters.
_EXCERPT: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Supported(ClaimCheck):
    """Holds when the references entail every claim of the value.

    An LLM splits the value into claims and labels each of them. There is a verdict for each claim,
    with its label, and with the passage that decided as its span. A sentence that the LLM skips, or
    whose claims leave out a number or more than half of its content words, is judged as a whole.

    Args:
        allow_neutral: Accept claims that the references neither support nor contradict.
        calls: How many calls to the LLM an answer takes.
            `"one"`: a single call extracts the claims and labels them; a second call follows only
            for what the first leaves unlabelled.
            `"two"`: the first call extracts claims as triplets, the second labels them, for 1.7
            times the tokens of `"one"`.
            `"per_claim"`: one call extracts the claims, and each claim is labelled in a call of
            its own, which costs most.
            With `Judges(checker=...)` the LLM only extracts, and the checker labels.
        claim: The sentence that a value makes which is no text, with `{value}` and the names of
            sibling fields: "The status of the invoice is {value}." A truth value needs two
            forms: "The contract {value:renews|does not renew} automatically."
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    allow_neutral: bool = False
    calls: Literal["one", "two", "per_claim"] = "one"
    claim: str | None = None

    def __post_init__(self) -> None:
        check_choices(self, calls=("one", "two", "per_claim"))
        self.check_claim()

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema."""
        if self.allow_neutral:
            return "Say nothing that contradicts the references."
        return "Make no claim that the references do not support."

    def judge(self, value: Any, case: Case) -> Iterable[Verdict]:
        """Judge each claim of the value."""
        text = self.text_of(value, case)
        if isinstance(text, Verdict):
            yield text
            return
        claims, shared_tokens = self._labelled_claims(text, case)
        if not claims:
            slug, message = fault_message("claim_unsupported_none")
            yield self.fails(slug, message, tokens=shared_tokens)
        for number, claim in enumerate(claims):
            # Tokens that belong to no single claim are counted once, with the first.
            yield self._verdict(claim, (claim.tokens or 0) + (0 if number else shared_tokens))

    def _labelled_claims(self, value: str, case: Case) -> tuple[list[CheckedClaim], int]:
        """Return the claims with their labels, and the tokens that belong to no single claim."""
        checker = case.judges.checker
        if checker is None and self.calls == "one":
            return extract_and_label(value, case.references, case.question, case.llm, case.ask)
        extracted, tokens = extract_triplets(value, case.question, case.llm, case.ask)
        claims = label_claims(
            claims_and_uncovered_sentences(value, extracted),
            case.references,
            case.question,
            case.llm if checker is None else resolve_checker(checker),
            case.ask,
            calls="per_claim" if self.calls == "per_claim" else "one",
        )
        return claims, tokens

    def _verdict(self, claim: CheckedClaim, tokens: int) -> Verdict:
        text = excerpt(claim.text, _EXCERPT)
        shown: dict[str, Any] = {
            "label": claim.label.value,
            "score": claim.scores.entailment if claim.scores else None,
            "span": claim.span,
            "reason": text,
            "tokens": tokens,
            "engine": claim.engine,
        }
        if claim.label is Label.ENTAILMENT or (claim.label is Label.NEUTRAL and self.allow_neutral):
            return self.holds(**shown)
        refuted = claim.label is Label.CONTRADICTION
        template = "claim_contradicted" if refuted else "claim_unsupported"
        values: dict[str, str] = {"claim": text}
        if claim.passage is None or claim.span is None:
            template = "claim_unsupported_nothing"
        else:
            values["passage"] = excerpt(claim.passage, _EXCERPT)
            values["reference"] = shown_id(claim.span.reference)
        slug, message = fault_message(template, **values)
        return self.fails(slug, message, **shown)
