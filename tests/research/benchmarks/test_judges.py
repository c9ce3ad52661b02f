"""The comparison of judges: the same rows for all, runs that go on, and what is counted."""

import gzip
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.judges.__main__ import main
from benchmarks.judges.chart import Bars, bar_chart
from benchmarks.judges.measuring import Measurement, measure
from benchmarks.judges.page import page_of
from benchmarks.judges.results import Counted, Line, cascade_of, cost_of, lines_of
from benchmarks.judges.sets import SETS, JudgedSet, sample
from benchmarks.judges.store import Store, shown_name
from corpora.rag_answers import rag_answers
from groundtypes import LanguageError
from groundtypes.scoring import NLIScores, Pair
from groundtypes.testing import ENTAILED
from tests.whole_texts import WholeTextNLI, by_words, install_judge

_IN_TEST_PART = "source-5"
REFERENCE = "The tower is tall and made of iron. It was finished in 1889."


def _said(text: str, ok: bool | None, kind: str = "") -> dict[str, Any]:
    return {"text": text, "ok": ok, "kind": kind}


ANSWERS: list[list[dict[str, Any]]] = [
    [
        _said("Here is what the text says.", None, "talk"),
        _said("- The tower is tall and made of iron.", True),
        _said("- It was finished in 1889.", True),
    ],
    [
        _said("The tower is tall and made of iron.", True),
        _said("It was finished in blue granite.", False, "not said"),
    ],
]


def _write(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder with a few rows of some sets."""
    source = {"id": _IN_TEST_PART, "references": [REFERENCE], "question": "How is the tower?"}
    answers = [{"sentences": sentences} for sentences in ANSWERS]
    folder = tmp_path / "data"
    _write(folder / "answers" / "rag.jsonl.gz", [{**source, "answers": answers}])
    foreign = [{"sentences": [_said("Der Turm ist sehr hoch und aus Eisen gebaut.", True)]}]
    german = {**source, "references": ["Der Turm ist hoch."], "language": "de"}
    _write(folder / "answers" / "languages.jsonl.gz", [{**german, "answers": foreign}])
    _write(
        folder / "grounded" / "qags.jsonl.gz",
        [
            {
                "context": f"{REFERENCE} It has {number} stairs.",
                "response": "The tower is tall." if right else "The tower is painted red.",
                "label": "supported" if right else "unsupported",
                "split": "test",
            }
            for number in range(8)
            for right in (True, False)
        ],
    )
    _write(
        folder / "nli" / "snli_devtest.jsonl.gz",
        [
            {"premise": REFERENCE, "hypothesis": hypothesis, "label": label, "split": "dev"}
            for hypothesis, label in (
                ("The tower is tall.", "entailment"),
                ("The tower is short.", "contradiction"),
                ("The tower is painted.", "neutral"),
            )
        ],
    )
    return folder


def _set(name: str) -> JudgedSet:
    return next(judged for judged in SETS if judged.name == name)


SOME = ("rag", "languages", "qags", "snli-devtest")


def _english(pair: Pair) -> NLIScores:
    if "Turm" in pair.hypothesis:
        raise LanguageError("English alone")
    return by_words(pair)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[WholeTextNLI]:
    return install_judge(monkeypatch, rule=_english)


def test_names_of_sets_are_unique_and_a_larger_sample_contains_a_smaller_one(data: Path) -> None:
    assert len({judged.name for judged in SETS}) == len(SETS)
    small, large = ([row.id for row in sample(_set("qags"), data, most)] for most in (5, None))
    assert small == large[:5]
    assert len(large) == len(set(large)) == 16
    statements = sample(_set("written-statements"), data, 30)
    pairs = [row.pair for row in statements if row.pair is not None]
    assert all(pairs.count(pair) == 2 for pair in pairs)  # both sides of a minimal pair


def test_the_text_of_an_answer_has_its_sentences_where_they_say(data: Path) -> None:
    first, second = rag_answers(data, "test", ["rag"])
    assert first.text.splitlines() == [sentence["text"] for sentence in ANSWERS[0]]
    assert "\n" not in second.text
    for answer in (first, second):
        assert tuple(answer.text[start:end] for start, end in answer.spans) == answer.sentences
    assert (first.is_faultless, second.is_faultless) == (True, False)
    assert rag_answers(data, "tune", ["rag"]) == []
    assert len(rag_answers(data, None, ["rag", "languages"])) == 3


def _measured(data: Path, store: Store, **options: Any) -> bool:
    return measure(Measurement("judge:model.gguf", data, store, SOME, **options))


def _line(lines: Sequence[Line], title: str) -> Line:
    return next(line for line in lines if line.title == title)


def test_what_a_judge_says_is_counted_both_ways(
    made: list[WholeTextNLI], data: Path, tmp_path: Path
) -> None:
    store = Store(tmp_path / "store")
    assert _measured(data, store)
    assert store.judges() == ["judge"]  # not where its file is
    lines = lines_of(store, ["judge"])
    texts = _line(lines, "QAGS: sentences of summaries")
    assert texts.alone["judge"] == Counted(8, 8, 1.0, 1.0, 1.0)
    assert texts.with_figures["judge"].balanced == 1.0
    whole = _line(lines, "RAG answers, whole")
    assert whole.alone["judge"] == Counted(1, 1, 1.0, 1.0, 1.0)
    sentences = _line(lines, "RAG answers, sentences").alone["judge"]
    assert (sentences.right, sentences.wrong) == (3, 1)
    assert sentences.refused == 1.0
    foreign = _line(lines, "answers in 16 languages, whole").alone["judge"]
    assert (foreign.right, foreign.wrong, foreign.unread) == (0, 0, 1)
    pairs = _line(lines, "SNLI")
    assert pairs.alone["judge"] == Counted(1, 2, 1.0, 1.0, 1.0)
    assert pairs.accuracy["judge"] == pytest.approx(2 / 3)  # a contradiction called neutral
    assert pairs.entailed_or_not["judge"] == 1.0
    cost = cost_of(store, "judge")
    assert cost is not None
    assert (cost.tokens, cost.statements > 20) == (None, True)
    assert len(made) == 1


def test_a_figure_that_is_absent_refuses_with_figures_alone(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_judge(monkeypatch, rule=lambda pair: ENTAILED)
    row = {
        "context": REFERENCE,
        "response": "The tower was finished in 1990.",
        "label": "unsupported",
        "split": "test",
    }
    right = {**row, "response": "The tower was finished in 1889.", "label": "supported"}
    _write(data / "grounded" / "qags.jsonl.gz", [row, right])
    store = Store(tmp_path / "store")
    assert measure(Measurement("judge", data, store, ["qags"]))
    [line] = lines_of(store, ["judge"])
    assert (line.alone["judge"].refused, line.with_figures["judge"].refused) == (0.0, 1.0)
    assert (line.alone["judge"].area, line.with_figures["judge"].area) == (0.5, 1.0)


def test_a_run_that_was_stopped_goes_on(
    made: list[WholeTextNLI], data: Path, tmp_path: Path
) -> None:
    store = Store(tmp_path / "store")
    assert not _measured(data, store, seconds=0.0, most=4)
    assert _measured(data, store, most=4)
    [engine] = made
    calls = engine.calls
    path = next((tmp_path / "store").glob("*/qags.jsonl"))
    stored = store.read("judge", "qags")
    with path.open("a", encoding="utf-8") as file:
        file.write('{"id": "half a li')
    assert _measured(data, store, most=4)
    assert engine.calls == calls  # nothing is judged twice
    assert _measured(data, store, most=6)
    assert len(store.read("judge", "qags")) == 6
    assert stored.items() <= store.read("judge", "qags").items()


def test_each_judge_is_counted_on_its_own_rows_and_the_page_says_how_many(
    made: list[WholeTextNLI], data: Path, tmp_path: Path
) -> None:
    store = Store(tmp_path / "store")
    assert _measured(data, store, most=4)
    others = [
        {"id": row, "label": "supported", "entailed": True, "score": 1.0, "figures": True}
        for row in (*store.read("judge", "qags"), "another")
    ]
    store.add("hub:a/b", "qags", others[2:])
    line = _line(lines_of(store, ["judge", "hub:a/b"]), "QAGS: sentences of summaries")
    counts = {judge: found.right + found.wrong for judge, found in line.alone.items()}
    assert counts == {"judge": 4, "hub:a/b": 3}
    page = page_of(store, ["judge", "hub:a/b"], "chart.svg", 4)
    [row, _] = [each for each in page.splitlines() if each.startswith("| QAGS")]
    assert row.count(", on ") == 1 and ", on 3, 0" in row
    store.add("hub:a/b", "snli-devtest", list(store.read("judge", "snli-devtest").values())[:2])
    [_, *pairs] = [
        each
        for each in page_of(store, ["judge", "hub:a/b"], "chart.svg", 4).splitlines()
        if each.startswith("| SNLI | ")
    ]
    assert [each.count(", on 2 |") for each in pairs] == [1]
    assert made


def test_scores_of_another_engine_of_the_same_name_are_not_mixed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.claim("judge", "one")
    store.claim("judge", "one")
    with pytest.raises(SystemExit, match="another engine"):
        store.claim("judge", "two")
    store.claim("judge", "two", is_same=True)
    store.claim("judge", "two")
    with pytest.raises(SystemExit, match="another engine"):
        store.claim("judge", "three")


def test_the_page_is_rendered_from_what_is_stored(
    made: list[WholeTextNLI], data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(tmp_path / "store")
    assert _measured(data, store)
    files = [tmp_path / "page.md", tmp_path / "images" / "chart.svg"]
    files[1].parent.mkdir()
    words = ["--render", "--store", str(store.folder), "--page", str(files[0])]
    assert main([*words, "--chart", str(files[1])]) == 0
    page, chart = (file.read_text(encoding="utf-8") for file in files)
    assert page == page_of(store, ["judge"], "images/chart.svg", 200)
    assert "$" not in page
    assert "| refused by name |" in page
    assert "† Seen before" in page
    assert str(tmp_path) not in page
    assert "model.gguf" not in page
    assert ET.fromstring(chart).tag.endswith("svg")  # noqa: S314 # our own
    assert capsys.readouterr().out == ""
    assert len(made) == 1


def test_a_cascade_is_counted_on_unseen_rows_that_both_judges_have_judged(tmp_path: Path) -> None:
    store = Store(tmp_path)

    def rows(right: float, wrong: float) -> list[dict[str, Any]]:
        return [
            {
                "id": f"{label} {number}",
                "label": label,
                "score": score,
                "entailed": score >= 0.5,
                "figures": True,
            }
            for label, score in (("supported", right), ("unsupported", wrong))
            for number in range(20)
        ]

    unsure, sure = rows(0.45, 0.4), rows(0.9, 0.1)
    assert cascade_of(store, "bundled", "judge") is None
    for name in ("qags", "rag", "wice-claims"):  # the last two have been seen by one of them
        store.add("bundled", name, unsure)
        store.add("judge", name, sure)
    store.add("judge", "bump", sure)
    store.add("bundled", "languages", [{"id": "a", "label": "supported", "refused": "language"}])
    store.add("judge", "languages", [{**sure[0], "id": "a"}])
    curve = cascade_of(store, "bundled", "judge")
    assert curve is not None
    nobody, everybody = curve.points[0], curve.points[-1]
    assert (nobody.counts.recall, nobody.counts.rejection) == (0.0, 1.0)
    assert everybody.balanced_accuracy == 1.0
    assert everybody.counts.accepted_supported == 20
    page = page_of(store, ["bundled", "judge"], "chart.svg", 20)
    assert "| `bundled`, then `judge` | pass + refuse | mean |" in page
    assert "0.00 to 1.00 | 100.0 + 100.0 | 100.0 |" in page


def test_the_shipped_page_shows_the_shipped_judgements(tmp_path: Path) -> None:
    notes = Path(__file__).parents[3] / "research" / "notes"
    shipped = (notes / "judges-compared.md").read_text(encoding="utf-8")
    most = re.search(r"--most (\d+)", shipped)
    assert most is not None
    page, chart = tmp_path / "page.md", tmp_path / "judges-compared.svg"
    command = ["--render", "--most", most[1], "--page", str(page), "--chart", str(chart)]
    assert main(command) == 0
    assert page.read_text(encoding="utf-8") == shipped
    assert chart.read_bytes() == (notes / "judges-compared.svg").read_bytes()


def test_without_data_only_a_page_can_be_made(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(["--store", str(tmp_path)])


def test_a_chart_escapes_its_labels_and_shows_values_below_its_axis() -> None:
    chart = bar_chart("<t>", ["a&b"], [Bars("x < y", {"a&b": 12.0}), Bars("z", {})])
    root = ET.fromstring(chart)  # noqa: S314 # our own
    texts = [element.text for element in root.iter() if element.text and element.text.strip()]
    assert {"<t>", "a&b", "x < y", "12"} <= set(texts)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("judge:/a/b.gguf", "judge"), ("hub:a/b", "hub:a/b"), ("onnx:/m", "onnx"), ("large", "large")],
)
def test_a_page_shows_no_path(name: str, shown: str) -> None:
    assert shown_name(name) == shown


def test_few_rows_that_agree_have_a_wide_interval() -> None:
    few, many = Counted(3, 3, 1.0, 1.0, 1.0), Counted(300, 300, 1.0, 1.0, 1.0)
    assert few.half_width is not None
    assert many.half_width is not None
    assert few.half_width > 0.2
    assert many.half_width < 0.01
