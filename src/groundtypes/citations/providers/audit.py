"""`audit_citations`: which of the citations that a provider returned hold."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from groundtypes.backends.observing import LoneRun, Operation
from groundtypes.citations.providers.cited_sentences import Statement, find_statements
from groundtypes.citations.providers.judging import CitedStatement, judge_statements
from groundtypes.citations.providers.messages import read_answer
from groundtypes.citations.providers.places import CheckedCitation, CitedPassage, check_citation
from groundtypes.citations.providers.private_marks import check_private_marks
from groundtypes.citations.providers.provider_answer import ProviderAnswer
from groundtypes.concurrency.threads import run_in_thread
from groundtypes.errors import ContextError, fault_message
from groundtypes.judges import Judges, check_threshold
from groundtypes.ledger import Ledger
from groundtypes.rounds.grounding import ground
from groundtypes.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class CitationAudit:
    """Every verdict on the citations of an answer, passing ones too.

    Attributes:
        answer: The answer with its citations and the references that they cite.
        sentences: Its sentences that claim something, each with the numbers of its citations.
        verdicts: First those on the citations alone, at `("citations", number)`: whether the
            `source` is there, whether the words (`quote`) are in it, at the right `span` or `page`.
            Then those on the sentences, at `("sentences", number)`: whether what they cite is their
            `support`, and has their `figures`. Numbers count from 0.
        held: For each citation, whether it holds: none of its verdicts fails, nor one on a
            sentence that it is for.
    """

    answer: ProviderAnswer
    sentences: tuple[Statement, ...]
    verdicts: tuple[Verdict, ...]
    held: tuple[bool, ...] = field(repr=False)

    @property
    def ok(self) -> bool:
        """Whether every citation holds, and there is one if the answer claims something.

        An answer without text, such as a refusal, claims nothing; `answer.no_text` says what it is.
        """
        return all(verdict.ok for verdict in self.verdicts)

    @property
    def faults(self) -> tuple[Verdict, ...]:
        """The verdicts that fail."""
        return tuple(verdict for verdict in self.verdicts if not verdict.ok)

    @property
    def uncited(self) -> tuple[Statement, ...]:
        """The sentences that claim something and have no citation."""
        return tuple(sentence for sentence in self.sentences if not sentence.citations)


def audit_citations(
    message: Any,
    references: Any = None,
    judges: Judges | None = None,
    *,
    question: str | None = None,
    threshold: float | None = None,
) -> CitationAudit:
    """Return which citations of a provider's message hold.

    The words that a citation copied must be in its source, at the place that it names. A sentence
    must follow from what it cites: the cited words with the sentences around them, or the whole
    source where a citation names no words; several citations of a sentence support it together.
    All sentences are judged in one batch.

    Args:
        message: What `read_answer` reads, or its result.
        references: The documents of the request, as in `read_answer`. Without them only what the
            message itself has of its sources is compared. They are not needed inside of
            `grounded_in`.
        judges: The engines; by default the bundled NLI engine.
        question: The question that the answer is to.
        threshold: The lowest probability of entailment at which a passage supports a sentence.

    Examples:
        >>> from groundtypes import Judges
        >>> from groundtypes.testing import ScriptedNLI
        >>> message = {
        ...     "message": {
        ...         "content": [{"type": "text", "text": "It is tall."}],
        ...         "citations": [
        ...             {"start": 6, "end": 10, "text": "tall", "sources": [{"id": "guide"}]}
        ...         ],
        ...     }
        ... }
        >>> audit = audit_citations(message, {"guide": "It is tall."}, Judges(nli=ScriptedNLI()))
        >>> audit.ok, audit.held
        (True, (True,))

    Raises:
        CitationsError: The message has no known shape, or it is unknown what its marks name.
        Mistake: The references cannot be read, or an engine is missing or fails.
    """
    given = ground({"references": references, "judges": judges, "question": question})
    references, judges, question = given["references"], given["judges"], given["question"]
    if judges is not None and not isinstance(judges, Judges):
        raise ContextError(
            f"judges is of type {type(judges).__name__}; pass Judges(nli=..., llm=...)"
        )
    if question is not None and not isinstance(question, str):
        raise ContextError(f"the question is of type {type(question).__name__}; pass it as text")
    check_threshold(threshold)
    answer = message if isinstance(message, ProviderAnswer) else read_answer(message, references)
    check_private_marks(answer)
    ledger = Ledger()
    observer = ledger.observer
    judges = judges or Judges()
    if observer is None:
        return _audit(answer, judges, question, threshold, ledger)
    run = LoneRun(given)
    operation = Operation("audit_citations", type(answer))
    with observer.watch(operation, ledger, [run]) as watch:
        audit = _audit(answer, judges, question, threshold, ledger)
        for verdict in audit.verdicts:
            # Without the number: "citations" or "sentences", or nothing for the whole answer.
            place = SimpleNamespace(label=str(verdict.loc[0]) if verdict.loc else "")
            run.add(SimpleNamespace(checks=(), field=place)).verdicts = (verdict,)
        watch.judged()
    return audit


def _audit(
    answer: ProviderAnswer,
    judges: Judges,
    question: str | None,
    threshold: float | None,
    ledger: Ledger,
) -> CitationAudit:
    has_documents = len(answer.references) > len(answer.returned)
    checked = [
        check_citation(answer, number, has_documents=has_documents)
        for number in range(len(answer.citations))
    ]
    statements = find_statements(answer)
    cited = [
        CitedStatement(number, statement, passages)
        for number, statement in enumerate(statements)
        if (passages := _passages(statement, checked))
    ]
    verdicts = [verdict for each in checked for verdict in each.verdicts]
    verdicts += judge_statements(cited, answer.references, judges, question, threshold, ledger)
    if statements and not answer.citations:
        slug, text = fault_message("uncited")
        verdicts.append(Verdict(check="source", ok=False, slug=slug, message=text))
    return CitationAudit(
        answer, tuple(statements), tuple(verdicts), _held(answer, statements, verdicts)
    )


async def aaudit_citations(
    message: Any,
    references: Any = None,
    judges: Judges | None = None,
    *,
    question: str | None = None,
    threshold: float | None = None,
) -> CitationAudit:
    """Return what `audit_citations` returns, without blocking the event loop."""
    given = ground({"references": references, "judges": judges, "question": question})
    return await run_in_thread(
        audit_citations,
        message,
        given["references"],
        given["judges"],
        question=given["question"],
        threshold=threshold,
    )


def _passages(statement: Statement, checked: Sequence[CheckedCitation]) -> tuple[CitedPassage, ...]:
    passages = (passage for at in statement.citations for passage in checked[at].passages)
    return tuple(dict.fromkeys(passages))


def _held(
    answer: ProviderAnswer, statements: Sequence[Statement], verdicts: Sequence[Verdict]
) -> tuple[bool, ...]:
    held = [True] * len(answer.citations)
    for verdict in verdicts:
        if verdict.ok or not verdict.loc:
            continue
        kind, number = verdict.loc
        if kind == "citations":
            held[int(number)] = False
        else:
            for at in statements[int(number)].citations:
                held[at] = False
    return tuple(held)
