"""The command `groundtypes report`: audited rows as one HTML page."""

from pathlib import Path
from typing import Annotated, Final

import typer

from groundtypes.cli.options import Overwrite, Quiet, RowKeys

#: `groundtypes.report.LIMIT`, which would have to be imported to show the help.
_LIMIT: Final = 20_000


def report(
    *,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Audited rows, as check writes them.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Write the page here.")] = Path(
        "report.html"
    ),
    title: Annotated[str, typer.Option(help="The title of the page.")] = "Audit",
    limit: Annotated[
        int, typer.Option(min=1, help="How many answers the page shows; it counts all.")
    ] = _LIMIT,
    keys: RowKeys,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
) -> int:
    """Show audited answers beside their references, as one HTML page.

    FILE is what check writes with --audits or --rejected, or rows of Audit.to_row. A row without
    verdicts is shown as unjudged.

    Exits with 0 when the page is written, 2 on a mistake.
    """
    from groundtypes.cli.printed_results import print_report_summary
    from groundtypes.cli.terminal import standard_output
    from groundtypes.dataset import audited_rows
    from groundtypes.report import Report
    from groundtypes.row_files.files import replace_file, resolved
    from groundtypes.row_files.run_files import check_absent, check_outputs

    target = resolved(output)
    check_outputs({"output": target}, files)
    if not overwrite:
        check_absent({"output": target})
    page = Report(audited_rows(files, keys.to_library()), title=title, limit=limit)
    replace_file(target, page.to_html().encode())
    if not quiet:
        with standard_output() as console:
            print_report_summary(console, page.summary, target)
    return 0
