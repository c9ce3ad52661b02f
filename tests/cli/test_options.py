"""Groups of options become the options of a command."""

import inspect
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer

from groundtypes.cli.app import app
from groundtypes.cli.options import Quiet, RowKeys, RunOptions, expand_groups


@dataclass(frozen=True, kw_only=True)
class Slow(RunOptions):
    """Options with another default."""

    batch: Annotated[int, typer.Option(help="Few.")] = 2


def _command(*, rows: str, keys: RowKeys, run: Slow) -> int:
    assert keys == RowKeys(answer="a", references="r")
    return run.batch + len(rows)


def test_a_group_is_taken_apart_and_put_together_again() -> None:
    command = expand_groups(_command)
    options = dict.fromkeys(inspect.signature(command).parameters)
    assert list(options) == [
        "rows", "answer", "references", "question", "batch", "on_mistake", "resume", "overwrite",
        "quiet",
    ]  # fmt: skip
    given = {"rows": "abc", "answer": "a", "references": "r", "batch": 5}
    assert command(**(options | given)) == 8


def test_a_subclass_of_a_group_changes_one_option_and_no_other() -> None:
    parameters = inspect.signature(expand_groups(_command)).parameters
    assert parameters["batch"].default == 2
    assert parameters["rows"].default is inspect.Parameter.empty
    assert parameters["quiet"].annotation == Quiet


def test_options_of_the_same_name_are_a_mistake() -> None:
    def command(*, first: RowKeys, answer: str) -> int:
        return 0

    with pytest.raises(ValueError, match="answer"):
        expand_groups(command)


def test_no_command_takes_more_than_a_dozen_parameters() -> None:
    for command in app.registered_commands:
        assert command.callback is not None
        declared = inspect.unwrap(command.callback)
        assert len(inspect.signature(declared, follow_wrapped=False).parameters) <= 12
