"""Scores of an answer for people who tune a pipeline: entailment both ways, and refusals.

An answer is held against its context and against the answer that was expected, its ground truth;
and the ground truth is held against the answer. What is held is cut into sentences, the
hypotheses. An LLM, where there is one, splits these into statements and labels them; else each is
one statement, and NLI labels it.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice, starmap
from statistics import fmean
from typing import Any, Final

from groundtypes.claims.attribution import TextVocabulary
from groundtypes.claims.extract_and_label import labelled_statements
from groundtypes.claims.pronouns import apply_nouns, pronoun_question
from groundtypes.entailment.decision import Entailment, decide_entailment
from groundtypes.entailment.questions import (
    EntailmentQuestion,
    build_questions,
    claiming_sentences,
)
from groundtypes.errors import ContextError
from groundtypes.evidence.premises import premise_with_question
from groundtypes.evidence.prompt_references import relevant_references
from groundtypes.judges import Judges, llm_engine, nli_engine
from groundtypes.ledger import Ledger
from groundtypes.prompts.prompt import JUDGE_STATEMENTS
from groundtypes.references import References
from groundtypes.refusals.detect import Refusal, RefusalKind, detect_refusal
from groundtypes.scoring import LLM, Label, NLIScorer, Question, Reply
from groundtypes.text.hypotheses import Hypothesis
from groundtypes.threads import iterate_in_threads

__all__ = [
    "Evaluation",
    "EvaluationRow",
    "JudgedHypothesis",
    "JudgedStatement",
    "Side",
    "aevaluate",
    "aevaluate_many",
    "aiter_evaluations",
    "evaluate",
    "evaluate_many",
    "iter_evaluations",
]

#: So many rows are judged together, and so many hypotheses are shown to an LLM at once.
_BATCH: Final = 64
_TOGETHER: Final = 12


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """An answer to evaluate. Without references or a ground truth their scores are missing.

    `references` may have any shape: a text, a list of texts, a mapping, documents.
    """

    question: str | None
    references: Any
    answer: str
    ground_truth: str | None = None

    def check(self) -> None:
        """Refuse what cannot be evaluated.

        Raises:
            ContextError: A text is none.
            ReferencesError: The references cannot be read.
        """
        texts = {
            "question": self.question,
            "answer": self.answer,
            "ground truth": self.ground_truth,
        }
        for name, text in texts.items():
            if not isinstance(text, str) and (name == "answer" or text is not None):
                raise ContextError(f"the {name} is a {type(text).__name__}, not text")
        if self.references is not None:
            References.of(self.references)


@dataclass(frozen=True, slots=True)
class JudgedStatement:
    """A statement, its label, and its estimate.

    The estimate is the probability, by NLI, that the premise entails it; by an LLM 1 or 0.
    """

    text: str
    label: Label
    estimate: float


@dataclass(frozen=True, slots=True)
class JudgedHypothesis:
    """A sentence of what is judged, where it stands (half open), and its statements."""

    text: str
    start: int
    end: int
    statements: tuple[JudgedStatement, ...]

    @property
    def estimate(self) -> float:
        """The mean of the estimates of its statements."""
        return fmean(statement.estimate for statement in self.statements)


@dataclass(frozen=True, slots=True)
class Side:
    """How a premise bears on a text. `missing` says why there is nothing to score."""

    hypotheses: tuple[JudgedHypothesis, ...] = ()
    missing: str | None = None

    @property
    def score(self) -> float | None:
        """The mean of the estimates of the hypotheses, from 0 to 1."""
        return fmean(one.estimate for one in self.hypotheses) if self.hypotheses else None

    @property
    def shares(self) -> dict[Label, float] | None:
        """Which share of the statements has each label: RefChecker's distribution."""
        labels = [said.label for one in self.hypotheses for said in one.statements]
        return {label: labels.count(label) / len(labels) for label in Label} if labels else None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The scores of one answer.

    `answer_by_context`: the answer as it follows from the context. `answer_by_truth`: as it
    follows from the question and the ground truth. `truth_by_answer`: the ground truth as it
    follows from the question and the answer. `tokens` are those that an LLM read and wrote.
    """

    answer_by_context: Side
    answer_by_truth: Side
    truth_by_answer: Side
    answer_refusal: Refusal
    truth_refusal: Refusal | None
    tokens: int = 0

    @property
    def answer_refuses(self) -> bool:
        """Whether the answer refuses, or says that the information is missing."""
        return _refuses(self.answer_refusal)

    @property
    def truth_refuses(self) -> bool | None:
        """Whether the ground truth does; `None` where there is none."""
        return None if self.truth_refusal is None else _refuses(self.truth_refusal)

    @property
    def metrics(self) -> dict[str, float | None]:
        """Return what runs are summed up by; `None` where there is nothing to score."""
        shares: Mapping[Label, float | None] = self.answer_by_context.shares or {}
        truth = self.truth_refuses
        return {
            "answer_by_context": self.answer_by_context.score,
            "answer_by_truth": self.answer_by_truth.score,
            "truth_by_answer": self.truth_by_answer.score,
            "entailed": shares.get(Label.ENTAILMENT),
            "neutral": shares.get(Label.NEUTRAL),
            "contradicted": shares.get(Label.CONTRADICTION),
            "answer_refuses": float(self.answer_refuses),
            "truth_refuses": None if truth is None else float(truth),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as plain data that JSON can hold."""
        return {"scores": self.metrics, **asdict(self)}


def _refuses(found: Refusal) -> bool:
    return found.kind in (RefusalKind.REFUSAL, RefusalKind.ABSTENTION)


def evaluate(
    question: str | None,
    references: Any,
    answer: str,
    ground_truth: str | None = None,
    *,
    judges: Judges | None = None,
) -> Evaluation:
    """Return the scores of one answer.

    The NLI engine is the one of `judges`, by default the bundled one. With an LLM in `judges`, that
    replaces pronouns, splits sentences into statements and labels these instead.

    >>> found = evaluate("When did it open?", "It opened in 1932.", "In 1932.", "It was 1932.")
    >>> found.answer_refuses
    False

    Raises:
        Mistake: The references cannot be read, a text is none, or an engine is missing or fails.
    """
    row = EvaluationRow(question, references, answer, ground_truth)
    [found] = evaluate_many([row], judges=judges)
    return found


async def aevaluate(
    question: str | None,
    references: Any,
    answer: str,
    ground_truth: str | None = None,
    *,
    judges: Judges | None = None,
) -> Evaluation:
    """Return what `evaluate` returns, without blocking the event loop."""
    return await asyncio.to_thread(
        evaluate, question, references, answer, ground_truth, judges=judges
    )


def evaluate_many(
    rows: Iterable[EvaluationRow], *, judges: Judges | None = None, batch: int = _BATCH
) -> list[Evaluation]:
    """Return the scores of each row, in order; `batch` rows share the engines' batches.

    Raises:
        Mistake: As `evaluate`.
    """
    return list(iter_evaluations(rows, judges=judges, batch=batch))


async def aevaluate_many(
    rows: Iterable[EvaluationRow], *, judges: Judges | None = None, batch: int = _BATCH
) -> list[Evaluation]:
    """Return what `evaluate_many` returns, without blocking the event loop."""
    return await asyncio.to_thread(evaluate_many, rows, judges=judges, batch=batch)


def aiter_evaluations(
    rows: Iterable[EvaluationRow], *, judges: Judges | None = None, batch: int = _BATCH
) -> AsyncIterator[Evaluation]:
    """Yield what `iter_evaluations` yields, without blocking the event loop."""
    return iterate_in_threads(iter_evaluations(rows, judges=judges, batch=batch))


def iter_evaluations(
    rows: Iterable[EvaluationRow], *, judges: Judges | None = None, batch: int = _BATCH
) -> Iterator[Evaluation]:
    """Yield the scores of each row, in order, reading `batch` rows at a time.

    Raises:
        Mistake: As `evaluate`.
    """
    judges = judges or Judges()
    left = iter(rows)
    while some := list(islice(left, max(batch, 1))):
        tasks = [task for row in some for task in _tasks(row)]
        if judges.llm is not None:
            sides, tokens = _by_llm(tasks, llm_engine(judges.llm, judges.model))
        else:
            engine = nli_engine(judges)
            sides, tokens = _by_nli(tasks, engine), [0] * len(tasks)
        for number, row in enumerate(some):
            three = slice(3 * number, 3 * number + 3)
            by_context, by_truth, of_truth = sides[three]
            truth = row.ground_truth or ""
            yield Evaluation(
                by_context,
                by_truth,
                of_truth,
                detect_refusal(row.answer, row.question),
                detect_refusal(truth, row.question) if _is_there(truth) else None,
                sum(tokens[three]),
            )


@dataclass(frozen=True, slots=True)
class _Task:
    """A text and what it is held against: premises, perhaps with the question in front."""

    hypotheses: tuple[Hypothesis, ...]
    premises: References
    question: str | None
    missing: str | None


def _tasks(row: EvaluationRow) -> Iterator[_Task]:
    """Yield the three tasks of a row, in the order of `Evaluation`."""
    row.check()
    truth = row.ground_truth if _is_there(row.ground_truth) else None
    no_truth = "there is no ground truth" if truth is None else None
    no_context = "there is no context" if row.references is None else None
    context = References.of([] if row.references is None else row.references)
    answer, expected = tuple(claiming_sentences(row.answer)), tuple(claiming_sentences(truth or ""))
    no_answer = None if answer else "the answer states nothing"
    no_expected = None if expected else "the ground truth states nothing"
    yield _Task(answer, context, None, no_context or no_answer)
    yield _Task(answer, References.of(truth or []), row.question, no_truth or no_answer)
    yield _Task(expected, References.of(row.answer), row.question, no_truth or no_expected)


def _is_there(text: str | None) -> bool:
    return text is not None and bool(text.strip())


def _by_nli(tasks: Sequence[_Task], engine: NLIScorer) -> list[Side]:
    asked = [
        [] if task.missing else build_questions(task.hypotheses, task.premises, task.question)
        for task in tasks
    ]
    ledger = Ledger()
    together = [inquiry for inquiries in asked for inquiry in inquiries]
    labels = decide_entailment(together, engine, ledger.ask_now)
    found = iter(zip(together, labels, strict=True))
    return [
        Side(tuple(starmap(_by_scores, islice(found, len(inquiries)))), task.missing)
        for task, inquiries in zip(tasks, asked, strict=True)
    ]


def _by_scores(inquiry: EntailmentQuestion, found: Entailment) -> JudgedHypothesis:
    said = JudgedStatement(found.text, found.label, found.scores.entailment)
    hypothesis = inquiry.hypothesis
    return JudgedHypothesis(hypothesis.text, hypothesis.start, hypothesis.end, (said,))


def _by_llm(tasks: Sequence[_Task], llm: LLM) -> tuple[list[Side], list[int]]:
    ledger = Ledger()
    tasks, tokens = _without_pronouns(tasks, llm, ledger)
    asked = [[] if task.missing else list(_questions(task)) for task in tasks]
    replies = iter(ledger.ask_now(llm, [question for some in asked for question in some]))
    sides: list[Side] = []
    for number, (task, questions) in enumerate(zip(tasks, asked, strict=True)):
        own = list(islice(replies, len(questions)))
        tokens[number] += sum(reply.tokens_in + reply.tokens_out for reply in own)
        judged = (
            one
            for start, reply in zip(range(0, len(task.hypotheses), _TOGETHER), own, strict=False)
            for one in _by_labels(task, task.hypotheses[start : start + _TOGETHER], reply)
        )
        sides.append(Side(tuple(judged), task.missing))
    return sides, tokens


def _without_pronouns(
    tasks: Sequence[_Task], llm: LLM, ledger: Ledger
) -> tuple[list[_Task], list[int]]:
    """Return the tasks with nouns for pronouns, and the tokens that each took."""
    asked = [None if task.missing else pronoun_question(task.hypotheses) for task in tasks]
    replies = iter(ledger.ask_now(llm, [question for question in asked if question is not None]))
    changed: list[_Task] = []
    tokens: list[int] = []
    for task, question in zip(tasks, asked, strict=True):
        if question is None:
            changed.append(task)
            tokens.append(0)
            continue
        reply = next(replies)
        tokens.append(reply.tokens_in + reply.tokens_out)
        changed.append(replace(task, hypotheses=tuple(apply_nouns(task.hypotheses, reply))))
    return changed, tokens


def _questions(task: _Task) -> Iterator[Question]:
    for start in range(0, len(task.hypotheses), _TOGETHER):
        some = task.hypotheses[start : start + _TOGETHER]
        lines = [f"{number}. {' '.join(one.text.split())}" for number, one in enumerate(some, 1)]
        shown = relevant_references(
            task.premises, " ".join(one.text for one in some), name="passage"
        )
        premises = [(name, premise_with_question(task.question, text)) for name, text in shown]
        yield JUDGE_STATEMENTS.question(*premises, ("sentences", "\n".join(lines)))


def _by_labels(
    task: _Task, hypotheses: Sequence[Hypothesis], reply: Reply
) -> Iterator[JudgedHypothesis]:
    """Yield what an LLM said of the hypotheses; what it left out is neutral.

    Statements that the hypotheses do not make count for nothing.
    """
    made = TextVocabulary.of("\n".join(one.text for one in hypotheses), task.question)
    told = [
        one
        for one in labelled_statements(reply)
        if one.statement is None or made.covers(one.statement)
    ]
    for number, one in enumerate(hypotheses, 1):
        said = tuple(
            JudgedStatement(
                given.statement or one.text,
                given.label or Label.NEUTRAL,
                float(given.label is Label.ENTAILMENT),
            )
            for given in told
            if given.sentence == number
        )
        left_out = JudgedStatement(one.text, Label.NEUTRAL, 0.0)
        yield JudgedHypothesis(one.text, one.start, one.end, said or (left_out,))
