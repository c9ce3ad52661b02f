"""The most common ways to refuse and to abstain in languages other than English.

They are matched as whole words anywhere in an opening; in scripts without spaces, as characters.
"""

from collections.abc import Sequence
from typing import Final, Literal

__all__ = ["find_foreign_phrase"]

_Kind = Literal["refusal", "abstention"]

#: In lower case and with plain apostrophes, as the words of a normalised opening are.
_REFUSALS: Final = """
dabei kann ich nicht helfen|dabei kann ich ihnen nicht helfen|dabei kann ich dir nicht helfen|
damit kann ich nicht|kann ich leider nicht helfen|kann ihnen dabei leider nicht helfen|
kann ihnen dabei nicht helfen|kann dir dabei nicht helfen|diese anfrage kann ich nicht|
kann diese anfrage nicht|kann dieser bitte nicht|das kann ich nicht tun|ich werde das nicht|
je ne peux pas vous aider|je ne peux pas t'aider|je ne peux pas répondre à cette demande|
je ne suis pas en mesure de|je ne peux pas fournir|je ne peux pas faire cela|je refuse de|
je ne peux pas satisfaire|désolé mais je ne peux pas|désolée mais je ne peux pas|
no puedo ayudarte|no puedo ayudarle|no puedo ayudar con|no puedo cumplir|no puedo proporcionar|
lo siento pero no puedo|lo siento no puedo|me niego a|no puedo hacer eso|no me es posible|
non posso aiutarti|non posso aiutarla|non posso fornire|non posso soddisfare|
mi dispiace ma non posso|
mi dispiace non posso|non sono in grado di|não posso ajudar|não posso fornecer|
desculpe mas não posso|
sinto muito mas não posso|não posso atender|ik kan je daar niet mee helpen|
ik kan u daar niet mee helpen|ik kan daar niet bij helpen|het spijt me maar ik kan|
sorry maar ik kan|я не могу помочь|я не могу вам помочь|я не могу с этим помочь|
я не могу выполнить|
извините но я не могу|к сожалению я не могу|nie mogę ci pomóc|nie mogę pomóc|
nie mogę w tym pomóc|
przykro mi ale nie mogę|jag kan inte hjälpa|tyvärr kan jag inte hjälpa|det kan jag inte hjälpa|
jeg kan ikke hjælpe|jeg kan ikke hjelpe|en voi auttaa|nemohu vám pomoci|nemohu s tím pomoci|
bu konuda yardımcı olamam|yardımcı olamıyorum|üzgünüm ama|maaf saya tidak dapat|
maaf saya tidak bisa|
saya tidak dapat membantu|لا أستطيع مساعدتك|لا يمكنني مساعدتك|لا يمكنني المساعدة|عذرا لا أستطيع|
मैं इसमें आपकी मदद नहीं कर सकता|मैं आपकी मदद नहीं कर सकता|tôi không thể giúp|
xin lỗi tôi không thể
"""
_ABSTENTIONS: Final = """
das weiß ich nicht|ich weiß es nicht|ich weiß nicht|weiss ich nicht|steht nicht im text|
keine informationen|keine information|keine angaben|keine angabe|geht aus dem text nicht hervor|
geht aus den dokumenten nicht hervor|wird im text nicht erwähnt|nicht im kontext enthalten|
lässt sich nicht beantworten|kann ich die frage nicht beantworten|nicht genügend informationen|
je ne sais pas|je l'ignore|aucune information|pas d'information|pas d'informations|
ne mentionne pas|ne fournit pas|ne contient pas d'information|ne précise pas|
le texte ne dit pas|pas assez d'informations|no lo sé|no sé la respuesta|no tengo información|
no hay información|no se menciona en el|no proporciona información|no menciona|
no se especifica|no dispongo de información|no contiene información|non lo so|
non ho informazioni|non ci sono informazioni|non fornisce informazioni|il testo non menziona|
non è specificato|non è menzionato|não sei|não há informação|não há informações|
não menciona|não fornece informações|não tenho informações|ik weet het niet|
dat weet ik niet|geen informatie|wordt niet vermeld|niet vermeld in|я не знаю|
нет информации|не упоминается|не содержит информации|недостаточно информации|nie wiem|
brak informacji|nie ma informacji|nie zawiera informacji|jag vet inte|ingen information|
det framgår inte|jeg ved det ikke|det vet jeg ikke|en tiedä|nevím|bilmiyorum|
bilgi bulunmamaktadır|
bilgi yok|saya tidak tahu|tidak ada informasi|لا أعرف|لا أعلم|لا توجد معلومات|لا يحتوي النص|
मुझे नहीं पता|कोई जानकारी नहीं|tôi không biết|không có thông tin
"""
_SPACELESS_REFUSALS: Final = """
无法帮助|不能帮助|无法协助|我不能提供|我无法提供|无法满足|抱歉,我不能|抱歉,我无法|我拒绝|
無法幫助|無法協助|无法回答这个|
お手伝いできません|お手伝いすることはできません|お答えできません|対応できません|
できかねます|ご協力できません|
提供することはできません|도와드릴 수 없|도와줄 수 없|제공할 수 없|도움을 드릴 수 없|
답변해 드릴 수 없|ไม่สามารถช่วย
"""
_SPACELESS_ABSTENTIONS: Final = """
我不知道|没有提到|没有提及|未提及|没有提供|没有相关信息|没有足够的信息|无法确定|不清楚|
沒有提到|信息不足|わかりません|分かりません|
記載されていません|言及されていません|情報がありません|情報はありません|不明です|
모르겠습니다|정보가 없습니다|
언급되어 있지 않|언급되지 않|ไม่ทราบ|ไม่มีข้อมูล
"""


def _phrases(listed: str) -> list[str]:
    return [phrase for phrase in listed.replace("\n", "").split("|") if phrase]


#: First word -> the phrases that begin with it. Texts without any of these words cost one lookup.
_BY_WORD: Final[dict[str, list[tuple[tuple[str, ...], _Kind]]]] = {}
for _kind, _listed in (("refusal", _REFUSALS), ("abstention", _ABSTENTIONS)):
    for _phrase in _phrases(_listed):
        _words = tuple(_phrase.split())
        _BY_WORD.setdefault(_words[0], []).append((_words, _kind))  # type: ignore[arg-type]
_BY_CHARACTERS: Final[list[tuple[str, _Kind]]] = [
    *((phrase, "refusal") for phrase in _phrases(_SPACELESS_REFUSALS)),
    *((phrase, "abstention") for phrase in _phrases(_SPACELESS_ABSTENTIONS)),
]


def find_foreign_phrase(words: Sequence[str], opening: str) -> tuple[_Kind, int] | None:
    """Return the kind of the first known phrase, and the position of its first word among `words`.

    The position is 0 for a script without spaces, whose phrases are searched in `opening`.
    """
    if not _BY_WORD.keys().isdisjoint(words):
        for position, word in enumerate(words):
            for phrase, kind in _BY_WORD.get(word, ()):
                if tuple(words[position : position + len(phrase)]) == phrase:
                    return kind, position
    if not opening.isascii():
        for characters, kind in _BY_CHARACTERS:
            if characters in opening:
                return kind, 0
    return None
