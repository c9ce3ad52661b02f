"""The judgement of an answer with citations: each sentence against what it cites, as one batch."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from groundtypes.citations.judgement.nli_support import Judge, Support
from groundtypes.citations.statements.cited_answer import MAX_LOOKED_UP, AnswerSentence, CitedClaim
from groundtypes.concurrency.bounded_cache import BoundedCache
from groundtypes.entailment.evidence.selections import similar_references
from groundtypes.references import PerReferences, References
from groundtypes.text.coverage import content_terms

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
        tokens: The tokens that an LLM took for this sentence.
    """

    sentence: AnswerSentence
    support: Support | None
    elsewhere: Support | None = None
    superfluous: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()
    uncompared: tuple[str, ...] = ()
    tokens: int | None = None


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
    own = [(number, sentences[number].claim()) for number in cited]
    lookups = _lookups(sentences, uncited, references)
    comparisons = list(_comparisons(sentences, cited)) if find_superfluous else []
    asked = [*own, *lookups, *((number, claim) for number, _, claim in comparisons)]
    results = judge([claim for _, claim in asked])
    supports = dict(zip(cited, results, strict=False))
    found = results[len(own) : len(own) + len(lookups)]
    compared = results[len(own) + len(lookups) :]
    failing = [number for number in cited if not supports[number].holds]
    if second := _lookups(sentences, failing, references):
        more = judge([claim for _, claim in second])
        asked, lookups = [*asked, *second], [*lookups, *second]
        results, found = [*results, *more], [*found, *more]
    elsewhere = {
        number: support
        for (number, _), support in zip(lookups, found, strict=True)
        if support.holds
    }
    relevant: defaultdict[int, dict[str, bool]] = defaultdict(dict)
    for (number, id_, _), alone, others in zip(
        comparisons[::2], compared[::2], compared[1::2], strict=True
    ):
        if supports[number].holds:
            relevant[number][id_] = alone.holds or not others.holds
    tokens: dict[int, int] = {}
    for (number, _), support in zip(asked, results, strict=True):
        if support.tokens is not None:
            tokens[number] = tokens.get(number, 0) + support.tokens
    return [
        JudgedSentence(
            sentence,
            supports.get(number),
            elsewhere.get(number),
            tuple(id_ for id_, is_relevant in relevant[number].items() if not is_relevant),
            tuple(id_ for id_, is_relevant in relevant[number].items() if is_relevant),
            sentence.ids[_MAX_COMPARED:] if relevant[number] else (),
            tokens.get(number),
        )
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
) -> Iterator[tuple[int, str, CitedClaim]]:
    """Yield two questions for each of several references of a sentence: it alone, and the others.

    Gao et al. (2023), Enabling Large Language Models to Generate Text with Citations
    (arXiv:2305.14627): a citation is irrelevant if it does not support the statement alone, and the
    others still support it together.
    """
    for number in cited:
        ids = sentences[number].ids
        for id_ in ids[:_MAX_COMPARED] if len(ids) > 1 else ():
            others = [other for other in ids if other != id_]
            yield number, id_, sentences[number].claim([id_])
            yield number, id_, sentences[number].claim(others)
