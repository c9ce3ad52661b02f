"""Pydantic types whose values must stand on reference texts.

Declare in a model what must be true of an LLM's answer; a value that fails raises an ordinary
validation error that says what to mend.
"""

from groundtypes.audits import Audit
from groundtypes.dataset import BuiltDataset, build_dataset
from groundtypes.defaults import offer_bundled
from groundtypes.entailment import Entailment, entail
from groundtypes.errors import (
    BackendError,
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
from groundtypes.figures import find_figures
from groundtypes.grounded import Grounded
from groundtypes.quotes import How, NearMiss, QuoteMatch, find_quote
from groundtypes.recordings import Recording, record
from groundtypes.references import Reference, References, Span
from groundtypes.scoring import Judges, Label, NLIScorer, NLIScores, Pair, Verdict
from groundtypes.text.figures.figure import Figure
from groundtypes.validators.base import Case, Check
from groundtypes.validators.entailed import Entailed
from groundtypes.validators.figures import Figures
from groundtypes.validators.quote import Quote, Quoted, QuotedText
from groundtypes.verify import (
    aaudit,
    audit,
    audit_many,
    averify,
    iter_audits,
    verify,
    verify_many,
)

__all__ = [
    "Audit",
    "BackendError",
    "BuiltDataset",
    "Case",
    "Check",
    "CheckError",
    "ContextError",
    "DatasetError",
    "Entailed",
    "Entailment",
    "Figure",
    "Figures",
    "Grounded",
    "How",
    "Judges",
    "Label",
    "MarkerError",
    "MissingJudgeError",
    "MissingReferencesError",
    "Mistake",
    "NLIScorer",
    "NLIScores",
    "NearMiss",
    "Pair",
    "Quote",
    "QuoteMatch",
    "Quoted",
    "QuotedText",
    "Recording",
    "RecordingError",
    "Reference",
    "References",
    "ReferencesError",
    "Span",
    "Verdict",
    "aaudit",
    "audit",
    "audit_many",
    "averify",
    "build_dataset",
    "entail",
    "find_figures",
    "find_quote",
    "iter_audits",
    "record",
    "verify",
    "verify_many",
]

offer_bundled()
