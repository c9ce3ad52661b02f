"""The page as one file: its skeleton, style and script, and the data as inert JSON.

Nothing that comes from a row is read as HTML. What Python writes into the page itself is escaped;
everything else is JSON that the page's own script puts into text nodes. The policy of the page
lets that script and its style through by their hashes, and nothing else: no other script, no
request, no form, no frame.
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

from groundtypes.report.markup import escaped
from groundtypes.report.overview import summary_html
from groundtypes.report.summary import Summary

__all__ = ["page", "script_json"]

#: The parts of the script, in the order in which they build on each other.
_SCRIPTS: Final = ("dom.js", "marks.js", "answer.js", "list.js", "filters.js", "page.js")
#: What could end a script element, start a comment in it, or end a line of JavaScript.
_UNSAFE: Final = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def page(title: str, summary: Summary, texts: list[str], entries: list[str]) -> str:
    """Return the page; `entries` are rows as `script_json` writes them."""
    style, script = _asset("page.css"), _script()
    states = summary.states
    counts = f"{summary.rows:,} answers: " + ", ".join(
        f"{states[name]:,} {name}" for name in ("ok", "faulty", "broken") if states[name]
    )
    return Template(_asset("page.html")).substitute(
        policy=html.escape(_policy(style, script)),
        title=escaped(title),
        style=style,
        counts=escaped(counts if summary.rows else "no answers"),
        summary=summary_html(summary),
        rows=",\n".join(entries),
        # One text a line: the script reads only those that are seen.
        texts="\n".join(map(script_json, texts)),
        script=script,
    )


def script_json(value: Any) -> str:
    """Return JSON that is the same in a script element, whatever its texts hold.

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
    # One function around all of it: nothing of it is a global name.
    body = "\n".join(map(_asset, _SCRIPTS))
    return f'(() => {{\n"use strict";\n{body}\n}})();\n'
