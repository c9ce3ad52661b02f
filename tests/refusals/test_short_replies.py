"""Whole replies that decline are known; nothing longer is touched."""

import pytest

from groundtypes import detect_refusal
from groundtypes.refusals.short_replies import kind_of_short_reply

_ABSTENTIONS = [
    "idk",
    "IDK",
    "No clue.",
    "No idea, sorry.",
    "lol no clue",
    "Dunno 🤷",
    "TBD",
    "NO_ANSWER",
    "<no_answer/>",
    "N/A",
    "**Unknown.**",
    "¯\\_(ツ)_/¯",
    "Sorry, I don't know.",
    "Sorry, I don’t know, mate.",
    "Weiß nicht.",
    "Leider keine Ahnung!",
    "k. A.",
    "Je ne sais pas.",
    "Aucune idée, désolé.",
    "No sé.",
    "Non so.",
    "Não sei.",
    "Vet ej.",
    "Ved ikke.",
    "Neviem.",
    "Не знаю.",
    "Хз.",
    "不知道。",
    "抱歉，不知道。",
    "分かりません。",
    "모르겠습니다.",
    "पता नहीं।",
    "لا أعرف.",
]
_REFUSALS = ["No comment.", "No can do.", "Not gonna happen.", "Nope, won't do it.", "Hard pass."]
_REFUSALS += ["Kein Kommentar.", "Sans commentaire.", "Без комментариев.", "无可奉告。"]
_ANSWERS = [
    "No.",
    "No, sorry.",
    "None.",
    "Nothing.",
    "Never.",
    "Nope.",
    "Pass.",
    "Sorry",
    "Not a clue was left at the scene.",
    "The Unknown Soldier",
    "TBD Records",
    "No Comment is a song of 1984.",
    "Nein.",
    "Nada.",
]


@pytest.mark.parametrize("text", _ABSTENTIONS)
def test_a_short_abstention_is_found(text: str) -> None:
    found = detect_refusal(text)
    assert found.kind == "abstention"
    assert found.score == 1.0
    assert found.span is not None
    assert found.reason


@pytest.mark.parametrize("text", _REFUSALS)
def test_a_short_refusal_is_found(text: str) -> None:
    assert detect_refusal(text).kind == "refusal"


@pytest.mark.parametrize("text", _ANSWERS)
def test_words_that_answer_are_no_short_reply(text: str) -> None:
    assert kind_of_short_reply(text) is None


def test_a_long_text_is_not_compared() -> None:
    assert kind_of_short_reply("sorry " * 1_000 + "idk") is None
