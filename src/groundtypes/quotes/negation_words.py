"""The negations, restrictions and exceptions of each language, and in which one a word is one.

"No" negates what follows it in Spanish, and not in Portuguese.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import cache
from typing import Final, NamedTuple

from groundtypes.quotes.turning_words import folded_words, languages_of, possible_languages
from groundtypes.text.characters import INVISIBLE
from groundtypes.words import all_words, words_of

#: Words that mean something else in another language ("Mai 2020", "sin egen"): in a text of an
#: unknown language they negate nothing, unless something else tells the language.
AMBIGUOUS: Final = all_words("ambiguous negation")
LATIN_NOT: Final = ("n't", "n\u2019t")
#: In many languages a second negation denies nothing: "Nul | ne sera tenu".
SECOND_NEGATIONS: Final = all_words("second negation")
#: Negations in scripts without spaces, which end right before the quote.
_NEGATIONS_BEFORE: Final = all_words("negation before a word")
SPACELESS_NEGATIONS: Final = tuple(_NEGATIONS_BEFORE | all_words("restriction before a word"))
SPACELESS_AT_START: Final = tuple(all_words("restriction before a word that begins a clause"))
SPACELESS_BEHIND: Final = tuple(all_words("restriction behind a word"))


def folded_word(word: str) -> str:
    """Return a word as it is compared with these lists."""
    if word.isascii():
        return word.lower()
    word = INVISIBLE.sub("", word)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", word).casefold())


def _folded_words(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(folded_word, words))


#: Negations that are a whole answer, too: "Pets: no".
ANSWERS: Final = _folded_words(all_words("negation that answers"))
NEGATIONS: Final = {code: _folded_words(words) for code, words in words_of("negation").items()}
BETWEEN: Final = {
    code: _folded_words(words_of("between a negation and what it negates").get(code, ()))
    for code in NEGATIONS
}
ANY_NEGATION: Final = frozenset().union(*NEGATIONS.values())
ANY_BETWEEN: Final = frozenset().union(*BETWEEN.values())


class Phrase(NamedTuple):
    """Words that turn or restrict what stands beside them.

    Attributes:
        words: The folded words.
        codes: The languages in which they do.
        begins: Whether they do so only where they begin a clause: "Only members may enter".
        counts: Whether they do so only before a number: "under 5 minutes".
    """

    words: tuple[str, ...]
    codes: frozenset[str]
    begins: bool = False
    counts: bool = False


def _phrases(kind: str, *, begins: bool = False) -> list[Phrase]:
    codes: dict[tuple[str, ...], set[str]] = {}
    for code, listed in words_of(kind).items():
        for phrase in listed:
            codes.setdefault(tuple(map(folded_word, phrase.split())), set()).add(code)
    counts = kind in ("less", "at most")
    return [
        Phrase(words, frozenset(of), begins=begins, counts=counts and len(words) == 1)
        for words, of in codes.items()
    ]


@cache
def phrases_before() -> dict[str, list[Phrase]]:
    """Return the phrases that turn or restrict what follows them, by their last words."""
    phrases = [
        *_phrases("negating phrase"),
        *_phrases("restriction"),
        *_phrases("less"),
        *_phrases("at most"),
        *_phrases("restriction that begins a clause", begins=True),
    ]
    by_word: dict[str, list[Phrase]] = {}
    for phrase in sorted(phrases, key=lambda phrase: -len(phrase.words)):
        by_word.setdefault(phrase.words[-1], []).append(phrase)
    return by_word


@cache
def phrases_behind() -> dict[str, list[Phrase]]:
    """Return the phrases that turn or restrict what precedes them, by their first words."""
    by_word: dict[str, list[Phrase]] = {}
    for phrase in _phrases("restriction behind"):
        by_word.setdefault(phrase.words[0], []).append(phrase)
    return by_word


#: So much of the text on both sides is taken for the sentence, and so much tells the language.
_SENTENCE_REACH: Final = 60
_LANGUAGE_REACH: Final = 400
#: Words, endings and letters of Portuguese that Spanish and Catalan do not have, and the other way
#: round. "A", "o" and "e" are left out, because they are words of Spanish, too, and so are names.
_PORTUGUESE: Final = re.compile(
    r"(?<!\bno )\bos\b"
    r"|\b(?:do|dos|das|em|um|uma|é|não|foi|são|ao|aos|à|às|pelo|pela|pelos|pelas|seu|sua|seus"
    r"|suas|já|há|ou|nem|com|isso|você|ele|ela|eles|dele|dela|num|numa|nas|até|também|mas)\b"
    r"|\b[a-zà-ÿ][^\W\d_]{1,20}(?:eu|ou|iu|agem|(?<!b)ámos)\b"
)
_PORTUGUESE_LETTERS: Final = re.compile(
    r"\b(?=[a-zà-ÿ])[^\W\d_]{0,20}(?:[ãõâêôç]|[nl]h[^\W\d_]|[^\W\d_]ss[^\W\d_]|ámo-)"
)
#: A sentence that begins with an article of Portuguese.
_ARTICLE_FIRST: Final = re.compile(r"(?:\A|[.!?]\s)(?:O|Os|As|Um|Uma) [^\W\d_]")
_SPANISH: Final = re.compile(
    r"\b(?:el|los|las|lo|del|y|un|una|es|en|con|su|sus|más|fue|ha|han|pero|muy|hay|al|le|les|yo"
    r"|tú|usted|ella|hasta|cuando|la|están|els|dels|amb|és|aquest|aquesta|això)\b"
    r"|\b[a-zà-ÿ][^\W\d_]{1,20}(?:ción|ciones|dad|dades|ió|aron|ieron)\b"
    r"|[¿¡]|\b(?=[a-zà-ÿ])[^\W\d_]{0,20}(?:ñ|[^\W\d_]ll[^\W\d_])"
)
#: "No" between a verb of place and a name, or before such a noun, is "in the". None of the
#: nouns is a verb of Spanish or, without "d" for "of", a word of English.
_IN_THE: Final = re.compile(
    r"\b(?:está|estão|estava|fica|ficam|será|foi|é|são|mora|moro|moram|vive|vivem|nasceu"
    r"|morreu|trabalha|trabalho|entrou|reunião|entra)\s+no\s"
    r"|\bno\s+(?:(?:valor|caso|final|interior|exterior|hospital|meio|mar|fundo|topo)\s+d[aeo]"
    r"|centro|dia|mês|ano|século|início|fim|norte|sul|leste|oeste|prazo|artigo|contrato|mercado"
    r"|mundo|país|estado|município|bairro|segundo|primeiro|terceiro|último|próximo|mesmo|nosso"
    r"|seu|meu|qual|carro|café|livro|banco|setor|número|sofá|catálogo|verão|inverno|sábado"
    r"|domingo|porto|aeroporto|parque|museu|teatro|jardim|supermercado|escritório|edifício"
    r"|prédio|quarto|telefone|computador|trabalho|governo|futebol|céu|chão|momento|processo"
    r"|sistema|projeto|relatório|capítulo|frigorífico|formulário|botão|brasil)\b"
)
_SENTENCE_START: Final = re.compile(r"(?:\A|[.!?\n]\s{0,3})[^\W\d_]")
_ENGLISH: Final = re.compile(r"\b(?:the|of|and|to|is|was|for|with|are)\b")
#: ambiguous word -> the language in which it negates, and what shows that a sentence is of it
_SIGNS: Final = {
    "ei": (
        "fi",
        re.compile(
            r"\bei\s+(?:ole|ollut|olla|saa|saanut|voi|voinut|pidä|tule|kuulu|toimi|tarvitse"
            r"|koskaan|enää|vielä|edes|mitään)\b"
            r"|[^\W\d_]{3}(?:ssa|sta|lla|lle|lta|aan|iin|inen|kaan)\b"
            r"|[^\W\d_]{2}(?:ssä|stä|llä|ltä)\b|ää|yy|öö"
        ),
    ),
    "et": ("fi", re.compile(r"\bet\s+(?:ole|saa|voi|tarvitse|pysty)\b")),
    "sin": (
        "es",
        re.compile(
            r"[ñ¿¡áíú]|ó[^\W\d_]|\b(?:el|la|los|las|del|una|con|por|para|y|se|es|su)\b|ción\b"
        ),
    ),
    "nu": ("ro", re.compile(r"[ășțîşţ]|\b(?:este|sunt|fost|poate|trebuie|pentru|la|cu)\b")),
    "sem": ("pt", re.compile(r"[ãõç]|\b(?:o|os|um|uma|do|da|não|em|com|para|de)\b")),
    "noch": ("de", re.compile(r"\bweder\b")),
}
_OTHER_LETTERS: Final = re.compile(r"[åæøäö]")
#: Words before a French noun that is also a negation: "le pas de la porte", "une personne".
_BEFORE_NOUNS: Final = {
    "pas": frozenset("le un ce son mon au du les des ses deux premier faux à chaque".split()),
    "personne": frozenset(
        "la une cette chaque toute par de première autre seule même sa ma tierce".split()
    ),
}


def languages_of_negation(
    negation: str, text: str, start: int, quote: int, codes: Collection[str] | None = None
) -> list[str]:
    """Return the languages that the text may be written in and in which the word negates.

    Args:
        negation: The folded word.
        text: The text.
        start: Where the word begins.
        quote: Where the quote beside it begins or ends.
        codes: The languages in which the word negates; by default those of the lists.
    """
    nearby = text[max(0, quote - _SENTENCE_REACH) : quote + _SENTENCE_REACH]
    word, sentence = folded_words(negation), folded_words(nearby)
    around = text[max(0, quote - _LANGUAGE_REACH) : quote + _LANGUAGE_REACH]
    if negation == "no" and _is_portuguese(text, start, nearby, around):
        return []
    languages = languages_of(word, sentence, folded_words(around))
    if not languages:
        if negation in AMBIGUOUS:
            code = _shown(negation, nearby)
            return [code] if code else []
        languages = possible_languages(word, sentence)
    if codes is not None:
        return [one.code for one in languages if one.code in codes]
    codes = [one.code for one in languages if negation in NEGATIONS.get(one.code, ())]
    if negation == "no" and not codes and any(one.code == "pt" for one in languages):
        return ["es"]  # by words such as "os" and "da", which are words of Spanish, too
    if negation in _SIGNS and len(languages) > 1:
        code = _SIGNS[negation][0]
        if code in codes and _shown(negation, nearby) is None:
            codes.remove(code)
    if negation == "noch" and "de" in codes and _shown("noch", nearby) is None:
        codes.remove("de")  # German "still", except behind "weder"
    if "fr" in codes and negation in _BEFORE_NOUNS:
        before = text[max(0, start - 20) : start].split()
        if before and before[-1].lower() in _BEFORE_NOUNS[negation]:
            codes.remove("fr")
    return codes


def _is_portuguese(text: str, start: int, nearby: str, around: str) -> bool:
    """Whether "no" is the Portuguese word for "in the": more shows Portuguese than Spanish."""
    before = text[max(0, start - 14) : start]
    if before.rstrip().endswith(",") or before.lower().endswith((" o ", " o\n")):
        return False  # "A, not B" and "or not" of Spanish
    is_before_name = text.startswith("no ", start) and text[start + 3 : start + 4].isupper()
    for window in (nearby, around):
        plain = _SENTENCE_START.sub(lambda match: match[0].lower(), window)
        if _ENGLISH.search(plain):
            return False
        portuguese = _count(_PORTUGUESE, plain) + _count(_PORTUGUESE_LETTERS, window)
        portuguese += bool(_ARTICLE_FIRST.search(window))
        if _IN_THE.search(f"{before}{text[start : start + 24]}".lower()) or (
            portuguese and is_before_name
        ):
            portuguese += 1
        spanish = _count(_SPANISH, plain)
        if portuguese != spanish:
            return portuguese > spanish
    return False


def _count(pattern: re.Pattern[str], text: str) -> int:
    """Return how many different words or letters of a language a text has."""
    return len({match[0] for match in pattern.finditer(text)})


def _shown(word: str, text: str) -> str | None:
    """Return the language in which an ambiguous word negates, if the text shows that it is it."""
    if word not in _SIGNS:
        return None
    code, pattern = _SIGNS[word]
    folded = text.casefold()
    if not pattern.search(folded):
        return None
    is_other = word != "ei" and _OTHER_LETTERS.search(folded) is not None
    return None if is_other or (word != "noch" and _ENGLISH.search(folded)) else code
