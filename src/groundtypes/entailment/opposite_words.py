"""A statement in the words of a sentence, with one that says the opposite, or an exception.

"Unvaccinated visitors may not enter." does not say that vaccinated ones may not, "You need not
pay." not "You must not pay.", and "The pass is closed unless it is summer." not "The pass is closed
in summer.". Networks overlook it, because nearly all words agree. What is found is narrow, so that
it is right; it was counted on written claims (`docs/entailment.md`).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import dropwhile
from typing import Final, NamedTuple

from groundtypes.entailment.alignment import Word, words_of
from groundtypes.entailment.changed_words import plain_words
from groundtypes.entailment.negation_words import with_base
from groundtypes.entailment.word_classes import NEGATION, OPPOSITES, QUANTIFIER

__all__ = ["excepted", "not_only", "opposite_words"]

_WORDS: Final = (3, 40)
_MOST_WORDS_OF_SENTENCE: Final = 120
_ARTICLES: Final = frozenset(("the", "a", "an"))
_PREFIXES: Final = ("un", "in", "im", "il", "ir", "dis", "non")
#: A prefix before fewer letters is mostly none: "under" and "der".
_FEWEST_LETTERS: Final = 4
#: Words that say the same with the prefix.
_NO_OPPOSITES: Final = frozenset(
    ("flammable", "habitable", "habited", "loose", "ravel", "regardless", "thaw", "valuable")
)
#: "The house was sold in May." may well say that it was bought in May.
_CONVERSE: Final = frozenset("buy buys bought sell sells sold".split())
#: Words after which something is forbidden, and others after which it need not be done.
_FORBIDDEN: Final = (
    ("must", "not"),
    ("may", "not"),
    ("can", "not"),
    ("shall", "not"),
    ("must", "never"),
)
_FREE: Final = (
    ("need", "not"),
    *((verb, "not", "have_to") for verb in ("do", "does", "did")),
    *((verb, "not", "need", "to") for verb in ("do", "does", "did")),
    *((verb, "not", word, "to") for verb in ("is", "are") for word in ("required", "obliged")),
)
_NOT_ONLY: Final = frozenset(("only", "just", "merely", "simply"))
_EXCEPTING: Final = frozenset(("unless", "except", "excluding", "apart_from", "other_than"))
_ENDS: Final = frozenset(", ; : ( ) \u2013 \u2014".split())
#: "Up to 48 hours ahead" is at least 48 hours ahead.
_UP_TO: Final = frozenset(("up_to", "at_least"))
_AHEAD: Final = frozenset("ahead advance before beforehand prior earlier early".split())
#: How many words may stand between what holds and what is excepted: "even if it is".
_MOST_BETWEEN: Final = 4
#: Words that turn what they are about; a forbidden or unneeded thing has no text of its own.
_DENYING: Final = frozenset(
    "forbidden prohibited banned prohibits bans forbids barred avoid avoids avoided prevent "
    "prevents prevented false untrue wrong deny denies denied doubt doubts doubted".split()
).union(NEGATION, ("",))
_EVEN: Final = frozenset(("also", "even"))
_FEW: Final = frozenset(word for word, group in QUANTIFIER.items() if group == "few")


class _Token(NamedTuple):
    """A word as it is compared, or several that are one: "must not"."""

    key: str
    text: str
    shown: str


def opposite_words(statement: str, sentence: str) -> tuple[str, str] | None:
    """Return the word of a statement and its opposite, which a sentence has in its place.

    All other words of that part of the sentence are the statement's, in their order. The rest of
    the sentence has neither that word nor one that denies: "No boats are allowed." Opposites are
    words with and without "un" and the like, "must not" and "need not", and those of the table.
    """
    stated, words = _tokens(statement), _tokens(sentence)
    if not _WORDS[0] <= len(stated) <= _WORDS[1] or len(words) > _MOST_WORDS_OF_SENTENCE:
        return None
    for start in range(len(words) - len(stated) + 1):
        differing = [
            (mine, theirs)
            for mine, theirs in zip(stated, words[start:], strict=False)
            if mine.key != theirs.key
        ]
        if (
            len(differing) == 1
            and _are_opposites(*differing[0])
            and not _say_how_far_ahead(differing[0], stated)
            and all(differing[0][0].text != word.text for word in words if word.text)
            and _DENYING.isdisjoint(
                word.text for word in (*words[:start], *words[start + len(stated) :])
            )
        ):
            return differing[0][0].shown, differing[0][1].shown
    return None


def not_only(statement: str, sentence: str) -> str | None:
    """Return the "only" of a sentence's "not only" that the statement leaves out.

    All other words of the statement are those of a part of the sentence, in their order.
    """
    stated, words = plain_words(statement), plain_words(sentence)
    if not _WORDS[0] <= len(stated) <= _WORDS[1] or len(words) > _MOST_WORDS_OF_SENTENCE:
        return None
    wanted = [word.stem for word in stated]
    for at in range(1, len(words)):
        if words[at].text not in _NOT_ONLY or words[at - 1].text != "not":
            continue
        rest = [word.stem for word in (*words[:at], *words[at + 1 :])]
        first = max(0, at - len(wanted) + 1)  # the statement has this "not", and a word after it
        if any(rest[start : start + len(wanted)] == wanted for start in range(first, at)):
            return words[at].shown
    return None


def excepted(statement: str, sentence: str) -> tuple[str, bool] | None:
    """Return the word of a sentence that excepts what the statement says, and whether it denies it.

    The statement begins as what the sentence says, and ends with what it excepts. If it leaves out
    how the sentence goes on, it need not be denied: trains that run hourly except on Sundays may
    run on Sundays. The sentence says nothing more of the exception then.
    """
    stated = plain_words(statement)
    if not _WORDS[0] <= len(stated) <= _WORDS[1] or "?" in sentence:
        return None
    if not {word.text for word in stated}.isdisjoint(_EXCEPTING | NEGATION.keys() | {"only"}):
        return None
    for says, word, exception, is_explained in _exceptions(sentence):
        texts = {each.text for each in (*says, *exception)}
        if not texts.isdisjoint(NEGATION.keys() | _FEW | {"only"}):
            continue
        wanted = [each.stem for each in dropwhile(lambda each: not each.is_content, exception)]
        end = len(stated) - len(wanted)
        if not wanted or [each.stem for each in stated[end:]] != wanted:
            continue
        same = 0
        while same < min(end, len(says)) and says[same].stem == stated[same].stem:
            same += 1
        between = stated[same:end]
        if (
            len(between) <= _MOST_BETWEEN
            and not any(each.is_content and each.text not in _EVEN for each in between)
            and sum(each.is_content for each in says[:same]) > 0
            and same >= min(2, len(says))
        ):
            is_whole = same == len(says)
            if is_whole or not is_explained:
                return word.shown, is_whole
    return None


def _exceptions(sentence: str) -> Iterator[tuple[Sequence[Word], Word, Sequence[Word], bool]]:
    """Yield what a sentence says, the word that excepts something, what this is, and if more."""
    words = [with_base(word) for word in words_of(sentence).words if word.text not in _ARTICLES]
    for at, word in enumerate(words[:_MOST_WORDS_OF_SENTENCE]):
        if word.text not in _EXCEPTING:
            continue
        after = words[at + 1 :]
        end = next((place for place, each in enumerate(after) if each.text in _ENDS), len(after))
        says = [each for each in words[:at] if each.text not in _ENDS]
        yield says, word, after[:end], end < len(after)


@lru_cache(maxsize=1_024)
def _tokens(text: str) -> tuple[_Token, ...]:
    words = plain_words(text)
    texts = [word.text for word in words]
    tokens: list[_Token] = []
    at = 0
    while at < len(words):
        for key, expressions in (("forbidden", _FORBIDDEN), ("free", _FREE)):
            size = next(
                (len(each) for each in expressions if tuple(texts[at : at + len(each)]) == each), 0
            )
            if size:
                shown = " ".join(dict.fromkeys(word.shown for word in words[at : at + size]))
                tokens.append(_Token(f" {key}", "", shown))
                at += size
                break
        else:
            size = 2 if texts[at] == "non" and at + 1 < len(words) else 1
            tokens.append(_joined(words[at : at + size]))
            at += size
    return tuple(tokens)


def _joined(words: Sequence[Word]) -> _Token:
    *prefix, word = words
    before = "".join(each.text for each in prefix)
    shown = "-".join(each.shown for each in words)
    return _Token(before + word.stem, before + word.text, shown)


def _say_how_far_ahead(pair: tuple[_Token, _Token], stated: Sequence[_Token]) -> bool:
    """Return whether two words are "up to" and "at least" in a statement about time ahead."""
    return {word.text for word in pair} == _UP_TO and not _AHEAD.isdisjoint(
        word.text for word in stated
    )


def _are_opposites(one: _Token, other: _Token) -> bool:
    if {one.key, other.key} == {" forbidden", " free"}:
        return True
    short, long = sorted((one.text, other.text), key=len)
    if short in _NO_OPPOSITES or short in _CONVERSE:
        return False
    return short in OPPOSITES.get(long, ()) or (
        len(short) >= _FEWEST_LETTERS and any(long == prefix + short for prefix in _PREFIXES)
    )
