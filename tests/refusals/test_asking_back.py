"""Short replies that ask for what they need abstain, and instructions to the reader answer."""

import pytest

from groundtypes import detect_refusal
from groundtypes.refusals.asking_back import asks_back, asks_back_in_english
from groundtypes.refusals.features import split_words

_ASKING = {
    "order number": "I'd need your order number to look that up.",
    "empty file": "Please upload the file again; it arrived empty.",
    "what to know": "I'd need to know your city before I can tell you.",
    "what to see": "I'd need to see the contract first.",
    "purpose first": "To answer that, I'd need your city and your income.",
    "more information": "I need a bit more information before I can answer.",
    "text to translate": "Send me the text and I'll translate it.",
    "politely": "Happy to help! Please paste the paragraph and I'll proofread it.",
    "broken link": "The link you sent is broken; please send it again.",
    "lost file": "It looks like the table didn't come through. Would you mind attaching it again?",
    "lost photo": "Your photo never arrived. Could you send it once more?",
    "lost files": "The files couldn't be opened. Please try sending them again.",
    "over a line": "Your photo didn't come through. Would you mind\nsending it again?",
    "German number": "Dafür bräuchte ich Ihre Bestellnummer.",
    "German file": "Bitte laden Sie die Datei noch einmal hoch; sie ist leer.",
    "French": "J'aurais besoin de votre numéro de commande pour vérifier.",
    "Spanish": "Vuelva a subir el archivo, por favor; llegó vacío.",
    "Italian": "Mi servirebbe il numero d'ordine per controllare.",
    "Portuguese": "Eu precisaria do número do seu pedido para verificar.",
    "Polish": "Proszę przesłać plik jeszcze raz, jest pusty.",
    "Czech": "Potřeboval bych číslo vaší objednávky, abych to ověřil.",
    "Russian": "Пришлите, пожалуйста, файл ещё раз: он оказался пустым.",
    "Turkish": "Lütfen dosyayı tekrar yükleyin, boş geldi.",
    "Arabic": "يرجى إعادة رفع الملف، فقد وصل فارغا.",
    "Japanese": "ファイルが空でしたので、もう一度アップロードしてください。",
    "Korean": "확인하려면 주문 번호가 필요합니다.",
}
_ANSWERING = {
    "instruction": "Please upload the file to the portal by Friday.",
    "what you need": "You need your passport to board.",
    "what I need for myself": "I need your help to move the sofa on Saturday.",
    "story": "I'd need a ladder to reach it, so I called my brother.",
    "doctor": "I need to see a doctor first.",
    "device": "Please attach the lid before you switch it on.",
    "parcel": "Please send the parcel back so that we receive it by Friday.",
    "lost and sent again": "Your photo never arrived, so they printed the one from June.",
    "advice": "The code didn't load. Please try clearing the cache.",
    "other network": "The link never loaded. Can you try a different network?",
    "by when": "The email never arrived. Could you send it again by Friday?",
    "who says so": "Please send the file again. It didn't arrive, says Bob.",
    "where": "Please send the file again. It didn't arrive in Berlin.",
    "at whose": "Please send the file again. It was empty on his phone.",
    "said later": "Please attach the photo again. It was missing, the landlord says.",
    "to others": "The document didn't arrive. Please send it to Anna.",
    "German instruction": "Bitte laden Sie die Datei bis Freitag im Portal hoch.",
    "Chinese message": "小陈，你发的附件我打不开，麻烦重新发一份PDF，谢谢！",
    "Spanish instruction": "Suba el archivo al portal antes del viernes.",
}


@pytest.mark.parametrize("text", _ASKING.values(), ids=_ASKING)
def test_a_short_text_that_asks_for_what_it_needs_abstains(text: str) -> None:
    assert detect_refusal(text).kind == "abstention"


@pytest.mark.parametrize("text", _ANSWERING.values(), ids=_ANSWERING)
def test_what_the_reader_or_others_need_answers(text: str) -> None:
    assert detect_refusal(text).kind == "answer"


def test_a_text_with_other_content_does_not_ask_back() -> None:
    asking = "i'd need your order number to look that up."
    words = split_words(asking)
    assert asks_back_in_english(asking, words)
    assert not asks_back_in_english(f"{asking} the shop opens at nine and sells shoes.", words)
    assert not asks_back_in_english(asking + " " * 200, words)
    assert asks_back("Dafür bräuchte ich Ihre Bestellnummer.")
    assert not asks_back("Dafür bräuchte ich Ihre Bestellnummer 4471.")
    assert not asks_back("„Dafür bräuchte ich Ihre Bestellnummer.“")
