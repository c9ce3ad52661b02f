"""Pydantic types whose values must stand on reference texts.

Declare in a model what must be true of an LLM's answer; a value that fails raises an ordinary
validation error that says what to mend.
"""

from groundtypes.aggregates import Aggregate, Difference, aggregate, compare
from groundtypes.asking import check_claims, extract_claims
from groundtypes.audits import Audit
from groundtypes.checking import CheckedClaim
from groundtypes.claim_evaluation import ClaimsEvaluation, evaluate_claims
from groundtypes.dataset import BuiltDataset, build_dataset
from groundtypes.defaults import offer_engines
from groundtypes.entailment import Entailment, entail
from groundtypes.errors import (
    BackendError,
    BudgetError,
    CheckError,
    ContextError,
    DatasetError,
    MarkerError,
    MissingJudgeError,
    MissingReferencesError,
    Mistake,
    RecordingError,
    ReferencesError,
)
from groundtypes.evaluation import (
    Evaluation,
    EvaluationRow,
    evaluate,
    evaluate_many,
)
from groundtypes.figures import find_figures
from groundtypes.grounded import Grounded
from groundtypes.judging import Hallucination, ahallucination, hallucination
from groundtypes.quotes import How, NearMiss, QuoteMatch, find_quote
from groundtypes.recordings import Recording, record
from groundtypes.references import Reference, References, Span
from groundtypes.refusals import Refusal, RefusalKind, detect_refusal
from groundtypes.scoring import (
    LLM,
    ClaimTriplet,
    Judges,
    Label,
    NLIScorer,
    NLIScores,
    Pair,
    Question,
    Reply,
    Verdict,
)
from groundtypes.text.figures.figure import Figure
from groundtypes.validators.base import Case, Check
from groundtypes.validators.claims import Supported
from groundtypes.validators.entailed import Entailed
from groundtypes.validators.figures import Figures
from groundtypes.validators.judged import Aligned, Faithful, Judged
from groundtypes.validators.quote import Quote, Quoted, QuotedText
from groundtypes.validators.refusal import Answered
from groundtypes.verify import (
    aaudit,
    audit,
    audit_many,
    averify,
    iter_audits,
    verify,
    verify_many,
)

__all__ = [  # noqa: RUF022 # plain order, which a test holds
    "Aggregate",
    "Aligned",
    "Answered",
    "Audit",
    "BackendError",
    "BudgetError",
    "BuiltDataset",
    "Case",
    "Check",
    "CheckError",
    "CheckedClaim",
    "ClaimTriplet",
    "ClaimsEvaluation",
    "ContextError",
    "DatasetError",
    "Difference",
    "Entailed",
    "Entailment",
    "Evaluation",
    "EvaluationRow",
    "Faithful",
    "Figure",
    "Figures",
    "Grounded",
    "Hallucination",
    "How",
    "Judged",
    "Judges",
    "LLM",
    "Label",
    "MarkerError",
    "MissingJudgeError",
    "MissingReferencesError",
    "Mistake",
    "NLIScorer",
    "NLIScores",
    "NearMiss",
    "Pair",
    "Question",
    "Quote",
    "QuoteMatch",
    "Quoted",
    "QuotedText",
    "Recording",
    "RecordingError",
    "Reference",
    "References",
    "ReferencesError",
    "Refusal",
    "RefusalKind",
    "Reply",
    "Span",
    "Supported",
    "Verdict",
    "aaudit",
    "aggregate",
    "ahallucination",
    "audit",
    "audit_many",
    "averify",
    "build_dataset",
    "check_claims",
    "compare",
    "detect_refusal",
    "entail",
    "evaluate",
    "evaluate_claims",
    "evaluate_many",
    "extract_claims",
    "find_figures",
    "find_quote",
    "hallucination",
    "iter_audits",
    "record",
    "verify",
    "verify_many",
]

offer_engines()
