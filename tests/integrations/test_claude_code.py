"""What an agent quotes as it stops is looked up in what its tools returned."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from groundtypes import Judges, Pair
from groundtypes.errors import BackendError, ContextError
from groundtypes.integrations import claude_code
from groundtypes.integrations.claude_code import Outcome, Transcript, stop
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedNLI
from tests.transcripts import ALTERED, INVENTED, READ, TRUE, call, event, prompt, says

ENGINE = Judges(nli=ScriptedNLI(lambda pair: ENTAILED if "1889" in pair.hypothesis else NEUTRAL))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def reason(path: Path, *entries: Any, **more: Any) -> str | None:
    """Why an agent goes on, of whose session nothing is missing."""
    outcome = stop(event(path, entries, **more))
    assert outcome.unjudged is None
    return outcome.reason


def test_a_quotation_of_what_a_tool_returned_holds_also_across_numbered_lines(path: Path) -> None:
    assert reason(path, prompt("When?"), *READ, says(f'It says "{TRUE}".')) is None


def test_an_altered_and_an_invented_quotation_keep_the_agent_going(path: Path) -> None:
    answer = f'The README says "{ALTERED}" and "{INVENTED}", and also "{TRUE}".'
    told = reason(path, prompt("When?"), *READ, says(answer))
    assert told is not None
    first, second = told.splitlines()[1:]
    assert first.startswith(f'1. "{ALTERED}": WRONG: ')
    assert "Read /work/README.md" in first
    assert second.startswith(f'2. "{INVENTED}": These words stand in no reference.')


def test_the_text_of_the_event_is_judged_where_there_is_one(path: Path) -> None:
    entries = (prompt("When?"), *READ)
    assert reason(path, *entries, last_assistant_message=f'"{INVENTED}"') is not None
    assert reason(path, *entries, says(f'"{INVENTED}"'), last_assistant_message="Done.") is None


def test_only_the_text_after_the_last_result_is_the_answer(path: Path) -> None:
    entries = event(path, [prompt("?"), says("I look."), *READ, says("One."), says("Two.")])
    assert Transcript.read(Path(entries["transcript_path"])).answer == "One.\n\nTwo."


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param([prompt(f'Is it true that "{INVENTED}"?')], id="said by the user"),
        pytest.param(call("Write", "done", content=f"# {INVENTED}"), id="written to a file"),
        pytest.param(call("Edit", "done", new_string=INVENTED), id="an edit"),
        pytest.param(
            call("MultiEdit", "done", edits=[{"old_string": "a", "new_string": INVENTED}]),
            id="many edits",
        ),
        pytest.param(call("Bash", "[main 1a2]", command=f"git commit -m '{INVENTED}'"), id="shell"),
        pytest.param(call("WebFetch", [{"type": "text", "text": INVENTED}], url="x"), id="blocks"),
        pytest.param(call("mcp__a__b", json.dumps({"a": ["x", INVENTED]}), id="1"), id="JSON"),
        pytest.param(
            call("mcp__a__b", json.dumps({"a": "everybody loved it\nfrom the first day on"})),
            id="JSON with a line break",
        ),
        pytest.param(
            [{"type": "attachment", "attachment": {"type": "file", "content": {"a": INVENTED}}}],
            id="attached",
        ),
        pytest.param(
            [prompt("Next question"), says("Yes."), prompt("And now?")], id="an earlier turn"
        ),
    ],
)
def test_what_else_the_agent_has_seen_or_written_may_be_quoted(
    path: Path, entries: list[Any], request: pytest.FixtureRequest
) -> None:
    quote = TRUE if "an earlier turn" in request.node.name else INVENTED
    assert reason(path, *READ, *entries, says(f'"{quote}"')) is None


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param(call("Grep", "No matches found", pattern=INVENTED), id="searched for"),
        pytest.param(call("Write", "denied", failed=True, content=INVENTED), id="not written"),
        pytest.param([prompt(f'Stop hook feedback: "{INVENTED}"', isMeta=True)], id="of a hook"),
        pytest.param(
            [{"type": "attachment", "attachment": {"type": "hook_success", "content": INVENTED}}],
            id="attached by a hook",
        ),
        pytest.param([says(INVENTED), prompt("Go on")], id="said by the agent itself"),
        pytest.param([prompt(INVENTED, isSidechain=True)], id="in a side chain"),
    ],
)
def test_what_proves_no_quotation_makes_none_true(path: Path, entries: list[Any]) -> None:
    assert reason(path, *READ, *entries, says(f'"{INVENTED}"')) is not None


def test_short_quotations_and_code_are_not_looked_up(path: Path) -> None:
    assert reason(path, *READ, says('The "so-called tower" `"is not in any file at all"`.')) is None
    outcome = stop(event(path, [*READ, says('The "big red tower".')]), min_words=3)
    assert outcome.reason is not None


def test_an_agent_that_goes_on_because_of_a_hook_may_stop(path: Path) -> None:
    assert reason(path, *READ, says(f'"{INVENTED}"'), stop_hook_active=True) is None


def test_without_results_of_tools_nothing_is_judged(path: Path) -> None:
    assert reason(path, prompt("A slogan?"), says(f'"{INVENTED}"')) is None


def test_as_many_faults_are_told_as_are_wanted(path: Path) -> None:
    answer = " ".join(f'"{INVENTED} of year {number}"' for number in range(9))
    told = stop(event(path, [*READ, says(answer)]), show=2).reason
    assert told is not None
    assert [line[:2] for line in told.splitlines()[1:]] == ["1.", "2.", "Th"]
    assert "There are 7 more." in told


def test_a_call_without_texts_is_told_by_its_name(path: Path) -> None:
    called = call("list_tools", [{"type": "text", "text": "It is tall."}, {"type": "image"}])
    told = stop(event(path, [*called, says(f'"{INVENTED}"')])).unjudged
    assert told == "1 not found, but not all that list_tools returned is text."


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"type": "user", "mess', "line 3 of the transcript is broken: not JSON"),
        (b"\xff\xfe", "line 3 of the transcript is broken: not UTF-8"),
        (
            json.dumps(call("Read", [{"type": "image"}], file_path="a.png")[1]).encode(),
            "not all that Read /work/README.md returned is text",
        ),
    ],
)
def test_what_may_stand_in_something_unread_keeps_no_agent(
    path: Path, line: bytes, why: str
) -> None:
    outcome = stop(event(path, [*READ, line, says(f'"{INVENTED}"')]))
    assert outcome.reason is None
    assert (outcome.unjudged or "").startswith(f"1 not found, but {why}")
    outcome = stop(event(path, [*READ, line, says(f'"{INVENTED}", "{ALTERED}"')]))
    assert (outcome.reason or "").count("\n") == 1
    assert "WRONG" in (outcome.reason or "")


def test_images_may_say_what_an_agent_quotes(path: Path) -> None:
    image = {"type": "image", "source": {"type": "base64", "data": "AB" * 999}}
    for entry in (
        {"type": "user", "message": {"role": "user", "content": [image]}},
        {"type": "attachment", "attachment": {"type": "file", "content": image}},
    ):
        outcome = stop(event(path, [*READ, entry, says(f'"{INVENTED}"')]))
        assert outcome.reason is None
        assert (outcome.unjudged or "").startswith("1 not found, but ")


def test_a_file_of_broken_lines_is_no_transcript(path: Path) -> None:
    with pytest.raises(ContextError, match="no JSON Lines"):
        stop(event(path, [b"x"] * 2_000))


def test_of_a_long_session_the_end_is_searched(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later = call("Bash", "The hill is 300 metres high, and made of sand.", command="cat b")
    entries = [*READ, *later, says(f'"{TRUE}", "the hill is 300 metres high"')]
    monkeypatch.setattr(claude_code, "_SEARCHED", 60)
    outcome = stop(event(path, entries))
    assert outcome.reason is None
    assert "what was returned up to 1 Read /work/README.md" in (outcome.unjudged or "")
    monkeypatch.setattr(claude_code, "_READ", 700)
    assert "the beginning of the transcript" in (stop(event(path, entries)).unjudged or "")


def test_lone_surrogates_and_strange_entries_are_no_mistakes(path: Path) -> None:
    strange: list[Any] = [
        {"type": "user", "message": {"content": [None, 5, {"type": "text"}, {"type": []}]}},
        {"type": "user", "message": {"content": None}},
        {"type": ["user"], "message": []},
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "input": 3}]}},
        call("Bash", "cut \ud83d here, and it goes on for long", command="\ud83d")[1],
        {"type": "attachment", "attachment": {"type": None, "a": [1, {"b": None}]}},
    ]
    assert reason(path, *READ, *strange, says('"and it goes on for long" \ud83d')) is None


def test_claims_are_judged_by_what_the_tools_returned(path: Path) -> None:
    entries = [prompt("The hill is made of sand."), *READ]
    answer = "It was finished in 1889. The hill is made of sand and of stone."
    outcome = stop(event(path, [*entries, says(answer)]), claims=True, judges=ENGINE)
    told = outcome.reason or ""
    assert "The hill is made of sand and of stone." in told
    assert "It was finished in 1889." not in told.splitlines()[1][:60]
    assert reason(path, *entries, says(answer)) is None


def test_an_outage_of_the_engine_keeps_no_agent_but_quotations_are_judged(path: Path) -> None:
    def fail(pair: Pair) -> Any:
        raise BackendError("The engine is down.")

    engine = Judges(nli=ScriptedNLI(fail))
    read = [*READ, says("It is very tall indeed.")]
    assert stop(event(path, read), claims=True, judges=engine) == Outcome(
        None, "The engine is down."
    )
    misquoted = stop(event(path, [*READ, says(f'"{ALTERED}"')]), claims=True, judges=engine)
    assert "WRONG" in (misquoted.reason or "")
    assert misquoted.unjudged == "The engine is down."


@pytest.mark.parametrize(
    "more",
    [
        {"hook_event_name": "SubagentStop"},
        {"hook_event_name": None},
        {"transcript_path": None},
        {"transcript_path": "a\0b"},
    ],
)
def test_other_events_are_mistakes(path: Path, more: dict[str, Any]) -> None:
    with pytest.raises(ContextError, match="no event of a Stop hook"):
        stop(event(path, READ, **more))


def test_no_file_is_read_that_is_no_regular_one(path: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, target in (("device", "/dev/zero"), ("loop", "loop"), ("pipe link", "pipe")):
        (tmp_path / name).symlink_to(target)
    names = ("device", "loop", "pipe", "pipe link", "nothing", ".", "n" * 300, "~nobody/x")
    for name in names:
        data = event(path, READ) | {"transcript_path": str(tmp_path / name)}
        with pytest.raises(ContextError, match="Cannot read the transcript"):
            stop(data)
