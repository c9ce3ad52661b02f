"""What the benchmarks of citations measure is what their pages say."""

import pytest

from benchmarks.citation_cost import REFERENCES, SENTENCES, cited_text
from benchmarks.citation_rule import Measured, measure_answer, questions
from corpora.cited_answers import load_answers
from groundtypes.citations.markers.marker_reader import read_markers
from groundtypes.citations.statements.sentences import cited_sentences


@pytest.mark.parametrize("wrong", [False, True])
def test_the_text_has_two_markers_for_each_sentence(wrong: bool) -> None:
    text, references = cited_text(wrong=wrong)
    marked = read_markers(text, references)
    assert len(marked.markers) == 2 * SENTENCES
    assert None not in marked.ids.values()
    assert 0.9 * REFERENCES <= len(references) <= REFERENCES
    assert len(cited_sentences(marked)) >= SENTENCES


def test_each_question_is_about_other_sources() -> None:
    rows = questions(load_answers("tune"), 24)
    assert len({row.domain for row in rows}) == 12
    assert len({tuple(row.texts.values()) for row in rows}) == len(rows) == 24


def test_an_answer_is_measured_by_its_markers() -> None:
    row = questions(load_answers("tune"), 1)[0]
    words = next(iter(row.texts.values())).split(". ")[0].rstrip(".")
    assert measure_answer("no JSON", row)[0] == Measured()
    assert measure_answer(f'{{"text": "{words}."}}', row)[0] == Measured(is_json=1)
    unknown, error = measure_answer(f'{{"text": "{words} [99]."}}', row)
    assert unknown == Measured(is_json=1, has_markers=1, all_cited=1)
    assert error is not None
    assert measure_answer(f'{{"text": "{words} [1]."}}', row)[0].all_known
