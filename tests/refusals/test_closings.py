"""A polite ending declines nothing, and what abstains by asking back still does."""

import pytest

from groundtypes import detect_refusal
from groundtypes.refusals.closings import end_before_closing

_ENDINGS = {
    "English offer": "It opened in 1932. Can I do anything else for you?",
    "English invitation": "It's 12 km. If this doesn't answer your question, please let me know!",
    "English regret": "It opens in May. I'm sorry if this isn't what you were hoping for.",
    "two endings": "It opened in 1932. I hope this helps! Is there anything else you need?",
    "German": "Der Vertrag läuft am 31. Mai aus. Kann ich Ihnen sonst noch weiterhelfen?",
    "French": "Le contrat finit le 31 mai. N'hésitez pas à me dire si ce n'est pas clair.",
    "Spanish": "El filtro se cambia cada tres meses. ¿Puedo ayudarle en algo más?",
    "Portuguese": "O contrato termina a 31 de maio. Posso ajudar em mais alguma coisa?",
    "Italian": "Il contratto scade il 31 maggio. Non esiti a contattarmi.",
    "Dutch": "Het contract eindigt op 31 mei. Kan ik nog iets voor u doen?",
    "Swedish": "Avtalet löper ut den 31 maj. Kan jag hjälpa till med något annat?",
    "Finnish": "Sopimus päättyy 31. toukokuuta. Voinko auttaa vielä jossain?",
    "Hungarian": "A szerződés május 31-én jár le. Segíthetek még valamiben?",
    "Polish": "Umowa kończy się 31 maja. Czy mogę jeszcze w czymś pomóc?",
    "Russian": "Договор истекает 31 мая. Могу ли я ещё чем-нибудь помочь?",
    "Turkish": "Sözleşme 31 Mayıs'ta bitiyor. Size başka nasıl yardımcı olabilirim?",
    "Arabic": "ينتهي العقد في 31 مايو. هل يمكنني مساعدتك في شيء آخر؟",
    "Hebrew": "החוזה מסתיים ב-31 במאי. אפשר לעזור בעוד משהו?",
    "Hindi": "अनुबंध 31 मई को समाप्त होता है। क्या मैं और कोई मदद कर सकता हूँ?",
    "Thai, without marks": "สัญญาสิ้นสุดวันที่ 31 พฤษภาคม มีอะไรให้ช่วยอีกไหมคะ",
    "Vietnamese": "Hợp đồng hết hạn ngày 31 tháng 5. Tôi có thể giúp gì thêm không?",
    "Indonesian": "Kontrak berakhir 31 Mei. Ada lagi yang bisa saya bantu?",
    "Chinese": "合同于5月31日到期。还有什么可以帮您的吗？",
    "Korean": "계약은 5월 31일에 끝납니다. 더 도와드릴 일이 있을까요?",
}
_DECLINING = {
    "refusal": "I can't help with that. Is there anything else I can help you with?",
    "abstention": "The report does not say. Let me know if you have any other questions.",
    "German refusal": "Dabei kann ich nicht helfen. Kann ich sonst noch etwas für Sie tun?",
    "French abstention": "Le texte ne le mentionne pas. N'hésitez pas à poser des questions.",
    "Russian refusal": "Извините, я не могу помочь. Могу ли я ещё чем-нибудь помочь?",
    "Chinese abstention": "文中没有提到这一点。还有什么可以帮您的吗？",
    "question alone": "Which contract do you mean?",
    "statement and question": "There are two branches in Springfield. Which one do you mean?",
    "opening courtesy and question": "Happy to help! Which contract do you mean?",
    "German question": "Es gibt zwei Verträge. Welchen meinen Sie?",
}


@pytest.mark.parametrize("text", _ENDINGS.values(), ids=_ENDINGS)
def test_an_answer_with_a_polite_ending_is_an_answer(text: str) -> None:
    assert detect_refusal(text).kind == "answer"


@pytest.mark.parametrize("text", _DECLINING.values(), ids=_DECLINING)
def test_what_declines_before_its_ending_or_asks_back_still_declines(text: str) -> None:
    assert detect_refusal(text).kind != "answer"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("It is 42. Anything else I can do?", "It is 42."),
        ("It is 42.\n\nI hope this helps!", "It is 42."),
        ("It is 42. Feel free to ask. Anything else you need? ", "It is 42."),
        ("It is 42. Which one do you mean?", None),
        ("It is 42. Do you need anything else from 2019?", None),
        ("It is 42. What else can I do, or the other way round?", None),
        ("Both do. Do you need anything else, the old or the new one?", None),
        ("It is 42. Ask me about something else, feel free to.", None),
        ("Is there anything else you need?", None),
        ("", None),
    ],
)
def test_the_ending_is_found(text: str, rest: str | None) -> None:
    end = end_before_closing(text)
    assert (None if end is None else text[:end]) == rest


def test_a_long_ending_is_read_in_bounded_time() -> None:
    assert end_before_closing("It is 42. " + "anything else you need " * 100_000 + "?") is None
