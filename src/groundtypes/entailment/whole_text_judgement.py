"""Whether references entail sentences, decided by an engine that reads whole texts.

Each sentence is one question: the premise is all references where they fit, with the sentences
before it. Where the engine has weights for it, the text as a whole is one more question. No rule
decides beside the engine. For the sentences that fail, a second question finds
the sentence of the references that says most of them, which the message shows.
"""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

from groundtypes.entailment.bilingual import check_evidence_languages
from groundtypes.entailment.entailments import Entailment
from groundtypes.entailment.evidence.premises import Premise
from groundtypes.entailment.evidence.whole_texts import premises_for_reader
from groundtypes.entailment.questions import EntailmentQuestion
from groundtypes.errors import BackendError
from groundtypes.ledger import Ask
from groundtypes.references import References
from groundtypes.scoring import THRESHOLD, Label, NLIScorer, NLIScores, Pair
from groundtypes.text.coverage import content_terms

#: What has weights of its own, a slope and a bias of log odds: a text of one sentence; a longer
#: text as a whole; and a sentence of a longer text which as a whole is entailed, or is not.
_ALONE: Final = "statement"
_WHOLE: Final = "text"
_OF_ENTAILED: Final = "sentence of an entailed text"
_OF_OTHER: Final = "sentence of another text"
#: At most so many sentences of a text are asked about as a whole.
_SENTENCES_OF_WHOLE: Final = 8
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
    asked = [question for question in questions if _has_text(question.references)]
    weights = getattr(nli, "evidence_weights", None)
    pairs = reading_pairs(asked, nli)
    wholes = [
        None if weights is None else _whole_pair(question, pair)
        for question, pair in zip(asked, pairs, strict=True)
    ]
    distinct = list(dict.fromkeys([*pairs, *(whole for whole in wholes if whole is not None)]))
    check = partial(check_evidence_languages, questions)
    scores = dict(zip(distinct, ask(nli, distinct, check), strict=True))
    known = {
        id(question): _weighted(scores[pair], None if whole is None else scores[whole], weights)
        for question, pair, whole in zip(asked, pairs, wholes, strict=True)
    }
    nothing = NLIScores(entailment=0.0, neutral=1.0, contradiction=0.0)
    decided = [known.get(id(question), nothing) for question in questions]
    labels = [_label(final, threshold) for final in decided]
    shown = _closest(
        [
            question
            for question, label in zip(questions, labels, strict=True)
            if finds_evidence and label is not Label.ENTAILMENT
        ],
        nli,
        ask,
    )
    return [
        _entailment(question, label, final, shown.get(id(question)))
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


def _has_text(references: References) -> bool:
    return any(text.strip() for text in references.texts)


def _whole_pair(question: EntailmentQuestion, pair: Pair) -> Pair | None:
    """Return the question whether the text of a sentence is entailed as a whole.

    Of a longer text it is the part with the sentence; `None` for a sentence that stands alone.
    """
    sentences, text = question.together, question.hypothesis.text
    at = sentences.index(text) if text in sentences else 0
    start = at - at % _SENTENCES_OF_WHOLE
    part = sentences[start : start + _SENTENCES_OF_WHOLE]
    return Pair(pair.premise, " ".join(part)) if len(part) > 1 else None


def _weighted(
    scores: NLIScores, whole: NLIScores | None, weights: Mapping[str, Any] | None
) -> NLIScores:
    """Return the probabilities of a sentence, by the weights that were fitted to the engine.

    A sentence of a text that is entailed as a whole needs less evidence than one of a text that is
    not, in which some sentence must be at fault.
    """
    if weights is None:
        return scores
    form = _ALONE
    if whole is not None:
        is_entailed = _probability(whole.entailment, weights, _WHOLE) >= THRESHOLD
        form = _OF_ENTAILED if is_entailed else _OF_OTHER
    entailment = _probability(scores.entailment, weights, form)
    rest = scores.neutral + scores.contradiction
    contradiction = (1.0 - entailment) * (scores.contradiction / rest if rest else 0.5)
    return NLIScores(entailment, max(0.0, 1.0 - entailment - contradiction), contradiction)


def _probability(entailment: float, weights: Mapping[str, Any], form: str) -> float:
    """Return the probability of entailment that the weights of a form make of a score."""
    try:
        slope, bias = map(float, weights[form])
    except (KeyError, TypeError, ValueError) as error:
        raise BackendError(
            "The evidence weights of this engine are not those of an engine that reads."
        ) from error
    odds = slope * _logit(entailment) + bias
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, odds))))


def _logit(probability: float) -> float:
    probability = min(max(probability, _MIN_PROBABILITY), 1.0 - _MIN_PROBABILITY)
    return math.log(probability / (1.0 - probability))


def _label(scores: NLIScores, threshold: float) -> Label:
    if scores.entailment >= threshold:
        return Label.ENTAILMENT
    if scores.contradiction > scores.neutral:
        return Label.CONTRADICTION
    return Label.NEUTRAL


def _closest(
    questions: Sequence[EntailmentQuestion], nli: NLIScorer, ask: Ask
) -> dict[int, Premise]:
    """Return for each question, under its `id`, the sentence that says most of its statement.

    That is the one which the engine finds most likely to entail or contradict it, of those that
    share most words with it. Only the sentence is asked about, and not the text around it.
    """
    pairs = [
        Pair(premise.text, question.statement, question.before)
        for question in questions
        for premise in _candidates(question)
    ]
    # The languages of the references were checked with the first question.
    scores = iter(ask(nli, pairs, lambda _engine, _pairs: None) if pairs else ())
    closest = {}
    for question in questions:
        candidates = _candidates(question)
        known = list(islice(scores, len(candidates))) if candidates else []
        if known:
            best = max(range(len(known)), key=lambda at: 1.0 - known[at].neutral)
            closest[id(question)] = candidates[best]
    return closest


def _candidates(question: EntailmentQuestion) -> Sequence[Premise]:
    """Return the sentences that are asked about; none where there is no choice."""
    sentences = question.evidence.sentences
    return sentences if len(sentences) > 1 else ()


def _entailment(
    question: EntailmentQuestion, label: Label, scores: NLIScores, closest: Premise | None
) -> Entailment:
    text = question.hypothesis.text
    evidence = question.evidence
    premise = closest or next(iter(evidence.premises), None)
    if premise is None:
        return Entailment(text, label, scores)
    wanted = content_terms(question.statement)
    span = max(premise.passages, key=lambda part: len(wanted & content_terms(part.text))).span
    return Entailment(text, label, scores, premise.quoted or premise.text, span)
