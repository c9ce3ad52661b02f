"""What a run would take is told from a sample, and no LLM is asked for it."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from groundtypes import Grounded, Judges, audit_many
from groundtypes.backends.llm import InstructorLLM
from groundtypes.backends.reply_cache import DiskReplyCache
from groundtypes.dataset import Keys, estimate
from groundtypes.dataset.estimation import meter
from groundtypes.errors import DatasetError
from groundtypes.models import CitedAnswer, SupportedAnswer
from groundtypes.testing import ScriptedLLM, ScriptedNLI
from tests.command_line import row, write_rows
from tests.dataset.estimation import models
from tests.dataset.estimation.models import text_row, text_rows
from tests.integrations.instructor.clients import sync_client
from tests.scripted_openai import Exchange, Say, ScriptedOpenAI


@pytest.fixture(autouse=True)
def _nobody_was_asked() -> Iterator[None]:
    yield
    assert models.LLM.calls == 0


def calls_of_a_run(model: type[Grounded], rows: list[dict[str, Any]]) -> int:
    """Return how many questions a run puts to an LLM whose replies are the modelled ones."""
    llm = ScriptedLLM(meter.modelled_reply)
    contexts = [{"references": given["references"], "judges": Judges(llm=llm)} for given in rows]
    audit_many(model, [{"text": given["text"]} for given in rows], context=contexts)
    return llm.calls


@pytest.mark.parametrize(
    "model", [models.FaithfulText, models.OneCall, models.TwoCalls, models.CallPerClaim]
)
def test_all_rounds_of_a_small_file_are_counted(tmp_path: Path, model: type[Grounded]) -> None:
    numbers = range(10, 40)
    found = estimate(model, text_rows(tmp_path, numbers))
    real = calls_of_a_run(model, [text_row(number) for number in numbers])
    assert found.calls.value == real
    assert found.calls.low <= real <= found.calls.high
    assert found.questions["llm"].value == real
    assert sum(each.value for each in found.calls_by_prompt.values()) == real
    assert found.input_tokens.value > 100 * real
    assert 0 < found.output_tokens.low < found.output_tokens.high


def test_what_replies_decide_has_bounds(tmp_path: Path) -> None:
    path = text_rows(tmp_path, range(10, 40))
    per_claim = estimate(models.CallPerClaim, path).calls
    # One call that extracts from two sentences, and one for each of two claims of each.
    assert per_claim.value == 30 * (1 + 2 * 2)
    assert per_claim.low == pytest.approx(30 * (1 + 2))
    assert per_claim.high == pytest.approx(30 * (1 + 2 * 4))
    one_call = estimate(models.OneCall, path).calls
    assert 30 < one_call.low < one_call.value < one_call.high < 60
    sure = estimate(models.FaithfulText, path).calls
    assert (sure.low, sure.high) == (30, 30)


def test_a_sample_tells_of_the_whole_file(tmp_path: Path) -> None:
    path = text_rows(tmp_path, range(12_000))
    found = estimate(models.FaithfulText, path)
    assert found.sampled_rows < 4_000
    assert found.rows.value == pytest.approx(12_000, rel=0.05)
    assert found.rows.low <= 12_000 <= found.rows.high
    assert found.calls.value == pytest.approx(12_000, rel=0.05)


def test_a_file_whose_rows_grow_is_told_right(tmp_path: Path) -> None:
    rows = [text_row(n) | {"note": "x" * (n // 2)} for n in range(9_000)]
    found = estimate(models.FaithfulText, write_rows(tmp_path / "rows.jsonl", rows))
    assert found.rows.low <= 9_000 <= found.rows.high
    assert found.rows.value == pytest.approx(9_000, rel=0.1)


def test_repeated_questions_are_asked_once(tmp_path: Path) -> None:
    path = text_rows(tmp_path, (number * 7 % 50 for number in range(9_000)))
    found = estimate(models.FaithfulText, path)
    assert found.calls.value == pytest.approx(50, rel=0.1)
    assert found.calls.low <= 50 <= found.calls.high
    assert any("repeat" in note for note in found.notes)


def test_modelled_replies_are_no_results_of_this_process(tmp_path: Path) -> None:
    path = text_rows(tmp_path, [70])
    llm = ScriptedLLM(lambda question: question.response_model(holds=False, reasons=["No."]))
    judges = Judges(llm=llm)
    assert estimate(models.FaithfulText, path, judges=judges).calls.value == 1
    assert llm.calls == 0
    given = text_row(70)
    context = {"references": given["references"], "judges": judges}
    [audit] = audit_many(models.FaithfulText, [{"text": given["text"]}], context=context)
    assert not audit.ok
    assert llm.calls == 1
    # And what this process has asked is counted all the same: another one asks it again.
    assert estimate(models.FaithfulText, path, judges=judges).calls.value == 1


class Holds:
    """A judgement."""

    def send(self, exchange: Exchange, body: dict[str, Any]) -> None:
        Say({"reasons": [], "holds": True}).send(exchange, body)


def test_cached_replies_cost_nothing_and_a_server_sees_no_request(tmp_path: Path) -> None:
    path = text_rows(tmp_path, range(10, 20))
    with ScriptedOpenAI() as server:
        server.script(*[Holds()] * 4)
        cache = DiskReplyCache(tmp_path / "cache")
        with sync_client(server) as client, InstructorLLM(client, "m", cache=cache) as llm:
            judges = Judges(llm=llm)
            for number in range(10, 14):
                given = text_row(number)
                context = {"references": given["references"], "judges": judges}
                audit_many(models.FaithfulText, [{"text": given["text"]}], context=context)
            found = estimate(models.FaithfulText, path, judges=judges)
        assert len(server.requests) == 4
    assert found.calls.value == 6
    assert found.questions["llm"].value == 10


def test_pairs_are_counted_and_the_bundled_engine_is_timed(tmp_path: Path) -> None:
    path = text_rows(tmp_path, range(10, 30))
    scorer = ScriptedNLI()
    contexts = [
        {"references": text_row(number)["references"], "judges": Judges(nli=scorer)}
        for number in range(10, 30)
    ]
    audit_many(
        models.EntailedText,
        [{"text": text_row(number)["text"]} for number in range(10, 30)],
        context=contexts,
    )
    found = estimate(models.EntailedText, path)
    assert found.questions["nli"].value == sum(map(len, scorer.batches))
    assert found.seconds.low > 0
    assert found.calls.high == 0
    again = estimate(models.EntailedText, path)
    assert again.questions["nli"].value == found.questions["nli"].value


def test_an_engine_that_may_cost_money_is_not_called(tmp_path: Path) -> None:
    scorer = ScriptedNLI()
    path = text_rows(tmp_path, range(10, 30))
    found = estimate(models.EntailedText, path, judges=Judges(nli=scorer))
    assert scorer.calls == 0
    assert found.questions["nli"].value > 0
    assert any("ScriptedNLI was not called" in note for note in found.notes)


def test_workers_count_the_same(tmp_path: Path) -> None:
    rows = [row(id=number) for number in range(300)]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    alone, both = (estimate(CitedAnswer, path, workers=workers) for workers in (1, 2))
    assert alone.rows == both.rows
    assert both.workers == 2


def test_the_time_of_calls_is_part_of_the_time_where_it_is_known(tmp_path: Path) -> None:
    path = text_rows(tmp_path, range(10, 40))
    without = estimate(models.FaithfulText, path)
    assert without.llm_seconds is None
    # A scripted engine takes one call after the other.
    with_calls = estimate(models.FaithfulText, path, call_seconds=2.0)
    assert with_calls.llm_seconds is not None
    assert with_calls.llm_seconds.value == 60
    assert with_calls.seconds.value > 60


def test_a_reply_of_the_users_own_is_modelled_by_its_schema(tmp_path: Path) -> None:
    path = text_rows(tmp_path, range(10, 15))
    assert estimate(models.GradedText, path).calls.value == 5


def test_broken_rows_are_counted(tmp_path: Path) -> None:
    rows = [row(), b"{not json", b"", {"answer": "a"}, row()]
    found = estimate(CitedAnswer, write_rows(tmp_path / "rows.jsonl", rows))
    assert (found.rows.value, found.broken.value) == (4, 2)


def test_no_rows_take_nothing(tmp_path: Path) -> None:
    found = estimate(CitedAnswer, write_rows(tmp_path / "rows.jsonl", []))
    assert found.rows.high == found.calls.high == 0


def test_mistakes_are_found_before_the_run(tmp_path: Path) -> None:
    path = text_rows(tmp_path, range(10, 40))
    with pytest.raises(DatasetError, match="standard input"):
        estimate(CitedAnswer, "-")
    with pytest.raises(DatasetError, match="reply_to"):
        estimate(models.EntailedText, path, keys=Keys(answer="reply_to"))
    answers = write_rows(tmp_path / "answers.jsonl", [{"references": ["a"], "answer": "A mill."}])
    with pytest.raises(DatasetError, match="needs an LLM"):
        estimate(SupportedAnswer, answers)
    boom = write_rows(tmp_path / "boom.jsonl", [text_row(1) | {"text": "boom"}])
    with pytest.raises(DatasetError, match=r"boom\.jsonl.*KeyError"):
        estimate(models.Buggy, boom)
    assert estimate(models.Buggy, boom, on_mistake="keep").rows.value == 1
    with pytest.raises(DatasetError, match="call_seconds"):
        estimate(CitedAnswer, path, call_seconds=float("nan"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("batch", 0),
        ("workers", 0),
        *((name, value) for name in ("budget", "call_seconds") for value in (-1, float("inf"))),
    ],
)
def test_a_wrong_argument_is_named(tmp_path: Path, name: str, value: Any) -> None:
    arguments: dict[str, Any] = {name: value}
    with pytest.raises(DatasetError, match=f"^`{name}` must be "):
        estimate(models.FaithfulText, text_rows(tmp_path, range(3)), **arguments)


def test_the_figures_are_plain_data(tmp_path: Path) -> None:
    found = estimate(models.FaithfulText, text_rows(tmp_path, range(10, 15)))
    data = found.to_dict()
    assert data["calls"] == asdict(found.calls)
    assert data["sample"]["rows"] == 5
    assert data["llm seconds"] is None
