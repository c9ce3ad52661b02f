"""Only checked answers are written to train on; everything else is kept with its reason."""

import json
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, BaseModel

from groundtypes import Grounded, Judges, Quoted, References
from groundtypes.dataset import Job, JobResult, Keys, Progress, build_dataset
from groundtypes.errors import DatasetError, Mistake
from groundtypes.models import CitedAnswer, EntailedAnswer
from tests.backends.test_operating_point import calibration
from tests.dataset.samples import Answer, call, contents, fact, facts, read, row


def answer_of(supervised: dict[str, Any]) -> Any:
    return json.loads(supervised["messages"][-1]["content"])


def both(folder: Path, kind: str) -> list[Any]:
    """Return the rows of both splits."""
    return read(folder / kind / "train.jsonl") + read(folder / kind / "test.jsonl")


def test_clean_rows_are_written_and_the_others_kept_with_their_verdicts(tmp_path: Path) -> None:
    rows = [row(number, good=number % 4 != 3) for number in range(40)]
    built = build_dataset(Answer, rows, tmp_path)
    written = both(tmp_path, "supervised")
    assert sorted(answer["line"] for answer in written) == [
        number + 1 for number in range(40) if number % 4 != 3
    ]
    rejected = read(tmp_path / "rejected.jsonl")
    assert [entry["row"] for entry in rejected] == [rows[number] for number in range(3, 40, 4)]
    assert {verdict["slug"] for entry in rejected for verdict in entry["verdicts"]} == {
        "quote_altered"
    }
    assert built.manifest["counts"]["supervised train"] == 27
    assert built.manifest["counts"]["supervised test"] == 3
    assert built.counts.rejected == 10


def test_what_judges_the_lines_can_be_another(tmp_path: Path) -> None:
    rows = [row(number, good=number % 4 != 3) for number in range(8)]
    jobs: list[Job] = []

    def judge(job: Job, progress: Progress) -> JobResult:
        jobs.append(job)
        return job.run(progress)

    build_dataset(Answer, rows, tmp_path / "other", judge=judge, batch=3)
    build_dataset(Answer, rows, tmp_path / "usual")
    assert contents(tmp_path / "other") == contents(tmp_path / "usual")
    assert [job.batch for job in jobs] == [3]


def _boom(value: str) -> str:
    if "year 7" in value:
        raise KeyError(value)
    return value


class _Failing(BaseModel):
    statement: str
    quote: Annotated[str, Quoted(), AfterValidator(_boom)]


class _FailingAnswer(Grounded):
    facts: list[_Failing]


def test_a_row_that_cannot_be_judged_is_kept_with_its_reason_and_never_trained_on(
    tmp_path: Path,
) -> None:
    rows = [row(number, good=number != 3) for number in range(4, 9)]
    for policy in ("reject", "drop-items", "snap"):
        with pytest.raises(DatasetError, match="Line 4: the model raised KeyError"):
            build_dataset(_FailingAnswer, rows, tmp_path / f"raised {policy}", policy=policy)
        built = build_dataset(
            _FailingAnswer, rows, tmp_path / policy, policy=policy, on_mistake="keep"
        )
        assert sorted(written["line"] for written in both(tmp_path / policy, "supervised")) == [
            *(1, 2, 3, 5)
        ]
        (rejected,) = read(tmp_path / policy / "rejected.jsonl")
        assert (rejected["line"], rejected["judged"], rejected["verdicts"]) == (4, False, [])
        assert "KeyError" in rejected["error"]
        assert (built.counts.unjudged, built.counts.rejected) == (1, 0)
        assert built.manifest["counts"]["unjudged"] == 1


def test_the_prompt_holds_the_references_and_the_question_and_the_answer_follows(
    tmp_path: Path,
) -> None:
    build_dataset(Answer, [row(7)], tmp_path)
    (openai,) = both(tmp_path, "openai")
    assert openai.keys() == {"messages"}
    assert [message["role"] for message in openai["messages"]] == ["system", "user", "assistant"]
    given = row(7)
    asked = openai["messages"][1]["content"]
    assert given["references"]["town"] in asked
    assert asked.endswith(given["question"])
    assert json.loads(openai["messages"][-1]["content"]) == given["answer"]


def test_quotes_are_written_word_for_word_as_they_stand_in_the_reference(tmp_path: Path) -> None:
    given = row(7)
    given["answer"]["facts"][0]["quote"] = "its MARKET was\nfounded in the year 7"
    build_dataset(Answer, [given], tmp_path)
    (written,) = both(tmp_path, "supervised")
    assert answer_of(written)["facts"][0]["quote"] == "Its market was founded in the year 7"


class _Fact(BaseModel):
    statement: str
    quote: Annotated[str, Quoted(spans=True)]


class _AnswerWithSpans(Grounded):
    facts: list[_Fact]


def test_quotes_with_spans_are_written_as_the_llm_writes_them(tmp_path: Path) -> None:
    given, stored = row(7), row(8)
    quote = stored["answer"]["facts"][0]["quote"]
    start = stored["references"]["town"].index(quote)
    span = {"text": quote, "reference": "town", "start": start, "end": start + len(quote)}
    stored["answer"]["facts"][0]["quote"] = span
    build_dataset(_AnswerWithSpans, [given, stored], tmp_path)
    answers = [answer_of(written)["facts"][0]["quote"] for written in both(tmp_path, "supervised")]
    assert sorted(answers) == [given["answer"]["facts"][0]["quote"], quote]


def test_messages_of_a_row_are_its_prompt_without_the_old_answer(tmp_path: Path) -> None:
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "When? {{ x }}"}]},
        {"role": "assistant", "content": "an answer that nobody has checked"},
    ]
    given = row(7, messages=messages)
    del given["question"]
    build_dataset(Answer, [given], tmp_path)
    (openai,) = both(tmp_path, "openai")
    assert [message["content"] for message in openai["messages"][:-1]] == [
        "Be brief.",
        "When? {{ x }}",
    ]


def shouted(question: str, references: References) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"{question.upper()} {len(references)}"}]


def test_a_prompt_of_ones_own_is_used(tmp_path: Path) -> None:
    build_dataset(Answer, [row(7)], tmp_path, prompt=shouted)
    (openai,) = both(tmp_path, "openai")
    assert openai["messages"][0]["content"].startswith("WHEN WAS THE MARKET")


def test_answers_can_be_calls_of_a_tool_with_the_schema_of_the_model(tmp_path: Path) -> None:
    calls = [call(7, facts(7, False), facts(7, True))]
    build_dataset(Answer, calls, tmp_path, style="tools")
    (openai,) = both(tmp_path, "openai")
    (tool,) = openai["tools"]
    assert tool["function"]["name"] == "Answer"
    assert "facts" in tool["function"]["parameters"]["properties"]
    (made,) = openai["messages"][-1]["tool_calls"]
    assert made["function"]["name"] == "Answer"
    assert json.loads(made["function"]["arguments"]) == facts(7, True)
    (pair,) = both(tmp_path, "preference")
    (refused,) = pair["rejected"][0]["tool_calls"]
    assert json.loads(refused["function"]["arguments"]) == facts(7, False)


# --- pairs ----------------------------------------------------------------------------------


def test_a_failed_attempt_and_its_repair_make_a_pair_with_the_reasons(tmp_path: Path) -> None:
    calls = [call(7, facts(7, False), "no JSON", facts(7, True))]
    built = build_dataset(Answer, calls, tmp_path)
    pairs = both(tmp_path, "preference")
    assert [pair["origin"] for pair in pairs] == ["re-ask", "re-ask"]
    for pair in pairs:
        assert pair["prompt"] == [dict(message) for message in calls[0].prompt]
        assert json.loads(pair["chosen"][0]["content"]) == facts(7, True)
    assert json.loads(pairs[0]["rejected"][0]["content"]) == facts(7, False)
    (reason,) = pairs[0]["reasons"]
    assert (reason["field"], reason["slug"]) == ("facts.0.quote", "quote_altered")
    assert pairs[1]["rejected"][0]["content"] == "no JSON"
    assert built.manifest["llms"] == {"scripted": 1}


def test_an_accepted_and_a_refused_answer_differ_in_nothing_but_content(tmp_path: Path) -> None:
    spelled = json.dumps(facts(7, False), indent=4)
    build_dataset(Answer, [call(7, spelled, facts(7, True))], tmp_path)
    (pair,) = both(tmp_path, "preference")
    chosen, rejected = pair["chosen"][0]["content"], pair["rejected"][0]["content"]
    assert rejected.replace("destroyed", "founded") == chosen


def test_a_call_that_never_passed_is_rejected(tmp_path: Path) -> None:
    calls = [call(7, facts(7, False), facts(7, False), passed=False), call(8, passed=False)]
    built = build_dataset(Answer, calls, tmp_path)
    assert not both(tmp_path, "supervised")
    first, second = read(tmp_path / "rejected.jsonl")
    assert {verdict["slug"] for verdict in first["verdicts"]} == {"quote_altered"}
    assert second["error"].startswith("no answer") or "messages" in second["error"]
    assert built.manifest["counts"]["clean"] == 0


def test_an_answer_that_the_recording_calls_good_is_judged_all_the_same(tmp_path: Path) -> None:
    build_dataset(Answer, [call(7, facts(7, False))], tmp_path)
    assert not both(tmp_path, "supervised")
    assert len(read(tmp_path / "rejected.jsonl")) == 1


# --- policies -------------------------------------------------------------------------------


def slip(number: int) -> dict[str, Any]:
    good = fact(number)
    return {"facts": [{**good, "quote": good["quote"].replace("founded", "fuonded")}]}


@pytest.mark.parametrize(
    ("policy", "answer", "kept"),
    [
        ("reject", facts(7, True, False), None),
        ("reject", slip(7), None),
        ("drop-items", facts(7, True, False), facts(7, True)),
        ("drop-items", facts(7, False), None),
        ("drop-items", slip(7), None),
        ("snap", slip(7), facts(7, True)),
        ("snap", facts(7, True, False), None),
    ],
)
def test_a_policy_repairs_what_it_can_and_judges_it_again(
    tmp_path: Path, policy: Any, answer: Any, kept: Any
) -> None:
    build_dataset(Answer, [row(7, answer=answer)], tmp_path, policy=policy)
    written = both(tmp_path, "supervised")
    pairs = both(tmp_path, "preference")
    if kept is None:
        assert not written
        assert not pairs
        assert len(read(tmp_path / "rejected.jsonl")) == 1
        return
    assert [answer_of(example) for example in written] == [kept]
    assert written[0]["repair"] == policy
    (pair,) = pairs
    assert pair["origin"] == policy
    assert json.loads(pair["rejected"][0]["content"]) == answer


# --- duplicates, splits, ids ----------------------------------------------------------------


def test_duplicates_are_left_out_and_named_with_the_earlier_line(tmp_path: Path) -> None:
    long = " ".join(f"word{number}" for number in range(200))
    rows = [
        row(1, question=long),
        row(2),
        row(1, question=long, id="another"),
        row(3, id="row-2"),
        row(1, question=long + " more", id="near"),
        row(4),
    ]
    build_dataset(Answer, rows, tmp_path)
    assert sorted(e["line"] for e in both(tmp_path, "supervised")) == [1, 2, 6]
    found = read(tmp_path / "duplicates.jsonl")
    assert [(d["line"], d["of_line"], d["reason"]) for d in found] == [
        (3, 1, "equal"), (4, 2, "id"), (5, 1, "near"),
    ]  # fmt: skip
    assert 0.9 <= found[2]["resemblance"] < 1


def test_without_near_duplicates_only_equal_rows_are_left_out(tmp_path: Path) -> None:
    long = " ".join(f"word{number}" for number in range(200))
    questions = {"a": long, "b": long + " more", "c": long}
    rows = [row(1, question=question, id=name) for name, question in questions.items()]
    build_dataset(Answer, rows, tmp_path, near_duplicates=None)
    assert sorted(e["line"] for e in both(tmp_path, "supervised")) == [1, 2]


def test_no_reference_is_in_both_splits_even_through_others(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = []
    for number in range(300):
        given = row(number)
        # Chains of three rows that share references pairwise, spelled differently.
        other = town(number + 1) if number % 3 < 2 else f"Nothing else about {number}."
        given["references"] = [town(number), other.upper() + "  "]
        rows.append(given)
    build_dataset(Answer, rows, tmp_path, test=0.25)
    places: dict[str, set[str]] = {}
    groups: dict[str, set[str]] = {}
    for split in ("train", "test"):
        for example in read(tmp_path / "supervised" / f"{split}.jsonl"):
            for text in rows[example["line"] - 1]["references"]:
                places.setdefault(text.casefold().strip(), set()).add(split)
            groups.setdefault(example["group"], set()).add(split)
    assert all(len(splits) == 1 for splits in places.values())
    assert all(len(splits) == 1 for splits in groups.values())
    assert len(groups) == 100
    assert len(read(tmp_path / "supervised" / "test.jsonl")) == 75


def town(number: int) -> str:
    return str(row(number)["references"]["town"])


def test_a_reference_that_all_rows_share_leaves_the_test_split_empty(tmp_path: Path) -> None:
    rows = [row(number) for number in range(20)]
    for given in rows:
        given["references"]["common"] = "Everybody reads this."
    built = build_dataset(Answer, rows, tmp_path)
    assert built.manifest["counts"]["supervised test"] == 0
    assert built.manifest["groups"] == {"groups": 1, "largest": 20, "test": 0}
    assert not (tmp_path / "supervised" / "test.jsonl").exists()


def test_a_grown_data_set_keeps_nearly_its_split(tmp_path: Path) -> None:
    def test_split(count: int) -> set[str]:
        folder = tmp_path / str(count)
        build_dataset(Answer, [row(number) for number in range(count)], folder, test=0.2)
        return {example["id"] for example in read(folder / "supervised" / "test.jsonl")}

    before, after = test_split(200), test_split(220)
    assert len(before - after) <= 8


def test_the_same_rows_give_the_same_bytes_and_another_seed_another_split(tmp_path: Path) -> None:
    rows = [row(number, good=number % 5 > 0) for number in range(60)]
    for name, seed in (("one", 0), ("two", 0), ("three", 1)):
        build_dataset(Answer, rows, tmp_path / name, seed=seed)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    one, three = (contents(tmp_path / name)["supervised/test.jsonl"] for name in ("one", "three"))
    assert one != three


def test_ids_are_unique_and_do_not_depend_on_the_order(tmp_path: Path) -> None:
    rows = [row(number) for number in range(30)]
    build_dataset(Answer, rows, tmp_path / "one")
    build_dataset(Answer, rows[::-1], tmp_path / "two")
    one, two = (sorted(e["id"] for e in both(tmp_path / n, "supervised")) for n in ("one", "two"))
    assert one == two
    assert len(set(one)) == 30


# --- manifest -------------------------------------------------------------------------------


def test_the_manifest_says_what_was_done_and_names_no_time_or_place(tmp_path: Path) -> None:
    built = build_dataset(CitedAnswer, [], tmp_path, licence="CC BY 4.0")
    manifest = json.loads((tmp_path / "manifest.json").read_bytes())
    assert manifest == json.loads(json.dumps(built.manifest))
    (check,) = manifest["options"]["checks"]
    assert (check["field"], check["check"]) == ("Citation.quote", "Quoted")
    assert check["options"]["min_words"] == 2
    assert manifest["options"]["model"] == "groundtypes.models:CitedAnswer"
    assert manifest["licence"] == "CC BY 4.0"
    assert "CC BY 4.0" in (tmp_path / "README.md").read_text()
    assert str(tmp_path) not in json.dumps(manifest)


def test_thresholds_stand_in_the_manifest(tmp_path: Path) -> None:
    built = build_dataset(EntailedAnswer, [], tmp_path)
    options = {c["check"]: c["options"] for c in built.manifest["options"]["checks"]}
    assert options["Entailed"]["threshold"] == 0.5


def test_a_calibrated_threshold_stands_in_the_manifest(tmp_path: Path) -> None:
    judges = Judges(calibration=calibration(0.7))
    built = build_dataset(EntailedAnswer, [], tmp_path, judges=judges)
    options = {c["check"]: c["options"] for c in built.manifest["options"]["checks"]}
    assert options["Entailed"]["threshold"] == 0.7


# --- options --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"policy": "keep"}, {"style": "x"}, {"formats": ["csv"]}, {"formats": []}, {"test": 1.0},
        {"test": -0.1}, {"near_duplicates": 0.0}, {"near_duplicates": 1.5}, {"seed": -1},
        {"batch": 0}, {"workers": 0},
    ],
    ids=str,
)  # fmt: skip
def test_an_option_that_means_nothing_is_a_mistake(tmp_path: Path, options: Any) -> None:
    with pytest.raises(DatasetError):
        build_dataset(Answer, [row(1)], tmp_path, **options)
    assert not list(tmp_path.iterdir())


def test_a_data_set_that_is_there_is_replaced_only_when_told(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    rows = [row(number, good=number < 9) for number in range(10)]
    build_dataset(Answer, rows, tmp_path)
    before = contents(tmp_path)
    with pytest.raises(DatasetError, match="overwrite=True"):
        build_dataset(Answer, [row(1)], tmp_path)
    assert contents(tmp_path) == before
    build_dataset(Answer, [row(1)], tmp_path, overwrite=True, formats=["openai"])
    assert contents(tmp_path).keys() == {"manifest.json", "notes.txt", "openai/train.jsonl"}


def test_a_readme_of_somebody_else_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(DatasetError, match=r"README\.md"):
        build_dataset(Answer, [row(1)], tmp_path)
    build_dataset(Answer, [row(1)], tmp_path, formats=["openai"])
    assert (tmp_path / "README.md").read_text() == "mine"


def test_keys_can_be_named(tmp_path: Path) -> None:
    given = {"out": facts(7, True), "docs": row(7)["references"], "q": "When?"}
    build_dataset(Answer, [given], tmp_path, keys=Keys("out", "docs", "q"))
    assert len(both(tmp_path, "supervised")) == 1


def test_a_prompt_that_fails_is_a_mistake_that_names_the_line(tmp_path: Path) -> None:
    def broken(question: str, references: References) -> Any:
        raise KeyError("nothing")

    with pytest.raises(Mistake, match="Line 1: the prompt raised KeyError"):
        build_dataset(Answer, [row(1)], tmp_path, prompt=broken)


def test_a_text_that_utf_8_cannot_hold_is_rejected(tmp_path: Path) -> None:
    given = row(7)
    given["answer"]["facts"][0]["statement"] = "\ud800"
    build_dataset(Answer, [given, row(8)], tmp_path)
    assert len(both(tmp_path, "supervised")) == 1
    assert read(tmp_path / "rejected.jsonl")[0]["line"] == 1
