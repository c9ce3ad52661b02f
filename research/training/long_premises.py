"""Long, noisy premises paired with statements that they entail, contradict or leave open.

Passages are assembled from real sentences on similar subjects; statements are these sentences
simplified, joined, or changed in meaning. Nothing is taken from a set that a benchmark reports.
"""

import math
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from training.meaning_changes import changed_in_meaning
from training.rows import ENTAILMENT, NEUTRAL, NOT_ENTAILED, Row
from training.wordnet import Lexicon

__all__ = ["Corpus", "embedded", "listed", "reworded", "sentences_of", "synthesised"]

#: The share of sentences that are changed in the passage as well.
MIRRORED: Final = 0.45
_TERM: Final = re.compile(r"[a-z0-9]{3,}")


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a premise that was tokenised and joined with spaces."""
    parts = re.split(r"(?<=[a-z0-9)\"][.!?]) (?=[A-Z\"])", text)
    return [part.strip() for part in parts if 5 <= len(part.split()) <= 60]


class Corpus:
    """Sentences that can be searched for those that share the most words with a text."""

    def __init__(self, sentences: Iterable[str]) -> None:
        self.sentences = list(dict.fromkeys(sentences))
        self._places: dict[str, list[int]] = defaultdict(list)
        for number, sentence in enumerate(self.sentences):
            for term in set(_TERM.findall(sentence.lower())):
                self._places[term].append(number)
        count = len(self.sentences)
        self._weight = {
            term: math.log(count / len(places)) for term, places in self._places.items()
        }

    def near(self, text: str, count: int, skip: set[str]) -> list[str]:
        """Return the `count` sentences most similar to the text, without those in `skip`."""
        scores: dict[int, float] = defaultdict(float)
        terms = sorted(
            set(_TERM.findall(text.lower())) & self._places.keys(),
            key=lambda t: (len(self._places[t]), t),
        )
        for term in terms[:12]:
            if len(self._places[term]) > 3000:
                continue
            for number in self._places[term]:
                scores[number] += self._weight[term]
        best = sorted(scores, key=lambda number: (-scores[number], number))[: count + len(skip) + 4]
        nearest = [self.sentences[number] for number in best if self.sentences[number] not in skip]
        return nearest[:count]


def _first_words(sentences: Sequence[str], words: int) -> list[str]:
    selected: list[str] = []
    word_count = 0
    for sentence in sentences:
        word_count += len(sentence.split())
        if word_count > words and selected:
            break
        selected.append(sentence)
    return selected


def embedded(rng: random.Random, rows: Sequence[Row], corpus: Corpus, count: int) -> Iterable[Row]:
    """Yield labelled pairs with their premise among similar sentences, or removed from them."""
    for row in rng.sample(rows, min(count, len(rows))):
        skip = set(sentences_of(row.premise)) | {row.premise}
        nearest = corpus.near(f"{row.premise} {row.hypothesis}", rng.randint(2, 7), skip)
        overlap = _overlap(row.hypothesis, nearest)
        if row.target == ENTAILMENT and rng.random() < 0.3:
            if overlap < 0.8:
                rng.shuffle(nearest)
                yield Row(
                    " ".join(_first_words(nearest, 105)),
                    row.hypothesis,
                    NEUTRAL,
                    "premise taken away",
                )
            continue
        if row.target == NEUTRAL and overlap > 0.8:
            continue
        nearest = _first_words(nearest, max(20, 105 - len(row.premise.split())))
        rng.shuffle(nearest)
        nearest.insert(rng.randint(0, len(nearest)), row.premise)
        yield Row(" ".join(nearest), row.hypothesis, row.target, f"embedded {row.origin}")


#: The largest share of the words of a hypothesis in a sentence that is put beside its premise.
_MAX_OVERLAP: Final = 0.4
#: The share of these pairs whose hypothesis is the premise itself: a verbatim copy is entailed.
_VERBATIM: Final = 0.12


def listed(rng: random.Random, rows: Sequence[Row], lexicon: Lexicon, count: int) -> Iterable[Row]:
    """Yield labelled pairs with their premise among short sentences on other subjects.

    The sentences of `embedded` are similar to the premise, and long. A model trained on these
    alone overlooks a verbatim sentence among a few that are about something else, as in a leaflet.
    """
    others = sorted({row.premise for row in rows})
    for row in rng.sample(rows, min(count, len(rows))):
        candidates = rng.sample(others, min(3 * rng.randint(1, 5), len(others)))
        unrelated = [
            sentence
            for sentence in candidates
            if _overlap(row.hypothesis, [sentence]) <= _MAX_OVERLAP
        ]
        passage = [_punctuated(sentence) for sentence in unrelated[: max(1, len(candidates) // 3)]]
        passage.insert(rng.randint(0, len(passage)), _punctuated(row.premise))
        text = " ".join(passage)
        if rng.random() < _VERBATIM:
            statement = row.premise if rng.random() < 0.5 else reworded(rng, row.premise, lexicon)
            yield Row(text, statement, ENTAILMENT, "listed: the same")
        else:
            yield Row(text, row.hypothesis, row.target, f"listed {row.origin}")


def _punctuated(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _overlap(hypothesis: str, sentences: Sequence[str]) -> float:
    terms = set(_TERM.findall(hypothesis.lower()))
    best = max(
        (len(terms & set(_TERM.findall(sentence.lower()))) for sentence in sentences), default=0
    )
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
    """Return a shorter or reworded sentence that the given sentence entails."""
    text = sentence
    if rng.random() < 0.8:
        text = _BRACKETED.sub("", text)
    if rng.random() < 0.6:
        text = _INSERTED.sub(" ", text, count=1)
    if rng.random() < 0.6:
        shorter = _TRAILING.sub(".", text)
        if len(shorter.split()) >= 5:
            text = shorter
    match = _LEADING.match(text)
    if match and len(text.split()) - len(match[0].split()) >= 5:
        rest = text[match.end() :]
        draw = rng.random()
        if draw < 0.3:
            text = rest[0].upper() + rest[1:]
        elif draw < 0.6 and rest.endswith("."):
            lead = match[0][:-2]
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
    """Return the text with one phrase or word replaced by a synonym, if there is one."""
    for phrase in rng.sample(list(_PHRASES), len(_PHRASES)):
        if phrase in text:
            return text.replace(phrase, rng.choice(_PHRASES[phrase]), 1)
    places = list(re.finditer(r"(?<= )[a-z]{4,}(?=[ ,.])", text))
    rng.shuffle(places)
    for match in places[:6]:
        options = (
            lexicon.synonyms(match[0])
            or lexicon.synonyms(match[0], "v")
            or lexicon.synonyms(match[0], "a")
        )
        if options:
            return text[: match.start()] + rng.choice(options) + text[match.end() :]
    return text


def synthesised(rng: random.Random, corpus: Corpus, lexicon: Lexicon, count: int) -> Iterable[Row]:
    """Yield passages with statements generated from their sentences, some changed in meaning."""
    remaining = count
    while remaining > 0:
        seed = rng.choice(corpus.sentences)
        nearest = corpus.near(seed, rng.randint(2, 8), {seed})
        sentences = [seed, *_first_words(nearest, 105 - min(80, len(seed.split())))]
        rng.shuffle(sentences)
        passage = " ".join(sentences)
        for row in _statements(rng, sentences, passage, lexicon):
            yield row
            remaining -= 1


def _statements(
    rng: random.Random, sentences: Sequence[str], passage: str, lexicon: Lexicon
) -> Iterable[Row]:
    sentence = rng.choice(sentences)
    statement = simpler(rng, sentence, lexicon)
    if rng.random() < 0.2 and len(sentences) > 1:
        other = simpler(
            rng,
            rng.choice(
                [other_sentence for other_sentence in sentences if other_sentence != sentence]
            ),
            lexicon,
        )
        if other[:3] in {"The", "In ", "It "}:
            other = other[0].lower() + other[1:]
        joined = f"{statement.rstrip('.')}{rng.choice([' and', ' while', ', and'])} {other}"
        if len(joined.split()) < 60:
            statement = joined
    if len(statement.split()) < 4:
        return
    yield Row(passage, statement, ENTAILMENT, "made: entailed")
    wrong = changed_in_meaning(rng, statement, passage)
    if wrong is not None:
        yield Row(passage, wrong[0], wrong[1], "made: changed")
    yield from _mirrored(rng, sentences, sentence, lexicon)
    draw = rng.random()
    if draw < 0.35:
        rest = [other_sentence for other_sentence in sentences if other_sentence != sentence]
        if rest and _overlap(statement, rest) < 0.7:
            yield Row(" ".join(rest), statement, NEUTRAL, "made: taken away")
    elif draw < 0.5 and len(sentences) > 1:
        spliced = _spliced(rng, sentences)
        if spliced is not None:
            yield Row(passage, spliced, NOT_ENTAILED, "made: spliced")


def _mirrored(
    rng: random.Random, sentences: Sequence[str], sentence: str, lexicon: Lexicon
) -> Iterable[Row]:
    """Yield a passage with a changed sentence, and statements of the changed and original one.

    Otherwise negated or odd sentences would only occur in statements, and reveal the label.
    """
    if rng.random() > MIRRORED:
        return
    passage = " ".join(sentences)
    wrong = changed_in_meaning(rng, sentence, passage)
    if wrong is None or wrong[1] == NEUTRAL or len(sentence.split()) > 45:
        return
    passage = " ".join(
        wrong[0] if own_sentence == sentence else own_sentence for own_sentence in sentences
    )
    yield Row(passage, reworded(rng, wrong[0], lexicon), ENTAILMENT, "mirrored: entailed")
    yield Row(passage, reworded(rng, sentence, lexicon), wrong[1], "mirrored: changed")


def _spliced(rng: random.Random, sentences: Sequence[str]) -> str | None:
    """Return the subject of one sentence joined to the predicate of another."""
    first_sentence, second_sentence = rng.sample(list(sentences), 2)
    verb = re.compile(
        r" (?:is|was|are|were|has|had|became|won|wrote|directed|played|served|began|moved) "
    )
    first, second = verb.search(first_sentence), verb.search(second_sentence)
    if (
        first is None
        or second is None
        or first_sentence[: first.start()] == second_sentence[: second.start()]
    ):
        return None
    if len(first_sentence[: first.start()].split()) > 8:
        return None
    return first_sentence[: first.start()] + second_sentence[second.start() :]
