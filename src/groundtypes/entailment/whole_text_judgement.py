"""Whether references entail sentences, decided by an engine that reads whole texts.

Each sentence is one question: the premise is all references where they fit, with the sentences
before it. Where the engine has weights for it, a text is as good as its least entailed sentence. No
rule decides beside the engine. For the sentences that fail, a second question finds the sentence of
the references that says most of them, which the message shows.
"""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from groundtypes.entailment.abstentions import scores_of_abstention
from groundtypes.entailment.bilingual import check_evidence_languages
from groundtypes.entailment.entailments import Entailment, label_of
from groundtypes.entailment.evidence.premises import Premise
from groundtypes.entailment.evidence.whole_texts import premises_for_reader
from groundtypes.entailment.questions import EntailmentQuestion
from groundtypes.errors import BackendError
from groundtypes.ledger import Ask
from groundtypes.references import References
from groundtypes.scoring import Label, NLIScorer, NLIScores, Pair

#: What has weights of its own, a slope and a bias of log odds: a text of one sentence; a longer
#: text, of which the odds are those of its least entailed sentence; and a sentence of a longer text
#: which is not entailed.
_ALONE: Final = "statement"
_TEXT: Final = "text"
_SENTENCE: Final = "sentence"
_MIN_PROBABILITY: Final = 1e-6


def reading_pairs(questions: Sequence[EntailmentQuestion], nli: NLIScorer) -> list[Pair]:
    """Return what an engine that reads whole texts is asked, one pair for each question."""
    pairs: dict[int, Pair] = {}
    for (references, _), numbers in _by_text(questions).items():
        own = [questions[number] for number in numbers]
        statements = [(question.statement, question.before) for question in own]
        premises = premises_for_reader(references, statements, nli)
        for number, premise, (text, before) in zip(numbers, premises, statements, strict=True):
            pairs[number] = Pair(premise, text, before)
    return [pairs[number] for number in range(len(questions))]


def decide_by_reading(
    questions: Sequence[EntailmentQuestion],
    nli: NLIScorer,
    ask: Ask,
    threshold: float,
    *,
    finds_evidence: bool = True,
) -> list[Entailment]:
    """Return for each question whether the references entail or contradict the sentence.

    Without `finds_evidence` there is no second question, and the passage of a sentence that fails
    is the one that shares most words with it.

    Raises:
        BackendError: The weights of the engine are not those of an engine that reads.
    """
    asked = [each for each in questions if any(map(str.strip, each.references.texts))]
    weights = getattr(nli, "evidence_weights", None)
    pairs = reading_pairs(asked, nli)
    distinct = list(dict.fromkeys(pairs))
    check = partial(check_evidence_languages, questions)
    scores = dict(zip(distinct, ask(nli, distinct, check), strict=True))
    own = [scores[pair] for pair in pairs]
    if weights is not None:
        own = _weighted(asked, own, weights)
    known = {
        id(question): scores_of_abstention(scores[pair].entailment, reads=True)
        if question.denied
        else final
        for question, pair, final in zip(asked, pairs, own, strict=True)
    }
    nothing = NLIScores(entailment=0.0, neutral=1.0, contradiction=0.0)
    silent = scores_of_abstention(0.0, reads=True)
    decided = [
        known.get(id(question), silent if question.denied else nothing) for question in questions
    ]
    labels = [label_of(final, threshold) for final in decided]
    failed = [
        question
        for question, label in zip(questions, labels, strict=True)
        if finds_evidence and label is not Label.ENTAILMENT
    ]
    shown = _closest(failed, nli, ask)
    words = _unsupported(
        failed, {id(each): pair for each, pair in zip(asked, pairs, strict=True)}, nli, ask
    )
    return [
        _entailment(question, label, final, shown.get(id(question)), words.get(id(question), ()))
        for question, label, final in zip(questions, labels, decided, strict=True)
    ]


def _by_text(
    questions: Sequence[EntailmentQuestion],
) -> dict[tuple[References, tuple[str, ...]], list[int]]:
    """Return the numbers of the questions on the same text and references."""
    groups: dict[tuple[References, tuple[str, ...]], list[int]] = {}
    for number, question in enumerate(questions):
        groups.setdefault((question.references, question.together), []).append(number)
    return groups


def _weighted(
    questions: Sequence[EntailmentQuestion],
    scores: Sequence[NLIScores],
    weights: Mapping[str, Any],
) -> list[NLIScores]:
    """Return the probabilities of sentences, by the weights that were fitted to the engine.

    If a text is entailed, so is each of its sentences. If it is not, its least entailed sentence is
    at fault, and each other one that is not clearly entailed by itself. What a sentence denies is
    asked in its place, so it tells nothing of its text.
    """
    logits = [_logit(own.entailment) for own in scores]
    odds = [_odds(logit, weights, _ALONE) for logit in logits]
    for (_, together), of_text in _by_text(questions).items():
        numbers = [number for number in of_text if not questions[number].denied]
        if len(together) < 2 or not numbers:
            continue
        lowest = min(numbers, key=logits.__getitem__)
        odds_of_text = _odds(logits[lowest], weights, _TEXT)
        for number in numbers:
            own = _odds(logits[number], weights, _SENTENCE)
            odds[number] = odds_of_text if number == lowest else max(odds_of_text, own)
    return [_with_odds(own, own_odds) for own, own_odds in zip(scores, odds, strict=True)]


def _odds(logit: float, weights: Mapping[str, Any], form: str) -> float:
    """Return the log odds that the weights of a form make of others."""
    try:
        slope, bias = map(float, weights[form])
    except (KeyError, TypeError, ValueError) as error:
        raise BackendError(
            "The evidence weights of this engine are not those of an engine that reads."
        ) from error
    return slope * logit + bias


def _with_odds(scores: NLIScores, odds: float) -> NLIScores:
    """Return scores with these log odds of entailment; the rest keeps its proportions."""
    entailment = 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))
    rest = scores.neutral + scores.contradiction
    contradiction = (1.0 - entailment) * (scores.contradiction / rest if rest else 0.5)
    return NLIScores(entailment, max(0.0, 1.0 - entailment - contradiction), contradiction)


def _logit(probability: float) -> float:
    probability = min(max(probability, _MIN_PROBABILITY), 1.0 - _MIN_PROBABILITY)
    return math.log(probability / (1.0 - probability))


def _closest(
    questions: Sequence[EntailmentQuestion], nli: NLIScorer, ask: Ask
) -> dict[int, Premise]:
    """Return for each question, under its `id`, the sentence that says most of its statement.

    That is the one which the engine finds most likely to entail or contradict it, of those that
    share most words with it. Only the sentence is asked about, and not the text around it.
    """
    candidates = [
        (question, question.evidence.sentences)
        for question in questions
        if len(question.evidence.sentences) > 1
    ]
    pairs = [
        Pair(premise.text, question.statement, question.before)
        for question, premises in candidates
        for premise in premises
    ]
    # The languages of the references were checked with the first question.
    scores = iter(ask(nli, pairs, lambda _engine, _pairs: None) if pairs else ())
    return {
        id(question): min(zip(premises, scores, strict=False), key=lambda each: each[1].neutral)[0]
        for question, premises in candidates
    }


def _unsupported(
    questions: Sequence[EntailmentQuestion], pairs: Mapping[int, Pair], nli: NLIScorer, ask: Ask
) -> dict[int, tuple[str, ...]]:
    """Return for each question, under its `id`, the words that an engine which marks them marks."""
    marks = getattr(nli, "marks", None)
    marked = [each for each in questions if id(each) in pairs and not each.denied]
    if marks is None or not marked:
        return {}
    asked = [pairs[id(each)] for each in marked]
    found = ask(marks, asked, lambda _engine, _pairs: None)
    return {
        id(question): tuple(
            pair.hypothesis[start:end] for start, end in getattr(scores, "unsupported", ())
        )
        for question, pair, scores in zip(marked, asked, found, strict=True)
    }


def _entailment(
    question: EntailmentQuestion,
    label: Label,
    scores: NLIScores,
    closest: Premise | None,
    unsupported: tuple[str, ...],
) -> Entailment:
    text = question.hypothesis.text
    evidence = question.evidence
    premise = closest or next(iter(evidence.premises), None)
    if premise is None:
        return Entailment(text, label, scores, unsupported=unsupported)
    span, quoted = premise.most_similar(question.statement), premise.quoted or premise.text
    return Entailment(text, label, scores, quoted, span, unsupported=unsupported)
