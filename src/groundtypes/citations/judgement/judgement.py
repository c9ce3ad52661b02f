"""The judgement of an answer with citations: each sentence against what it cites, as one batch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundtypes.citations.judgement.support import Judge, Support
from groundtypes.citations.statements.answer import MAX_LOOKED_UP, AnswerSentence, CitedClaim
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.entailment.evidence.selections import similar_references
from groundtypes.references import PerReferences, References
from groundtypes.text.coverage import content_terms

__all__ = ["JudgedSentence", "judge_sentences"]

#: Of how many similar references one is asked whether it supports a sentence.
_OTHERS: Final = 2
#: The share of the words of a sentence that it needs to have.
_LEAST_SHARED: Final = 0.2
#: How many words of references are kept for each collection.
_MAX_TERMS: Final = 500_000
#: Of more references that one sentence cites, only the first ones are compared. The others are a
#: fault of their own.
_MAX_COMPARED: Final = 20


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence that claims something, with what the references say of it.

    Attributes:
        sentence: The sentence.
        support: What those that it cites say of it together; `None` if it cites none that exists.
        elsewhere: What other references say, if they support it and what it cites does not.
        superfluous: The ids of cited references that do not support it, where the others do.
        relevant: The ids of the other ones that were compared; none if what it cites does not
            support it.
        uncompared: The ids of those that are too many to be compared.
    """

    sentence: AnswerSentence
    support: Support | None
    elsewhere: Support | None = None
    superfluous: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()
    uncompared: tuple[str, ...] = ()

    @property
    def tokens(self) -> int | None:
        """The tokens that an LLM took for this sentence."""
        supports = [each for each in (self.support, self.elsewhere) if each is not None]
        counts = [each.tokens for each in supports if each.tokens is not None]
        return sum(counts) if counts else None


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Whether a cited reference alone supports a sentence, and whether the others do."""

    sentence: int
    id: str
    alone: CitedClaim
    others: CitedClaim


def judge_sentences(
    sentences: Sequence[AnswerSentence],
    references: References,
    judge: Judge,
    *,
    look_up_uncited: bool,
    find_superfluous: bool,
) -> list[JudgedSentence]:
    """Return each sentence with what the references that it cites say of it.

    All that can be asked at once is one batch. Sentences that are not supported are asked about
    once more, with the closest sentence of the reference that is most similar to them of those that
    they do not cite: a single short pair for the engine.

    Args:
        sentences: The sentences that claim something.
        references: All references.
        judge: The engine.
        look_up_uncited: Look for references that support sentences without citations.
        find_superfluous: Compare the references that a supported sentence cites.
    """
    cited = [number for number, sentence in enumerate(sentences) if sentence.ids]
    uncited = [
        number
        for number, sentence in enumerate(sentences)
        if look_up_uncited and not sentence.ids and not sentence.unknown
    ]
    lookups = _lookups(sentences, uncited, references)
    comparisons = list(_comparisons(sentences, cited)) if find_superfluous else []
    results = iter(
        judge(
            [
                *(sentences[number].claim() for number in cited),
                *(claim for _, claim in lookups),
                *(claim for each in comparisons for claim in (each.alone, each.others)),
            ]
        )
    )
    supports = {number: next(results) for number in cited}
    elsewhere = {number: next(results) for number, _ in lookups}
    compared: dict[int, dict[str, bool]] = {}
    for each in comparisons:
        alone, others = next(results), next(results)
        supports[each.sentence] = _with_tokens(supports[each.sentence], (alone, others))
        if supports[each.sentence].holds:
            is_relevant = alone.holds or not others.holds
            compared.setdefault(each.sentence, {})[each.id] = is_relevant
    failing = [number for number in cited if not supports[number].holds]
    if second := _lookups(sentences, failing, references):
        found = judge([claim for _, claim in second])
        elsewhere |= {number: support for (number, _), support in zip(second, found, strict=True)}
    return [
        _judged(sentence, supports.get(number), elsewhere.get(number), compared.get(number, {}))
        for number, sentence in enumerate(sentences)
    ]


def _lookups(
    sentences: Sequence[AnswerSentence], numbers: Iterable[int], references: References
) -> list[tuple[int, CitedClaim]]:
    """Return sentences with the reference that may support them beside what they cite."""
    found = []
    for number in list(numbers)[:MAX_LOOKED_UP]:
        sentence = sentences[number]
        text = sentence.hypothesis.text
        others = similar_references(references, text, _OTHERS, without=sentence.ids)
        if id_ := next((id_ for id_ in others if _shares_words(text, references, id_)), None):
            found.append((number, sentence.claim([id_], brief=True)))
    return found


def _shares_words(text: str, references: References, id_: str) -> bool:
    """Whether a reference has so many words of a sentence that it may support it.

    Among 216 answers, half of the sentences that fail share fewer words with every other reference,
    and all that cite the wrong source share more with the right one.
    """
    known = _terms(references)
    terms = known.get(id_)
    if terms is None:
        terms = frozenset(content_terms(references[id_].text))
        known.put(id_, terms)
    wanted = content_terms(text)
    return len(wanted & terms) >= _LEAST_SHARED * len(wanted)


_terms: Final = PerReferences[BoundedCache[str, frozenset[str]]](
    lambda _: BoundedCache(max_weight=_MAX_TERMS, weigh=lambda _, terms: 1 + len(terms))
)


def _comparisons(
    sentences: Sequence[AnswerSentence], cited: Iterable[int]
) -> Iterator[_Comparison]:
    """Yield each cited reference against the other ones of its sentence.

    Gao et al. (2023), Enabling Large Language Models to Generate Text with Citations
    (arXiv:2305.14627): a citation is irrelevant if it does not support the statement alone, and the
    others still support it together.
    """
    for number in cited:
        ids = sentences[number].ids
        if len(ids) > 1:
            for id_ in ids[:_MAX_COMPARED]:
                others = [other for other in ids if other != id_]
                alone, rest = sentences[number].claim([id_]), sentences[number].claim(others)
                yield _Comparison(number, id_, alone, rest)


def _judged(
    sentence: AnswerSentence,
    support: Support | None,
    elsewhere: Support | None,
    compared: Mapping[str, bool],
) -> JudgedSentence:
    superfluous = tuple(id_ for id_, is_relevant in compared.items() if not is_relevant)
    relevant = tuple(id_ for id_, is_relevant in compared.items() if is_relevant)
    if elsewhere is not None and not elsewhere.holds:
        if support is not None:
            support = _with_tokens(support, (elsewhere,))
        elsewhere = None
    uncompared = sentence.ids[_MAX_COMPARED:] if compared else ()
    return JudgedSentence(sentence, support, elsewhere, superfluous, relevant, uncompared)


def _with_tokens(support: Support, others: Iterable[Support]) -> Support:
    """Return a result with the tokens of others that belong to the same sentence."""
    counts = [each.tokens for each in (support, *others) if each.tokens is not None]
    return replace(support, tokens=sum(counts)) if counts else support
