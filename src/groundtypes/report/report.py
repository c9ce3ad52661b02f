"""`Report`: takes rows or audits one by one, counts them, and renders the page.

Nothing that comes from a row is parsed as HTML: the text that Python writes into the page is
escaped, and everything else is JSON whose texts the page's own script puts into text nodes. The
Content-Security-Policy of the page allows that script and that style by their hashes, and nothing
else: no other script, no request, no form, no frame.
"""

import html
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, Final, Protocol, runtime_checkable

from groundtypes.report.html_text import asset, escaped, source_hash
from groundtypes.report.page_data import row_data
from groundtypes.report.reference_texts import TextTable
from groundtypes.report.report_rows import read_row
from groundtypes.report.summary import Summary, summary_html

_PACKAGE: Final = "groundtypes.report"
#: The files of the script; each uses only those before it.
_SCRIPTS: Final = (
    "dom.js",
    "marks.js",
    "answer.js",
    "list.js",
    "filters.js",
    "review.js",
    "page.js",
)
#: Characters that could end a script element, open a comment in it, or end a line of JavaScript.
_UNSAFE: Final = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def render_page(title: str, summary: Summary, texts: list[str], rows: list[str]) -> str:
    """Return the page; `texts` are those of the references, `rows` are written by `script_json`."""
    style, script = asset(_PACKAGE, "page.css"), _script()
    states = summary.states
    counts = f"{summary.rows:,} answers: " + ", ".join(
        f"{states[name]:,} {name}"
        for name in ("ok", "faulty", "review", "unjudged", "broken")
        if states[name]
    )
    return Template(asset(_PACKAGE, "page.html")).substitute(
        policy=html.escape(_policy(style, script)),
        title=escaped(title),
        style=style,
        counts=escaped(counts if summary.rows else "no answers"),
        summary=summary_html(summary),
        rows=",\n".join(rows),
        # One text a line, so that the script parses only those that are shown.
        texts="\n".join(map(script_json, texts)),
        script=script,
    )


def script_json(value: Any) -> str:
    """Return JSON that is safe in a script element, whatever its texts contain."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _policy(style: str, script: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {source_hash(script)}",
            f"style-src {source_hash(style)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


@cache
def _script() -> str:
    # One function around everything, so that the script defines no global names.
    body = "\n".join(asset(_PACKAGE, name) for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{body}\n}})();\n'


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
        """Return the page in a frame of its own, as notebooks show it."""
        states = self.summary.states
        names = ["ok", "faulty", *filter(states.get, ("review", "unjudged")), "broken"]
        line = ", ".join(f"{states[name]:,} {name}" for name in names)
        if len(self._rows) > _MAX_IN_NOTEBOOK:
            line += ". This is the summary; save() writes the page with the answers"
            page = render_page(self.title, self.summary, [], [])
        else:
            page = self.to_html()
        # The frame has no origin, so that the page's script cannot access the notebook.
        height = 720 if self.summary.rows > 1 else 520
        return (
            f"<p>{escaped(self.title)}: {line}.</p>"
            f'<iframe sandbox="allow-scripts" title="{escaped(self.title)}" width="100%" '
            f'height="{height}" srcdoc="{html.escape(page)}"></iframe>'
        )
