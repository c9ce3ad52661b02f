"""Scores by an LLM: it replaces pronouns, splits each sentence into statements and labels them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from groundtypes.claims.attribution import TextVocabulary
from groundtypes.claims.extract_and_label import LabelledStatement, labelled_statements
from groundtypes.claims.pronouns import apply_pronoun_reply, pronoun_question
from groundtypes.entailment.evidence.premises import premise_with_question
from groundtypes.entailment.evidence.prompt_references import relevant_references
from groundtypes.evaluation.results import JudgedHypothesis, JudgedStatement, SupportScores
from groundtypes.evaluation.support_tasks import SupportTask
from groundtypes.ledger import Ledger
from groundtypes.prompts.prompt import JUDGE_STATEMENTS
from groundtypes.prompts.prompt_texts import numbered_lines
from groundtypes.scoring import LLM, Label, Question, Reply
from groundtypes.text.hypotheses import Hypothesis

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
    """Yield the sentences of a batch with their statements; one that the LLM left out is neutral.

    Statements that the sentences do not make are ignored.
    """
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
