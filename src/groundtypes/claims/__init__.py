"""Claims: what a text asserts, extracted by an LLM, and labelled by an LLM or an NLI engine.

`claim` defines the results: a claim triplet, and a claim with its label. A *statement* is a claim
as the LLM words it in the one-call prompt; *checked* means labelled. There are two ways to get from
a text to labelled claims:

- in two steps: `extract` asks an LLM for the triplets of a text, `label` asks an LLM (`llm_labels`)
  or an NLI engine what the references say of each;
- in one step, which costs fewer tokens: `extract_and_label`.

`prompt_limits` says how much of a text their prompts show.
`attribution` protects both ways from the errors of an LLM, and from texts with instructions to the
LLM (prompt injection): it drops claims that the text does not make and returns the sentences that
no claim covers.
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
