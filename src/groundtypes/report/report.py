"""`Report`: rows of audits in, one page out."""

import html
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from groundtypes.report.entries import entry
from groundtypes.report.markup import escaped
from groundtypes.report.page import page, script_json
from groundtypes.report.rows import read_row
from groundtypes.report.summary import Summary
from groundtypes.report.texts import Texts

__all__ = ["LIMIT", "HasRow", "Report"]

#: So many answers a browser opens at once and scrolls without a thought.
LIMIT: Final = 20_000
#: So many a notebook keeps in its own file, each time that the report is shown.
_IN_NOTEBOOK: Final = 500


@runtime_checkable
class HasRow(Protocol):
    """Something that can be told as a row of plain data, as an `Audit` can."""

    def to_row(self) -> dict[str, Any]:
        """Return the row."""
        ...


class Report:
    """A page that shows answers beside their references, with every verdict.

    The page is one file: it opens from disk, asks no network for anything, and runs no script
    but its own.
    """

    def __init__(
        self,
        rows: Iterable[HasRow | Mapping[str, Any]],
        *,
        title: str = "Audit",
        limit: int = LIMIT,
    ) -> None:
        """Read the rows: audits, or mappings as `Audit.to_row` and the command write them.

        `limit` is how many of them the page shows; all of them are counted. A row that cannot be
        read is shown as broken, with the reason.
        """
        self.title = title
        self.summary = Summary()
        self._texts = Texts()
        self._entries: list[str] = []
        for row in rows:
            read = read_row(row.to_row() if isinstance(row, HasRow) else row)
            self.summary.add(read)
            if len(self._entries) < limit:
                self._entries.append(script_json(entry(read, self._texts)))
        self.summary.shown = len(self._entries)

    def to_html(self) -> str:
        """Return the page."""
        return page(self.title, self.summary, self._texts.table, self._entries)

    def save(self, path: str | Path) -> None:
        """Write the page to a file, in UTF-8."""
        Path(path).write_text(self.to_html(), encoding="utf-8", newline="\n")

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, as notebooks show it.

        The frame may run the page's script and nothing else: it has no origin, so that it cannot
        reach the notebook. Where frames are not shown, the line above it still is. Of a large
        report a notebook shows the summary.
        """
        states = self.summary.states
        told = ", ".join(f"{states[name]:,} {name}" for name in ("ok", "faulty", "broken"))
        if len(self._entries) > _IN_NOTEBOOK:
            told += ". This is the summary; save() writes the page with the answers"
            whole = page(self.title, self.summary, [], [])
        else:
            whole = self.to_html()
        height = 720 if self.summary.rows > 1 else 520
        return (
            f"<p>{escaped(self.title)}: {told}.</p>"
            f'<iframe sandbox="allow-scripts" title="{escaped(self.title)}" width="100%" '
            f'height="{height}" srcdoc="{html.escape(whole)}"></iframe>'
        )
