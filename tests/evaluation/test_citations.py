"""Citation recall, precision and F1: the definitions of ALCE, by hand and from end to end."""

import json
from pathlib import Path
from typing import Annotated, Any

import pytest

from groundtypes import (
    Audit,
    Cited,
    Grounded,
    Judges,
    NLIScores,
    Pair,
    Verdict,
    audit,
    citation_scores,
)
from groundtypes.errors import ContextError
from groundtypes.evaluation import (
    CitationScores,
    EvaluationRow,
    aggregate,
    compare,
    evaluate,
    evaluate_many,
)
from groundtypes.models import CitedTextAnswer
from groundtypes.prompts.response_models import ClaimLabel, Statements
from groundtypes.scoring import Question
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedLLM, ScriptedNLI
from groundtypes.text.coverage import content_terms

REFERENCES = {
    "guide": "The tower is made of iron. It stands by a river in Paris.",
    "almanac": "The tower was finished in 1889. Gustave Eiffel built it.",
    "menu": "Lunch costs 12 euros. Dinner is served until ten.",
}
IRON, YEAR = "The tower is made of iron", "The tower was finished in 1889"
ALL = Cited(superfluous=True)


def by_words(pair: Pair) -> NLIScores:
    """A premise with all content words of a sentence entails it."""
    covered = content_terms(pair.hypothesis) <= content_terms(pair.premise)
    return ENTAILED if covered else NEUTRAL


def judges() -> Judges:
    return Judges(nli=ScriptedNLI(by_words))


def audited(text: str, references: Any = REFERENCES, **options: Any) -> Audit[Any]:
    """Audit a text; superfluous citations are looked for unless the options say otherwise."""

    class Answer(Grounded):
        text: Annotated[str, Cited(**{"superfluous": True, **options})]

    return audit(Answer, {"text": text}, context={"references": references, "judges": judges()})


def scores_of(*verdicts: Verdict) -> CitationScores:
    return citation_scores(Audit(None, verdicts))


def sentence(number: int, *citations: str, ok: bool = True, **fields: Any) -> Verdict:
    """Return a verdict on a sentence of ten characters."""
    part = (10 * number, 10 * number + 10)
    return Verdict(check="Cited", ok=ok, loc=("text",), part=part, citations=citations, **fields)


def supported(number: int, *citations: str) -> Verdict:
    return sentence(number, *citations, label="entailment")


def unsupported(number: int, *citations: str, label: str = "neutral") -> Verdict:
    return sentence(number, *citations, ok=False, slug="citation_unsupported", label=label)


def relevant(number: int, citation: str) -> Verdict:
    return sentence(number, citation, label="relevant")


def superfluous(number: int, citation: str) -> Verdict:
    return sentence(number, citation, ok=False, slug="citation_superfluous", label="superfluous")


def uncited(number: int, *, ok: bool = False) -> Verdict:
    return sentence(number, ok=ok, slug=None if ok else "citation_missing", label="uncited")


def unknown(number: int) -> Verdict:
    return sentence(number, ok=False, slug="citation_unknown", label="unknown")


@pytest.mark.parametrize(
    ("verdicts", "recall", "precision", "f1"),
    [
        ([supported(0, "a"), supported(1, "b")], 1.0, 1.0, 1.0),
        # One of two statements is supported; two of three citations are of the other one.
        ([supported(0, "a"), unsupported(1, "b", "c")], 1 / 2, 1 / 3, 2 / 5),
        ([supported(0, "a"), unsupported(1, "b", label="contradiction")], 1 / 2, 1 / 2, 1 / 2),
        # ALCE's example: a statement cites [2][4][5], of which [2] is not needed.
        (
            [supported(0, "2", "4", "5"), relevant(0, "4"), relevant(0, "5"), superfluous(0, "2")],
            1.0,
            2 / 3,
            4 / 5,
        ),
        # Each says a half: neither supports the statement alone, and both are needed.
        ([supported(0, "a", "b"), relevant(0, "a"), relevant(0, "b")], 1.0, 1.0, 1.0),
        ([supported(0, "a"), uncited(1), uncited(2), uncited(3)], 1 / 4, 1.0, 2 / 5),
        ([supported(0, "a"), uncited(1, ok=True)], 1 / 2, 1.0, 2 / 3),
        ([unsupported(0, "a")], 0.0, 0.0, 0.0),
        ([uncited(0), uncited(1)], 0.0, 0.0, 0.0),
        ([supported(0, "a"), unknown(1)], 1 / 2, 1 / 2, 1 / 2),
        # What is supported by one source and cites another that does not exist cannot be trusted.
        ([supported(0, "a"), unknown(1), supported(1, "b")], 1 / 2, 1 / 3, 2 / 5),
        # Three of four statements are supported, one of them with a citation too many.
        (
            [
                supported(0, "a"),
                supported(1, "a", "b"),
                relevant(1, "a"),
                superfluous(1, "b"),
                supported(2, "a", "c"),
                relevant(2, "a"),
                relevant(2, "c"),
                unsupported(3, "c"),
            ],
            3 / 4,
            4 / 6,
            2 * (3 / 4) * (4 / 6) / (3 / 4 + 4 / 6),
        ),
    ],
    ids=[
        "all",
        "wrong",
        "contradicted",
        "superfluous",
        "halves",
        "missing",
        "not required",
        "nothing supported",
        "no citation",
        "unknown",
        "unknown beside known",
        "mixed",
    ],
)
def test_the_definitions_of_alce(
    verdicts: list[Verdict], recall: float, precision: float, f1: float
) -> None:
    scores = scores_of(*verdicts)
    assert (scores.recall, scores.precision, scores.f1) == pytest.approx((recall, precision, f1))
    assert scores.metrics == {
        "citation_recall": scores.recall,
        "citation_precision": scores.precision,
        "citation_f1": scores.f1,
    }


def test_without_comparisons_precision_is_known_only_for_single_citations() -> None:
    assert scores_of(supported(0, "a"), unsupported(1, "a", "b")).precision == 1 / 3
    scores = scores_of(supported(0, "a"), supported(1, "a", "b"))
    assert (scores.recall, scores.citations, scores.relevant) == (1.0, 3, None)
    assert (scores.precision, scores.f1) == (None, None)


def test_what_is_no_verdict_on_a_statement_does_not_count() -> None:
    elsewhere = Verdict(check="Cited", ok=False, slug="citation_unknown", label="unknown")
    other = Verdict(check="Entailed", ok=True, label="entailment", part=(0, 10), citations=("a",))
    nothing = Verdict(check="Cited", ok=True, label="none")
    everywhere = Verdict(check="Cited", ok=False, slug="citation_missing", label="uncited")
    for verdict in (other, nothing, everywhere):
        assert scores_of(verdict) == CitationScores(0, 0, 0, 0)
    assert set(scores_of(nothing).metrics.values()) == {None}
    # A marker that belongs to no sentence is still a citation.
    assert scores_of(supported(0, "a"), elsewhere) == CitationScores(1, 1, 2, 1)


def test_fields_with_equal_places_are_told_apart() -> None:
    first = supported(0, "a")
    second = Verdict(
        check="Cited",
        ok=False,
        loc=("items", 1),
        part=first.part,
        citations=("a",),
        label="neutral",
    )
    assert scores_of(first, second) == CitationScores(2, 1, 2, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{IRON} [1]. {YEAR} [2].", CitationScores(2, 2, 2, 2)),
        (f"{IRON} [1][3]. {YEAR} [2].", CitationScores(2, 2, 3, 2)),
        ("The tower is made of iron and was finished in 1889 [1][2].", CitationScores(1, 1, 2, 2)),
        (f"{IRON} [2]. {YEAR}.", CitationScores(2, 0, 1, 0)),
        (f"{IRON} [1][9]. {YEAR} [8].", CitationScores(2, 0, 3, 0)),
        (f"{IRON} and so on, never mind [1][3].", CitationScores(1, 0, 2, 0)),
        ("Shall I look it up?", CitationScores(0, 0, 0, 0)),
    ],
    ids=["good", "superfluous", "together", "wrong and missing", "unknown", "neither", "nothing"],
)
def test_the_verdicts_of_cited_are_counted(text: str, expected: CitationScores) -> None:
    assert citation_scores(audited(text)) == expected


@pytest.mark.parametrize("require", ["all", "some", "none"])
def test_what_is_required_makes_no_difference(require: str) -> None:
    found = audited(f"{IRON}. {YEAR} [2].", require=require)
    assert citation_scores(found) == CitationScores(2, 1, 1, 1)
    nothing = audited(f"{IRON}. {YEAR}.", require=require)
    assert citation_scores(nothing) == CitationScores(2, 0, 0, 0)


def test_more_references_than_are_compared_count_as_relevant() -> None:
    references = [f"{IRON}. This is copy {number}." for number in range(14)]
    cited = "".join(f"[{number}]" for number in range(1, 15))
    assert citation_scores(audited(f"{IRON} {cited}.", references)) == CitationScores(1, 1, 14, 14)


def test_no_statement_with_an_unknown_reference_counts_as_supported_however_many_there_are() -> (
    None
):
    scores = citation_scores(audited(f"{IRON} [1][9]. " * 200 + f"{YEAR} [2]."))
    assert (scores.statements, scores.supported, scores.relevant) == (201, 1, 1)
    only_unknown = citation_scores(audited(f"{IRON} [9]. " * 200))
    assert (only_unknown.statements, only_unknown.supported) == (200, 0)


def test_what_is_too_much_to_be_shown_or_compared_counts_against_precision() -> None:
    references = [f"{IRON}. This is copy {number}." for number in range(25)]
    cited = "".join(f"[{number}]" for number in range(1, 26))
    assert citation_scores(audited(f"{IRON} {cited}.", references)) == CitationScores(1, 1, 25, 20)
    unknown = "".join(f"[{number}]" for number in range(100, 400))
    found = audited(f"{IRON} [1]. {YEAR} {unknown}. Is it so {unknown}?")
    assert citation_scores(found) == CitationScores(3, 1, 601, 1)


def test_a_citation_that_is_compared_has_a_verdict_of_its_own() -> None:
    found = audited(f"{IRON} [1][3].")
    assert [(verdict.label, verdict.ok, verdict.citations) for verdict in found.verdicts] == [
        ("entailment", True, ("guide", "menu")),
        ("relevant", True, ("guide",)),
        ("superfluous", False, ("menu",)),
    ]
    assert [statement.span.reference for statement in found.citations()] == ["guide"]
    alone = audited(f"{IRON} [1].")
    assert [verdict.label for verdict in alone.verdicts] == ["entailment"]


def test_by_an_llm_the_scores_are_those_of_its_labels() -> None:
    def rule(question: Question) -> Any:
        if question.response_model is ClaimLabel:
            is_first = "iron" in question.content
            return ClaimLabel(label="supported" if is_first else "contradicted", passage=1)
        return Statements(labels=[])

    llm = ScriptedLLM(rule)
    given = EvaluationRow(None, REFERENCES, f"{IRON} [1]. {YEAR} [2].")
    [judged] = evaluate_many([given], judges=Judges(llm=llm), citations=Cited(by="llm"))
    assert judged.citations == CitationScores(2, 1, 2, 1)
    tokens = sum(verdict.tokens or 0 for verdict in judged.citation_verdicts)
    [bare] = evaluate_many([given], judges=Judges(llm=llm))
    assert judged.tokens == tokens + bare.tokens
    assert tokens > 0


def test_many_answers_have_means_with_intervals_and_are_compared() -> None:
    good, bad, silent = f"{IRON} [1].", f"{IRON} [2].", "Shall I look it up?"
    before = [citation_scores(audited(text)) for text in (bad, good, bad, silent)]
    after = [citation_scores(audited(text)) for text in (good, good, bad, silent)]
    means = aggregate(before)
    assert means.keys() == {"citation_recall", "citation_precision", "citation_f1"}
    recall = means["citation_recall"]
    assert recall.mean == pytest.approx(1 / 3)
    assert recall.rows == 3
    assert recall.low < recall.mean < recall.high
    change = compare(before, after)["citation_recall"]
    assert change.mean == pytest.approx(1 / 3)
    assert (change.larger, change.smaller, change.same) == (1, 0, 2)


def row(answer: str, references: Any = REFERENCES) -> EvaluationRow:
    return EvaluationRow("What is it made of?", references, answer, f"{IRON}.")


def test_an_evaluation_without_the_check_says_nothing_about_citations() -> None:
    evaluation = evaluate("Of what?", REFERENCES, f"{IRON} [1].", judges=judges())
    assert (evaluation.citations, evaluation.citation_verdicts) == (None, ())
    assert not any("citation" in name for name in evaluation.metrics)
    assert "citation" not in json.dumps(evaluation.to_dict())


def test_an_evaluation_has_the_scores_and_the_verdicts_of_each_row() -> None:
    rows = [row(f"{IRON} [1]."), row(f"{IRON} [2]."), row(f"{IRON}.", None), row(f"{IRON}.")]
    found = evaluate_many(iter(rows), judges=judges(), batch=3, citations=ALL)
    assert [each.citations and each.citations.recall for each in found] == [1.0, 0.0, None, 0.0]
    assert [verdict.slug for verdict in found[1].citation_verdicts] == ["citation_unsupported"]
    data = found[1].to_dict()
    assert data["scores"]["citation_f1"] == 0.0
    counts = {"statements": 1, "supported": 0, "citations": 1, "relevant": 0}
    assert data["citations"] == counts
    assert data["citation_verdicts"][0]["citations"] == ["almanac"]
    assert aggregate(found)["citation_recall"].rows == 3


def test_the_other_scores_are_those_of_the_answer_without_its_markers() -> None:
    marked = f"{IRON}. \u30101\u2020guide\u3011 {YEAR}. \u30102\u2020almanac\u3011"
    plain = f"{IRON}. {YEAR}."
    [judged] = evaluate_many([row(marked)], judges=judges(), citations=ALL)
    [bare] = evaluate_many([row(plain)], judges=judges())
    assert judged.answer_by_context == bare.answer_by_context
    assert judged.answer_by_truth == bare.answer_by_truth
    assert judged.truth_by_answer == bare.truth_by_answer


#: Recall and precision of the answers in the file, by hand.
BY_HAND = {
    "leave, three faults": (1 / 4, 1 / 3),
    "museum, all right": (1.0, 1.0),
    "museum, wrong source": (1 / 2, 1 / 2),
    "boiler, contradicted": (2 / 3, 2 / 3),
    "vaccine, footnotes": (1.0, 1.0),
    "ferry, superfluous": (1.0, 2 / 3),
}


def test_the_bundled_model_finds_the_faults_of_written_answers_and_scores_them() -> None:
    pytest.importorskip("onnxruntime")
    path = Path(__file__).parents[2] / "cookbook" / "data" / "cited_texts.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    judged = evaluate_many(
        (EvaluationRow(each["question"], each["references"], each["answer"]) for each in rows),
        citations=ALL,
    )
    for each, evaluation in zip(rows, judged, strict=True):
        faults = [verdict.slug for verdict in evaluation.citation_verdicts if not verdict.ok]
        assert faults == each["faults"], each["id"]
        assert evaluation.citations is not None
        found = (evaluation.citations.recall, evaluation.citations.precision)
        assert found == pytest.approx(BY_HAND[each["id"]]), each["id"]


def test_the_ready_made_model_takes_an_answer_with_markers() -> None:
    given = {"references": REFERENCES, "judges": judges()}
    assert audit(CitedTextAnswer, {"answer": f"{IRON} [1]."}, context=given).ok
    found = audit(CitedTextAnswer, {"answer": f"{IRON} [2]."}, context=given)
    assert [fault.slug for fault in found.faults] == ["citation_unsupported"]


@pytest.mark.parametrize("audited", [None, "It is tall [1].", [], 5], ids=repr)
def test_scores_of_what_is_no_audit_are_a_mistake(audited: Any) -> None:
    with pytest.raises(ContextError, match="citation_scores takes"):
        citation_scores(audited)
