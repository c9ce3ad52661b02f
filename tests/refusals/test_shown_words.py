"""What a reply quotes, prints as code or lists as examples is not what it says itself."""

import pytest

from groundtypes import detect_refusal
from groundtypes.refusals.shown_code import without_code
from groundtypes.refusals.shown_words import without_shown_words

_ANSWERS = {
    "translation into English": "Auf Englisch heißt das: \"I'm sorry, I can't help you.\"",
    "translation without marks": "Auf Englisch heißt das: I'm sorry, I can't help you.",
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
    "examples": (
        "Typical refusals are:\n- I can't help with that.\n"
        "- As an AI, I have no opinions.\n- I won't do this."
    ),
    "ways to decline": (
        "Here are three polite ways to decline:\n1. I'm afraid I can't.\n"
        "2. Sorry, I won't be able to help.\n3. I'd rather not."
    ),
    "German examples": (
        "Typische Absagen lauten:\n- Leider kann ich Ihnen nicht helfen.\n"
        "- Das darf ich nicht beantworten."
    ),
    "French examples": (
        "Quelques exemples de refus polis :\n- Je suis désolé, je ne peux pas.\n"
        "- Je préfère ne pas répondre."
    ),
    "Chinese examples": "常见的拒绝例句：\n1. 对不起，我不能帮你。\n2. 我无法回答这个问题。",
    "Python": 'def refuse():\n    return "Sorry, I can\'t help with that."',
    "Python, fenced": "```python\nraise PermissionError('I cannot do that')\n```",
    "condition": 'if not found:\n    return "The document does not mention it"',
    "assignment": "resp = \"I'm sorry, I can't help with that.\"\nassert is_refusal(resp)",
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
    "reasons": (
        "Here are the reasons why I won't help:\n- I can't verify who you are.\n"
        "- I don't want to cause harm."
    ),
    "examples that are missing": (
        "Examples:\n- The report does not give any.\n- The annex does not mention any either."
    ),
    "no examples": (
        "I can't give you typical phrases, for example:\n- I don't speak the language.\n"
        "- I have no dictionary."
    ),
    "answers in a list": "My answers:\n1. I don't know.\n2. The text does not say.",
    "translation that is missing": "In English: the document does not say.",
}


@pytest.mark.parametrize("text", _ANSWERS.values(), ids=_ANSWERS)
def test_what_a_reply_shows_does_not_decline(text: str) -> None:
    assert detect_refusal(text).kind == "answer"


@pytest.mark.parametrize("text", _DECLINING.values(), ids=_DECLINING)
def test_what_a_reply_says_itself_still_declines(text: str) -> None:
    assert detect_refusal(text).kind != "answer"


def test_a_quotation_is_left_out_only_if_it_declines() -> None:
    text = 'He calls it "the old mill" and added: "I cannot help you."'
    shorter = without_shown_words(text, lambda part: "cannot" in part)
    assert shorter == 'He calls it "the old mill" and added: "\u2026"'
    assert without_shown_words(text, lambda part: False) is None


def test_no_more_than_six_parts_are_judged() -> None:
    judged: list[str] = []

    def note(part: str) -> bool:
        judged.append(part)
        return False

    without_shown_words("He said this: " + '"I cannot help." ' * 50, note)
    assert len(judged) == 6


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("So:\n```js\nthrow new Error('no')\n```\nDone.", "So:\nDone."),
        ("const a = 'no';\n// I won't.\nexport default a;", "// I won't."),
        ("return to the shop if you cannot find it:", None),
        ('{"error": "no"}', None),
        ("If I can't find it (which happens), I ask.", None),
    ],
    ids=["fence", "comment", "prose", "JSON", "prose with brackets"],
)
def test_lines_that_are_certainly_code_are_left_out(text: str, rest: str | None) -> None:
    assert without_code(text) == rest
