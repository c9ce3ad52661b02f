"""The command `groundtypes mcp`: a server for agents."""

from typing import Annotated

import typer

from groundtypes.cli.options import JudgeName


def mcp(
    *,
    root: Annotated[
        list[str] | None,
        typer.Option(metavar="FOLDER", help="A folder whose text files may be references."),
    ] = None,
    judge: JudgeName = None,
    port: Annotated[
        int | None,
        typer.Option(
            help="Serve HTTP at this port of 127.0.0.1.  [default: stdio]", min=1, max=65_535
        ),
    ] = None,
) -> int:
    """Serve agents over MCP: find_quote, check_citations, check_claims and check_figures.

    Without --port it speaks over standard input and output, as clients start it.
    """
    from groundtypes.cli.judges import available
    from groundtypes.errors import MissingJudgeError

    try:
        from groundtypes.integrations.mcp import mcp_server, serve_http
    except ImportError as error:
        raise MissingJudgeError(str(error)) from error
    server = mcp_server(root or [], judges=available(judge))
    if port is None:
        server.run("stdio")
    else:
        serve_http(server, port)
    return 0
