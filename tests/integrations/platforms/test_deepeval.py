"""DeepEval runs the metric in its own tests."""

from pathlib import Path
from typing import Any

import pytest

from groundtypes import Grounded, Judges, Quote
from groundtypes.errors import BackendError, ContextError
from groundtypes.models import EntailedAnswer
from tests.integrations.platforms.answers import REFERENCES, RIGHT, WRONG, Answer, Broken, needs

pytestmark = needs("deepeval")


@pytest.fixture(autouse=True)
def _no_telemetry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # DeepEval stores runs in the working folder
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


def test_a_case_without_context_or_output_is_skipped_if_deepeval_is_told_to() -> None:
    from deepeval import evaluate  # noqa: PLC0415
    from deepeval.evaluate.configs import DisplayConfig, ErrorConfig  # noqa: PLC0415
    from deepeval.test_case import LLMTestCase  # noqa: PLC0415

    from groundtypes.integrations.deepeval import GroundedMetric  # noqa: PLC0415

    unanswered = LLMTestCase(input="When?", retrieval_context=REFERENCES)
    with pytest.raises(ContextError, match="no actual_output"):
        GroundedMetric(Answer).measure(unanswered)
    result = evaluate(
        [case(RIGHT, retrieval_context=REFERENCES), case(RIGHT), unanswered],
        [GroundedMetric(Answer)],
        error_config=ErrorConfig(skip_on_missing_params=True),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
    )
    names = [[each.name for each in test.metrics_data or []] for test in result.test_results]
    assert sorted(names) == [[], [], ["Grounded (Answer)"]]


def test_retrieved_context_may_have_a_source() -> None:
    from deepeval.test_case import RetrievedContextData  # noqa: PLC0415

    from groundtypes.integrations.deepeval import GroundedMetric  # noqa: PLC0415

    chunks = [RetrievedContextData(context=text, source="guide.pdf") for text in REFERENCES]
    assert GroundedMetric(Answer).measure(case(RIGHT, retrieval_context=chunks)) == 1.0
    assert GroundedMetric(Answer).measure(case(WRONG, retrieval_context=chunks)) == 0.0


def test_a_metric_keeps_nothing_of_the_case_before() -> None:
    from groundtypes.integrations.deepeval import GroundedMetric  # noqa: PLC0415

    metric = GroundedMetric(Answer)
    metric.measure(case(RIGHT, retrieval_context=REFERENCES))
    with pytest.raises(ContextError):
        metric.measure(case(RIGHT))
    assert (metric.score, metric.is_successful()) == (None, False)


def test_an_answer_of_which_nothing_is_judged_has_no_score() -> None:
    from groundtypes.integrations.deepeval import GroundedMetric  # noqa: PLC0415

    class Quotes(Grounded):
        quotes: list[Quote]

    metric = GroundedMetric(Quotes)
    with pytest.raises(ContextError, match="judged anything"):
        metric.measure(case('{"quotes": []}', retrieval_context=REFERENCES))
    assert metric.score is None
