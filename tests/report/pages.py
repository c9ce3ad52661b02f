"""Rows for pages, and pages read back as a browser reads them: by an HTML parser."""

import json
from collections.abc import Iterable, Mapping
from html.parser import HTMLParser
from typing import Any

from groundtypes.report import Report

TOWER = "The tower was finished in 1889. It is 330 metres tall. Millions climb it every year."
REFERENCES = {"tower": TOWER, "other": "Nothing of the kind."}


def verdict(loc: Iterable[str | int], check: str = "Quoted", **fields: Any) -> dict[str, Any]:
    """Return a verdict that holds, as plain data, with other fields where they are given."""
    return {"check": check, "ok": True, "loc": list(loc), **fields}


def fault(loc: Iterable[str | int], slug: str, check: str = "Quoted", **fields: Any) -> Any:
    """Return a verdict that does not hold."""
    defaults = {"slug": slug, "message": f"Mend this: {slug}.", **fields}
    return verdict(loc, check, **{**defaults, "ok": False})


def span(words: str, reference: str = "tower") -> dict[str, Any]:
    """Return the span of words in a reference."""
    start = REFERENCES[reference].index(words)
    return {"reference": reference, "start": start, "end": start + len(words)}


def row(answer: Any, verdicts: Iterable[Any] = (), **keys: Any) -> dict[str, Any]:
    """Return the row of an audit."""
    found = list(verdicts)
    ok = all(one["ok"] for one in found)
    value = answer if ok else None
    return {
        "ok": ok,
        "value": value,
        "verdicts": found,
        "answer": answer,
        "references": REFERENCES,
        **keys,
    }


class Page(HTMLParser):
    """What an HTML parser finds in a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.metas: list[dict[str, str | None]] = []
        self.outside: list[tuple[str, str, str | None]] = []
        self.elements: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self._inside: str | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "meta":
            self.metas.append(dict(attrs))
        for name, value in attrs:
            if name in ("src", "href", "action", "style") or name.startswith("on"):
                self.outside.append((tag, name, value))
        if tag in self.elements:
            self._inside = tag
            self.elements[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is not None:
            self.elements[self._inside][-1] += data

    @property
    def data(self) -> dict[str, Any]:
        """The rows and texts that the page's script reads."""
        rows, texts, _ = self.elements["script"]
        return {
            "rows": json.loads(rows),
            "texts": [json.loads(line) for line in texts.split("\n") if line],
        }

    @property
    def policy(self) -> dict[str, str]:
        """The directives of the Content-Security-Policy."""
        (content,) = (
            meta["content"] or ""
            for meta in self.metas
            if meta.get("http-equiv") == "Content-Security-Policy"
        )
        pairs = (part.strip().partition(" ") for part in content.split(";"))
        return {name: value for name, _, value in pairs}


def page(*rows: Mapping[str, Any], **options: Any) -> Page:
    """Return the page of some rows."""
    return Page(Report(rows, **options).to_html())


def only(*rows: Mapping[str, Any]) -> dict[str, Any]:
    """Return the one answer of a page, with the words that its verdicts point at.

    A verdict gets `about`, the part of the field that it judged, and `points_at`, the words of
    its evidence with the reference or field that they stand in.
    """
    data = page(*rows).data
    (found,) = data["rows"]
    attempt = found["answer"]
    for one in attempt.get("verdicts", ()):
        field = attempt["fields"][one["field"]]
        if "part" in one:
            one["about"] = cut(field["text"], *one["part"])
        if "evidence" in one:
            kind, number, piece, *stretch = one["evidence"]
            if kind == "reference":
                id_, *pieces, _ = found["references"][number]
                text = data["texts"][pieces[piece][2]]
            else:
                id_, text = attempt["fields"][number]["path"], attempt["fields"][number]["text"]
            one["points_at"] = (id_, cut(text, *stretch))
    answer: dict[str, Any] = found
    return answer


def cut(text: str, start: int, end: int) -> str:
    """Return a stretch that is counted as JavaScript counts: in units of UTF-16."""
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")
