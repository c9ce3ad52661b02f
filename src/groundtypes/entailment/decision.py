"""Whether references entail a text, decided sentence by sentence.

`decide_entailment` asks the engine for the scores of all pairs in one batch. The model of the
engine's evidence weights, or else the merge rule, makes one label of the scores of each sentence.
It asks through a ledger: a check passes `Ledger.ask`, which may have to wait for the next round;
`entail` passes `Ledger.ask_now`, which calls the engine immediately.
"""

import contextlib
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from groundtypes.backends.languages import check_user_questions
from groundtypes.backends.operating_point import Calibration
from groundtypes.concurrency.blocking import imported_in_thread
from groundtypes.concurrency.threads import run_in_thread
from groundtypes.entailment.abstentions import scores_of_abstention
from groundtypes.entailment.bilingual import check_evidence_languages, in_read_languages
from groundtypes.entailment.differences import (
    Differences,
    MainDifference,
    denied,
    differences_of,
)
from groundtypes.entailment.entailments import (
    Entailment,
    label_of,
    merge_scores,
    scores_of_composed,
)
from groundtypes.entailment.evidence.passage_index import sentence_index
from groundtypes.entailment.evidence.premises import Premise
from groundtypes.entailment.evidence_model import EvidenceModel, evidence_features, evidence_model
from groundtypes.entailment.questions import EntailmentQuestion, build_questions
from groundtypes.entailment.whole_text_judgement import decide_by_reading, reading_pairs
from groundtypes.errors import LanguageError
from groundtypes.judges import Judges, entailment_threshold, nli_engine
from groundtypes.ledger import Ask, Ledger
from groundtypes.references import References, Span
from groundtypes.scoring import (
    THRESHOLD,
    Label,
    NLIScorer,
    NLIScores,
    Pair,
    asked_engine,
    window_of_reader,
)


def decide_entailment(
    questions: Sequence[EntailmentQuestion],
    nli: NLIScorer,
    ask: Ask,
    threshold: float = THRESHOLD,
    *,
    finds_evidence: bool = True,
) -> list[Entailment]:
    """Return for each question whether the evidence entails or contradicts the sentence.

    The engine scores the pairs of all questions in one batch. An engine that reads whole texts has
    one pair for each question. For those that fail, it is asked about single sentences, too, unless
    nobody will see the evidence: `finds_evidence=False`.
    """
    if (stages := getattr(nli, "stages", None)) is not None:
        return _decide_in_stages(questions, stages, ask, threshold, finds_evidence=finds_evidence)
    if window_of_reader(nli) is not None:
        return decide_by_reading(questions, nli, ask, threshold, finds_evidence=finds_evidence)
    questions = in_read_languages(questions, nli)
    check_user_questions(nli, [question.preceding_question for question in questions])
    check = partial(check_evidence_languages, questions)
    scores = iter(ask(nli, [pair for question in questions for pair in question.pairs], check))
    model = evidence_model(nli)
    return [
        _decide(question, list(islice(scores, len(question.evidence.premises))), threshold, model)
        for question in questions
    ]


def _decide_in_stages(
    questions: Sequence[EntailmentQuestion],
    stages: tuple[NLIScorer, NLIScorer, tuple[float, float]],
    ask: Ask,
    threshold: float,
    *,
    finds_evidence: bool,
) -> list[Entailment]:
    """Return what the first engine decides, and of what it leaves open what the second does."""
    first, then, (low, high) = stages

    def decided(by: NLIScorer, these: Sequence[EntailmentQuestion]) -> list[Entailment]:
        found = decide_entailment(these, by, ask, threshold, finds_evidence=finds_evidence)
        # What was decided within an engine that is a cascade itself says so already.
        return [replace(each, engine=each.engine or _name(by)) for each in found]

    found: list[Entailment | None] = [None] * len(questions)
    try:
        found[:] = decided(first, questions)
    except LanguageError:
        read = [at for at, each in enumerate(questions) if _is_read(each, questions, first)]
        # Where it cannot be told which of them are not read, the second engine has all.
        if len(read) < len(questions):
            with contextlib.suppress(LanguageError):
                by_first = decided(first, [questions[at] for at in read])
                for at, each in zip(read, by_first, strict=True):
                    found[at] = each
    rest = [
        at for at, each in enumerate(found) if each is None or low <= each.scores.entailment <= high
    ]
    if rest:
        for at, each in zip(rest, decided(then, [questions[at] for at in rest]), strict=True):
            found[at] = each
    return [each for each in found if each is not None]


def _is_read(
    question: EntailmentQuestion, among: Sequence[EntailmentQuestion], engine: NLIScorer
) -> bool:
    """Whether an engine reads the language of a sentence and of the evidence for it."""
    try:
        if window_of_reader(engine) is not None:
            pairs: Sequence[Pair] = reading_pairs([question], engine)
        else:
            pairs = [pair for each in in_read_languages([question], engine) for pair in each.pairs]
        check_evidence_languages(among, engine, pairs)
    except LanguageError:
        return False
    return True


def _name(engine: NLIScorer) -> str:
    return type(asked_engine(engine)).__name__


@imported_in_thread
def _other_records() -> ModuleType:
    from groundtypes.entailment import other_records  # noqa: PLC0415 # slow to load, for tables alone

    return other_records


def _may_have_records(references: References) -> bool:
    return bool(references.structures) or any("|" in text for text in references.texts)


def _decide(
    question: EntailmentQuestion,
    scores: Sequence[NLIScores],
    threshold: float,
    model: EvidenceModel | None,
) -> Entailment:
    text = question.hypothesis.text
    if question.denied is not None:
        return _decide_abstention(question, scores, threshold)
    if not scores:
        no_evidence = NLIScores(entailment=0.0, neutral=1.0, contradiction=0.0)
        return Entailment(text, Label.NEUTRAL, no_evidence)
    evidence = question.evidence
    index = sentence_index(question.references)
    differences = differences_of(question.statement, evidence, index.lexical.__contains__)
    reason: MainDifference | None = None
    score: float | None = None
    if model is None:
        label, final, deciding, score = _merged(question, scores, threshold)
    else:
        features = evidence_features(evidence, scores, differences, question.sentences)
        final = model.scores(features)
        if (denial := differences.same_words.denial) is not None:
            reason = denied(denial)
            final = _without_entailment(final, contradicts=True)
        elif differences.same_words.is_copied:
            final = NLIScores(entailment=1.0, neutral=0.0, contradiction=0.0)
        label = label_of(final, threshold)
        deciding = _deciding(question, scores, label, differences)
    of_another = None
    if _may_have_records(question.references):
        statement = question.polar or text
        of_another = _other_records().value_of_another_record(statement, question.references)
    if of_another is not None:
        reason = of_another.difference
        final = _without_entailment(final, contradicts=of_another.contradicts)
        label, score = label_of(final, threshold), None
    main = reason or differences.main
    premise = evidence.premises[deciding]
    entailed = label is Label.ENTAILMENT
    return Entailment(
        text,
        label,
        final,
        premise.quoted or premise.text,
        premise.most_similar(question.polar or text),
        _conflict(question, scores, premise) if entailed else None,
        premise.spans if len(premise.spans) > 1 else (),
        None if entailed or main is None else main.text,
        () if entailed or main is None else main.words,
        is_ruled=reason is not None and not entailed,
        merged_score=score,
    )


def _decide_abstention(
    question: EntailmentQuestion, scores: Sequence[NLIScores], threshold: float
) -> Entailment:
    """Return whether no premise entails what an abstention denies."""
    said = [each.entailment for each in scores]
    final = scores_of_abstention(max(said, default=0.0), reads=False)
    text, label = question.hypothesis.text, label_of(final, threshold)
    if not said:
        return Entailment(text, label, final)
    premise = question.evidence.premises[said.index(max(said))]
    span = premise.most_similar(question.denied or text)
    return Entailment(text, label, final, premise.quoted or premise.text, span)


def _without_entailment(scores: NLIScores, *, contradicts: bool) -> NLIScores:
    """Return the scores of a sentence that is not entailed, and perhaps contradicted."""
    moved = (0.0, scores.entailment) if contradicts else (scores.entailment, 0.0)
    return NLIScores(0.0, scores.neutral + moved[0], scores.contradiction + moved[1])


def _merged(
    question: EntailmentQuestion, scores: Sequence[NLIScores], threshold: float
) -> tuple[Label, NLIScores, int, float]:
    """Return what the merge rule makes of the scores, and the highest threshold of entailment.

    A composed premise only decides what is open: its sentences were selected for their words, and
    may be about different things.
    """
    evidence = question.evidence
    composed = next(
        (at for at, premise in enumerate(evidence.premises) if premise is evidence.composed), None
    )
    others = [at for at in range(len(scores)) if at != composed] or [0]
    closest = 0 if evidence.sentences else None
    of_others = [scores[at] for at in others]
    merged = merge_scores(of_others, threshold, closest)
    assert merged.deciding is not None  # noqa: S101 # there are scores
    is_overruled = merge_scores(of_others, 0.0, closest).label is not Label.ENTAILMENT
    score = 0.0 if is_overruled else max(each.entailment for each in of_others)
    # Whether nothing contradicts, at a threshold that nothing reaches.
    is_open = merge_scores(of_others, math.inf, closest).label is Label.NEUTRAL
    if is_open and composed is not None:
        comparable = scores_of_composed(scores[composed])
        score = max(score, comparable.entailment)
        if merged.label is Label.NEUTRAL and comparable.entailment >= threshold:
            return Label.ENTAILMENT, comparable, composed, score
    deciding = others[merged.deciding]
    return merged.label, scores[deciding], deciding, score


def _deciding(
    question: EntailmentQuestion,
    scores: Sequence[NLIScores],
    label: Label,
    differences: Differences,
) -> int:
    """Return the position of the premise that shows best why the label is what it is.

    Sentences come before the passage, which shows more than is needed. What is not entailed shows
    in the closest sentence, or in several that have more of its words.
    """
    evidence, positions = question.evidence, range(len(scores))
    if label is Label.ENTAILMENT:
        sure = (at for at in positions if scores[at].entailment >= THRESHOLD)
        return next(sure, max(positions, key=lambda at: scores[at].entailment))
    for at in positions:
        if evidence.premises[at].text == differences.closest and not differences.spread:
            return at
    return next((at for at in positions if evidence.premises[at] is evidence.composed), 0)


def _conflict(
    question: EntailmentQuestion, scores: Sequence[NLIScores], deciding: Premise
) -> Span | None:
    """Return where another sentence, or the passage, contradicts what the deciding one entails."""
    for premise, score in zip(question.evidence.premises, scores, strict=True):
        if score.label is Label.CONTRADICTION and premise is not question.evidence.composed:
            overlaps = any(
                span.reference == other.reference
                and span.start < other.end
                and other.start < span.end
                for span in premise.spans
                for other in deciding.spans
            )
            if not overlaps:
                return premise.most_similar(question.hypothesis.text)
    return None


def entail(
    references: Any,
    text: str,
    *,
    question: str | None = None,
    nli: NLIScorer | str | None = None,
    threshold: float | None = None,
    calibration: Calibration | str | Path | None = None,
) -> list[Entailment]:
    """Return for each sentence of a text whether the references entail it.

    All sentences are scored as one batch.

    Args:
        references: A text, a list of texts, a mapping from id to text, or documents.
        text: The text whose sentences are judged.
        question: The question that the text answers; it precedes the premises of short sentences.
        nli: The engine or its name, by default the bundled one.
        threshold: The lowest probability of entailment at which a passage entails a sentence; by
            default that of the calibration, else 0.5.
        calibration: The operating point of the engine, or the path of its file.

    Examples:
        >>> [sentence] = entail("The bridge opened in 1932.", "The bridge was opened in 1932.")
        >>> sentence.label
        <Label.ENTAILMENT: 'entailment'>

    Raises:
        Mistake: The references cannot be read, the engine is missing or fails, or a text is in a
            language that it does not read (`LanguageError`).
    """
    questions = build_questions(text, References.of(references), question)
    judges = Judges(nli=nli, calibration=calibration)
    lowest = entailment_threshold(judges, threshold)
    return decide_entailment(questions, nli_engine(judges), Ledger().ask_now, lowest)


async def aentail(
    references: Any,
    text: str,
    *,
    question: str | None = None,
    nli: NLIScorer | str | None = None,
    threshold: float | None = None,
    calibration: Calibration | str | Path | None = None,
) -> list[Entailment]:
    """Return what `entail` returns, without blocking the event loop."""
    return await run_in_thread(
        entail,
        references,
        text,
        question=question,
        nli=nli,
        threshold=threshold,
        calibration=calibration,
    )
