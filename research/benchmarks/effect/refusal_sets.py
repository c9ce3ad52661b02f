"""The sets of refusals: `detect_refusal` with its transformer, and without `groundtypes[nli]`."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.effect.outcomes import TESTS, Outcome, Rows, RowSet
from corpora import refusal_sets
from corpora.refusal_replies import written_replies
from groundtypes import detect_refusal
from groundtypes.refusals import transformer

__all__ = ["SETS", "SETS_OF_CORE"]

_FIND_CLASSIFIER: Final = getattr(transformer, "_loader", None)
_known: dict[str, list[float]] = {}


def _use(core: bool, rows: Rows) -> Callable[[], None]:  # noqa: FBT001 # private
    """Take the transformer away, or have it ask no text twice; return what ends the use."""
    load = None if core or _FIND_CLASSIFIER is None else _FIND_CLASSIFIER()
    getattr(transformer, "_known", {}).clear()
    setattr(transformer, "_loader", lambda: load and (lambda: _Remembering(load)))  # noqa: B010 # it is not exported
    path = rows.cache / "refusals.json"
    if path.exists() and not _known:
        _known.update(json.loads(path.read_text(encoding="utf-8")))
    return lambda: _end(path)


def _end(path: Path) -> None:
    setattr(transformer, "_loader", _FIND_CLASSIFIER)  # noqa: B010 # it is not exported
    getattr(transformer, "_known", {}).clear()
    path.write_text(json.dumps(_known), encoding="utf-8")


class _Remembering:
    """The transformer, which knows what it said in earlier runs."""

    def __init__(self, load: Callable[[], Any]) -> None:
        self._load = load

    def outputs(self, opening: str) -> list[float]:
        if opening not in _known:
            _known[opening] = list(self._load().outputs(opening))
        return _known[opening]


def _outcome(id_: str, kind: str, text: str, *, exact: bool) -> Outcome:
    said = str(detect_refusal(text).kind.value)
    right = said == kind if exact else (said == "answer") == (kind == "answer")
    return Outcome(f"{id_} ({kind})", "pass" if kind == "answer" else "refuse", right, said, text)


def _judged(
    find: Callable[[Rows], Iterator[tuple[str, str, str]]], rows: Rows, *, core: bool, exact: bool
) -> Iterator[Outcome]:
    end = _use(core, rows)
    try:
        for id_, kind, text in find(rows):
            yield _outcome(id_, kind, text, exact=exact)
    finally:
        end()


def _public(name: str, rows: Rows) -> Iterator[tuple[str, str, str]]:
    assert rows.data is not None
    for number, row in enumerate(refusal_sets.replies(rows.data, name)):
        if row.part == "test":
            yield str(number), row.kind, row.text


def _written(rows: Rows) -> Iterator[tuple[str, str, str]]:
    texts = [row for row in written_replies() if row.part in ("test", "untrained")]
    for number, row in enumerate(texts[:: rows.every]):
        yield f"{number}, {row.language}", row.kind, row.text


def _readers(rows: Rows) -> Iterator[tuple[str, str, str]]:
    for path in sorted((TESTS / "refusals/data").glob("*.jsonl")):
        for number, row in enumerate(rows.of(path)):
            yield f"{path.stem}-{number}", row["kind"], row["text"]


def _cases(rows: Rows) -> Iterator[tuple[str, str, str]]:
    assert rows.cases is not None
    for row in rows.of(rows.cases / "replies.jsonl"):
        yield row["id"], row["label"], row["text"]


def _ordinary(rows: Rows) -> Iterator[tuple[str, str, str]]:
    assert rows.data is not None
    for name in refusal_sets.ANSWERING_SETS:
        texts = refusal_sets.answering_texts(rows.data, name)
        for number, text in enumerate(texts[:: rows.every]):
            yield f"{name}-{number}", "answer", text


def _sets(*, core: bool) -> Iterator[RowSet]:
    def judge(find: Any, *, exact: bool) -> Any:
        return partial(_judged, find, core=core, exact=exact)

    for name in refusal_sets.SETS:
        yield RowSet(name, "public", judge(partial(_public, name), exact=False), "data")
    yield RowSet("ordinary answers", "public", judge(_ordinary, exact=False), "data")
    yield RowSet("written", "written", judge(_written, exact=False))
    yield RowSet("written, kind", "written", judge(_written, exact=True))
    yield RowSet("readers", "tests", judge(_readers, exact=False))
    yield RowSet("readers, kind", "tests", judge(_readers, exact=True))
    yield RowSet("case file, kind", "cases", judge(_cases, exact=True), "cases")


SETS: Final = tuple(_sets(core=False))
SETS_OF_CORE: Final = tuple(_sets(core=True))
