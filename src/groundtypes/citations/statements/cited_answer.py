"""An answer as `Cited` reads it: its sentences, what each cites, and whether it must cite."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from groundtypes.citations.markers.labels import is_editorial
from groundtypes.citations.markers.marked_text import MarkedText, Marker
from groundtypes.citations.markers.marker_reader import read_markers
from groundtypes.citations.statements.sentences import CitedSentence, cited_sentences
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.references import PerReferences, References
from groundtypes.text.characters import is_spaceless
from groundtypes.text.claiming import claiming_words
from groundtypes.text.hypotheses import Hypothesis

#: The name of a style of markers, or a pattern of one's own.
Style = str | re.Pattern[str]

#: The characters of the answers that are remembered for each collection of references.
_MAX_REMEMBERED: Final = 1_000_000
#: For so many sentences that cite nothing, or nothing that supports them, other references are
#: asked.
MAX_LOOKED_UP: Final = 50
#: What may be between a sentence and the markers behind it, and how many characters of it.
_SEPARATORS: Final = " \t\r\n,;&\u00a0\u200b"
_GAP: Final = 5
#: A word in round brackets at the end of a sentence.
_LAST_WORD: Final = re.compile(r"\s\((?P<word>[^\W_][\w./:-]{1,58})\)[.!]?\s*\Z")
_LONGEST_WORD: Final = 80
#: What may be around a clause; one of fewer words says too little.
_CLAUSE_EDGES: Final = " \t\r\n*_,;.!?\u3001\u3002\uff0c\uff1b"
_FEWEST_WORDS: Final = 3
#: A Markdown link, of which a hypothesis has only the words.
_LINK: Final = re.compile(r"\[(?P<words>[^\[\]]{1,200})\]\([^()\s]{1,300}\)")


@dataclass(frozen=True, slots=True)
class CitedClaim:
    """A sentence and the references that should support it, by the figures of `words`, too."""

    hypothesis: Hypothesis
    ids: tuple[str, ...]
    words: str = ""


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence of an answer.

    Attributes:
        start: Where it starts, in code points of the answer.
        end: Where it ends, with the markers directly behind it.
        hypothesis: The sentence without its markers, worded so that it can be judged alone.
        markers: The markers that count for it.
        ids: The ids of the references that it cites.
        unknown: The labels of its markers that no reference has.
        claims: Whether it claims something that a reference could say.
        words: Its own words without markers.
        clauses: Its clauses, where each has markers of its own that name other references.
    """

    start: int
    end: int
    hypothesis: Hypothesis
    markers: tuple[Marker, ...]
    ids: tuple[str, ...]
    unknown: tuple[str, ...]
    claims: bool
    words: str
    clauses: tuple[CitedClaim, ...] = ()

    def claim(self, ids: Sequence[str] | None = None) -> CitedClaim:
        """Return the sentence with the references that it, or somebody else, names for it."""
        ids = self.ids if ids is None else tuple(ids)
        return CitedClaim(self.hypothesis, ids, self.words)


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """An answer with its markers and sentences."""

    marked: MarkedText
    sentences: tuple[AnswerSentence, ...]

    @property
    def claiming(self) -> list[AnswerSentence]:
        """The sentences that claim something."""
        return [sentence for sentence in self.sentences if sentence.claims]


def read_answer(
    text: str, references: References, style: Style, scope: Literal["sentence", "paragraph"]
) -> CitedAnswer:
    """Return an answer with its sentences and what each of them cites.

    The answers read last are remembered, because an answer is validated in several rounds.
    """
    known, key = _answers(references), (text, style, scope)
    answer = known.get(key)
    if answer is None:
        answer = _read(text, references, style, scope)
        known.put(key, answer)
    return answer


_answers: Final = PerReferences[BoundedCache[tuple[str, Style, str], CitedAnswer]](
    lambda _: BoundedCache(max_weight=_MAX_REMEMBERED, weigh=lambda key, _: 100 + len(key[0]))
)


def _read(
    text: str, references: References, style: Style, scope: Literal["sentence", "paragraph"]
) -> CitedAnswer:
    marked = read_markers(text, references, style)
    sentences = [_sentence(each, marked) for each in cited_sentences(marked, scope)]
    if "parentheses" in (style, marked.style):
        shapes = {_shape(id_) for id_ in references.ids} if style == "auto" else None
        sentences = [_with_last_word(each, marked, shapes) for each in sentences]
    listed = (_listed(*statement, marked) for statement in marked.statements)
    return CitedAnswer(marked, (*sentences, *listed))


def _sentence(cited: CitedSentence, marked: MarkedText) -> AnswerSentence:
    hypothesis, markers = cited.hypothesis, tuple(cited.markers)
    start, end = hypothesis.start, _end_with_markers(hypothesis.end, markers, marked.text)
    ids, unknown = _resolved(cited.labels, marked)
    has_own = any(marker.labels and marker.start < end and start < marker.end for marker in markers)
    raw = marked.text[hypothesis.start : hypothesis.end]
    links = [" ".join(link["words"].split()) for link in _LINK.finditer(raw)]
    words = claiming_words(hypothesis.text, cites=has_own, links=links)
    claims = hypothesis.is_claim and bool(words)
    own = marked.plain[
        marked.position_in_plain(hypothesis.start) : marked.position_in_plain(hypothesis.end)
    ]
    if claims and words != hypothesis.text:
        hypothesis, own = replace(hypothesis, text=words), words
    clauses = _clauses(cited, marked) if claims and len(ids) > 1 and not unknown else ()
    return AnswerSentence(start, end, hypothesis, markers, ids, unknown, claims, own, clauses)


def _clauses(cited: CitedSentence, marked: MarkedText) -> tuple[CitedClaim, ...]:
    """Return the parts of a sentence that end with markers of their own.

    There are none if a part is too short to say something, or nothing is cited at the end.
    """
    start = marked.position_in_plain(cited.hypothesis.start)
    end = marked.position_in_plain(cited.hypothesis.end)
    cites: dict[int, dict[str, None]] = {}
    for marker in cited.markers:
        if marker.labels and marker.content is not None:
            return ()
        place = marked.position_in_plain(marker.start)
        while place > start and marked.plain[place - 1] in _CLAUSE_EDGES:
            place -= 1
        cites.setdefault(place, {}).update(dict.fromkeys(marked.references_of(marker)))
    places = sorted(place for place, ids in cites.items() if ids)
    if len(places) < 2 or any(map(str.isalnum, marked.plain[places[-1] : end])):
        return ()
    clauses = []
    for low, high in pairwise([start, *places]):
        text = marked.plain[low:high].strip(_CLAUSE_EDGES)
        # A word of a script without spaces counts as some letters of it.
        words = len(text.split()) + sum(map(is_spaceless, text)) // 2
        if words < _FEWEST_WORDS:
            return ()
        clauses.append(CitedClaim(Hypothesis(text, low, high), tuple(cites[high]), text))
    return tuple(clauses)


def _with_last_word(
    sentence: AnswerSentence, marked: MarkedText, shapes: Collection[tuple[bool, ...]] | None
) -> AnswerSentence:
    """Return a sentence that cites nothing with the word in brackets at its end as unknown."""
    if not sentence.claims or sentence.markers:
        return sentence
    low = max(sentence.start, sentence.end - _LONGEST_WORD)
    found = _LAST_WORD.search(marked.text[low : sentence.end])
    if found is None or is_editorial(found["word"]):
        return sentence
    if shapes is not None and _shape(found["word"]) not in shapes:
        return sentence
    return replace(sentence, unknown=(found["word"],))


def _shape(id_: str) -> tuple[bool, ...]:
    """Return how an id is written: in one case, with digits, with signs between its words."""
    return id_.islower(), any(map(str.isdigit, id_)), any(sign in id_ for sign in "-_.:/")


def _listed(start: int, end: int, id_: str | None, marked: MarkedText) -> AnswerSentence:
    """Return what an item of the list of sources states, which cites the source of the item."""
    words = " ".join(marked.text[start:end].split())
    ids = () if id_ is None else (id_,)
    hypothesis = Hypothesis(words, start, end)
    return AnswerSentence(start, end, hypothesis, (), ids, (), True, words)


def _end_with_markers(end: int, markers: Sequence[Marker], text: str) -> int:
    """Return where a sentence ends with those of its markers that are directly behind it."""
    for marker in markers:
        if end <= marker.start <= end + _GAP and not text[end : marker.start].strip(_SEPARATORS):
            end = marker.end
    return end


def _resolved(labels: Sequence[str], marked: MarkedText) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids that labels mean, and the labels that mean none; each once."""
    found = {label: marked.ids.get(label) for label in labels}
    ids = dict.fromkeys(id_ for id_ in found.values() if id_ is not None)
    return tuple(ids), tuple(label for label, id_ in found.items() if id_ is None)
