"""Refusals and abstentions are told from answers."""

import subprocess
import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundtypes import detect_refusal
from groundtypes.errors import ContextError
from groundtypes.refusals import RefusalKind

_DECLINING = {
    "plain": ("Sorry, but I can't assist with that.", "refusal"),
    "curly apostrophe": ("Sorry, but I can’t assist with that.", "refusal"),
    "modifier apostrophe": ("Sorry, but I canʼt assist with that.", "refusal"),
    "backtick": ("Sorry, but I can`t assist with that.", "refusal"),
    "shouting": ("I CANNOT HELP WITH THAT REQUEST.", "refusal"),
    "Markdown": ("**I'm sorry**, but I *cannot* help with that.", "refusal"),
    "block quote": ("> I'm sorry, but I cannot help with that.", "refusal"),
    "as an AI": ("As an AI language model, I cannot write hateful jokes.", "refusal"),
    "zero-width characters": ("I\u200b can\u200bnot help with that\ufeff.", "refusal"),
    "role play": ("*sighs* Arr, I can't help ye with that, matey.", "refusal"),
    "in JSON": ('{"answer": "I cannot help with that request."}', "refusal"),
    "no apostrophe": ("sorry i cant help with that", "refusal"),
    "do not know": ("I don't know.", "abstention"),
    "passage": ("The passage does not say when he was born.", "abstention"),
    "documents": ("None of the documents mention a refund.", "abstention"),
    "not enough": ("There is not enough information to answer the question.", "abstention"),
    "listed errors": ("I couldn't find any errors listed in the manual.", "abstention"),
    "mentioned errors": ("I couldn't find any mention of errors.", "abstention"),
    "error codes": ("I couldn't find any error codes for that model.", "abstention"),
    "nothing read": ("I can't find any errors, because the file is empty.", "abstention"),
    "N/A": ("N/A", "abstention"),
    "nothing": ("", "abstention"),
    "Markdown without words": ("**  **\n---\n> ", "abstention"),
    "German": ("Es tut mir leid, aber dabei kann ich nicht helfen.", "refusal"),
    "German abstention": ("Das weiß ich nicht.", "abstention"),
    "French with elisions": ("Je ne peux pas t'aider avec cela.", "refusal"),
    "French abstention": ("Le texte ne contient pas d’information à ce sujet.", "abstention"),
    "French": ("Désolé, mais je ne peux pas vous aider.", "refusal"),
    "Spanish": ("Lo siento, pero no puedo ayudarte con eso.", "refusal"),
    "Portuguese": ("Desculpe, mas não posso ajudar com isso.", "refusal"),
    "Italian": ("Mi dispiace, ma non posso aiutarti.", "refusal"),
    "Russian": ("К сожалению, я не могу помочь.", "refusal"),
    "Chinese": ("抱歉，我无法协助。", "refusal"),
    "Chinese abstention": ("文中没有提到这一点。", "abstention"),
    "Japanese": ("申し訳ありませんが、その質問にはお答えできません。", "refusal"),
    "Korean abstention": ("죄송하지만 모르겠습니다.", "abstention"),
    "Arabic": ("لا أستطيع مساعدتك في ذلك.", "refusal"),
}
_ANSWERING = {
    "fact": "The bridge was opened in 1932.",
    "yes": "Yes.",
    "no": "No.",
    "number": "42",
    "quoted refusal": 'She said: "I cannot help you with that."',
    "idiom": "I cannot recommend it enough.",
    "idiom without an apostrophe": "I cant recommend it enough.",
    "idiom with a noun": "I can't recommend this hotel highly enough. The food is superb.",
    "idiom of joy": "I can't wait to see the new season. It starts in May.",
    "nothing wrong": "I could not find any errors in your code.",
    "no difference": "I can't see any difference between the two invoices.",
    "no mistakes": "I found no spelling mistakes.",
    "somebody else refuses": "The company declined to comment on the merger. It closed in May.",
    "somebody else is sorry": "The minister apologized for the delay. Trains run again.",
    "negation": "No, the warranty does not cover water damage.",
    "enthusiast": "As an AI enthusiast, she built a robot in her garage.",
    "translation": 'To say it in French: "Je ne comprends rien."',
    "Cyrillic": "Москва — столица России.",
    "Chinese": "东京是日本的首都。",
    "emoji": "👍 42",
}


@pytest.mark.parametrize(("text", "kind"), _DECLINING.values(), ids=_DECLINING)
def test_a_text_that_declines_is_found(text: str, kind: str) -> None:
    found = detect_refusal(text)
    assert found.kind == kind
    assert found.score >= 0.5
    assert found.reason


@pytest.mark.parametrize("text", _ANSWERING.values(), ids=_ANSWERING)
def test_an_answer_is_left_alone(text: str) -> None:
    found = detect_refusal(text)
    assert found.kind is RefusalKind.ANSWER
    assert found.score < 0.5
    assert found.span is None


def test_the_span_is_the_sentence_that_declines() -> None:
    refusing = "I'm sorry, but I cannot help with that request."
    text = f"Thank you for the question. {refusing} Goodbye to you!"
    span = detect_refusal(text).span
    assert span is not None
    assert text[slice(*span)] == refusing


def test_only_the_opening_of_a_long_text_is_read() -> None:
    answer = "The bridge was opened in the year 1932. " * 20
    assert detect_refusal(answer + "I'm sorry, but I cannot help with that.").kind == "answer"
    assert detect_refusal("I'm sorry, but I cannot help with that. " + answer).kind != "answer"


def test_words_of_the_question_are_no_refusal() -> None:
    asked = "Who sang I can't help you with that, and when?"
    text = "I can't help you with that. It is a song by the Beatles of Leeds, from 1971."
    assert detect_refusal(text).kind != "answer"
    assert detect_refusal(text, asked).kind == "answer"


@pytest.mark.parametrize(
    "text",
    ["a" * 10_000_000, "no " * 3_000_000, " " * 10_000_000, '"' * 1_000_000, "'a " * 300_000],
    ids=["one word", "no", "white space", "quotation marks", "apostrophes"],
)
def test_ten_megabytes_are_read_like_three_sentences(text: str) -> None:
    assert detect_refusal(text).kind in RefusalKind


@given(st.text(max_size=300))
def test_any_text_has_a_kind_and_a_span_inside_it(text: str) -> None:
    found = detect_refusal(text)
    assert 0.0 <= found.score <= 1.0
    assert (found.score >= 0.5) == (found.kind is not RefusalKind.ANSWER)
    if found.span is not None:
        start, end = found.span
        assert 0 <= start < end <= len(text)


@given(st.text(alphabet="I can'not help you. Sorry, no!\n", max_size=120))
def test_composed_and_decomposed_texts_are_the_same(text: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    assert detect_refusal(text).kind == detect_refusal(decomposed).kind


def test_it_needs_no_numpy() -> None:
    code = (
        "import sys, groundtypes; groundtypes.detect_refusal('I cannot help with that.');"
        "sys.exit(sum(name in sys.modules for name in ('numpy', 'onnxruntime', 'sklearn')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("question", [5, b"Who?", ["Who?"]])
def test_a_question_that_is_no_text_is_a_mistake(question: Any) -> None:
    with pytest.raises(ContextError, match="the question is of type"):
        detect_refusal("hi there", question)


@pytest.mark.parametrize(
    ("text", "declining"),
    [
        ("I can't share that. It's private. Anything else?", "I can't share that."),
        ("I read the minutes. Nothing in them mentions the budget. Have a nice day!", "Nothing in"),
        (
            "Thanks for asking so kindly. I can't help with that. Goodbye!",
            "I can't help with that.",
        ),
        (
            "It opened in 1932. The passage does not say who designed it.",
            "The passage does not say",
        ),
        ("A fair question to ask. Your contract is silent on this. A lawyer could tell.", "silent"),
    ],
)
def test_the_span_is_no_other_sentence(text: str, declining: str) -> None:
    found = detect_refusal(text)
    assert found.span is not None
    assert declining in text[slice(*found.span)]
