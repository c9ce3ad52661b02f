"""DeepEval runs the metric in its own tests."""

from typing import Any

import pytest

from groundtypes import Grounded, Judges, Quote
from groundtypes.errors import BackendError, ContextError
from groundtypes.models import EntailedAnswer
from tests.integrations.platforms.answers import REFERENCES, RIGHT, WRONG, Answer, Broken, needs

pytestmark = needs("deepeval")


@pytest.fixture(autouse=True)
def _no_telemetry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "1")
    monkeypatch.setenv("DEEPEVAL_UPDATE_WARNING_OPT_IN", "0")


def case(output: str, **more: Any) -> Any:
    from deepeval.test_case import LLMTestCase  # noqa: PLC0415

    return LLMTestCase(input="When?", actual_output=output, **more)


def test_a_metric_succeeds_if_every_check_holds() -> None:
    from groundtypes.integrations.deepeval import GroundedMetric  # noqa: PLC0415

    metric = GroundedMetric(Answer)
    assert metric.measure(case(RIGHT, retrieval_context=REFERENCES)) == 1.0
    assert (metric.is_successful(), metric.reason) == (True, None)
    assert metric.measure(case(WRONG, context=REFERENCES)) == 0.0
    assert not metric.is_successful()
    assert metric.reason is not None
    assert "1898" in metric.reason


def test_assert_test_fails_on_a_wrong_quote() -> None:
    from deepeval import assert_test  # noqa: PLC0415

    from groundtypes.integrations.deepeval import GroundedMetric  # noqa: PLC0415

    assert_test(case(RIGHT, retrieval_context=REFERENCES), [GroundedMetric(Answer)])
    with pytest.raises(AssertionError, match="Grounded"):
        assert_test(case(WRONG, retrieval_context=REFERENCES), [GroundedMetric(Answer)])


def test_what_cannot_be_judged_is_an_error() -> None:
    from groundtypes.integrations.deepeval import GroundedMetric  # noqa: PLC0415

    with pytest.raises(ContextError, match="no retrieval_context"):
        GroundedMetric(Answer).measure(case(RIGHT))
    metric = GroundedMetric(EntailedAnswer, judges=Judges(nli=Broken()))
    with pytest.raises(BackendError):
        metric.measure(case(RIGHT, retrieval_context=REFERENCES))


def test_an_answer_of_which_nothing_is_judged_has_no_score() -> None:
    from groundtypes.integrations.deepeval import GroundedMetric  # noqa: PLC0415

    class Quotes(Grounded):
        quotes: list[Quote]

    metric = GroundedMetric(Quotes)
    with pytest.raises(ContextError, match="judged anything"):
        metric.measure(case('{"quotes": []}', retrieval_context=REFERENCES))
    assert metric.score is None
