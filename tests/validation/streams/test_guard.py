"""`guard` over iterators."""

import gc
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from groundtypes import (
    Aligned,
    Answered,
    Check,
    Cited,
    Entailed,
    Figures,
    Judges,
    Mistake,
    NLIScores,
    Pair,
    Quoted,
    grounded_in,
    guard,
)
from groundtypes.entailment.questions import sentences_with_claims
from groundtypes.errors import BackendError, ContextError, MarkerError, ReferencesError
from groundtypes.refusals.denials import denied_by
from groundtypes.scoring import Question
from groundtypes.testing import ENTAILED, REFUTED, ScriptedLLM, ScriptedNLI
from tests.validation.streams.texts import (
    ALL,
    ANSWER,
    NONE,
    NOT_FALSE,
    TEXTS,
    closing,
    cut,
    has_words,
)

TEXT = "The tower is tall and grey. It is false that it is red. It was painted in the year 1889."
REFERENCES = "The tower is tall and grey, and was painted in 1889."
ENTAILMENT = [Entailed()]


def texts(**options: Any) -> list[str]:
    options = {"judges": NOT_FALSE, "checks": ENTAILMENT, **options}
    stream: list[str] = options.pop("stream", [TEXT])
    return list(guard(stream, REFERENCES, **options))


@pytest.mark.parametrize(
    ("on_fault", "second"),
    [
        ("mark", " It is false that it is red. [not supported by the sources]"),
        ("drop", ""),
        ("note", " [A statement was left out here: the sources do not support it.]"),
    ],
)
def test_a_false_sentence_is_treated_as_asked(on_fault: str, second: str) -> None:
    expected = f"The tower is tall and grey.{second} It was painted in the year 1889."
    assert "".join(texts(on_fault=on_fault)) == expected


def test_a_stream_stops_before_a_false_sentence() -> None:
    stream = guard([TEXT], REFERENCES, judges=NOT_FALSE, checks=ENTAILMENT, on_fault="stop")
    assert next(stream) == "The tower is tall and grey."
    with pytest.raises(ValidationError) as caught:
        next(stream)
    assert [line["type"] for line in caught.value.errors()] == ["contradicted"]
    assert not list(stream)
    audit = stream.audit
    assert audit.passed == "The tower is tall and grey."
    assert [each.ok for each in audit.sentences] == [True, False]
    assert not audit.ok and not audit.complete
    assert audit.given == TEXT[: audit.sentences[1].end]


def test_the_notice_may_be_text_or_a_function() -> None:
    assert "It is false that it is red. (?) It" in "".join(texts(notice="(?)"))
    shown = texts(on_fault="note", notice=lambda faults: f"<{faults[0].slug}>")
    assert "grey. <contradicted> It" in "".join(shown)


def test_the_audit_is_that_of_the_whole_text() -> None:
    stream = guard(list(TEXT), REFERENCES, judges=NOT_FALSE, on_fault="mark")
    "".join(stream)
    audit = stream.audit
    assert audit.complete and not audit.ok
    assert audit.given == TEXT and audit.value is None
    assert [TEXT[each.start : each.end] for each in audit.sentences] == [
        each.text for each in audit.sentences
    ]
    assert [verdict.slug for verdict in audit.faults] == ["contradicted"]
    assert [verdict.check for verdict in audit.verdicts] == ["Entailed", "Figures"] * 3
    assert audit.verdicts[-1].span is not None
    assert [each["ok"] for each in audit.to_dict()["sentences"]] == [True, False, True]
    assert "false that it is red" in audit.to_html()


def test_sentences_left_out_are_no_faults_of_what_passes() -> None:
    stream = guard([TEXT], REFERENCES, judges=NOT_FALSE, on_fault="drop")
    passed = "".join(stream)
    assert stream.audit.ok and stream.audit.value == passed
    assert [verdict.dropped for verdict in stream.audit.faults] == [True]


@given(TEXTS, st.lists(st.integers(0, 5_000), max_size=12))
@settings(deadline=None, max_examples=60)
def test_what_passes_does_not_depend_on_the_chunks(text: str, places: list[int]) -> None:
    for on_fault in ("mark", "drop"):
        results = []
        for chunks in ([text], cut(text, places)):
            stream = guard(
                chunks,
                "x",
                judges=NOT_FALSE,
                checks=ENTAILMENT,
                on_fault=on_fault,
            )
            results.append(("".join(stream), stream.audit.sentences))
        assert results[0] == results[1]


@given(TEXTS.filter(has_words), st.lists(st.integers(0, 5_000), max_size=12))
@settings(deadline=None, max_examples=60)
def test_what_holds_passes_byte_for_byte(text: str, places: list[int]) -> None:
    # An abstention does not hold where all that it denies is said.
    assume(all(denied_by(sentence.text) is None for sentence in sentences_with_claims(text)))
    stream = guard(cut(text, places), "x", judges=ALL, checks=ENTAILMENT)
    assert "".join(stream) == text
    assert stream.audit.given == text


@given(TEXTS, st.lists(st.integers(0, 5_000), max_size=12))
@settings(deadline=None, max_examples=60)
def test_nothing_passes_that_was_not_judged(text: str, places: list[int]) -> None:
    judged: list[str] = []

    class Noting(Check):
        def judge(self, value: str, case: Any) -> Any:
            judged.append(value)
            return self.holds()

    for passed in guard(cut(text, places), "x", checks=[Noting()]):
        # Sentences of some scripts follow each other without a space.
        assert "".join(passed.split()) in "".join("".join(judged).split())


def test_all_of_a_false_answer_is_marked_and_keeps_its_markdown() -> None:
    marked = "".join(guard([ANSWER], "x", judges=NONE, checks=ENTAILMENT, notice="(?)"))
    assert "  - of false stone (?)\n- the top" in marked
    assert "| top | 5 m (?) |\n" in marked
    assert "```\n(?)\n\n**Note:** The tower is closed. (?)" in marked
    dropped = "".join(texts(stream=[ANSWER], on_fault="drop"))
    assert "- the base\n- the top, which is nice. It is old.\n\n1." in dropped
    assert "It is false" not in dropped


def test_what_is_left_out_leaves_no_white_space_behind() -> None:
    claims = [
        "It is false that it is red.", "The tower is tall and grey.", "It is false that it sings.",
    ]  # fmt: skip
    assert texts(stream=["\n\n".join(claims) + "\n"], on_fault="drop") == [claims[1], "\n"]


def test_a_text_that_ends_in_mid_sentence_is_judged_as_it_is() -> None:
    assert "".join(texts(stream=["The tower is tall. It is fal", "se that it"])).endswith(
        "sources]"
    )


@pytest.mark.parametrize(("text", "ok"), [("## False false", False), ("## A title", True)])
def test_a_text_without_a_sentence_is_judged_as_one(text: str, ok: bool) -> None:
    stream = guard([text], "x", judges=NOT_FALSE, checks=ENTAILMENT)
    "".join(stream)
    assert stream.audit.ok is ok


@pytest.mark.parametrize("text", ["", " \n\n", "...", "👍\n", "---\n\n***\n\n...", "- \n" * 20])
@pytest.mark.parametrize("on_fault", ["mark", "drop", "note"])
def test_a_text_without_a_word_is_a_fault_as_it_is_for_audit(text: str, on_fault: Any) -> None:
    for chunks in ([text], list(text), ["", text, ""], [] if not text else [text]):
        stream = guard(chunks, "x", judges=ALL, on_fault=on_fault)
        passed = "".join(stream)
        assert stream.audit.complete and not stream.audit.ok and stream.audit.value is None
        assert {fault.slug for fault in stream.audit.faults} == {"not_entailed"}
        assert stream.audit.given == text
        assert text.strip() or not passed.strip()
    with pytest.raises(ValidationError, match="not_entailed"):
        "".join(guard([text], "x", judges=ALL, on_fault="stop"))


def test_many_signs_without_a_word_are_not_held_back_for_ever() -> None:
    stream = guard(["...\n\n" * 5_000, "The tower is tall and grey."], "x", judges=ALL)
    assert "".join(stream).endswith("The tower is tall and grey.")
    assert [fault.slug for fault in stream.audit.faults] == ["not_entailed"]


def test_signs_before_the_first_word_are_no_fault() -> None:
    text = "---\n\n👍\n\n***\n\nThe tower is tall and grey. 👍"
    stream = guard(list(text), "x", judges=ALL)
    assert "".join(stream) == text
    assert stream.audit.ok


def test_an_answer_of_which_nothing_is_left_is_a_fault() -> None:
    stream = guard(["It is false that it is red."], "x", judges=NOT_FALSE, on_fault="drop")
    assert "".join(stream) == ""
    assert not stream.audit.ok and stream.audit.value is None


def test_a_source_that_raises_before_any_text_has_no_other_fault() -> None:
    def source() -> Iterator[str]:
        yield ""
        raise LookupError("gone")

    stream = guard(source(), "x", judges=ALL, on_fault="stop")
    with pytest.raises(LookupError):
        "".join(stream)
    assert not stream.audit.verdicts and not stream.audit.complete


def test_a_source_that_raises_when_it_is_closed_does_not_block_the_reader() -> None:
    class Source:
        def __iter__(self) -> Iterator[str]:
            return self

        def __next__(self) -> str:
            raise LookupError("gone")

        def close(self) -> None:
            raise SystemExit(3)

    with pytest.raises(LookupError):
        "".join(guard(Source(), "x", judges=ALL))


@pytest.mark.parametrize("checks", [None, 5, "Entailed", b"x"], ids=repr)
def test_checks_that_are_no_list_of_checks_are_a_mistake(checks: Any) -> None:
    with pytest.raises(MarkerError, match="list of checks"):
        guard(["x"], "x", checks=checks)


def test_the_question_and_the_judges_of_the_block_are_used() -> None:
    engine = ScriptedNLI(lambda _: ENTAILED)
    with grounded_in("-", judges=Judges(nli=engine)):
        stream = guard(["330 m."], REFERENCES, question="How tall is it?", checks=ENTAILMENT)
    assert "".join(stream) == "330 m."
    assert any("How tall is it?" in pair.premise for batch in engine.batches for pair in batch)


class FailsOn(ScriptedNLI):
    """Fails when it is asked about a word."""

    def __init__(self, word: str) -> None:
        super().__init__(lambda _: ENTAILED)
        self.word = word

    def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
        if any(self.word in pair.hypothesis for pair in pairs):
            raise OSError("the endpoint is down")
        return super().score(pairs)


def test_an_engine_that_fails_is_a_mistake_and_what_was_judged_before_has_passed() -> None:
    stream = guard([TEXT], "x", judges=Judges(nli=FailsOn("1889")), checks=ENTAILMENT)
    passed: list[str] = []
    with pytest.raises(BackendError):
        passed.extend(stream)
    assert "".join(passed) == TEXT[: TEXT.index(" It was painted")]
    assert not list(stream)


def test_a_source_that_raises_raises_the_same_after_what_was_judged() -> None:
    error = LookupError("gone")

    def source() -> Iterator[str]:
        yield "The tower is tall and grey. It is o"
        raise error

    stream = guard(source(), "x", judges=ALL, checks=ENTAILMENT)
    passed: list[str] = []
    with pytest.raises(LookupError) as caught:
        passed.extend(stream)
    assert caught.value is error
    assert "".join(passed) == "The tower is tall and grey. It is o"
    assert not stream.audit.complete


@pytest.mark.parametrize("chunk", [b"bytes", None, 7, ["text"]], ids=repr)
def test_a_chunk_that_is_no_text_is_a_mistake(chunk: object) -> None:
    stream = guard(["The tower is tall. ", chunk], "x", judges=ALL)  # type: ignore[list-item]
    with pytest.raises(ContextError, match="chunks of text"):
        "".join(stream)


@pytest.mark.parametrize("stream", [None, 3, b"bytes"], ids=repr)
def test_what_is_no_stream_is_a_mistake(stream: Any) -> None:
    with pytest.raises(ContextError, match="iterable"):
        guard(stream, "x")


@pytest.mark.parametrize(
    "check",
    [
        Entailed(by="quote"), Entailed(require="mean"), Quoted(), Answered(), Aligned(), Cited(),
        Figures("quote"), Entailed, "Entailed",
    ],
    ids=repr,
)  # fmt: skip
def test_checks_that_need_a_whole_answer_are_refused(check: Any) -> None:
    with pytest.raises(MarkerError):
        guard([TEXT], "x", checks=[check])


def test_bad_arguments_are_mistakes() -> None:
    with pytest.raises(ContextError):
        guard([TEXT], "x", on_fault="delete")  # type: ignore[call-overload]
    with pytest.raises(ContextError):
        guard([TEXT], "x", notice=3)  # type: ignore[call-overload]
    with pytest.raises(MarkerError):
        guard([TEXT], "x", checks=[])
    with pytest.raises(ReferencesError):
        guard([TEXT], 3)
    with pytest.raises(ContextError):
        guard([TEXT], "x", question=3)  # type: ignore[call-overload]


def test_a_sentence_passes_while_the_source_waits() -> None:
    released = threading.Event()

    def source() -> Iterator[str]:
        yield "The tower is tall and grey. It is"
        assert released.wait(30)
        yield " old."

    stream = guard(source(), "x", judges=ALL, checks=ENTAILMENT)
    assert next(stream) == "The tower is tall and grey."
    released.set()
    assert list(stream) == [" It is old."]


def test_sentences_are_judged_at_the_same_time_and_pass_in_order() -> None:
    together = threading.Barrier(2)

    class Waiting(ScriptedNLI):
        calls_at_once = 8

        def score(self, pairs: Sequence[Pair], /) -> Sequence[NLIScores]:
            together.wait(30)
            return super().score(pairs)

    text = "The first tower is tall and grey. The second tower is low and red."
    judges = Judges(nli=Waiting(lambda _: ENTAILED))
    assert "".join(guard([text[:40], text[40:]], "x", judges=judges, checks=ENTAILMENT)) == text


def test_an_endless_source_is_read_only_a_little_ahead_and_closed() -> None:
    closed: list[str] = []
    given = 0

    def endless() -> Iterator[str]:
        nonlocal given
        while True:
            given += 1
            yield "The tower is tall and grey. "

    with guard(closing(endless(), closed), "x", judges=ALL, checks=ENTAILMENT) as stream:
        assert [next(stream).strip() for _ in range(3)] == ["The tower is tall and grey."] * 3
    assert closed == ["closed"]
    assert given < 200
    assert not list(stream)
    assert len(stream.audit.sentences) == 3


def test_a_stream_that_nobody_refers_to_is_closed() -> None:
    closed: list[str] = []
    stream = guard(closing(["It is tall. "] * 500, closed), "x", judges=ALL, checks=ENTAILMENT)
    next(stream)
    del stream
    gc.collect()
    end = time.monotonic() + 30
    while not closed and time.monotonic() < end:
        time.sleep(0.01)
    assert closed == ["closed"]


def test_a_stream_that_is_closed_before_it_began_closes_its_source() -> None:
    started: list[str] = []
    source = closing(["x"], started)
    stream = guard(source, "x", judges=ALL)
    stream.close()
    assert not list(stream)
    assert not list(source)


def test_threads_end_with_the_stream() -> None:
    def ours() -> set[str]:
        names = {thread.name for thread in threading.enumerate()}
        return {name for name in names if name in ("groundtypes-guard", "groundtypes-stream")}

    "".join(guard(list(ANSWER), "x", judges=ALL, checks=ENTAILMENT))
    end = time.monotonic() + 30
    while ours() and time.monotonic() < end:
        time.sleep(0.01)
    assert not ours()


def test_a_check_of_ones_own_judges_every_visible_part() -> None:
    class NoAddress(Check):
        def judge(self, value: str, case: Any) -> Any:
            return self.fails("address", "No.") if "@" in value else self.holds()

    text = "# a@b.org\n\nThe tower is tall and grey.\n\n- c@d.org\n"
    passed = "".join(guard([text], "x", checks=[NoAddress()], on_fault="drop"))
    assert passed == "The tower is tall and grey.\n"


def test_a_check_that_raises_is_a_mistake() -> None:
    class Broken(Check):
        def judge(self, value: str, case: Any) -> Any:
            raise ValueError(value)

    with pytest.raises(Mistake, match="Broken raised ValueError"):
        "".join(guard([TEXT], "x", checks=[Broken()]))


def test_a_short_sentence_at_the_end_holds_alone_or_with_the_one_before() -> None:
    def alone_or_joined(word: str) -> Judges:
        return Judges(nli=ScriptedNLI(lambda p: REFUTED if word in p.hypothesis else ENTAILED))

    text = "The tower is tall and red. It is old."
    for word, marked in [("red", [True, False]), ("old", [False, True]), ("red. It", [False] * 2)]:
        stream = guard([text], "x", judges=alone_or_joined(word), checks=ENTAILMENT)
        "".join(stream)
        assert [not each.ok for each in stream.audit.sentences] == marked


def test_pronouns_stand_for_what_earlier_sentences_name() -> None:
    shown: list[str] = []

    def resolve(question: Question) -> Any:
        shown.append(question.content)
        text = "The tower has a red door and a blue roof."
        return question.response_model(sentences=[{"number": 2, "text": text}])

    engine = ScriptedNLI(lambda _: ENTAILED)
    judges = Judges(nli=engine, llm=ScriptedLLM(resolve))
    text = "The tower is tall and grey. It has a red door and a blue roof."
    stream = guard([text], "x", judges=judges, checks=[Entailed(resolve_pronouns=True)])
    assert "".join(stream) == text
    assert shown and all("The tower is tall and grey." in prompt for prompt in shown)
    asked = {pair.hypothesis for batch in engine.batches for pair in batch}
    assert "The tower has a red door and a blue roof." in asked
