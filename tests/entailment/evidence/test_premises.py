"""The passages that are selected for a hypothesis, and the premises made of them."""

import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from groundtypes import References, Span
from groundtypes.entailment.evidence.passage_index import chunk_index, select_passages
from groundtypes.entailment.evidence.premises import compose_premise, premise_with_question

FILLER = "Nothing of this has anything to do with it, whatever one may think of it. " * 40
REFERENCES = References.of(
    {
        "long": f"{FILLER}The tower was built in 1889 by an engineer. {FILLER}",
        "anna": "Anna was born in Rome. She studied law there.",
        "bob": "Bob lives in Paris. He is a painter. Anna married Bob in 1999.",
    }
)


def test_the_passage_that_says_it_comes_first() -> None:
    best = select_passages(REFERENCES, "An engineer built the tower in 1889.")[0]
    assert best.span.reference == "long"
    assert "The tower was built in 1889" in best.text


def test_a_span_cuts_out_its_passage() -> None:
    found = select_passages(REFERENCES, "Anna", 50)
    assert len(found) > 3
    for passage in found:
        span = passage.span
        assert REFERENCES[span.reference].text[span.start : span.end] == passage.text


def test_there_are_no_more_than_asked_for_and_all_where_there_are_few() -> None:
    assert len(select_passages(REFERENCES, "the tower", 2)) == 2
    few = References.of(["It is tall.", "It is old."])
    assert {passage.text for passage in select_passages(few, "zzz", 5)} == set(few.texts)


def test_passages_with_the_same_text_are_selected_once() -> None:
    same = References.of(["The tower is tall."] * 30 + ["The bridge is long."])
    found = select_passages(same, "The tower is tall.", 2)
    assert [passage.span.reference for passage in found] == ["0", "30"]


@pytest.mark.parametrize("source", [[], [""], ["  \n"]], ids=["none", "empty", "blank"])
def test_references_without_text_have_no_passage(source: list[str]) -> None:
    references = References.of(source)
    assert select_passages(references, "The tower is tall.") == []
    assert compose_premise(references, "The tower is tall.") is None


@pytest.mark.parametrize("hypothesis", ["", "!?", "zzz", "\0\ud800"])
def test_a_hypothesis_without_a_known_word_takes_what_comes_first(hypothesis: str) -> None:
    found = select_passages(References.of(["It is tall.", "It is old."]), hypothesis, 1)
    assert [passage.text for passage in found] == ["It is tall."]


def test_at_least_one_passage_must_be_selected() -> None:
    with pytest.raises(ValueError, match="at least one"):
        select_passages(REFERENCES, "tower", 0)


def test_references_are_cut_once_and_forgotten_with_them() -> None:
    texts = [f"{FILLER}{number}" for number in range(3)]
    held = References(("a", "b", "c"), tuple(texts))
    gc.collect()  # the references of other tests
    before = len(chunk_index._values)
    select_passages(held, "it")
    assert chunk_index(held).lexical is chunk_index(held).lexical
    assert chunk_index(held) is chunk_index(References(("a", "b", "c"), tuple(texts)))
    assert len(chunk_index._values) == before + 1
    del held
    gc.collect()
    assert len(chunk_index._values) == before


def test_many_threads_share_one_index() -> None:
    fresh = References(("a", "b"), (FILLER * 5, "The tower is tall."))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: select_passages(fresh, "the tower"), range(32)))
    assert all(one == found[0] for one in found)
    assert len({id(index) for index in (chunk_index(fresh) for _ in range(3))}) == 1


def test_a_claim_merged_from_two_references_gets_sentences_of_both() -> None:
    premise = compose_premise(REFERENCES, "Anna, who was born in Rome, married a painter.")
    assert premise is not None
    assert {span.reference for span in premise.spans} == {"anna", "bob"}
    for wanted in ("born in Rome", "painter", "married"):
        assert wanted in premise.text


def test_a_composed_premise_stands_in_the_order_of_the_references() -> None:
    premise = compose_premise(REFERENCES, "Bob lives in Paris, Anna was born in Rome.")
    assert premise is not None
    assert premise.text.index("Anna was born") < premise.text.index("Bob lives")
    assert list(premise.spans) == sorted(
        premise.spans, key=lambda span: (REFERENCES.number(span.reference), span.start)
    )


def test_a_composed_premise_has_only_sentences_that_add_something() -> None:
    text = "It was built in 1889. It was built there by them. It is all made of iron."
    premise = compose_premise(References.of(text), "iron")
    assert premise is not None
    assert premise.spans == (Span("0", 50, 73),)
    assert compose_premise(REFERENCES, "zzz") is None


def test_a_composed_premise_has_at_most_so_many_sentences() -> None:
    text = " ".join(
        f"The animal of number {number} is a {name}."
        for number, name in enumerate(["lion", "tiger", "zebra", "horse", "eagle", "whale"])
    )
    premise = compose_premise(References.of(text), "lion tiger zebra horse eagle whale", 3)
    assert premise is not None
    assert len(premise.spans) == 3


@pytest.mark.parametrize("question", [None, "", "  \n"])
def test_without_a_question_the_premise_is_itself(question: str | None) -> None:
    assert premise_with_question(question, "It is tall.") == "It is tall."


def test_the_question_stands_on_its_own_line_in_front() -> None:
    assert (
        premise_with_question(" How tall\nis it? ", "It is tall.") == "How tall is it?\nIt is tall."
    )


def test_of_a_long_question_the_end_is_kept_in_whole_sentences() -> None:
    told = premise_with_question(f"{FILLER} How tall is the tower?", "It is tall.")
    asked, premise = told.split("\n")
    assert asked.endswith("How tall is the tower?")
    assert asked.startswith("Nothing of this")
    assert len(asked) <= 300
    assert premise == "It is tall."
    assert len(premise_with_question("x" * 10_000, "It is tall.")) <= 320


def test_a_composed_premise_is_the_same_in_every_process() -> None:
    # Many sentences share nearly as much with a hypothesis, and the order in which their words are
    # summed up depends on the seed of the hashes.
    code = """
import random
from groundtypes import References
from groundtypes.entailment.evidence.premises import compose_premise
draw = random.Random(11)
words = [f"word{letter}" for letter in "abcdefghijklmnopqrstuv"]
sentences = [" ".join(draw.choices(words, k=draw.randint(2, 12))) + "." for _ in range(80)]
references = References.of(" ".join(sentences))
for _ in range(60):
    print(compose_premise(references, " ".join(draw.choices(words, k=12))))
"""
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(printed) == 1
