"""The judgement of an answer with citations: each sentence against what it cites, as one batch."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, TypeAlias

from groundtypes.citations.judgement.nli_support import Judge, Support
from groundtypes.citations.statements.cited_answer import MAX_LOOKED_UP, AnswerSentence, CitedClaim
from groundtypes.entailment.evidence.selections import similar_references
from groundtypes.references import References

#: Of more references that one sentence cites, only the first ones are compared. The others are a
#: fault of their own.
_MAX_COMPARED: Final = 20


@dataclass(slots=True)
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
        clause: The clause that fails, if only that does.
    """

    sentence: AnswerSentence
    support: Support | None = None
    elsewhere: Support | None = None
    superfluous: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()
    uncompared: tuple[str, ...] = ()
    tokens: int | None = None
    clause: CitedClaim | None = None


#: A sentence, and a question about it or its clause.
_Asked: TypeAlias = tuple[JudgedSentence, CitedClaim]
#: The same about one of its references, or about all others.
_Compared: TypeAlias = tuple[JudgedSentence, str, CitedClaim]


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
    once more, with the reference that is most similar to them of those that they do not cite. A
    sentence of several clauses, each with markers of its own, is supported if each clause is; or as
    a whole, unless what only another clause cites says one of them.
    """
    judged = [JudgedSentence(sentence) for sentence in sentences]

    cited = [each for each in judged if each.sentence.ids]
    uncited = [
        each
        for each in judged
        if look_up_uncited and not each.sentence.ids and not each.sentence.unknown
    ]
    own = [(each, each.sentence.claim()) for each in cited]
    clauses = [(each, clause) for each in cited for clause in each.sentence.clauses]
    lookups = _lookups(uncited, references)
    comparisons = list(_comparisons(cited)) if find_superfluous else []
    supports, of_clauses, found, compared = _ask(
        judge, own, clauses, lookups, [(each, claim) for each, _, claim in comparisons]
    )
    for each, support in zip(cited, supports, strict=True):
        each.support = support
    failing_clauses = _take_clauses(clauses, of_clauses)
    failing = [each for each in cited if each.support and not each.support.holds]
    second = _lookups(failing, references)
    others = [
        (
            each,
            replace(clause, ids=tuple(id_ for id_ in each.sentence.ids if id_ not in clause.ids)),
        )
        for each, clause, _ in failing_clauses
    ]
    if second or others:
        more, of_others = _ask(judge, second, others)
        lookups, found = [*lookups, *second], [*found, *more]
        for (each, clause, support), other in zip(failing_clauses, of_others, strict=True):
            if other.holds and each.clause is None:
                each.support, each.elsewhere, each.clause = support, other, clause
    for (each, _), support in zip(lookups, found, strict=True):
        if support.holds and each.elsewhere is None:
            each.elsewhere = support
    _take_comparisons(comparisons, compared)
    return judged


def _ask(judge: Judge, *groups: Sequence[_Asked]) -> Iterator[list[Support]]:
    """Yield the results of each group of questions; all of them are one batch."""
    results = iter(judge([claim for group in groups for _, claim in group]))
    for group in groups:
        found = list(islice(results, len(group)))
        for (each, _), support in zip(group, found, strict=True):
            if support.tokens is not None:
                each.tokens = (each.tokens or 0) + support.tokens
        yield found


def _take_comparisons(comparisons: Sequence[_Compared], supports: Sequence[Support]) -> None:
    """Note which references of supported sentences are relevant, and which superfluous."""
    for (each, id_, _), alone, others in zip(
        comparisons[::2], supports[::2], supports[1::2], strict=True
    ):
        if each.support and each.support.holds:
            if alone.holds or not others.holds:
                each.relevant += (id_,)
            else:
                each.superfluous += (id_,)
            each.uncompared = each.sentence.ids[_MAX_COMPARED:]


def _take_clauses(
    clauses: Sequence[_Asked], supports: Sequence[Support]
) -> list[tuple[JudgedSentence, CitedClaim, Support]]:
    """Take a sentence as supported if its clauses are; return the clauses of others that fail."""
    by_sentence: dict[int, list[tuple[JudgedSentence, CitedClaim, Support]]] = defaultdict(list)
    for (each, clause), support in zip(clauses, supports, strict=True):
        by_sentence[id(each)].append((each, clause, support))
    failing = []
    for found in by_sentence.values():
        each, _, first = found[0]
        if all(support.holds for _, _, support in found):
            places = (place for _, _, support in found for place in support.places)
            scores = [support.score for _, _, support in found if support.score is not None]
            score = min(scores, default=None)
            each.support = replace(first, score=score, spans=tuple(dict.fromkeys(places)))
        else:
            failing += [one for one in found if not one[2].holds]
    return failing


def _lookups(judged: Sequence[JudgedSentence], references: References) -> list[_Asked]:
    """Return sentences with the reference that may support them beside what they cite."""
    return [
        (each, each.sentence.claim([id_]))
        for each in judged[:MAX_LOOKED_UP]
        for id_ in similar_references(
            references, each.sentence.hypothesis.text, 1, without=each.sentence.ids
        )
    ]


def _comparisons(cited: Iterable[JudgedSentence]) -> Iterator[_Compared]:
    """Yield two questions for each of several references of a sentence: it alone, and the others.

    Gao et al. (2023), Enabling Large Language Models to Generate Text with Citations
    (arXiv:2305.14627): a citation is irrelevant if it does not support the statement alone, and the
    others still support it together.
    """
    for each in cited:
        ids = each.sentence.ids
        for id_ in ids[:_MAX_COMPARED] if len(ids) > 1 else ():
            others = [other for other in ids if other != id_]
            yield each, id_, each.sentence.claim([id_])
            yield each, id_, each.sentence.claim(others)
