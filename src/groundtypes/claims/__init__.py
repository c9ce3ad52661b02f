"""Claims: what a text asserts, extracted and labelled by an LLM or an NLI engine."""

from groundtypes.claims.label import CheckedClaim
from groundtypes.claims.pipeline import check_claims, extract_claims
from groundtypes.claims.triplet import ClaimTriplet

__all__ = [
    "CheckedClaim",
    "ClaimTriplet",
    "check_claims",
    "extract_claims",
]
