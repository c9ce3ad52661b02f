"""An answer as `Cited` reads it: its sentences, what each cites, and whether it must cite."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from groundtypes.citation_markers.marked_text import MarkedText
from groundtypes.citation_markers.marker import Marker
from groundtypes.citation_markers.reader import read_markers
from groundtypes.citation_markers.sentences import CitedSentence, cited_sentences
from groundtypes.figures.figure import Figure
from groundtypes.figures.reader import find_figures
from groundtypes.references import References
from groundtypes.text.hypotheses import Hypothesis
from groundtypes.text.punkt import sentence_ends
from groundtypes.validators.citation_support import CitedClaim

__all__ = ["AnswerSentence", "CitedAnswer", "Style", "read_answer"]

#: The name of a style of markers, or a pattern of one's own.
Style = str | re.Pattern[str]

#: The signs after which a sentence ends, and what may stand behind them.
_TRAILING: Final = " \t\r\n*_`\"'\u201d\u2019\u00bb)]"
_QUESTION_MARKS: Final = ("?", "\uff1f", "\u061f", "\u037e")
#: A statement that only asks for consent: "It is tall, isn't it?"
_TAG_QUESTION: Final = re.compile(
    r",\s?(?:right|correct|no|yes|ok|okay|eh|or not|\w{1,10}n['\u2019]t "
    r"(?:it|they|he|she|there|we|you|i)|nicht wahr|oder|n['\u2019]est-ce pas|verdad)\s?[?\uff1f]\Z",
    re.IGNORECASE,
)
_COLONS: Final = (":", "\uff1a")
#: What a reader is offered, or told before and after the answer.
_OFFER: Final = re.compile(
    r"(?:please |just |but |and |also, )*(?:(?:do )?let me know|feel free|i hope|"
    r"hope (?:this|that)|i(?:['\u2019]d| would|['\u2019]m| am|['\u2019]ll| will) be (?:happy|glad)|"
    r"i(?:['\u2019]m| am) (?:happy|glad|sorry)|happy to help|glad to help|"
    r"(?:do not|don['\u2019]t) hesitate|would you like|thank(?:s| you)|sure|certainly|of course|"
    r"great question|you(?:['\u2019]re| are) welcome)\b",
    re.IGNORECASE,
)
_CONDITIONAL_OFFER: Final = re.compile(
    r"(?:if|should) you\b.{0,120}\b(?:let me know|feel free|just ask|tell me|please ask|"
    r"i(?:['\u2019]d| can| could| would|['\u2019]ll| will)|"
    r"(?:do not|don['\u2019]t) hesitate)\b",
    re.IGNORECASE,
)
#: What says that the references do not tell something: there is nothing that it could cite.
_SOURCES: Final = (
    r"(?:sources?|documents?|references?|passages?|contexts?|texts?|excerpts?|materials?)"
)
_SILENCE: Final = re.compile(
    rf"\b(?:{_SOURCES}|information)\b.{{0,60}}\b(?:do|does|did|is|are|was|were)"
    r"(?: not|n['\u2019]t) (?:\w+ )?(?:say|mention|state|specify|contain|provide|include|give|tell|"
    r"cover|address|discuss|describe|indicate|provided|given|included|mentioned|stated|specified|"
    r"available)\b"
    rf"|\b(?:no|none of the) {_SOURCES}\b.{{0,60}}\b(?:says?|mentions?|states?|specif(?:y|ies)|"
    r"contains?|provides?|gives?|tells?|covers?)\b"
    r"|\b(?:(?:could|can|did)(?: not|n['\u2019]t)|cannot) (?:find|see|locate)\b"
    rf".{{0,100}}\bin the (?:(?:given|provided|available) )?{_SOURCES}\b",
    re.IGNORECASE,
)
#: What only points to a reference, when its marker is left out: "For details, see [2]."
_POINTER: Final = re.compile(
    r"(?:for (?:more|further|full|all)? ?(?:details?|information),? )?(?:please )?(?:also )?"
    r"(?:see|refer to|consult|read)(?: also)?(?: (?:for )?(?:more |further |full )?"
    r"(?:details?|information))?\W*",
    re.IGNORECASE,
)
#: What leads to the sentences after it, or only says that it depends.
_LEADING: Final = re.compile(
    r"(?:(?:and|so|but),? )?"
    r"(?:here(?: is| are|['\u2019]s| comes?)|(?:it|that|this)(?: all)? depends)\b",
    re.IGNORECASE,
)
#: What asks the reader to turn to somebody, or to look at something.
_REQUEST: Final = re.compile(
    r"\b(?:contact|call|ring|phone|ask|talk|speak|look|check|consult|read|see|note|tell|write|let|"
    r"get in touch)\b",
    re.IGNORECASE,
)
_PLEASE: Final = re.compile(r"\bplease\b", re.IGNORECASE)
#: A greeting or a wish is an exclamation of at most this many words.
_EXCLAMATION_WORDS: Final = 4
_DIGIT: Final = re.compile(r"\d")
#: What may be between a sentence and the markers behind it, and how many characters of it.
_SEPARATORS: Final = " \t\r\n,;&\u00a0\u200b"
_GAP: Final = 5
#: The kinds of figures that may count what the answer lists, and the largest such count.
_COUNTS: Final = frozenset({"count", "number", "times"})
_MAX_OWN_COUNT: Final = 10
#: The words of an offer, and of a sentence about the references, are looked for at its beginning.
_LOOKED_AT: Final = 300


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
        figures: The figures that it contains, without small counts in words.
    """

    start: int
    end: int
    hypothesis: Hypothesis
    markers: tuple[Marker, ...]
    ids: tuple[str, ...]
    unknown: tuple[str, ...]
    claims: bool
    figures: tuple[Figure, ...] = ()

    def claim(self, ids: Sequence[str] | None = None) -> CitedClaim:
        """Return the sentence with the references that it, or somebody else, names for it."""
        return CitedClaim(self.hypothesis, self.ids if ids is None else tuple(ids), self.figures)


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """An answer with its markers and sentences; `unread` are unknown labels of no sentence."""

    marked: MarkedText
    sentences: tuple[AnswerSentence, ...]
    unread: tuple[str, ...]

    @property
    def claiming(self) -> list[AnswerSentence]:
        """The sentences that claim something."""
        return [sentence for sentence in self.sentences if sentence.claims]


def read_answer(
    text: str, references: References, style: Style, scope: Literal["sentence", "paragraph"]
) -> CitedAnswer:
    """Return an answer with its sentences and what each of them cites."""
    marked = read_markers(text, references, style)
    sentences = [_sentence(each, marked) for each in cited_sentences(marked, scope)]
    known = {label for sentence in sentences for label in _labels(sentence.markers)}
    unread = dict.fromkeys(
        label
        for label in _labels(marked.markers)
        if label not in known and marked.ids.get(label) is None
    )
    return CitedAnswer(marked, tuple(_with_figures(sentences, marked)), tuple(unread))


def _labels(markers: Sequence[Marker]) -> Iterator[str]:
    for marker in markers:
        yield from marker.labels


def _sentence(cited: CitedSentence, marked: MarkedText) -> AnswerSentence:
    hypothesis, markers = cited.hypothesis, tuple(cited.markers)
    start, end = hypothesis.start, _end_with_markers(hypothesis.end, markers, marked.text)
    ids, unknown = _resolved(cited.labels, marked)
    has_own = any(marker.start < end and start < marker.end for marker in markers)
    words = _claiming_words(hypothesis.text, cites=has_own)
    claims = hypothesis.is_claim and bool(words)
    if claims and words != hypothesis.text:
        hypothesis = replace(hypothesis, text=words)
    return AnswerSentence(start, end, hypothesis, markers, ids, unknown, claims)


def _end_with_markers(end: int, markers: Sequence[Marker], text: str) -> int:
    """Return where a sentence ends with those of its markers that are directly behind it."""
    for marker in markers:
        if end <= marker.start <= end + _GAP and not text[end : marker.start].strip(_SEPARATORS):
            end = marker.end
    return end


def _resolved(labels: Sequence[str], marked: MarkedText) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids that labels mean, and the labels that mean none; each once."""
    ids: dict[str, None] = {}
    unknown: dict[str, None] = {}
    for label in labels:
        id_ = marked.ids.get(label)
        if id_ is None:
            unknown[label] = None
        else:
            ids[id_] = None
    return tuple(ids), tuple(unknown)


def _claiming_words(text: str, *, cites: bool) -> str:
    """Return the words of a sentence that claim something: all, or none, or some.

    Short sentences are joined with those beside them, so that a claim may have a question or a wish
    behind it. A sentence with a marker of its own claims something, unless it asks or only points.
    """
    starts = [0, *sentence_ends(text, 0, len(text)), len(text)]
    pieces = [text[start:end].strip() for start, end in pairwise(starts)]
    kept = [piece for piece in pieces if not _claims_nothing(piece, cites and len(pieces) == 1)]
    return text if len(kept) == len(pieces) else " ".join(kept)


def _claims_nothing(text: str, is_cited: bool) -> bool:  # noqa: FBT001 # one place calls it
    """Whether a sentence only asks, offers, leads to the next one or points to a reference."""
    ending = text.strip()[-_LOOKED_AT:].rstrip(_TRAILING)
    if ending.endswith(_QUESTION_MARKS) and not _TAG_QUESTION.search(ending[-40:]):
        return True
    if len(text) <= _LOOKED_AT and _POINTER.fullmatch(text.strip()):
        return True
    head = text.lstrip(" \t\r\n*_>-")[:_LOOKED_AT]
    return not is_cited and (
        ending.endswith(_COLONS)
        or any(pattern.match(head) for pattern in (_OFFER, _CONDITIONAL_OFFER, _LEADING))
        or _SILENCE.search(head) is not None
        or _is_wish_or_request(text, head, ending)
    )


def _is_wish_or_request(text: str, head: str, ending: str) -> bool:
    """Whether a sentence without any figure wishes something or asks the reader to turn elsewhere.

    "Good luck!" and "Please talk to your bank first." do.
    """
    if len(text) > _LOOKED_AT or _DIGIT.search(text):
        return False
    if ending.endswith("!") and len(text.split()) <= _EXCLAMATION_WORDS:
        return True
    return _PLEASE.search(head) is not None and _REQUEST.search(head) is not None


def _with_figures(
    sentences: Sequence[AnswerSentence], marked: MarkedText
) -> Iterator[AnswerSentence]:
    """Yield the sentences with their figures, which are read in the text without markers."""
    starts = [sentence.start for sentence in sentences]
    figures: dict[int, list[Figure]] = {}
    for figure in find_figures(marked.plain):
        if not (figure.incidental or _is_own_count(figure)):
            place = bisect_right(starts, marked.position_in_text(figure.start)) - 1
            figures.setdefault(place, []).append(figure)
    for number, sentence in enumerate(sentences):
        own = {figure.text: figure for figure in figures.get(number, ())}
        yield replace(sentence, figures=tuple(own.values()))


def _is_own_count(figure: Figure) -> bool:
    """Whether a figure is a small count in words, such as "two upsides" and "twice".

    Writers count what they have listed themselves, so no reference need have the count. The engine
    judges it with the sentence.
    """
    return (
        not any(character.isdigit() for character in figure.text)
        and figure.kind in _COUNTS
        and all(isinstance(value, int) and value <= _MAX_OWN_COUNT for value in figure.values)
    )
