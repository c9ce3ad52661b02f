"""References: every shape that pipelines hold texts in, read once."""

import copy
import pickle
import subprocess
import sys
from collections import deque
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from pydantic import BaseModel, ValidationError

from groundtypes import Mistake, Quote, Reference, References, find_quote, verify
from groundtypes.errors import ContextError, MissingReferencesError, ReferencesError


@dataclass
class Document:
    """What LangChain's documents look like."""

    page_content: str
    id: Any = None
    metadata: Any = None


@dataclass
class Node:
    """What LlamaIndex's nodes look like."""

    text: str
    id_: str = "node"


class Row(BaseModel):
    """A Pydantic model with a text."""

    id: int
    content: str


class Fact(BaseModel):
    """What an LLM may answer."""

    quote: Quote


_ID = UUID("12345678123456781234567812345678")
SHAPES: dict[str, tuple[Any, dict[str, str]]] = {
    "a text": ("one", {"0": "one"}),
    "a list": (["one", "two"], {"0": "one", "1": "two"}),
    "a tuple": (("one",), {"0": "one"}),
    "a deque": (deque(["one"]), {"0": "one"}),
    "values of a mapping": ({"a": "one"}.values(), {"0": "one"}),
    "a mapping": ({"a": "one", "b": "two"}, {"a": "one", "b": "two"}),
    "a mapping with numbers": ({7: "one"}, {"7": "one"}),
    "a mapping to documents": ({"a": {"text": "one"}}, {"a": "one"}),
    "mappings with text": ([{"id": "a", "text": "one"}], {"a": "one"}),
    "mappings with content": ([{"content": "one"}], {"0": "one"}),
    "page_content": ([Document("one", "a"), Document("two")], {"a": "one", "1": "two"}),
    "one document": (Document("one", "a"), {"a": "one"}),
    "nodes": ([Node("one", "n1"), Node("two", "n2")], {"n1": "one", "n2": "two"}),
    "models": ([Row(id=3, content="one")], {"3": "one"}),
    "references": ([Reference("a", "one")], {"a": "one"}),
    "a UUID": ([{"id": _ID, "text": "one"}], {str(_ID): "one"}),
    "an empty list": ([], {}),
    "an empty mapping": ({}, {}),
    "an empty text": ("", {"0": ""}),
    "texts that say the same": (["one", "one"], {"0": "one", "1": "one"}),
    "a mapping with a key named text": ({"text": "one", "b": "two"}, {"text": "one", "b": "two"}),
}


@pytest.mark.parametrize(("source", "expected"), SHAPES.values(), ids=SHAPES)
def test_references_are_read_from_every_shape(source: Any, expected: dict[str, str]) -> None:
    references = References.of(source)
    assert {reference.id: reference.text for reference in references} == expected
    assert references.ids == tuple(expected)
    assert len(references) == len(expected)


_cycle: list[Any] = []
_cycle.append(_cycle)
_ring: dict[str, Any] = {}
_ring["a"] = _ring
UNREADABLE: dict[str, Any] = {
    "None": None,
    "bytes": b"one",
    "a number": 5,
    "a set": {"one", "two"},
    "a generator": (text for text in ["one"]),
    "an iterator": iter(["one"]),
    "a nested list": [["one"]],
    "None in a list": ["one", None],
    "a number in a mapping": {"a": 1},
    "a document without a text": [{"id": "a", "body": "one"}],
    "a document whose text is no text": [{"id": "a", "text": 5}],
    "one document or two texts": {"id": "a", "text": "one"},
    "a cyclic list": _cycle,
    "a cyclic mapping": _ring,
    "an id that is a float": [{"id": 1.5, "text": "one"}],
    "an id that is a list": [{"id": ["a"], "text": "one"}],
    "an id that is a truth value": {True: "one"},
    "two ids that are the same": [{"id": "a", "text": "one"}, {"id": "a", "text": "two"}],
    "two ids that look the same": [{"id": 1, "text": "one"}, {"id": "1", "text": "two"}],
    "an id and a position": [{"id": "1", "text": "one"}, "two"],
}


@pytest.mark.parametrize("source", UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_a_mistake_that_names_what_is_accepted(source: Any) -> None:
    with pytest.raises(ReferencesError) as caught:
        References.of(source)
    assert not isinstance(caught.value, ValueError | AssertionError)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("key", ["references", "text_chunks", "context"])
def test_a_context_holds_references_under_any_of_three_keys(key: str) -> None:
    assert References.from_context({key: ["one"], "question": "?"}).texts == ("one",)


def test_the_first_key_that_is_not_none_counts() -> None:
    context = {"references": None, "text_chunks": ["one"], "context": ["two"]}
    assert References.from_context(context).texts == ("one",)


@pytest.mark.parametrize("context", [None, {}, {"docs": ["one"]}, {"references": None}], ids=repr)
def test_a_context_without_references_is_a_mistake(context: Any) -> None:
    with pytest.raises(MissingReferencesError):
        References.from_context(context)


def test_a_missing_reference_error_names_the_keys_and_never_shows_the_values() -> None:
    with pytest.raises(MissingReferencesError, match="docs") as caught:
        References.from_context({"docs": "a secret"})
    assert "secret" not in str(caught.value)
    with pytest.raises(MissingReferencesError, match=r"\['references \(None\)'\]"):
        References.from_context({"references": None})


def test_a_context_that_is_no_mapping_is_a_mistake() -> None:
    with pytest.raises(ContextError, match="list"):
        References.from_context(["one"])


def test_no_references_at_all_are_no_mistake_and_hold_no_quote() -> None:
    assert find_quote("The tower", []) is None
    with pytest.raises(ValidationError) as caught:
        verify(Fact, {"quote": "The tower was"}, context={"references": []})
    assert [error["type"] for error in caught.value.errors()] == ["quote_not_found"]


def test_the_same_content_is_indexed_once() -> None:
    first = References.of(["The tower was built.", "It is tall."])
    again = References.of([b"The tower was built.".decode(), "It is tall."])
    assert again is first
    assert References.of(["The tower was built.", "It is grey."]) is not first


def test_a_list_that_has_changed_is_read_anew() -> None:
    texts = ["The tower was built."]
    assert find_quote("It is tall", texts) is None
    texts.append("It is tall.")
    assert find_quote("It is tall", texts) is not None


def test_the_digest_tells_contents_apart() -> None:
    digests = {
        References.of(source).digest
        for source in (["ab", "c"], ["a", "bc"], ["abc"], {"x": "abc"}, ["\ud800"], [])
    }
    assert len(digests) == 6
    assert References.of(["abc"]).digest == References(("0",), ("abc",)).digest
    assert Reference("a", "abc").digest == Reference("b", "abc").digest


def test_references_are_copied_and_pickled_with_their_content() -> None:
    references = References.of({"a": "The tower was built."})
    for other in (copy.deepcopy(references), pickle.loads(pickle.dumps(references))):  # noqa: S301 # our own bytes
        assert other == references
        assert hash(other) == hash(references)
        assert find_quote("tower was", other) is not None


def test_a_repr_is_short_and_does_not_show_texts() -> None:
    references = References.of({"a" * 500: "secret", **{str(n): "x" for n in range(50)}})
    assert "secret" not in repr(references)
    assert len(repr(references)) < 200


def test_an_unknown_id_is_a_key_error() -> None:
    references = References.of({"a": "one"})
    assert "b" not in references
    with pytest.raises(KeyError):
        references["b"]


def test_a_hundred_thousand_tiny_references_are_searched_as_one() -> None:
    texts = [f"tiny {number} text" for number in range(100_000)]
    match = find_quote("tiny 77777 text", texts)
    assert match is not None
    assert match.span.reference == "77777"
    assert find_quote("tiny zebra text", texts) is None


def test_subclasses_of_str_are_plain_texts() -> None:
    class Marked(str):
        """A str with a repr of its own."""

        __slots__ = ()

        def __str__(self) -> str:
            return "something else"

    references = References.of({Marked("a"): Marked("one")})
    assert type(references["a"].text) is str
    assert references["a"].text == "one"


def test_every_mistake_about_references_is_a_mistake() -> None:
    assert issubclass(ReferencesError, Mistake)
    assert issubclass(MissingReferencesError, Mistake)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_a_forked_child_reads_and_searches_references_whose_locks_were_held() -> None:
    # In a process of its own: forking a process with threads is what is tested.
    program = """
import os, threading
from groundtypes import References, find_quote
from groundtypes.references import reading
from groundtypes.quotes import exact_search
known = References.of(["A lift goes up to the top."])
for lock in (reading._collections._lock, exact_search.word_index._lock):
    threading.Thread(target=lock.acquire).start()  # held for ever
child = os.fork()
if child == 0:
    print(References.of(["A lift goes up to the top."]) is known, flush=True)
    print(find_quote("up to the top", ["It goes up to the top."]).span, flush=True)
    os._exit(0)
os.waitpid(child, 0)
os._exit(0)
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines() == ["True", "Span(reference='0', start=8, end=21)"]


def test_every_id_needs_a_text() -> None:
    with pytest.raises(ReferencesError, match="2 and 1"):
        References(("a", "b"), ("one",))


def test_metadata_of_a_shared_collection_cannot_be_changed() -> None:
    given = {"source": "a.pdf", "page": 3}
    references = References.of([Reference("a", "It is tall.", metadata=given), Document("It is.")])
    given["source"] = "changed"
    assert isinstance(references["a"].metadata, dict)
    references["a"].metadata["source"] = "changed"
    next(iter(references)).metadata.clear()  # type: ignore[union-attr]
    with pytest.raises(TypeError):
        references.metadata[0]["source"] = "changed"  # type: ignore[index]
    for same in (references, pickle.loads(pickle.dumps(references)), copy.deepcopy(references)):  # noqa: S301
        assert same["a"].metadata == {"source": "a.pdf", "page": 3}
        assert same.metadata == (given | {"source": "a.pdf"}, None)
        assert same["1"].metadata is None


def test_metadata_that_can_only_partly_be_pickled() -> None:
    references = References.of(
        [Document("It is tall.", metadata={"source": "a", "f": lambda: 1}), Document("It is.")]
    )
    unpickled = pickle.loads(pickle.dumps(references))  # noqa: S301
    assert unpickled.metadata == ({"source": "a"}, None)


def test_a_position_outside_of_the_text_is_on_the_last_page_or_on_none() -> None:
    reference = Reference("a", "It is tall.", pages=[(0, 1), (6, 2)])
    assert [reference.page(position) for position in (-1, 0, 6, 11, 100)] == [None, 1, 2, 2, 2]
