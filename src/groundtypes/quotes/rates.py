"""Rates behind an amount: "per day", "a month" or "pro kg" makes another quantity of it.

A rate with a word for "per" and a noun belongs to the amount directly before it, as it does in
"mg/day". Adverbs such as "daily" and "every day" may be left out, as other adverbs may.
"""

import re
from typing import Final

from groundtypes.quotes.number_boundaries import NUMERAL_WORDS, SCALE_WORDS
from groundtypes.text.characters import WORD
from groundtypes.text.units import is_doubtful_symbol, is_unit_symbol, is_unit_word

__all__ = ["BEGIN_RATE", "cuts_rate"]

#: Nouns that a rate counts, beside units: people, things, nights.
_COUNTED: Final = frozenset(
    "capita annum diem head share household vehicle car room night user employee worker child "
    "student pupil inhabitant resident citizen customer patient woman man unit quarter season "
    "session serving portion cycle game match vial bottle pack packet item piece page seat visit "
    "trip passenger family member group team person animal plant cell barrel bushel dozen "
    "thousand million "
    "kopf tag einwohner einwohnerin stück nacht fahrt semester quartal packung "
    "an habitant tête personne nuit enfant foyer part unité trimestre "
    "persona cabeza habitante noche hogar unidad trimestre niño "
    "testa abitante notte ora bambino famiglia pessoa noite unidade "
    "persoon hoofd inwoner stuk nacht invånare styck natt indbygger innbygger "
    "dzień dobę osobę godzinę rok miesiąc tydzień mieszkańca noc den osobu hodinu měsíc "
    "týden obyvatele человека душу жителя литр".split()
)
#: Names of currencies, which are amounts like units.
_CURRENCIES: Final = frozenset(
    "euro dollar pound pence cent franc franken yen yuan renminbi rupee rupees rupien krone krona "
    "kroner kronor kronen lira lire peso pesos real reais rand rubel złoty złotych korun ruble "
    "rubles рублей рубля рубль евро долларов гривен dólares dollari libras livres".split()
)
_A_NOUN: Final = (
    "minute|hour|day|night|week|weekend|fortnight|month|quarter|year|decade|century|semester|season|"
    "shift|head|person|piece|share|gallon|lit(?:re|er)|kilo|kilogram|kilomet(?:re|er)|met(?:re|er)|"
    "pound|tonn?e?|barrel|ounce|bushel|bottle|dozen|mile|acre|hectare|foot|yard|dose|session|"
    "second(?=[.,;:!?)]|\\Z|[ ](?:and|at|for|in|on|or|to))"
)
#: "10 km a day later" says when, and not how often.
_NO_RATE_AFTER: Final = (
    "later|earlier|ago|before|after|prior|previously|beforehand|afterwards?|sooner|early|late|old|"
    "older|younger|from|apart|away|behind|ahead|over|or[ ](?:two|so)|and[ ]a[ ]half|in[ ]advance"
)
#: After an article or preposition, these and no other nouns make a rate.
_TIMES: Final = (
    rf"(?i:an?)[ ](?:{_A_NOUN})(?![\w-]|[ ](?:{_NO_RATE_AFTER})(?!{WORD}))"
    "|al[ ](?:día|mes|año|giorno|mese|kilo|chilo|litro|metro)"
    "|a[ ]la[ ](?:semana|hora)|alla[ ]settimana|all'(?:ora|anno|ettaro)"
    "|ao[ ](?:dia|mês|ano)|[àá][ ](?:l'heure|hora|semana)|de[ ]l'heure"
    "|om[ ](?:dagen|året|dygnet|månaden|måneden|ugen)"
    "|i[ ](?:timmen|veckan|månaden|timen|døgnet|uken|ugen|måneden|minuten|minuttet|sekunden)"
    "|в[ ](?:день|сутки|неделю|месяц|год|час|минуту|секунду)(?![ ]рожд)"
    "|za[ ](?:hodinu|den|měsíc|týden)|p[.][ ]?a[.]"
)
#: A word for "per" with its noun, or with a power of ten or a small amount ("per 100 ml").
_RATE: Final = re.compile(
    r"(?:(?P<per>(?i:per|pro|par|por|je|pr[.]?)|na|на)[ ]|/[ ]?)"
    r"(?:(?P<noun>[^\W\d_]{1,16})"
    r"|(?P<number>1(?:[.,' ]?0){2,9}|\d{1,3}[ ]?(?:m[lL]|[lLgm]|kg|km)))(?![\w-])"
    rf"|(?P<times>{_TIMES})(?!{WORD})"
)
_SPACELESS_RATE: Final = re.compile(
    r"(?:[ ]?/[ ]?|每)(?:天|日|月|年|小?[时時]|周|週|人|次|晚|公斤|千克|公里|"
    r"平方|升|吨|位|名)"
)
_SPACELESS_AMOUNT: Final = re.compile(r"\d[^\d\s.,;:()\u3002\u3001\uff0c]{1,5}\Z")
#: A number with up to three words, of which the last is its unit or noun.
_AMOUNT: Final = re.compile(
    r"(?:(?P<currency>[$\u20ac\u00a3\u00a5\u20b9])[ ]?|(?<![\w.,]))"
    r"(?P<number>(?:\d(?:[\d.,']{0,14}\d)?)?[\u00bc-\u00be\u2150-\u215e]?)(?<=[\d\u00bc-\u00be\u2150-\u215e])"
    r"(?P<words>(?:[ -]?[^\W\d_]{1,20}){0,3})"
    r"(?P<sign>[ ]?[%\u2030\u00b0$\u20ac\u00a3\u00a5\u20b9\u00b2\u00b3]{1,2})?\Z"
)
_YEAR: Final = re.compile(r"(?:1\d|20|21)\d\d\Z")
#: The words with which a rate begins, and a word for "per" that the quote ends with.
BEGIN_RATE: Final = "per|an?|pro|par|por|je|pr|al|ao|alla|om|i|na|za|de|p"
_LAST: Final = re.compile(r"(?<=[ \n])(?i:per|pro|par|por|je|an?|na|на|в)[ \n]?\Z|/[ ]?\Z")
_BREAK: Final = re.compile(r"[ ]{0,4}(?<!\n)\n(?!\n)[ ]{0,4}|[ ]{2,4}")
_REACH: Final = 56
#: The words before a rate among which a number in words is looked for.
_MOST_WORDS: Final = 3


def cuts_rate(before: str, after: str) -> bool:
    """Whether the edge is between an amount and its rate, or inside of the rate.

    Both sides are given in plain text.
    """
    if _SPACELESS_RATE.match(after) and _SPACELESS_AMOUNT.search(before[-8:]):
        return True
    left = _BREAK.sub(" ", before[-_REACH:])
    last = _LAST.search(left)
    right = _BREAK.sub(" ", after[:_REACH])
    if last is None and right[:1] not in (" ", "/"):
        return False
    window = left + right
    start = len(left) + (right[:1] == " ") if last is None else last.start()
    rate = _RATE.match(window, start)
    return rate is not None and _is_of_amount(rate, window[:start].rstrip())


def _is_of_amount(rate: re.Match[str], before: str) -> bool:
    """Whether a rate counts a unit or noun, and an amount stands before it."""
    noun = rate["noun"]
    if noun is not None and noun.lower() not in _COUNTED and not _is_unit(noun):
        return False
    if rate["number"] and rate["per"] not in ("per", "Per"):
        return False
    amount = _AMOUNT.search(before)
    if amount is None:
        words = _words_after_numeral(before)
    elif amount["currency"] or amount["sign"]:
        return True
    else:
        words = re.findall(r"[^\W\d_]+", amount["words"])
    if words is None:
        return False
    is_scaled = bool(words) and SCALE_WORDS.fullmatch(words[0]) is not None
    last = words[-1] if words else ""
    is_currency = last.lower() in _CURRENCIES or (len(last) == len("EUR") and last.isupper())
    if is_currency or _is_unit(last) or (is_scaled and len(words) == 1):
        return True
    if rate["times"] or rate["per"] is None or (amount and _YEAR.match(amount["number"])):
        return False
    # "12 deaths per 100,000", "3 per 1,000", "5 million users per day"
    return not words or (len(words) == 1 + is_scaled and last.endswith("s"))


def _words_after_numeral(before: str) -> list[str] | None:
    """Return the words after a number in words, at most three, or `None`."""
    words = re.findall(r"[^\W\d_]+(?=[ -]|\Z)", before)[-_MOST_WORDS:]
    for at in range(len(words) - 1, -1, -1):
        if words[at].lower() in NUMERAL_WORDS:
            return words[at + 1 :]
    return None


def _is_unit(word: str) -> bool:
    return is_unit_word(word) or (is_unit_symbol(word) and not is_doubtful_symbol(word))
