"""Claims: what a text asserts, extracted by an LLM, and labelled by an LLM or an NLI engine.

`claim` holds the results: a claim triplet, and a claim with its label. There are two ways to them:

- in two steps: `extract` asks an LLM for the triplets of a text, `label` asks an LLM (`llm_labels`)
  or an NLI engine what the references say of each;
- in one step, which costs fewer tokens: `extract_and_label`.

`attribution` protects both from the errors of an LLM, and from texts that try to talk it out of
judging them: it drops claims that the text does not make and finds sentences that no claim covers.
"""

from groundtypes.claims.claim import CheckedClaim, ClaimTriplet
from groundtypes.claims.extract import aextract_claims, extract_claims
from groundtypes.claims.label import acheck_claims, check_claims

__all__ = [
    "CheckedClaim",
    "ClaimTriplet",
    "acheck_claims",
    "aextract_claims",
    "check_claims",
    "extract_claims",
]
