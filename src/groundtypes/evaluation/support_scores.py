"""Scores by an NLI engine, or by an LLM.

For an NLI engine each sentence is one statement, and its score a probability. NLI engines read
numbers badly: that something opened in 1932 is often said to follow from "opened in 1931". So a
sentence with a figure that `Figures` would not find is not entailed, whatever the engine says. An
LLM replaces pronouns, splits each sentence into statements and labels them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from groundtypes.claims.attribution import TextVocabulary
from groundtypes.claims.extract_and_label import LabelledStatement, labelled_statements
from groundtypes.claims.pronouns import apply_pronoun_reply, pronoun_question
from groundtypes.entailment.decision import decide_entailment
from groundtypes.entailment.entailments import Entailment
from groundtypes.entailment.evidence.premises import premise_with_question
from groundtypes.entailment.evidence.prompt_passages import relevant_references
from groundtypes.entailment.questions import build_questions
from groundtypes.evaluation.results import JudgedHypothesis, JudgedStatement, SupportScores
from groundtypes.evaluation.row import SupportTask
from groundtypes.figures.outcomes import find_outcomes
from groundtypes.judges import Judges, entailment_threshold, nli_engine
from groundtypes.ledger import Ledger
from groundtypes.prompts.prompt import JUDGE_STATEMENTS
from groundtypes.prompts.prompt_texts import numbered_lines
from groundtypes.scoring import LLM, Label, Question, Reply
from groundtypes.text.hypotheses import Hypothesis


def score_by_nli(tasks: Sequence[SupportTask], judges: Judges) -> list[SupportScores]:
    """Return the scores of each task; the pairs of all are scored as one batch."""
    nli, threshold = nli_engine(judges), entailment_threshold(judges)
    questions_of = [
        [] if task.missing else build_questions(task.hypotheses, task.references, task.question)
        for task in tasks
    ]
    every_question = [question for questions in questions_of for question in questions]
    entailments = iter(
        decide_entailment(every_question, nli, Ledger().ask_now, threshold, finds_evidence=False)
    )
    return [
        SupportScores(
            tuple(
                _judged_sentence(question.hypothesis, entailment, task)
                for question, entailment in zip(
                    questions, islice(entailments, len(questions)), strict=True
                )
            ),
            task.missing,
        )
        for task, questions in zip(tasks, questions_of, strict=True)
    ]


def _judged_sentence(
    sentence: Hypothesis, entailment: Entailment, task: SupportTask
) -> JudgedHypothesis:
    label, estimate = entailment.label, entailment.scores.entailment
    if _has_absent_figure(sentence.text, task):
        label, estimate = Label.NEUTRAL if label is Label.ENTAILMENT else label, 0.0
    statement = JudgedStatement(entailment.text, label, estimate)
    return JudgedHypothesis(sentence.text, sentence.start, sentence.end, (statement,))


def _has_absent_figure(text: str, task: SupportTask) -> bool:
    """Whether a figure of a sentence is one that `Figures` would refuse."""
    return any(
        not finding.outcome.holds for finding in find_outcomes(text, task.references, task.question)
    )


#: How many sentences one question to the LLM is about.
_SENTENCES: Final = 12


def score_by_llm(tasks: Sequence[SupportTask], llm: LLM) -> tuple[list[SupportScores], list[int]]:
    """Return the scores of each task, and the tokens that each took."""
    ledger = Ledger()
    tasks, tokens = _resolve_pronouns(tasks, llm, ledger)
    batches_of = [[] if task.missing else list(_batches(task.hypotheses)) for task in tasks]
    questions = [
        _question(task, batch)
        for task, batches in zip(tasks, batches_of, strict=True)
        for batch in batches
    ]
    replies = iter(ledger.ask_now(llm, questions))
    scores: list[SupportScores] = []
    for number, (task, batches) in enumerate(zip(tasks, batches_of, strict=True)):
        judged: list[JudgedHypothesis] = []
        for batch, reply in zip(batches, islice(replies, len(batches)), strict=True):
            judged += _read_reply(task, batch, reply)
            tokens[number] += reply.tokens_in + reply.tokens_out
        scores.append(SupportScores(tuple(judged), task.missing))
    return scores, tokens


def _resolve_pronouns(
    tasks: Sequence[SupportTask], llm: LLM, ledger: Ledger
) -> tuple[list[SupportTask], list[int]]:
    """Return the tasks with nouns for pronouns, and the tokens that each took."""
    questions = [None if task.missing else pronoun_question(task.hypotheses) for task in tasks]
    asked = [question for question in questions if question is not None]
    replies = iter(ledger.ask_now(llm, asked))
    resolved: list[SupportTask] = []
    tokens: list[int] = []
    for task, question in zip(tasks, questions, strict=True):
        if question is None:
            resolved.append(task)
            tokens.append(0)
            continue
        reply = next(replies)
        hypotheses = tuple(apply_pronoun_reply(task.hypotheses, reply))
        resolved.append(replace(task, hypotheses=hypotheses))
        tokens.append(reply.tokens_in + reply.tokens_out)
    return resolved, tokens


def _batches(hypotheses: Sequence[Hypothesis]) -> Iterator[Sequence[Hypothesis]]:
    for start in range(0, len(hypotheses), _SENTENCES):
        yield hypotheses[start : start + _SENTENCES]


def _question(task: SupportTask, batch: Sequence[Hypothesis]) -> Question:
    text = " ".join(sentence.text for sentence in batch)
    passages = relevant_references(task.references, text, name="passage")
    return JUDGE_STATEMENTS.question(
        *((name, premise_with_question(task.question, passage)) for name, passage in passages),
        ("sentences", numbered_lines(sentence.text for sentence in batch)),
    )


def _read_reply(
    task: SupportTask, batch: Sequence[Hypothesis], reply: Reply
) -> Iterator[JudgedHypothesis]:
    """Yield the sentences of a batch with their statements; what the LLM left out is neutral."""
    text = "\n".join(sentence.text for sentence in batch)
    vocabulary = TextVocabulary.of(text, task.question)
    own_statements = [
        statement
        for statement in labelled_statements(reply)
        if statement.statement is None or vocabulary.contains_words_of(statement.statement)
    ]
    for number, sentence in enumerate(batch, 1):
        statements = tuple(
            _judged(sentence, statement)
            for statement in own_statements
            if statement.sentence == number
        )
        left_out = JudgedStatement(sentence.text, Label.NEUTRAL, 0.0)
        yield JudgedHypothesis(
            sentence.text, sentence.start, sentence.end, statements or (left_out,)
        )


def _judged(sentence: Hypothesis, statement: LabelledStatement) -> JudgedStatement:
    return JudgedStatement(
        statement.statement or sentence.text,
        statement.label or Label.NEUTRAL,
        float(statement.label is Label.ENTAILMENT),
    )
