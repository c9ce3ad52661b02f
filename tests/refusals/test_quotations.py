"""What a reply quotes is not what it says itself."""

import pytest

from groundtypes import detect_refusal

_ANSWERS = {
    "translation into English": "Auf Englisch heißt das: \"I'm sorry, I can't help you.\"",
    "two single quotations": (
        "'Kan jeg ikke hjelpe deg med' oversettes til 'I can't help you with that'."
    ),
    "Portuguese": 'Em inglês diz-se "I\'m sorry, I cannot help you".',
    "Polish marks": "Po angielsku brzmi to: „I'm sorry, I can't help you”.",
    "Russian marks": "По-английски это будет «I'm sorry, I can't help you».",
    "two Russian quotations": (
        "Фраза «I cannot answer that» переводится как «Я не могу на это ответить»."
    ),
    "Turkish": "İngilizcesi şöyle: \"I'm sorry, I can't help you.\"",
    "Arabic": "بالإنجليزية نقول: \"I'm sorry, I can't help you.\"",
    "Japanese marks": "英語では「I'm sorry, I can't help you」と言います。",
    "Korean": "영어로는 \"I'm sorry, I can't help you\"라고 합니다.",
    "quotation and ending": (
        "По-английски это будет «I'm sorry, I can't help you». Могу ли я ещё чем-нибудь помочь?"
    ),
}
_DECLINING = {
    "quoted request": "I can't help with \"how to pick a neighbour's lock\".",
    "quotation that is not translated": (
        "К сожалению, я не могу перевести фразу «Я не могу вам помочь»."
    ),
    "meaning of a quotation": (
        "No puedo decirle qué significa «no sé qué» aquí, porque el texto no lo explica."
    ),
    "speaker of a quotation": "Nie wiem, kto powiedział „nie mogę”.",
    "sentence beside a quotation": (
        "「お世話になっております」に直しました。"
        "宛先のご住所はいただいた文面にないため、追記できませんでした。"
    ),
    "words of a document": "В тексте сказано лишь: «сведений нет».",
    "rules of the model": (
        "Als KI-Assistent kann ich Ihnen dabei leider nicht helfen: "
        "„Das darf ich nicht beantworten.“"
    ),
    "whole quotation": '"I don\'t know."',
    "JSON": '```json\n{"answer": "The document does not mention it."}\n```',
    "fenced prose": "```\nI'm sorry, but I can't help with that.\n```",
    "comment": "# I'm sorry, I can't write malware.\nprint('no')",
    "bare print": "print(\"I'm sorry, I can't help with that.\")",
}


@pytest.mark.parametrize("text", _ANSWERS.values(), ids=_ANSWERS)
def test_what_a_reply_shows_does_not_decline(text: str) -> None:
    assert detect_refusal(text).kind == "answer"


@pytest.mark.parametrize("text", _DECLINING.values(), ids=_DECLINING)
def test_what_a_reply_says_itself_still_declines(text: str) -> None:
    assert detect_refusal(text).kind != "answer"
