"""The negation right before a quote, without which the quote says the opposite.

"Run in the hall" stands in "Never run in the hall", word for word. What a text says farther from
the quote is no matter of these rules: they read one word, or two where the second is an article or
the like ("Not the captain").
"""

import re
import unicodedata
from typing import Final

from groundtypes.quotes.struck_out import is_struck_out
from groundtypes.quotes.turning_words import folded_words, languages_of, possible_languages

__all__ = ["negation_before"]

#: language -> its negations, and what may stand between one and the words that it negates
_WORDS: Final[dict[str, tuple[str, str]]] = {
    "en": (
        (
            "no not never cannot cant dont doesnt didnt wont isnt arent wasnt werent without "
            "neither nor nobody nothing none"
        ),
        (
            "a an the any this that these those my your its his her our their one be been being "
            "have had longer yet even ever to"
        ),
    ),
    "de": (
        (
            "nicht nie niemals kein keine keinen keinem keiner keines keinerlei keineswegs "
            "keinesfalls ohne weder niemand"
        ),
        "der die das den dem des ein eine einen einem einer eines mehr zu",
    ),
    "fr": (
        "pas jamais sans aucun aucune nul nulle ni ne personne guère",
        "le la les un une de du des être",
    ),
    "es": (
        "no nunca jamás sin ningún ninguna ninguno tampoco ni nadie",
        "el la los las un una se lo le es",
    ),
    "it": ("non mai senza nessun nessuno nessuna né neppure", "il lo la i gli le un uno una si è"),
    "pt": ("não nunca sem nenhum nenhuma jamais nem ninguém", "o a os as um uma se é"),
    "nl": ("niet geen nooit zonder noch niemand", "de het een te meer"),
    "sv": ("inte ej icke ingen inget inga aldrig utan", "en ett den det de att"),
    "da": ("ikke ej ingen intet aldrig uden", "en et den det de at"),
    "nb": ("ikke ingen intet aldri uten", "en et ei den det de å"),
    "fi": ("ei eivät emme ette älä älkää ilman", ""),
    "pl": ("nie bez nigdy ani żaden żadna żadne brak", "się"),
    "cs": ("není nejsou nebyl nebyla nebylo bez nikdy ani žádný žádná žádné", "se"),
    "sk": ("nie bez nikdy ani žiadny žiadna žiadne", "sa je"),
    "ro": ("nu fără nici niciun nicio niciodată", "se un o"),
    "hu": ("nem ne sem nincs nincsenek soha", "a az egy"),
    "ru": ("не нет без ни никогда нельзя", ""),
    "uk": ("не немає без ні ніколи", ""),
    "bg": ("не няма без нито никога", "се"),
    "el": ("δεν δε μη μην χωρίς όχι ποτέ κανένας καμία κανένα", "ο η το οι τα"),
    "tr": ("hiçbir asla", ""),
    "ar": ("لا لم لن ليس ليست غير بدون دون", ""),
    "fa": ("بدون هیچ هرگز", ""),
    "he": ("לא אין בלי אינו אינה אינם אל ללא", "את"),
    "hi": ("नहीं मत न बिना", ""),
    "bn": ("না নেই", ""),
    "ko": ("안 못", ""),
    "id": ("tidak bukan jangan tanpa belum", ""),
    "vi": ("không chưa chẳng đừng", "được"),
}
#: Words that mean something else in another language ("Mai 2020", "sin egen"): in a text of an
#: unknown language they negate nothing.
_OTHER_WORDS: Final = frozenset("mai nu sin ei sem ej ni ne".split())
#: The same in scripts without spaces, where a negation ends right before the quote.
_SPACELESS: Final = tuple(
    "不得 不能 不要 不可 不准 不许 不許 不会 不會 不应 不應 不是 并非 並非 没有 沒有 禁止 严禁 "
    "嚴禁 请勿 請勿 切勿 不再 无法 無法 从不 從不 从未 從未 尚未 "
    "ไม่ ห้าม มิได้ ไม่ได้ ไม่มี อย่า ปราศจาก".split()
)
_LATIN_NOT: Final = ("n't", "n\u2019t")
#: What may stand between the negation and the quote beside white space.
_OPENING: Final = "\"'*_`~\u201c\u2018\u00ab\u201e([{"
_BLANK_OR_OPENING: Final = _OPENING + " \n"
#: A negation is one of the last words before the quote.
_WORDS_READ: Final = 2
_MARKUP: Final = re.compile(r"</?(?:b|i|em|strong|u|span|mark|code)\b[^<>]{0,100}>")
#: In many languages a second negation denies nothing: "Nul | ne sera tenu".
_SECOND_NEGATIONS: Final = frozenset("ne n no non não nu nie nem не ні δεν δε μην".split())
_FIRST_WORD: Final = re.compile(r"[^\W\d_]{1,8}")
#: So much of the text before the quote has the words that are read.
_REACH: Final = 60
#: So much of the text on both sides tells the language.
_LANGUAGE_REACH: Final = 400


def _folded(word: str) -> str:
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", word).casefold())


_NEGATIONS: Final = {
    code: frozenset(map(_folded, negations.split())) for code, (negations, _) in _WORDS.items()
}
_BETWEEN: Final = {
    code: frozenset(map(_folded, between.split())) for code, (_, between) in _WORDS.items()
}
_ANY_NEGATION: Final = frozenset().union(*_NEGATIONS.values())
_ANY_BETWEEN: Final = frozenset().union(*_BETWEEN.values())


def negation_before(text: str, start: int) -> tuple[int, int] | None:
    """Return where the negation stands that a quote from this offset on leaves out, or `None`.

    It is the word before the quote in the same sentence and on the same line or the next, or the
    one before that where an article or the like is between. Which words negate depends on the
    language of the text.
    """
    while start < len(text) and text[start].isspace():
        start += 1
    # Most quotes begin a sentence or clause, behind the mark that ends another one.
    if start < 2 or (text[start - 1] in " \n" and text[start - 2] in ".,;:!?)"):
        return None
    low = max(0, start - _REACH)
    before = text[low:start]
    if not before.isascii() and before.endswith(_SPACELESS):
        length = max(len(ending) for ending in _SPACELESS if before.endswith(ending))
        return start - length, start
    if not before or before[-1].isalnum():
        return None
    if "<" in before:
        before = _MARKUP.sub(lambda tag: " " * len(tag[0]), before)
    before = before.rstrip(_BLANK_OR_OPENING)
    if not before or (before[-1].isascii() and not before[-1].isalpha()):
        return None
    words = _last_words(before)
    first = _FIRST_WORD.match(text, start)
    if not words or (first and _folded(first[0]) in _SECOND_NEGATIONS):
        return None
    (last, at), between = words[-1], None
    if not _is_negation(last):
        if last not in _ANY_BETWEEN or len(words) < _WORDS_READ or not _is_negation(words[0][0]):
            return None
        between, (last, at) = last, words[0]
    elif last == "not" and words[0][0] == "or":
        return None  # "whether or not" negates nothing
    gap = text[low + at + len(last) : start]
    is_apart = gap.count("\n") > 1 or "\t" in gap
    is_struck = is_struck_out(text, low + at, low + at + len(last), "")
    if is_apart or is_struck or not _negates(last, between, text, start):
        return None
    return low + at, low + at + len(last)


def _last_words(before: str) -> list[tuple[str, int]]:
    """Return the last two words of a text, folded and without marks around, and their offsets."""
    words = []
    end = len(before)
    for piece in reversed(before.rsplit(None, _WORDS_READ)[-_WORDS_READ:]):
        end = before.rindex(piece, 0, end)
        word = piece.strip(_OPENING)
        words.append((_folded(word), end + piece.find(word)))
    return words[::-1]


def _is_negation(word: str) -> bool:
    return word in _ANY_NEGATION or word.endswith(_LATIN_NOT)


def _negates(negation: str, between: str | None, text: str, start: int) -> bool:
    """Whether a word negates in one of the languages that the text may be written in."""
    if negation.endswith(_LATIN_NOT):
        return between is None or between in _BETWEEN["en"]
    word = folded_words(negation)
    sentence = folded_words(text[max(0, start - _REACH) : start + _REACH])
    around = folded_words(text[max(0, start - _LANGUAGE_REACH) : start + _LANGUAGE_REACH])
    languages = languages_of(word, sentence, around)
    if not languages and negation not in _OTHER_WORDS:
        languages = possible_languages(word, sentence)
    return any(
        negation in _NEGATIONS.get(language.code, ())
        and (between is None or between in _BETWEEN[language.code])
        for language in languages or ()
    )
