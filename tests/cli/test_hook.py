"""`groundtypes hook` says JSON or nothing, and never ends with the code that stops an agent."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import command, environment, run
from tests.transcripts import ALTERED, INVENTED, READ, event, prompt, says


def hook(path: Path, answer: str, *options: str, **more: Any) -> tuple[int, str, str]:
    """Run the hook on an answer; return its exit code and what it prints."""
    data = event(path / "session.jsonl", [prompt("When?"), *READ, says(answer)], **more)
    done = run("hook", *options, cwd=path, stdin=json.dumps(data).encode())
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_a_false_quotation_blocks_and_a_true_one_says_nothing(tmp_path: Path) -> None:
    code, printed, errors = hook(tmp_path, f'It says "{ALTERED}".')
    decision = json.loads(printed)
    assert (code, errors) == (0, "")
    assert decision["decision"] == "block"
    assert decision["reason"].splitlines()[1].startswith(f'1. "{ALTERED}": WRONG')
    assert hook(tmp_path, f'It says "{ALTERED}".', stop_hook_active=True) == (0, "", "")
    assert hook(tmp_path, "It is wide.") == (0, "", "")


def test_options_choose_what_is_checked_and_told(tmp_path: Path) -> None:
    answer = f'"{INVENTED}", "{INVENTED} again", "big red tower"'
    _, printed, _ = hook(tmp_path, answer, "--min-words", "3", "--show", "1")
    assert "There are 2 more." in json.loads(printed)["reason"]


def test_claims_are_judged_by_an_engine(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    code, printed, _ = hook(tmp_path, "It is 15 metres wide at the top.", "--claims")
    assert code == 0
    assert "It is 15 metres wide at the top." in json.loads(printed)["reason"]
    assert hook(tmp_path, "It is 12.5 metres wide at the top.", "--claims") == (0, "", "")


@pytest.mark.parametrize(
    ("options", "more", "words"),
    [
        (("--nonsense",), {}, "No such option"),
        (("--show", "many"), {}, "Invalid value for"),
        (("--claims", "--judge", "nobody"), {}, "nobody"),
        (("--claims", "--judge", "onnx:nowhere"), {}, "nowhere"),
        ((), {"transcript_path": "nowhere.jsonl"}, "Cannot read the transcript"),
        ((), {"hook_event_name": "PreToolUse"}, "no event of a Stop hook"),
    ],
)
def test_what_cannot_be_judged_ends_with_1(
    tmp_path: Path, options: tuple[str, ...], more: dict[str, Any], words: str
) -> None:
    code, printed, errors = hook(tmp_path, "It is wide.", *options, **more)
    assert (code, printed) == (1, "")
    assert words in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{", b'{"a": 1, "a": 2}', b"\xff", b"[" * 100_000, b" " * 20_000_000]
)
def test_what_is_no_event_ends_with_1(tmp_path: Path, data: bytes) -> None:
    done = run("hook", cwd=tmp_path, stdin=data)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"The event of the hook is" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="A shell closes the input")
def test_a_closed_input_ends_with_1(tmp_path: Path) -> None:
    words = f"{shlex.join(command('hook'))} <&-"
    done = subprocess.run(
        ["/bin/sh", "-c", words], cwd=tmp_path, env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"Standard input, which has the event of the hook, is closed." in done.stderr
    assert b"Traceback" not in done.stderr
