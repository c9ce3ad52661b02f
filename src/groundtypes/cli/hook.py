"""The command `groundtypes hook`: a Stop hook of Claude Code.

Exit code 2 would keep the agent from stopping, so that no mistake may end with it.
"""

import json
import sys
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand

from groundtypes.cli.guard import print_error
from groundtypes.cli.options import JudgeName

#: The most bytes of an event.
_LARGEST: Final = 16 * 2**20


class NonBlockingCommand(TyperCommand):
    """A command whose wrong options end with 1."""

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Parse the command line."""
        try:
            return super().make_context(*arguments, **options)
        except Exception as error:
            if getattr(error, "exit_code", 0):  # Click's errors have one; it is not imported here
                error.exit_code = 1  # type: ignore[attr-defined]
            raise


def hook(
    *,
    claims: Annotated[
        bool, typer.Option("--claims", help="The results must also entail every sentence.")
    ] = False,
    judge: JudgeName = None,
    min_words: Annotated[int, typer.Option(help="Check quotations of so many words.", min=1)] = 5,
    show: Annotated[int, typer.Option(help="How many faults the agent is told.", min=1)] = 5,
) -> int:
    """Read the event of a Stop hook, and keep the agent going if its answer misquotes its tools.

    Exits with 0, and with 1 where something could not be judged, which stops no agent.
    """
    from groundtypes.errors import ContextError, Mistake
    from groundtypes.integrations.claude_code import stop
    from groundtypes.judges import Judges
    from groundtypes.row_files.json_lines import BrokenLineError, Line, read_line

    try:
        if sys.stdin is None:
            raise ContextError("Standard input, which has the event of the hook, is closed.")
        event = read_line(Line(1, sys.stdin.buffer.read(_LARGEST)), dict)
        if isinstance(event, BrokenLineError):
            if event.row is None:
                raise ContextError(f"The event of the hook is {event}.")
            event = event.row  # half a pair of surrogates spoils no event
        judges = None if judge is None else Judges(nli=judge)
        outcome = stop(event, min_words=min_words, claims=claims, judges=judges, show=show)
    except (Mistake, OSError) as error:
        print_error(f"The answer was not checked. {error}")
        return 1
    if outcome.reason is not None:
        typer.echo(json.dumps({"decision": "block", "reason": outcome.reason}))
    if outcome.unjudged is not None:
        print_error(f"Not everything was checked. {outcome.unjudged}")
    # Claude Code reads the decision only where the exit code is 0.
    return 0 if outcome.reason is not None or outcome.unjudged is None else 1
