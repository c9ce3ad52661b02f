"""A label before a reply says nothing about what the reply does."""

import pytest

from groundtypes import detect_refusal
from groundtypes.refusals.labels import span_without_label


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('Answer: "I don\'t know."', "I don't know"),
        ("**Antwort:** „Das weiß ich nicht.“", "Das weiß ich nicht"),
        ("回答：“我不知道。”", "我不知道"),
        ("A: no", "no"),
        ("Answer: 'a' and 'b'", "'a' and 'b'"),
        ("Answer:", None),
        ("Note: I don't know", None),
        ("I don't know: maybe", None),
    ],
)
def test_the_reply_behind_a_label_is_found(text: str, inside: str | None) -> None:
    span = span_without_label(text)
    assert (span and text[slice(*span)]) == inside


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Antwort: „Das steht nicht im Text.“", "abstention"),
        ("Réponse : « Je ne sais pas. »", "abstention"),
        ("Respuesta: «No lo sé».", "abstention"),
        ("Ответ: «Я не знаю».", "abstention"),
        ("답변: “모르겠습니다.”", "abstention"),
        ("Answer: No.", "answer"),
        ("Antwort: Nein, Hunde sind nicht erlaubt.", "answer"),
        ("答案：北京。", "answer"),
    ],
)
def test_the_reply_behind_a_label_decides(text: str, kind: str) -> None:
    assert detect_refusal(text).kind == kind


def test_the_span_is_that_of_the_whole_text() -> None:
    text = 'Answer: "I can\'t help with that."'
    found = detect_refusal(text)
    assert found.span is not None
    assert text[slice(*found.span)].startswith("I can't help")
