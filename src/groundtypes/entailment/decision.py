"""Whether references entail a text, decided sentence by sentence.

`decide_entailment` asks the engine for the scores of all pairs in one batch, merges the scores of
each sentence, and takes a second look at the sentences that are neutral. It asks through a ledger:
a check passes `Ledger.ask`, which may have to wait for the next round; `entail` passes
`Ledger.ask_now`, which calls the engine immediately.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from groundtypes.entailment.merging import merge_scores, scores_of_second_look
from groundtypes.entailment.questions import EntailmentQuestion, SecondLook, build_questions
from groundtypes.judges import Judges, entailment_threshold, nli_engine
from groundtypes.ledger import Ask, Ledger
from groundtypes.operating_point import Calibration
from groundtypes.references import References, Span
from groundtypes.scoring import THRESHOLD, Label, NLIScorer, NLIScores
from groundtypes.text.coverage import content_terms
from groundtypes.threads import run_in_thread

__all__ = ["Entailment", "aentail", "decide_entailment", "entail"]


@dataclass(frozen=True, slots=True)
class Entailment:
    """Whether references entail one sentence of a text, contradict it, or do neither.

    `scores`, `passage` and `span` are those of the passage that decided. `conflict` is the span of
    another passage that contradicts what this one entails. If a second look decided, `passage` is
    composed of several sentences: `span` is the span of the most similar of them, and `spans` are
    those of all of them.
    """

    text: str
    label: Label
    scores: NLIScores
    passage: str | None = None
    span: Span | None = None
    conflict: Span | None = None
    spans: tuple[Span, ...] = ()


def decide_entailment(
    questions: Sequence[EntailmentQuestion],
    nli: NLIScorer,
    ask: Ask,
    threshold: float = THRESHOLD,
) -> list[Entailment]:
    """Return for each question whether its passages entail the sentence, contradict it, or neither.

    The engine scores the pairs of all questions together. Then it scores a second pair for every
    sentence that is neutral; its premise is composed of the few sentences of the references that
    share most words with it. This helps because a small model may miss the decisive sentence in a
    long passage, and because an answer may combine several places.
    """
    scores = iter(ask(nli, [pair for question in questions for pair in question.pairs]))
    entailments = [
        _decide(question, list(islice(scores, len(question.passages))), threshold)
        for question in questions
    ]
    second_looks = {
        position: second_look
        for position, question in enumerate(questions)
        if entailments[position].label is Label.NEUTRAL
        and (second_look := question.second_look()) is not None
    }
    if second_looks:
        more_scores = ask(nli, [second_look.pair for second_look in second_looks.values()])
        for (position, second_look), score in zip(second_looks.items(), more_scores, strict=True):
            entailed = _decide_second_look(second_look, score, threshold)
            entailments[position] = entailed or entailments[position]
    return entailments


def _decide(
    question: EntailmentQuestion, scores: Sequence[NLIScores], threshold: float
) -> Entailment:
    merged = merge_scores(scores, threshold)
    if merged.deciding is None:
        no_evidence = NLIScores(entailment=0.0, neutral=1.0, contradiction=0.0)
        return Entailment(question.hypothesis.text, Label.NEUTRAL, no_evidence)
    passage = question.passages[merged.deciding]
    conflict = None
    if merged.label is Label.ENTAILMENT and merged.contradicting is not None:
        conflict = question.passages[merged.contradicting].span
    return Entailment(
        question.hypothesis.text,
        merged.label,
        scores[merged.deciding],
        passage.text,
        passage.span,
        conflict,
    )


def _decide_second_look(
    second_look: SecondLook, scores: NLIScores, threshold: float
) -> Entailment | None:
    """Return the entailment; `None` if the composed premise does not entail the sentence."""
    scores = scores_of_second_look(scores)
    if scores.entailment < threshold:
        return None
    hypothesis, premise = second_look.pair.hypothesis, second_look.premise
    hypothesis_terms = content_terms(hypothesis)
    most_similar = max(
        premise.sentences,
        key=lambda sentence: len(hypothesis_terms & content_terms(sentence.text)),
    )
    return Entailment(
        hypothesis,
        Label.ENTAILMENT,
        scores,
        premise.text,
        most_similar.span,
        spans=premise.spans,
    )


def entail(
    references: Any,
    text: str,
    *,
    question: str | None = None,
    nli: NLIScorer | None = None,
    threshold: float | None = None,
    calibration: Calibration | str | Path | None = None,
) -> list[Entailment]:
    """Return for each sentence of a text whether the references entail it.

    All sentences are scored as one batch.

    Args:
        references: A text, a list of texts, a mapping from id to text, or documents.
        text: The text whose sentences are judged.
        question: The question that the text answers; it precedes the premises of short sentences.
        nli: The engine, by default the bundled one.
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
    nli: NLIScorer | None = None,
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
