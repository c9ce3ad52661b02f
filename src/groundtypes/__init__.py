"""Pydantic types for LLM answers that must be grounded in reference texts.

Declare in a model what must be true of an answer: that a quote is real, that the references entail
a statement, that every claim is supported. A value that fails raises an ordinary Pydantic
validation error that says what to fix.

The names below are imported when they are first used, so that `import groundtypes` is fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from groundtypes.attempts.last_attempt import abest_attempt as abest_attempt
    from groundtypes.attempts.last_attempt import akeep_valid as akeep_valid
    from groundtypes.attempts.last_attempt import best_attempt as best_attempt
    from groundtypes.attempts.last_attempt import keep_valid as keep_valid
    from groundtypes.calibration.calibrate import acalibrate as acalibrate
    from groundtypes.calibration.calibrate import calibrate as calibrate
    from groundtypes.citations.cited import Cited as Cited
    from groundtypes.citations.markers.cited_text import Citation as Citation
    from groundtypes.citations.markers.cited_text import CitedText as CitedText
    from groundtypes.citations.statements.cited_statements import CitedStatement as CitedStatement
    from groundtypes.citations.statements.cited_statements import (
        cited_statements as cited_statements,
    )
    from groundtypes.coroutines.nonblocking import nonblocking as nonblocking
    from groundtypes.errors import LanguageError as LanguageError
    from groundtypes.errors import Mistake as Mistake
    from groundtypes.evaluation.citations import citation_scores as citation_scores
    from groundtypes.grounding import grounded_in as grounded_in
    from groundtypes.judges import Judges as Judges
    from groundtypes.operating_point import Calibration as Calibration
    from groundtypes.quotes.matches import QuoteMatch as QuoteMatch
    from groundtypes.quotes.search import find_quote as find_quote
    from groundtypes.references import References as References
    from groundtypes.refusals.detect import Refusal as Refusal
    from groundtypes.refusals.detect import detect_refusal as detect_refusal
    from groundtypes.scoring import Label as Label
    from groundtypes.scoring import NLIScorer as NLIScorer
    from groundtypes.scoring import NLIScores as NLIScores
    from groundtypes.scoring import Pair as Pair
    from groundtypes.spans import Reference as Reference
    from groundtypes.spans import Span as Span
    from groundtypes.streams.guarding import guard as guard
    from groundtypes.validation.audits import Audit as Audit
    from groundtypes.validation.grounded import Grounded as Grounded
    from groundtypes.validation.many_answers import aaudit_many as aaudit_many
    from groundtypes.validation.many_answers import audit_many as audit_many
    from groundtypes.validation.many_answers import averify_many as averify_many
    from groundtypes.validation.many_answers import verify_many as verify_many
    from groundtypes.validation.one_answer import aaudit as aaudit
    from groundtypes.validation.one_answer import audit as audit
    from groundtypes.validation.one_answer import averify as averify
    from groundtypes.validation.one_answer import verify as verify
    from groundtypes.validators.aligned import Aligned as Aligned
    from groundtypes.validators.answered import Answered as Answered
    from groundtypes.validators.case import Case as Case
    from groundtypes.validators.check import Check as Check
    from groundtypes.validators.entailed import Entailed as Entailed
    from groundtypes.validators.faithful import Faithful as Faithful
    from groundtypes.validators.figures import Figures as Figures
    from groundtypes.validators.judged import Judged as Judged
    from groundtypes.validators.quoted import Quote as Quote
    from groundtypes.validators.quoted import Quoted as Quoted
    from groundtypes.validators.quoted import QuotedText as QuotedText
    from groundtypes.validators.supported import Supported as Supported
    from groundtypes.verdicts import Verdict as Verdict

__all__ = [  # plain alphabetical order
    "Aligned",
    "Answered",
    "Audit",
    "Calibration",
    "Case",
    "Check",
    "Citation",
    "Cited",
    "CitedStatement",
    "CitedText",
    "Entailed",
    "Faithful",
    "Figures",
    "Grounded",
    "Judged",
    "Judges",
    "Label",
    "LanguageError",
    "Mistake",
    "NLIScorer",
    "NLIScores",
    "Pair",
    "Quote",
    "QuoteMatch",
    "Quoted",
    "QuotedText",
    "Reference",
    "References",
    "Refusal",
    "Span",
    "Supported",
    "Verdict",
    "aaudit",
    "aaudit_many",
    "abest_attempt",
    "acalibrate",
    "akeep_valid",
    "audit",
    "audit_many",
    "averify",
    "averify_many",
    "best_attempt",
    "calibrate",
    "citation_scores",
    "cited_statements",
    "detect_refusal",
    "find_quote",
    "grounded_in",
    "guard",
    "keep_valid",
    "nonblocking",
    "verify",
    "verify_many",
]

#: Where each public name is defined.
_MODULES: Final = {
    "Aligned": "groundtypes.validators.aligned",
    "Answered": "groundtypes.validators.answered",
    "Audit": "groundtypes.validation.audits",
    "Calibration": "groundtypes.operating_point",
    "Case": "groundtypes.validators.case",
    "Check": "groundtypes.validators.check",
    "Citation": "groundtypes.citations.markers.cited_text",
    "Cited": "groundtypes.citations.cited",
    "CitedStatement": "groundtypes.citations.statements.cited_statements",
    "CitedText": "groundtypes.citations.markers.cited_text",
    "Entailed": "groundtypes.validators.entailed",
    "Faithful": "groundtypes.validators.faithful",
    "Figures": "groundtypes.validators.figures",
    "Grounded": "groundtypes.validation.grounded",
    "Judged": "groundtypes.validators.judged",
    "Judges": "groundtypes.judges",
    "Label": "groundtypes.scoring",
    "LanguageError": "groundtypes.errors",
    "Mistake": "groundtypes.errors",
    "NLIScorer": "groundtypes.scoring",
    "NLIScores": "groundtypes.scoring",
    "Pair": "groundtypes.scoring",
    "Quote": "groundtypes.validators.quoted",
    "QuoteMatch": "groundtypes.quotes.matches",
    "Quoted": "groundtypes.validators.quoted",
    "QuotedText": "groundtypes.validators.quoted",
    "Reference": "groundtypes.spans",
    "References": "groundtypes.references",
    "Refusal": "groundtypes.refusals.detect",
    "Span": "groundtypes.spans",
    "Supported": "groundtypes.validators.supported",
    "Verdict": "groundtypes.verdicts",
    "aaudit": "groundtypes.validation.one_answer",
    "aaudit_many": "groundtypes.validation.many_answers",
    "abest_attempt": "groundtypes.attempts.last_attempt",
    "acalibrate": "groundtypes.calibration.calibrate",
    "akeep_valid": "groundtypes.attempts.last_attempt",
    "audit": "groundtypes.validation.one_answer",
    "audit_many": "groundtypes.validation.many_answers",
    "averify": "groundtypes.validation.one_answer",
    "averify_many": "groundtypes.validation.many_answers",
    "best_attempt": "groundtypes.attempts.last_attempt",
    "calibrate": "groundtypes.calibration.calibrate",
    "citation_scores": "groundtypes.evaluation.citations",
    "cited_statements": "groundtypes.citations.statements.cited_statements",
    "detect_refusal": "groundtypes.refusals.detect",
    "find_quote": "groundtypes.quotes.search",
    "grounded_in": "groundtypes.grounding",
    "guard": "groundtypes.streams.guarding",
    "keep_valid": "groundtypes.attempts.last_attempt",
    "nonblocking": "groundtypes.coroutines.nonblocking",
    "verify": "groundtypes.validation.one_answer",
    "verify_many": "groundtypes.validation.many_answers",
}
#: Packages that `import groundtypes` makes available as attributes.
_PACKAGES: Final = frozenset(
    {
        "asgi",
        "attempts",
        "batch",
        "calibration",
        "citations",
        "claims",
        "dataset",
        "entailment",
        "errors",
        "evaluation",
        "figures",
        "llm_judge",
        "models",
        "quotes",
        "recordings",
        "refusals",
        "report",
        "scoring",
        "streams",
        "telemetry",
        "testing",
        "validation",
    }
)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value = getattr(import_module(_MODULES[name]), name)
    elif name in _PACKAGES:
        value = import_module(f"groundtypes.{name}")
    elif name == "__version__":
        value = import_module("groundtypes.version").package_version()
    else:
        raise AttributeError(f"module 'groundtypes' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_PACKAGES})
