"""Extracting and labelling the claims of a text in one question to an LLM.

It costs fewer tokens than extracting first and labelling then. The reply is trusted less: what it
leaves unlabelled, or is detectably wrong about, is labelled in a second call (`label`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from groundtypes.claims.attribution import (
    TextVocabulary,
    attribute_sentence,
    uncovered_sentences,
)
from groundtypes.claims.claim import CheckedClaim
from groundtypes.claims.label import label_claims
from groundtypes.claims.llm_labels import checked_by_llm, split_tokens
from groundtypes.claims.prompt_limits import (
    MAX_CHARACTERS,
    MAX_PRECEDING,
    MAX_QUESTION,
    MAX_SENTENCES,
)
from groundtypes.entailment.evidence.prompt_passages import EvidencePassages, batches_with_evidence
from groundtypes.ledger import Ask
from groundtypes.prompts.prompt import JUDGE_STATEMENTS
from groundtypes.prompts.prompt_texts import numbered_lines, preceding_text, question_text
from groundtypes.prompts.response_models import LABELS, StatementLabel, Statements
from groundtypes.references import References
from groundtypes.scoring import LLM, Label, Question, Reply
from groundtypes.text.coverage import content_terms
from groundtypes.text.hypotheses import Hypothesis, hypotheses


def extract_and_label(
    text: str, references: References, user_question: str | None, llm: LLM, ask: Ask
) -> tuple[list[CheckedClaim], int]:
    """Return the claims of a text with their labels, and the tokens that belong to no claim.

    If the references have no passages, the LLM is not asked and every sentence that makes a claim
    is neutral.
    """
    requests = _build_requests(text, references, user_question)
    if not requests:
        return label_claims(uncovered_sentences(text, ()), references, user_question, llm, ask), 0
    replies = ask(llm, [request.question for request in requests])
    result = _read_replies(requests, replies, text, user_question)
    second_call = label_claims(result.unlabelled, references, user_question, llm, ask)
    claims = sorted([*result.checked, *second_call], key=lambda claim: claim.start)
    return claims, result.unassigned_tokens


@dataclass(frozen=True, slots=True)
class _Request:
    """A question to the LLM for the labelled claims of some sentences, numbered from 1."""

    question: Question
    sentences: tuple[Hypothesis, ...]
    evidence: EvidencePassages


def _build_requests(text: str, references: References, user_question: str | None) -> list[_Request]:
    """Return the questions about a text; none if the references have no passages to show."""
    sentences = [sentence for sentence in hypotheses(text) if sentence.is_claim]
    batches = batches_with_evidence(sentences, references, MAX_SENTENCES, MAX_CHARACTERS)
    return [
        _Request(
            JUDGE_STATEMENTS.question(
                *evidence.named_texts,
                question_text(user_question, MAX_QUESTION),
                preceding_text(text, batch[0].start, MAX_PRECEDING),
                (
                    "sentences",
                    numbered_lines(sentence.text[:MAX_CHARACTERS] for sentence in batch),
                ),
            ),
            batch,
            evidence,
        )
        for batch, evidence in batches
        if evidence.texts
    ]


class _Statement(NamedTuple):
    """A statement of the text; without a label it must be asked about again.

    `passage` is the number of the passage that decides.
    """

    claim: Hypothesis
    label: Label | None
    passage: int | None


@dataclass(frozen=True, slots=True)
class _Result:
    """The labelled claims of a text, and the claims and sentences that still need a label.

    `unassigned_tokens` were used by the LLM but belong to none of the labelled claims.
    """

    checked: list[CheckedClaim]
    unlabelled: list[Hypothesis]
    unassigned_tokens: int


def _read_replies(
    requests: Sequence[_Request], replies: Sequence[Reply], text: str, user_question: str | None
) -> _Result:
    """Return the claims that the replies label, and what they leave unlabelled.

    Unlabelled are: all sentences of a reply that is ignored as a whole (`_own_statements`);
    statements with two different labels; statements that are called supported without naming a
    passage, or that are empty; and sentences that the statements do not cover, unless one of
    their statements is already neutral or contradicted.
    """
    collector = _StatementCollector()
    vocabulary = TextVocabulary.of(text, user_question)
    for request, reply in zip(requests, replies, strict=True):
        collector.add(request, reply, _own_statements(request, reply, vocabulary))
    return collector.result(text)


class _StatementCollector:
    """The statements of all replies about a text, collected by their words."""

    def __init__(self) -> None:
        self._checked: dict[str, list[CheckedClaim]] = {}
        self._unlabelled: dict[str, Hypothesis] = {}
        self._ignored: list[Hypothesis] = []
        self._unassigned_tokens = 0

    def add(self, request: _Request, reply: Reply, statements: Sequence[_Statement] | None) -> None:
        """Add the statements of a reply; `None` if the reply is ignored."""
        tokens = reply.tokens_in + reply.tokens_out
        if statements is None:
            self._ignored += request.sentences
        if not statements:
            self._unassigned_tokens += tokens
            return
        shares = split_tokens(tokens, len(statements))
        for (claim, claim_label, passage), share in zip(statements, shares, strict=True):
            words = " ".join(claim.text.casefold().split())
            if claim_label is None:
                self._unlabelled[words] = claim
                self._unassigned_tokens += share
            else:
                checked = checked_by_llm(claim, claim_label, request.evidence, passage, share)
                self._checked.setdefault(words, []).append(checked)

    def result(self, text: str) -> _Result:
        """Return each labelled statement once, and what is unlabelled."""
        unlabelled = dict(self._unlabelled)
        unassigned_tokens = self._unassigned_tokens
        for words, claims in self._checked.items():
            if len({claim.label for claim in claims}) > 1:
                unlabelled[words] = Hypothesis(claims[0].text, claims[0].start, claims[0].end)
            # The tokens of statements that are asked about again, or repeated, belong to no claim.
            repeated = claims if words in unlabelled else claims[1:]
            unassigned_tokens += sum(claim.tokens or 0 for claim in repeated)
        # A statement that several sentences make is one claim, but covers each of them.
        every_claim = [claim for claims in self._checked.values() for claim in claims]
        decided = {
            (claim.start, claim.end) for claim in every_claim if claim.label is not Label.ENTAILMENT
        }
        decided |= {(sentence.start, sentence.end) for sentence in self._ignored}
        uncovered = [
            sentence
            for sentence in uncovered_sentences(text, [*every_claim, *unlabelled.values()])
            if (sentence.start, sentence.end) not in decided
        ]
        return _Result(
            [claims[0] for words, claims in self._checked.items() if words not in unlabelled],
            [*unlabelled.values(), *self._ignored, *uncovered],
            unassigned_tokens,
        )


def _own_statements(
    request: _Request, reply: Reply, vocabulary: TextVocabulary
) -> list[_Statement] | None:
    """Return the statements of a reply, or `None` to ignore the whole reply.

    The whole reply is ignored if any statement is not the text's own: it has a number or mostly
    words that neither the text nor the user's question contains, it uses a content word that occurs
    only in the passages, or it gives the number of a sentence that does not exist. The
    other labels of such a reply cannot be trusted.
    """
    passage_words = content_terms(" ".join(request.evidence.texts)) - vocabulary.words
    passage_numbers = range(1, len(request.evidence.texts) + 1)
    statements: list[_Statement] = []
    for labelled in labelled_statements(reply):
        if not 1 <= labelled.sentence <= len(request.sentences):
            return None
        claim = request.sentences[labelled.sentence - 1]
        if (words := labelled.statement) is not None:
            if not vocabulary.contains_words_of(words) or content_terms(words) & passage_words:
                return None
            sentence = attribute_sentence(claim, request.sentences, words)
            claim = Hypothesis(words, sentence.start, sentence.end)
        names_no_passage = labelled.passage not in passage_numbers
        is_unproven = labelled.label is Label.ENTAILMENT and names_no_passage
        claim_label = None if is_unproven else labelled.label
        statements.append(_Statement(claim, claim_label, labelled.passage))
    return statements


@dataclass(frozen=True, slots=True)
class LabelledStatement:
    """A statement in the reply of an LLM.

    `sentence` is the number of the sentence that makes it; `statement` is `None` if it is that
    sentence itself; `label` is `None` if the reply labels it in different ways, or if it is empty
    and is called supported.
    """

    sentence: int
    statement: str | None
    label: Label | None
    passage: int | None


def labelled_statements(reply: Reply) -> Iterator[LabelledStatement]:
    """Yield the statements of a reply, each once for each sentence that makes it."""
    answer = reply.answer
    labels_of: dict[tuple[int, str], list[StatementLabel]] = {}
    for statement in answer.labels if isinstance(answer, Statements) else ():
        words = " ".join((statement.statement or "").casefold().split())
        labels_of.setdefault((statement.sentence, words), []).append(statement)
    for (sentence, words), labels in labels_of.items():
        first = labels[0]
        # An empty statement says nothing that could be supported.
        is_empty = not words and all(given.statement is not None for given in labels)
        is_consistent = len({given.label for given in labels}) == 1
        label = LABELS[first.label] if is_consistent else None
        yield LabelledStatement(
            sentence,
            first.statement if words else None,
            None if is_empty and label is Label.ENTAILMENT else label,
            first.passage,
        )
