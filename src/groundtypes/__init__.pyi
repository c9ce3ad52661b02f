# The public names of `groundtypes`, written once: `__init__.py` reads them here when it runs.

import collections.abc
import typing

from groundtypes import asgi as asgi
from groundtypes import batch as batch
from groundtypes import calibration as calibration
from groundtypes import citations as citations
from groundtypes import claims as claims
from groundtypes import dataset as dataset
from groundtypes import entailment as entailment
from groundtypes import errors as errors
from groundtypes import evaluation as evaluation
from groundtypes import figures as figures
from groundtypes import integrations as integrations
from groundtypes import llm_judge as llm_judge
from groundtypes import models as models
from groundtypes import quotes as quotes
from groundtypes import references as references
from groundtypes import refusals as refusals
from groundtypes import report as report
from groundtypes import scoring as scoring
from groundtypes import testing as testing
from groundtypes import validation as validation
from groundtypes.asgi import NonBlockingMiddleware as NonBlockingMiddleware
from groundtypes.backends.operating_point import Calibration as Calibration
from groundtypes.calibration.calibrate import acalibrate as acalibrate
from groundtypes.calibration.calibrate import calibrate as calibrate
from groundtypes.citations.markers.cited_text import Citation as Citation
from groundtypes.citations.markers.cited_text import CitedText as CitedText
from groundtypes.concurrency.nonblocking import nonblocking as nonblocking
from groundtypes.errors import LanguageError as LanguageError
from groundtypes.errors import Mistake as Mistake
from groundtypes.evaluation.citations import citation_scores as citation_scores
from groundtypes.integrations.attempts.last_attempt import abest_attempt as abest_attempt
from groundtypes.integrations.attempts.last_attempt import akeep_valid as akeep_valid
from groundtypes.integrations.attempts.last_attempt import best_attempt as best_attempt
from groundtypes.integrations.attempts.last_attempt import keep_valid as keep_valid
from groundtypes.judges import Judges as Judges
from groundtypes.quotes.matches import QuoteMatch as QuoteMatch
from groundtypes.quotes.search import find_quote as find_quote
from groundtypes.references import Reference as Reference
from groundtypes.references import References as References
from groundtypes.references import Span as Span
from groundtypes.refusals.detect import detect_refusal as detect_refusal
from groundtypes.refusals.refusal import Refusal as Refusal
from groundtypes.rounds.grounding import grounded_in as grounded_in
from groundtypes.scoring import Label as Label
from groundtypes.scoring import NLIScorer as NLIScorer
from groundtypes.scoring import NLIScores as NLIScores
from groundtypes.scoring import Pair as Pair
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
from groundtypes.validation.streams.guarding import guard as guard
from groundtypes.validators.aligned import Aligned as Aligned
from groundtypes.validators.answered import Answered as Answered
from groundtypes.validators.case import Case as Case
from groundtypes.validators.check import Check as Check
from groundtypes.validators.cited import Cited as Cited
from groundtypes.validators.cited_statements import CitedStatement as CitedStatement
from groundtypes.validators.cited_statements import cited_statements as cited_statements
from groundtypes.validators.entailed import Entailed as Entailed
from groundtypes.validators.faithful import Faithful as Faithful
from groundtypes.validators.figures import Figures as Figures
from groundtypes.validators.judged import Judged as Judged
from groundtypes.validators.quoted import Quote as Quote
from groundtypes.validators.quoted import Quoted as Quoted
from groundtypes.validators.quoted import QuotedText as QuotedText
from groundtypes.validators.supported import Supported as Supported
from groundtypes.verdicts import Verdict as Verdict

__version__: str

def lazy_names(
    package: str,
) -> tuple[
    collections.abc.Callable[[str], typing.Any], collections.abc.Callable[[], list[str]], list[str]
]: ...

# What is imported above and is not listed here has another documented place, and is found by its
# short name as well.
__all__ = [
    "Aligned",
    "Answered",
    "Audit",
    "Case",
    "Check",
    "Cited",
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
    "NonBlockingMiddleware",
    "Pair",
    "Quote",
    "QuoteMatch",
    "Quoted",
    "QuotedText",
    "References",
    "Refusal",
    "Span",
    "Supported",
    "Verdict",
    "aaudit",
    "aaudit_many",
    "audit",
    "audit_many",
    "averify",
    "averify_many",
    "best_attempt",
    "calibrate",
    "detect_refusal",
    "find_quote",
    "grounded_in",
    "guard",
    "keep_valid",
    "nonblocking",
    "verify",
    "verify_many",
]
