"""`Report`: takes rows or audits one by one, counts them, and renders the page."""

import html
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from groundtypes.report.html_text import escaped
from groundtypes.report.page_data import row_data
from groundtypes.report.reference_texts import TextTable
from groundtypes.report.report_page import render_page, script_json
from groundtypes.report.report_rows import read_row
from groundtypes.report.summary import Summary

#: The answers that a page shows by default: browsers open and scroll this many quickly.
LIMIT: Final = 20_000
#: A notebook stores the page in its own file each time, so it gets at most this many answers.
_MAX_IN_NOTEBOOK: Final = 500


@runtime_checkable
class HasRow(Protocol):
    """An object that can be written as a row of plain data, such as an `Audit`."""

    def to_row(self) -> dict[str, Any]:
        """Return the row."""
        ...


class Report:
    """A page that shows answers beside their references, with every verdict.

    The page is one file: it opens from disk, makes no network requests, and runs only its own
    script.
    """

    def __init__(
        self,
        rows: Iterable[HasRow | Mapping[str, Any]],
        *,
        title: str = "Audit",
        limit: int = LIMIT,
    ) -> None:
        """Read the rows: audits, or mappings as `Audit.to_row` and the command write them.

        `limit` is how many of them the page shows; all of them are counted. A row without verdicts
        is unjudged, and one that cannot be read is shown as broken, with the reason.
        """
        self.title = title
        self.summary = Summary()
        self._texts = TextTable()
        self._rows: list[str] = []
        for data in rows:
            row = read_row(data.to_row() if isinstance(data, HasRow) else data)
            self.summary.add(row)
            if len(self._rows) < limit:
                self._rows.append(script_json(row_data(row, self._texts)))
        self.summary.shown = len(self._rows)

    def to_html(self) -> str:
        """Return the page."""
        return render_page(self.title, self.summary, self._texts.texts, self._rows)

    def save(self, path: str | Path) -> None:
        """Write the page to a file, in UTF-8."""
        Path(path).write_text(self.to_html(), encoding="utf-8", newline="\n")

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, as notebooks show it.

        The frame may run the page's script and nothing else: it has no origin, so that it cannot
        access the notebook. The line above it is shown even where frames are not. Of a report
        with many answers a notebook shows only the summary.
        """
        states = self.summary.states
        names = ["ok", "faulty", *(["unjudged"] if states["unjudged"] else []), "broken"]
        line = ", ".join(f"{states[name]:,} {name}" for name in names)
        if len(self._rows) > _MAX_IN_NOTEBOOK:
            line += ". This is the summary; save() writes the page with the answers"
            page = render_page(self.title, self.summary, [], [])
        else:
            page = self.to_html()
        height = 720 if self.summary.rows > 1 else 520
        return (
            f"<p>{escaped(self.title)}: {line}.</p>"
            f'<iframe sandbox="allow-scripts" title="{escaped(self.title)}" width="100%" '
            f'height="{height}" srcdoc="{html.escape(page)}"></iframe>'
        )
