"""Every command ends with an exit code, and says in one line what went wrong."""

import pytest
import typer

from groundtypes.cli.guard import guarded, resumable, with_option_names
from groundtypes.errors import DatasetError, Mistake


def _exit_code(error: BaseException | None, code: int = 0) -> int:
    """Return the exit code of a command that raises the error, or else returns the code."""

    def command() -> int:
        if error is not None:
            raise error
        return code

    with pytest.raises(typer.Exit) as exit_:
        guarded(command)()
    return exit_.value.exit_code


@pytest.mark.parametrize("code", [0, 1])
def test_the_exit_code_is_what_the_command_returns(
    code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _exit_code(None, code) == code
    assert capsys.readouterr() == ("", "")


def test_a_mistake_is_one_line_and_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert _exit_code(DatasetError("No such\nfile: \x1b[31m")) == 2
    assert capsys.readouterr().err == "groundtypes: No such\\nfile: \\x1b[31m\n"


def test_an_interruption_is_one_line_and_130(capsys: pytest.CaptureFixture[str]) -> None:
    assert _exit_code(KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == "groundtypes: Interrupted.\n"


def test_what_is_no_mistake_is_raised() -> None:
    def command() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        guarded(command)()


@pytest.mark.parametrize(("possible", "named"), [(True, True), (False, False)])
def test_resume_is_named_where_it_is_possible(possible: bool, named: bool) -> None:
    with pytest.raises(KeyboardInterrupt) as interrupt, resumable(possible=possible):
        raise KeyboardInterrupt
    assert ("--resume" in str(interrupt.value)) is named


OPTIONS = {"overwrite": "--overwrite", "near_duplicates": "--near-duplicates"}


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("Pass `overwrite=True`.", "Pass --overwrite."),
        ("`near_duplicates` is 3.", "--near-duplicates is 3."),
        ("Line 3: `answer` is missing.", "Line 3: `answer` is missing."),
        ("overwrite/rows.jsonl is missing", "overwrite/rows.jsonl is missing"),
        (
            "Name one: context={'judges': Judges(nli=...)}.",
            "Name one: class Answer(Grounded, judges=Judges(nli=...)).",
        ),
    ],
    ids=["an argument that is set", "an argument", "no option", "no argument", "judges"],
)
def test_arguments_of_the_library_become_options(message: str, shown: str) -> None:
    assert with_option_names(message, OPTIONS) == shown


def test_a_command_translates_the_arguments_that_it_has(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def command(*, max_retries: int) -> int:
        raise Mistake(f"`max_retries` is {max_retries}; `seed` is not")

    with pytest.raises(typer.Exit):
        guarded(command)(max_retries=-1)
    assert capsys.readouterr().err == "groundtypes: --max-retries is -1; `seed` is not\n"


def test_an_error_that_shows_a_key_is_printed_without_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "canary-key-4711")

    def fails() -> int:
        raise RuntimeError("the key canary-key-4711 is wrong")

    with pytest.raises(typer.Exit) as raised:
        guarded(fails)()
    shown = capsys.readouterr().err
    assert raised.value.exit_code == 1
    assert "RuntimeError: the key [redacted] is wrong" in shown
    assert "canary-key" not in shown
