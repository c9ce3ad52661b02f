"""Every public value can be copied, and pickled in every protocol."""

import copy
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from pydantic import ValidationError

from groundtypes import (
    Aligned,
    Answered,
    Entailed,
    Faithful,
    Figures,
    Judged,
    Judges,
    Quoted,
    References,
    Span,
    Supported,
    audit,
    detect_refusal,
    errors,
    find_quote,
)
from groundtypes.backends.llm import Budget
from groundtypes.dataset import Columns, Keys, RunCounts
from groundtypes.figures import find_figures
from groundtypes.models import CitedAnswer
from groundtypes.scoring import NLIScores, Pair
from groundtypes.validators.quoted import QuotedText

REFERENCES = References.of({"guide": "It is tall and grey."})


def _audit(quote: str) -> Any:
    data = {"answer": "x", "citations": [{"statement": "s", "quote": quote}]}
    return audit(CitedAnswer, data, context={"references": REFERENCES, "question": "q"})


def _counts() -> RunCounts:
    counts = RunCounts()
    counts.add(_audit("It is tall"))
    return counts


PASSED, FAULTY = _audit("It is tall"), _audit("It is small")
VALUES: dict[str, Any] = {
    "Audit": PASSED,
    "faulty Audit": FAULTY,
    "Verdict": PASSED.verdicts[0],
    "answer": PASSED.value,
    "QuotedText": PASSED.value.citations[0].quote,
    "QuoteMatch": find_quote("It is tall", REFERENCES),
    "References": REFERENCES,
    "Reference": REFERENCES["guide"],
    "Span": Span("guide", 0, 2),
    "Judges": Judges(),
    "Refusal": detect_refusal("I cannot answer that."),
    "Figure": find_figures("5 km")[0],
    "Pair": Pair("a", "b"),
    "NLIScores": NLIScores(1.0, 0.0, 0.0),
    "Keys": Keys(answer="a"),
    "Columns": Columns(),
    "RunCounts": _counts(),
    **{
        type(marker).__name__: marker
        for marker in (
            Quoted(of="source"),
            Entailed(by="quotes"),
            Figures(),
            Supported(),
            Judged("Be brief."),
            Faithful(),
            Aligned(),
            Answered(),
        )
    },
}
ERRORS: dict[str, Exception] = {
    "no context": errors.MissingReferencesError(),
    "no references": errors.MissingReferencesError({"question": "q"}),
    **{
        name: getattr(errors, name)("what is wrong")
        for name in errors.__all__
        if name.endswith("Error") and name != "MissingReferencesError"
    },
}


def _pickled(value: Any, protocol: int) -> Any:
    return pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 # its own


def _can_be_pickled(error: ValidationError) -> bool:
    """Return whether this version of Pydantic reads an error of a type that is not its own."""
    try:
        return bool(_pickled(error, 2))
    except KeyError:
        return False


if not _can_be_pickled(FAULTY.error):
    pytest.skip("an earlier version of Pydantic", allow_module_level=True)

COPIES: dict[str, Callable[[Any], Any]] = {
    **{
        f"protocol {number}": partial(_pickled, protocol=number)
        for number in range(pickle.HIGHEST_PROTOCOL + 1)
    },
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES.keys())
@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
def test_a_copy_equals_the_value(value: Any, copied: Callable[[Any], Any]) -> None:
    again = copied(value)
    assert type(again) is type(value)
    assert repr(again) == repr(value)
    if value is not FAULTY:  # two errors of pydantic are never equal
        assert again == value


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES.keys())
@pytest.mark.parametrize("error", ERRORS.values(), ids=ERRORS.keys())
def test_a_copy_of_an_error_says_the_same(error: Exception, copied: Callable[[Any], Any]) -> None:
    again = copied(error)
    assert type(again) is type(error)
    assert str(again) == str(error)


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES.keys())
def test_a_copy_of_a_validation_error_has_the_same_faults(copied: Callable[[Any], Any]) -> None:
    error: ValidationError = FAULTY.error
    assert copied(error).errors() == error.errors()


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES.keys())
def test_a_copy_of_a_quote_keeps_its_span(copied: Callable[[Any], Any]) -> None:
    quote: QuotedText = PASSED.value.citations[0].quote
    again = copied(quote)
    assert (again, again.span, again.how) == (quote, quote.span, quote.how)


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES.keys())
def test_a_copy_of_a_budget_has_its_limits(copied: Callable[[Any], Any]) -> None:
    assert copied(Budget(calls=3, tokens=5)) == Budget(calls=3, tokens=5)
