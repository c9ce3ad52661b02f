"""The page as one file: template, style and script, and the data as JSON that is never executed.

Nothing that comes from a row is parsed as HTML: the text that Python writes into the page is
escaped, and everything else is JSON whose texts the page's own script puts into text nodes. The
Content-Security-Policy of the page allows that script and that style by their hashes, and nothing
else: no other script, no request, no form, no frame.
"""

import base64
import hashlib
import html
import json
import re
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any, Final

from groundtypes.report.html_text import escaped
from groundtypes.report.summary import Summary
from groundtypes.report.summary_html import summary_html

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
    style, script = _asset("page.css"), _script()
    states = summary.states
    counts = f"{summary.rows:,} answers: " + ", ".join(
        f"{states[name]:,} {name}"
        for name in ("ok", "faulty", "unjudged", "broken")
        if states[name]
    )
    return Template(_asset("page.html")).substitute(
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
    """Return JSON that is safe in a script element, whatever its texts contain.

    A lone surrogate, which UTF-8 cannot hold, becomes an escape too.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _policy(style: str, script: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(script)}",
            f"style-src {_hash(style)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


@cache
def _asset(name: str) -> str:
    return files("groundtypes.report").joinpath(name).read_text(encoding="utf-8")


@cache
def _script() -> str:
    # One function around everything, so that the script defines no global names.
    body = "\n".join(map(_asset, _SCRIPTS))
    return f'(() => {{\n"use strict";\n{body}\n}})();\n'
