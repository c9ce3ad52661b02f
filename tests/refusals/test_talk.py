"""Sentences that claim nothing about their subject are told from those that do."""

import pytest

from groundtypes.refusals.talk import is_talk


@pytest.mark.parametrize(
    "sentence",
    [
        "Hello, thanks for reaching out to Acme support!",
        "Sure! Here is what I found.",
        "Let me know if you need anything else!",
        "Which invoice do you mean?",
        "Please consult a doctor.",
        "I hope this helps.",
        "Gern geschehen, melden Sie sich bei weiteren Fragen.",
        "N'hésitez pas à demander si vous avez d'autres questions.",
        "¡Espero que te ayude!",
        "Надеюсь, это поможет!",
        "Good morning!",
        "Good afternoon, and thank you for writing to us.",
        "Feel free to ask if you need more.",
        "Let me know if you want me to look into anything else.",
        "Fragen Sie gerne nach, wenn Sie mehr brauchen.",
        "Je vous souhaite une excellente journée.",
        "Avíseme si necesita algo más.",
    ],
)
def test_talk_is_found(sentence: str) -> None:
    assert is_talk(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "In Dijon.",
        "Yes.",
        "No, dogs are not allowed.",
        "The tower is quite tall.",
        "Please keep your receipt.",
        "Hello Kitty was created in Japan.",
        "You can ask for a refund at the desk.",
        "I'm sorry, but the museum is closed on Mondays.",
        "Thanks to the new roof, the hall stays dry.",
        "In short, the company lost the case.",
        "Ask your doctor before taking it with alcohol.",
        "The documents do not mention an architect.",
        "Let me know by 5 May.",
        "Der Zug fährt nur sonntags.",
        "blue",
        "tall and grey",
        "It is tall",
        "Wood and steel",
        "I can also send you the invoice of 300 euros, which was paid on 3 May.",
        "Happy to help: the warranty covers five years!",
        "Let me know if you want to use the pool, which is heated all year.",
        "Gerne, die Garantie gilt fünf Jahre!",
        "Merci pour votre question, le musée ferme le lundi.",
        "Gracias por preguntar, la tienda cierra los domingos.",
        "",
        "...",
    ],
)
def test_what_claims_something_is_no_talk(sentence: str) -> None:
    assert not is_talk(sentence)


def test_a_long_sentence_is_no_talk() -> None:
    assert not is_talk("I hope this helps. " * 10)
