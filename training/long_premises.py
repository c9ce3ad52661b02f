"""Long and noisy premises with statements that stand on them, or nearly do.

Passages are put together from real sentences on near subjects; statements are these sentences made
simpler, joined, or changed in what matters. Nothing is taken from a set that a benchmark reports.
"""

import math
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from corpora import word_groups as w
from training.rows import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_ENTAILED, Row, Target
from training.wordnet import Lexicon

__all__ = ["Corpus", "embedded", "listed", "made", "reworded", "sentences_of"]

#: how often a sentence is changed in the passage also
MIRRORED: Final = 0.45
_TERM: Final = re.compile(r"[a-z0-9]{3,}")
_NUMBER: Final = re.compile(r"(?<![\w.,/–-])\d[\d,]*(?:\.\d+)?(?![\w,/–-]|\.\d)")
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*")
_MONTHS: Final = (
    "January February March April May June July August September October November December"
)
_DATE: Final = re.compile(rf"(?:{_MONTHS.replace(' ', '|')})")


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a premise that was cut into tokens and put together again."""
    parts = re.split(r"(?<=[a-z0-9)\"][.!?]) (?=[A-Z\"])", text)
    return [part.strip() for part in parts if 5 <= len(part.split()) <= 60]


class Corpus:
    """Sentences, and which are near to a text in the words that they share."""

    def __init__(self, sentences: Iterable[str]) -> None:
        self.sentences = list(dict.fromkeys(sentences))
        self._places: dict[str, list[int]] = defaultdict(list)
        for at, sentence in enumerate(self.sentences):
            for term in set(_TERM.findall(sentence.lower())):
                self._places[term].append(at)
        count = len(self.sentences)
        self._weight = {t: math.log(count / len(p)) for t, p in self._places.items()}

    def near(self, text: str, count: int, skip: set[str]) -> list[str]:
        """Return the sentences nearest to the text, without those to skip."""
        scores: dict[int, float] = defaultdict(float)
        terms = sorted(
            set(_TERM.findall(text.lower())) & self._places.keys(),
            key=lambda t: (len(self._places[t]), t),
        )
        for term in terms[:12]:
            if len(self._places[term]) > 3000:
                continue
            for at in self._places[term]:
                scores[at] += self._weight[term]
        best = sorted(scores, key=lambda at: (-scores[at], at))[: count + len(skip) + 4]
        found = [self.sentences[at] for at in best if self.sentences[at] not in skip]
        return found[:count]


def _limited(sentences: Sequence[str], words: int) -> list[str]:
    kept: list[str] = []
    count = 0
    for sentence in sentences:
        count += len(sentence.split())
        if count > words and kept:
            break
        kept.append(sentence)
    return kept


def embedded(rng: random.Random, rows: Sequence[Row], corpus: Corpus, count: int) -> Iterable[Row]:
    """Yield known pairs with their premise among others, or without it."""
    for row in rng.sample(rows, min(count, len(rows))):
        skip = set(sentences_of(row.premise)) | {row.premise}
        near = corpus.near(f"{row.premise} {row.hypothesis}", rng.randint(2, 7), skip)
        overlap = _overlap(row.hypothesis, near)
        if row.target == ENTAILMENT and rng.random() < 0.3:
            if overlap < 0.8:
                rng.shuffle(near)
                yield Row(
                    " ".join(_limited(near, 105)), row.hypothesis, NEUTRAL, "premise taken away"
                )
            continue
        if row.target == NEUTRAL and overlap > 0.8:
            continue
        near = _limited(near, max(20, 105 - len(row.premise.split())))
        rng.shuffle(near)
        near.insert(rng.randint(0, len(near)), row.premise)
        yield Row(" ".join(near), row.hypothesis, row.target, f"embedded {row.origin}")


#: Of the words of a hypothesis, at most so many stand in a sentence that is put beside its premise.
_FOREIGN: Final = 0.4
#: Of these, one in eight is the sentence itself: what is said word for word is entailed.
_VERBATIM: Final = 0.12


def listed(rng: random.Random, rows: Sequence[Row], lexicon: Lexicon, count: int) -> Iterable[Row]:
    """Yield known pairs with their premise among short sentences on other things, as in a leaflet.

    The sentences of `embedded` are near to the premise, and long. A model that saw no others
    overlooks a sentence that stands word for word among a few that are about something else.
    """
    others = sorted({row.premise for row in rows})
    for row in rng.sample(rows, min(count, len(rows))):
        drawn = rng.sample(others, min(3 * rng.randint(1, 5), len(others)))
        beside = [one for one in drawn if _overlap(row.hypothesis, [one]) <= _FOREIGN]
        passage = [_closed(one) for one in beside[: max(1, len(drawn) // 3)]]
        passage.insert(rng.randint(0, len(passage)), _closed(row.premise))
        text = " ".join(passage)
        if rng.random() < _VERBATIM:
            said = row.premise if rng.random() < 0.5 else reworded(rng, row.premise, lexicon)
            yield Row(text, said, ENTAILMENT, "listed: the same")
        else:
            yield Row(text, row.hypothesis, row.target, f"listed {row.origin}")


def _closed(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _overlap(hypothesis: str, sentences: Sequence[str]) -> float:
    terms = set(_TERM.findall(hypothesis.lower()))
    best = max((len(terms & set(_TERM.findall(s.lower()))) for s in sentences), default=0)
    return best / max(1, len(terms))


# --- statements that a sentence entails -----------------------------------------------------

_INSERTED: Final = re.compile(
    r"(?<=[a-z]), (?:who|which|where|whose|including|such as|known as|a|an|the) "
    r"[^,.;()]{5,70}, (?=[a-z])"
)
_TRAILING: Final = re.compile(
    r", (?:which|who|where|whose|including|such as|and|with|while|although|making|becoming|after"
    r"|before) [^;()]{8,}\.$"
)
_BRACKETED: Final = re.compile(r" \([^()]*\)")
_LEADING: Final = re.compile(
    r"^(?:(?:In|On|During|After|Before|By|At|As of|Since|Following) [^,.;]{3,40}), (?=[a-zA-Z])"
)


def simpler(rng: random.Random, sentence: str, lexicon: Lexicon) -> str:
    """Return a sentence that says less of the same, in words near to those."""
    text = sentence
    if rng.random() < 0.8:
        text = _BRACKETED.sub("", text)
    if rng.random() < 0.6:
        text = _INSERTED.sub(" ", text, count=1)
    if rng.random() < 0.6:
        shorter = _TRAILING.sub(".", text)
        if len(shorter.split()) >= 5:
            text = shorter
    found = _LEADING.match(text)
    if found and len(text.split()) - len(found[0].split()) >= 5:
        rest = text[found.end() :]
        draw = rng.random()
        if draw < 0.3:
            text = rest[0].upper() + rest[1:]
        elif draw < 0.6 and rest.endswith("."):
            lead = found[0][:-2]
            text = f"{rest[0].upper()}{rest[1:-1]} {lead[0].lower()}{lead[1:]}."
    for _ in range(rng.randint(0, 2)):
        text = reworded(rng, text, lexicon)
    if rng.random() < 0.15:
        text = text.rstrip(".")
    return text


_PHRASES: Final = {
    " is located in ": (" lies in ", " can be found in "),
    " was born in ": (" came into the world in ",),
    " began ": (" started ",),
    " also ": (" ",),
    " such as ": (" like ", ", for example "),
    " about ": (" approximately ", " roughly "),
    " however, ": (" ",),
    " because ": (" since ",),
    " large ": (" big ",),
    " was released ": (" came out ",),
    " consists of ": (" is made up of ",),
    " wrote ": (" is the author of ",),
    " died ": (" passed away ",),
    " used to treat ": (" a treatment for ",),
    " more than ": (" over ",),
    " is known as ": (" is called ",),
}


def reworded(rng: random.Random, text: str, lexicon: Lexicon) -> str:
    """Return the text with one phrase or word in words that mean the same, if one is found."""
    for phrase in rng.sample(list(_PHRASES), len(_PHRASES)):
        if phrase in text:
            return text.replace(phrase, rng.choice(_PHRASES[phrase]), 1)
    places = list(re.finditer(r"(?<= )[a-z]{4,}(?=[ ,.])", text))
    rng.shuffle(places)
    for found in places[:6]:
        options = (
            lexicon.synonyms(found[0])
            or lexicon.synonyms(found[0], "v")
            or lexicon.synonyms(found[0], "a")
        )
        if options:
            return text[: found.start()] + rng.choice(options) + text[found.end() :]
    return text


# --- changes of what matters ----------------------------------------------------------------

Change = Callable[[random.Random, str, str], tuple[str, Target] | None]


def _put(text: str, found: re.Match[str], new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def _number(rng: random.Random, text: str, _passage: str) -> tuple[str, Target] | None:
    found = list(_NUMBER.finditer(text))
    if not found:
        return None
    one = rng.choice(found)
    others = [
        m[0] for m in _NUMBER.finditer(_passage) if m[0] != one[0] and len(m[0]) == len(one[0])
    ]
    if others and rng.random() < 0.4:
        return _put(text, one, rng.choice(others)), CONTRADICTION
    digits = one[0].replace(",", "")
    if re.fullmatch(r"(1[0-9]|20)\d\d", digits):
        new = str(int(digits) + rng.choice([-11, -10, -3, -2, -1, 1, 2, 3, 10, 15]))
    else:
        at = rng.choice([i for i, c in enumerate(one[0]) if c.isdigit()])
        new = (
            one[0][:at] + rng.choice([c for c in "123456789" if c != one[0][at]]) + one[0][at + 1 :]
        )
    return _put(text, one, new), CONTRADICTION


def _swaps(groups: Mapping[str, tuple[str, ...]], target: Target) -> Change:
    listed = "|".join(sorted(map(re.escape, groups), key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w'’-])(?:{listed})(?![\w'’-])")

    def change(rng: random.Random, text: str, _passage: str) -> tuple[str, Target] | None:
        found = list(pattern.finditer(text))
        if not found:
            return None
        one = rng.choice(found)
        return _put(text, one, rng.choice(groups[one[0]])), target

    return change


def _month(rng: random.Random, text: str, _passage: str) -> tuple[str, Target] | None:
    found = list(_DATE.finditer(text))
    if not found:
        return None
    one = rng.choice(found)
    return _put(text, one, rng.choice([m for m in _MONTHS.split() if m != one[0]])), CONTRADICTION


def _name_of_passage(rng: random.Random, text: str, passage: str) -> tuple[str, Target] | None:
    names = [m for m in _NAME.finditer(text) if m[0] not in _MONTHS]
    others = sorted(
        {m[0] for m in _NAME.finditer(passage)} - set(text.split()) - set(_MONTHS.split())
    )
    others = [name for name in others if name not in text]
    if not names or not others:
        return None
    return _put(text, rng.choice(names), rng.choice(others)), NOT_ENTAILED


def _roles(rng: random.Random, text: str, _passage: str) -> tuple[str, Target] | None:
    names = list(re.finditer(r"(?:(?<=[a-z,] )|^)[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*", text))
    if len(names) < 2:
        return None
    one, two = sorted(rng.sample(names, 2), key=lambda m: m.start())
    between = text[one.end() : two.start()]
    if (
        one[0] == two[0]
        or len(between.split()) < 2
        or re.fullmatch(r"[\s,]*(?:and|or)[\s,]*", between)
    ):
        return None
    return text[: one.start()] + two[0] + between + one[0] + text[two.end() :], NOT_ENTAILED


_AUXILIARY: Final = re.compile(
    r"\b(?:is|was|are|were|has|had|have|will|can|may|should|must|could) (?=[a-z])"
)


def _negation(rng: random.Random, text: str, _passage: str) -> tuple[str, Target] | None:
    for pattern, new in w.NEGATIONS:
        found = pattern.search(text)
        if found:
            return _put(text, found, found.expand(new)), CONTRADICTION
    places = list(_AUXILIARY.finditer(text))
    if not places:
        return None
    one = rng.choice(places)
    return _put(text, one, one[0] + rng.choice(["not ", "never ", "not "])), CONTRADICTION


_TITLED: Final = (
    "also",
    "and won several awards for it",
    "for the first time",
    "with great success",
    "in the United States",
    "together with his brother",
    "for three years",
    "against the advice of experts",
)


def _invented(rng: random.Random, text: str, passage: str) -> tuple[str, Target] | None:
    extra = rng.choice(_TITLED[1:])
    if extra in passage or not text.endswith("."):
        return None
    return f"{text[:-1]} {extra}.", NEUTRAL


_CHANGES: Final[Sequence[tuple[Change, int]]] = (
    (_number, 6),
    (_month, 1),
    (_negation, 4),
    (_name_of_passage, 5),
    (_roles, 3),
    (_swaps(w.ANTONYMS, CONTRADICTION), 4),
    (_swaps(w.QUANTIFIERS, NOT_ENTAILED), 2),
    (_swaps(w.COMPARISONS, CONTRADICTION), 2),
    (_swaps(w.UNITS, CONTRADICTION), 2),
    (_swaps(w.NUMBER_WORDS, CONTRADICTION), 3),
    (_swaps(w.MODALS, NOT_ENTAILED), 1),
    (_invented, 3),
)


def _changed(rng: random.Random, text: str, passage: str) -> tuple[str, Target] | None:
    changes = rng.choices([c for c, _ in _CHANGES], weights=[n for _, n in _CHANGES], k=6)
    for change in changes:
        found = change(rng, text, passage)
        if found is not None and found[0] != text:
            return found
    return None


def made(rng: random.Random, corpus: Corpus, lexicon: Lexicon, count: int) -> Iterable[Row]:
    """Yield passages with statements made from their own sentences, and changed ones."""
    left = count
    while left > 0:
        seed = rng.choice(corpus.sentences)
        near = corpus.near(seed, rng.randint(2, 8), {seed})
        own = [seed, *_limited(near, 105 - min(80, len(seed.split())))]
        rng.shuffle(own)
        passage = " ".join(own)
        for row in _statements(rng, own, passage, lexicon):
            yield row
            left -= 1


def _statements(
    rng: random.Random, own: Sequence[str], passage: str, lexicon: Lexicon
) -> Iterable[Row]:
    sentence = rng.choice(own)
    statement = simpler(rng, sentence, lexicon)
    if rng.random() < 0.2 and len(own) > 1:
        other = simpler(rng, rng.choice([s for s in own if s != sentence]), lexicon)
        if other[:3] in {"The", "In ", "It "}:
            other = other[0].lower() + other[1:]
        joined = f"{statement.rstrip('.')}{rng.choice([' and', ' while', ', and'])} {other}"
        if len(joined.split()) < 60:
            statement = joined
    if len(statement.split()) < 4:
        return
    yield Row(passage, statement, ENTAILMENT, "made: entailed")
    wrong = _changed(rng, statement, passage)
    if wrong is not None:
        yield Row(passage, wrong[0], wrong[1], "made: changed")
    yield from _mirrored(rng, own, sentence, lexicon)
    draw = rng.random()
    if draw < 0.35:
        rest = [s for s in own if s != sentence]
        if rest and _overlap(statement, rest) < 0.7:
            yield Row(" ".join(rest), statement, NEUTRAL, "made: taken away")
    elif draw < 0.5 and len(own) > 1:
        spliced = _spliced(rng, own)
        if spliced is not None:
            yield Row(passage, spliced, NOT_ENTAILED, "made: spliced")


def _mirrored(
    rng: random.Random, own: Sequence[str], sentence: str, lexicon: Lexicon
) -> Iterable[Row]:
    """Yield the changed sentence in the passage, with statements of it and of the true one.

    Else a denied or odd sentence would be seen in statements alone, and give the label away.
    """
    if rng.random() > MIRRORED:
        return
    passage = " ".join(own)
    wrong = _changed(rng, sentence, passage)
    if wrong is None or wrong[1] == NEUTRAL or len(sentence.split()) > 45:
        return
    passage = " ".join(wrong[0] if one == sentence else one for one in own)
    yield Row(passage, reworded(rng, wrong[0], lexicon), ENTAILMENT, "mirrored: entailed")
    yield Row(passage, reworded(rng, sentence, lexicon), wrong[1], "mirrored: changed")


def _spliced(rng: random.Random, own: Sequence[str]) -> str | None:
    """Join who one sentence speaks of with what another says."""
    one, two = rng.sample(list(own), 2)
    verb = re.compile(
        r" (?:is|was|are|were|has|had|became|won|wrote|directed|played|served|began|moved) "
    )
    first, second = verb.search(one), verb.search(two)
    if first is None or second is None or one[: first.start()] == two[: second.start()]:
        return None
    if len(one[: first.start()].split()) > 8:
        return None
    return one[: first.start()] + two[second.start() :]
