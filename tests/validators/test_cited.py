"""`Cited` with scripted engines: what is asked, which faults there are, what the value becomes."""

import copy
import pickle
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ValidationError

from groundtypes import (
    Audit,
    Cited,
    CitedText,
    Grounded,
    Judges,
    LanguageError,
    NLIScores,
    Pair,
    Span,
    audit,
    verify,
)
from groundtypes.errors import MarkerError, MissingJudgeError, MissingReferencesError
from groundtypes.scoring import Question
from groundtypes.testing import ENTAILED, NEUTRAL, REFUTED, ScriptedLLM, ScriptedNLI
from groundtypes.text.coverage import content_terms
from tests.checks import without_bundled

REFERENCES = {
    "guide": "The tower is tall and made of iron. It stands by a river in Paris.",
    "almanac": "The tower was finished in 1889. Gustave Eiffel built it.",
    "menu": "Lunch costs 12 euros. Dinner is served until ten.",
}
GOOD = "The tower is tall and made of iron [1]. The tower was finished in 1889 [2]."


def by_words(pair: Pair) -> NLIScores:
    """A premise with all content words of a sentence entails it; "never" contradicts."""
    if "never" in pair.hypothesis:
        return REFUTED
    covered = content_terms(pair.hypothesis) <= content_terms(pair.premise)
    return ENTAILED if covered else NEUTRAL


def check(
    text: str, references: Any = REFERENCES, engine: Any = None, **options: Any
) -> Audit[Any]:
    """Audit a text, whose checks have these options."""

    class Answer(Grounded):
        text: Annotated[str, Cited(**options)]

    judges = Judges(nli=engine or ScriptedNLI(by_words))
    return audit(Answer, {"text": text}, context={"references": references, "judges": judges})


def slugs(text: str, references: Any = REFERENCES, **options: Any) -> list[str | None]:
    return [fault.slug for fault in check(text, references, **options).faults]


def value_of(text: str, **options: Any) -> Any:
    """Return the instance that a text without faults becomes."""
    found = check(text, **options)
    assert found.value is not None
    return found.value


def message(text: str, **options: Any) -> str:
    """Return the message of the only fault."""
    (fault,) = check(text, **options).faults
    assert fault.message is not None
    return fault.message


def test_every_sentence_is_judged_against_what_it_cites_in_one_batch() -> None:
    engine = ScriptedNLI(by_words)
    found = check(GOOD, engine=engine)
    assert found.ok
    assert engine.calls == 1
    assert [verdict.label for verdict in found.verdicts] == ["entailment", "entailment"]
    assert [verdict.citations for verdict in found.verdicts] == [("guide",), ("almanac",)]
    for pair in engine.batches[0]:
        assert "[" not in pair.hypothesis
        assert ("1889" in pair.hypothesis) == ("1889" in pair.premise or "Eiffel" in pair.premise)


def test_the_value_knows_where_its_evidence_is() -> None:
    value = value_of(GOOD).text
    assert isinstance(value, CitedText)
    assert value == GOOD
    assert value.plain == "The tower is tall and made of iron. The tower was finished in 1889."
    first, second = value.citations
    assert value[first.start : first.end] == "[1]"
    assert (first.references, second.references) == (("guide",), ("almanac",))
    assert first.spans == (Span("guide", 0, 35),)
    assert REFERENCES["almanac"][second.spans[0].start : second.spans[0].end].endswith("1889.")


def test_the_value_is_copied_pickled_and_written_as_text() -> None:
    answer = value_of(GOOD)
    for again in (copy.deepcopy(answer.text), pickle.loads(pickle.dumps(answer.text))):  # noqa: S301 # our own
        assert again == answer.text
        assert again.citations == answer.text.citations
    assert answer.model_dump() == {"text": GOOD}
    assert answer.model_dump_json() == '{"text":"' + GOOD + '"}'


def test_the_parts_of_the_verdicts_are_the_sentences_with_their_markers() -> None:
    first, second = "The tower is made of iron [1].", "The tower was finished in 1889. [2]"
    text = f"{first}  {second} It is still rather tall.[1]"
    found = check(text, engine=ScriptedNLI(lambda _: ENTAILED))
    assert [text[slice(*verdict.part)] for verdict in found.verdicts if verdict.part] == [
        first,
        second,
        "It is still rather tall.[1]",
    ]


@pytest.mark.parametrize("short", ["Why?", "Good luck!", "Anything else?", "See [2]."])
def test_a_short_question_or_wish_behind_a_claim_hides_nothing(short: str) -> None:
    engine = ScriptedNLI(by_words)
    found = check(f"The tower is made of iron [1]. {short}", engine=engine)
    assert found.ok
    assert {pair.hypothesis for pair in engine.batches[0]} == {"The tower is made of iron."}
    assert slugs(f"The tower is painted dark red. {short.replace('[2]', 'it')}") != []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The tower is tall and made of iron [7].", ["citation_unknown"]),
        ("The tower is tall and made of iron [1][7].", ["citation_unknown"]),
        ("The tower is tall and made of iron [7] [8].", ["citation_unknown"] * 2),
        ("The tower is made of iron [1]. Gustave Eiffel built it.", ["citation_missing"]),
        ("The tower is tall and made of iron [2].", ["citation_unsupported"]),
        ("The tower never stood in Paris [1].", ["citation_contradicted"]),
        ("Lunch costs 13 euros [3].", ["citation_unsupported"]),
        ("", ["citation_missing"]),
        ("...", ["citation_missing"]),
        ("Gustave Eiffel", ["citation_missing"]),
        (GOOD, []),
        ("Iron [1]", []),
        ("Which tower do you mean?", []),
        ("The tower is made of iron [1]. Let me know if you need more!", []),
        ("# Iron\n\nHere is more:\n\n- The tower is of iron [1].\n- It is a tall tower [1].", []),
        ("The tower stands in Paris [1]. The references do not say who owns it.", []),
        ("The tower is made of iron [1]. For more details, see [2].", []),
        ("The tower is made of iron (guide). Gustave Eiffel built it (almanac).", []),
        ("The tower is made of iron [1, 2].", []),
        ("The tower is tall and made of iron, and Gustave Eiffel built it [1-2].", []),
    ],
)  # fmt: skip
def test_faults(text: str, expected: list[str]) -> None:
    assert slugs(text) == expected


def test_all_faults_are_told_at_once() -> None:
    text = "The tower is made of iron [9]. It is painted dark red. It was sold in 1889 [1]."
    assert slugs(text) == ["citation_unknown", "citation_missing", "citation_unsupported"]


def test_a_sentence_may_need_two_references_together() -> None:
    text = "The tower is made of iron and was finished in 1889 [{}]."
    assert slugs(text.format("1, 2")) == []
    assert slugs(text.format("1")) == ["citation_unsupported"]


def test_the_message_names_the_reference_that_does_support_it() -> None:
    said = message("Gustave Eiffel built it [1].")
    assert "[1] (guide)" in said
    assert "[2] (almanac)" in said
    assert "Gustave Eiffel built it [1]" in said
    assert '"Gustave Eiffel built it."' in said


def test_a_contradiction_may_be_right_elsewhere() -> None:
    def rule(pair: Pair) -> NLIScores:
        return ENTAILED if "Eiffel" in pair.premise else REFUTED

    said = message("Gustave Eiffel built it [1].", engine=ScriptedNLI(rule))
    assert "contradicts" in said
    assert "[2] (almanac) supports it" in said


def test_an_unknown_reference_is_told_which_exist() -> None:
    said = message("The tower is made of iron [7].")
    assert '"7"' in said
    assert "[1] (guide), [2] (almanac) or [3] (menu)" in said
    by_id = message(
        "The tower is made of iron (guide). Gustave Eiffel built it (almanac2).",
        style="parentheses",
    )
    assert "guide, almanac or menu" in by_id


def test_a_missing_citation_is_told_what_to_cite() -> None:
    said = message("The tower is made of iron [1]. Gustave Eiffel built it.")
    assert "[2] (almanac) says it" in said
    assert "reference" in message("The tower is made of iron [1]. Nobody lives up there.")


def test_references_of_a_list_are_named_by_number() -> None:
    found = check("It is red [2].", ["It is tall.", "It is old."])
    (fault,) = found.faults
    assert fault.message is not None
    assert "Reference [2] does" in fault.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The red bike is 25 euros cheaper than the blue one [1].", []),  # derived
        ("The blue bike has 48 gears [1].", []),  # bounded otherwise
        ("The red bike is 35 euros cheaper than the blue one [1].", ["citation_unsupported"]),
        ("Two bikes are shown here:\n\n- The red bike costs 65 euros [1].", []),
        ("There are 9 bikes:\n\n- The red bike costs 65 euros [1].", []),  # not its own figure
    ],
)
def test_figures_are_judged_as_by_figures(text: str, expected: list[str]) -> None:
    shop = "The blue bike costs 90 euros and has up to 48 gears. The red bike costs 65 euros."
    engine = ScriptedNLI(lambda _: ENTAILED)
    assert slugs(text, {"shop": shop}, engine=engine) == expected


def test_figures_are_looked_up_in_what_is_cited() -> None:
    always = ScriptedNLI(lambda _: ENTAILED)
    assert slugs("It was finished in 1889 [2].", engine=always) == []
    said = message("It was finished in 1898 [2].", engine=always)
    assert "1898 does not stand in reference [2]" in said
    elsewhere = message("It was finished in 1889 [1].", engine=always)
    assert "But reference [2]" in elsewhere


def test_a_small_count_in_words_is_left_to_the_engine() -> None:
    always = ScriptedNLI(lambda _: ENTAILED)
    assert slugs("There are two things to say of the tower [1].", engine=always) == []
    assert slugs("There are 2 things to say of the tower [1].", engine=always) != []
    assert slugs("It is two metres from the river [1].", engine=always) != []


@pytest.mark.parametrize(
    "nothing",
    [
        "Which of the towers do you mean?",
        "Here is a short summary of it.",
        "That depends on what you want.",
        "If you like, I can also list the prices.",
        "Please talk to your bank before you decide.",
        "Congratulations, everybody!",
        "I could not find the price of it in the documents.",
        "None of the sources says who owns it.",
        "The passages do not mention the colour.",
        "To put it in a few words:",
    ],
)
def test_what_claims_nothing_needs_no_citation(nothing: str) -> None:
    assert slugs(f"The tower is tall and made of iron [1].\n\n{nothing}") == []


@pytest.mark.parametrize(
    "claim",
    [
        "If you pay by card, the trip is insured.",
        "Please bring 2 copies of the form.",
        "The tower must not be climbed in winter!",
        "The document is signed by the owner.",
        "Information is given at the desk.",
        "Here and there the paint comes off.",
    ],
)
def test_what_claims_something_needs_a_citation(claim: str) -> None:
    text = f"The tower is tall and made of iron [1].\n\n{claim}"
    assert slugs(text) == ["citation_missing"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is tall [1]. It is red.", ["citation_missing"]),
        ("The tower is tall [1]. It is red.", ["citation_missing"]),
        ("It is tall. [1] It is red.", ["citation_missing"]),
        ("<cite id='guide'>It is tall.</cite> It is red.", ["citation_missing"]),
        ("It is tall [1]. It is red [2].", ["citation_unsupported"]),
        ("It is tall [1]. Good luck!", []),
        ("Iron. The tower is tall [1].", []),
        ("Only on Sundays.\n\nThe tower is tall [1].", ["citation_missing"]),
        ("Iron.\n\nThe tower is tall [1].", []),
    ],
)
def test_a_short_sentence_beside_a_cited_one_needs_its_own_citation(
    text: str, expected: list[str]
) -> None:
    assert slugs(text) == expected


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ("Sources:\n1. The tower is made of iron.", []),
        ("Sources:\n1. The tower is red.", ["citation_unsupported"]),
        ("Sources:\n2. The tower is red and was built by Gustave Eiffel", ["citation_unsupported"]),
        ("Sources:\n[1] guide\nThe tower is red.", ["citation_unsupported"]),
        ("Sources:\n[7] The tower is red.", ["citation_missing"]),
        ("Sources: 1. The tower is red.", ["citation_unsupported"]),
        ("[1]: The tower is red.", ["citation_unsupported"]),
        ("Sources:\n- guide: The tower is red.", ["citation_unsupported"]),
        ("Sources:\n[1] The tower has 400 rooms of iron.", ["citation_unsupported"]),
        ("Sources:\n[1] guide\n[2] almanac", []),
        ("Sources:\n[1] What is iron? A guide to the tower", []),
        ("Sources:\n[1] Guide to the tower, 3rd edition, p. 12.", []),
        ("Sources:\n[1] https://example.org/the-tower-is-red", []),
    ],
)
def test_a_statement_in_the_list_of_sources_is_judged(listed: str, expected: list[str]) -> None:
    assert slugs(f"The tower is tall and made of iron [1].\n\n{listed}") == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("A taxi costs 15 pounds (taxi).", ["citation_unknown"]),
        ("A taxi costs 15 pounds (Taxi).", ["citation_missing"]),
        ("A taxi costs 15 pounds (taxi fare).", ["citation_missing"]),
        ("A taxi (taxi) costs 15 pounds.", ["citation_missing"]),
        ("Lunch (soup) costs 12 euros (menu).", []),
        ("Lunch costs 12 euros (net) (menu).", []),
    ],
)
def test_a_word_in_round_brackets_may_be_an_unknown_source(
    sentence: str, expected: list[str]
) -> None:
    engine = ScriptedNLI(lambda _: ENTAILED)
    text = f"The tower is tall and made of iron (guide). {sentence}"
    assert slugs(text, engine=engine) == expected
    assert slugs(f"The tower is tall [1]. {sentence}", engine=engine) != ["citation_unknown"]


@pytest.mark.parametrize(
    "text",
    [
        "[1]" * 10_000,
        "[" * 20_000,
        "The tower is tall [" + "1, " * 10_000 + "1].",
        "It stands there [" + "9" * 100_000 + "].",
        "The tower is tall and old [[[1]]] [1][.",
        "\u202eThe tower is tall and made of iron\u202c [\u200b1\u200b].",
        "please " * 20_000 + "[1].",
        "The tower " * 5_000 + "[1].",
        "\ud800 stands there [1].",
        "# A heading\n\n[1]",
        "Sources:\n[1] guide\n[2] almanac",
    ],
    ids=range(11),
)
def test_hostile_texts_have_verdicts(text: str) -> None:
    found = check(text)
    assert found.verdicts
    assert all(len(fault.message or "") <= 700 for fault in found.faults)


def test_only_what_fails_is_asked_again() -> None:
    engine = ScriptedNLI(by_words)
    check("The tower is tall and made of iron [1]. Gustave Eiffel built it [1].", engine=engine)
    assert engine.calls == 2
    assert {pair.hypothesis for pair in engine.batches[1]} == {"Gustave Eiffel built it."}
    assert all("iron" not in pair.premise for pair in engine.batches[1])


def test_many_failing_sentences_are_two_batches() -> None:
    engine = ScriptedNLI(by_words)
    text = " ".join(f"It is number {number} in the world of iron [1]." for number in range(80))
    found = check(text, engine=engine)
    assert len(found.faults) == 80
    assert engine.calls == 2


@pytest.mark.parametrize(
    ("require", "expected"),
    [("all", ["citation_missing"] * 2), ("some", ["citation_missing"]), ("none", [])],
)
def test_require_says_who_must_cite(require: str, expected: list[str]) -> None:
    text = "The tower is made of iron. Gustave Eiffel built it."
    assert slugs(text, require=require) == expected
    assert slugs("The tower is made of iron [1]. It is painted dark red.", require="some") == []
    assert slugs("The tower is red [1].", require=require) == ["citation_unsupported"]


def test_uncited_sentences_that_may_be_uncited_have_verdicts() -> None:
    found = check("The tower is made of iron [1]. It is painted dark red.", require="none")
    assert [verdict.label for verdict in found.verdicts] == ["entailment", "uncited"]


def test_a_citation_at_the_end_of_a_paragraph() -> None:
    text = (
        "The tower is made of iron. It stands by a river in Paris. The tower is tall and of iron "
        "[1].\n\nGustave Eiffel built it [2]."
    )
    assert slugs(text) == ["citation_missing"] * 2
    assert slugs(text, scope="paragraph") == []
    assert slugs(f"Here is a short summary. {text}", scope="paragraph") == []
    value = value_of(text, scope="paragraph").text
    assert [citation.references for citation in value.citations] == [("guide",)] * 3 + [
        ("almanac",)
    ]
    assert all(citation.spans for citation in value.citations)


def test_superfluous_citations_are_found_by_the_rule_of_alce() -> None:
    text = "The tower is made of iron [1][3]."
    assert slugs(text) == []
    found = check(text, superfluous=True)
    assert [fault.slug for fault in found.faults] == ["citation_superfluous"]
    assert [verdict.citations for verdict in found.faults] == [("menu",)]
    assert "[3] (menu)" in (found.faults[0].message or "")
    together = "The tower is made of iron and was finished in 1889 [1][2]."
    assert slugs(together, superfluous=True) == []
    unsupported = "The tower is red [1][3]."
    assert slugs(unsupported, superfluous=True) == ["citation_unsupported"]


def test_superfluous_citations_are_part_of_the_batch() -> None:
    engine = ScriptedNLI(by_words)
    check(
        "The tower is made of iron [1][3]. It stands by a river in Paris [1].",
        engine=engine,
        superfluous=True,
    )
    assert engine.calls == 1


def test_no_references_and_no_context_are_different_things() -> None:
    assert slugs("The tower is made of iron [1].", []) == ["citation_unknown"]
    assert slugs("The tower is tall.", []) == ["citation_missing"]

    class Answer(BaseModel):
        text: Annotated[str, Cited()]

    with pytest.raises(MissingReferencesError):
        Answer.model_validate({"text": "It is tall."})
    with pytest.raises(MissingReferencesError):
        verify(Answer, {"text": ""}, context={})


def test_an_empty_reference_supports_nothing() -> None:
    assert "no text" in message("The tower is made of iron [1].", references=["", "   "])


def test_a_language_that_the_engine_does_not_read_is_a_mistake() -> None:
    class English(ScriptedNLI):
        languages = ("en",)

    with pytest.raises(LanguageError):
        check("Der Turm ist hoch und er steht seit vielen Jahren in Paris [1].", engine=English())


def test_a_missing_engine_is_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    without_bundled(monkeypatch)

    class Answer(Grounded):
        text: Annotated[str, Cited()]

    with pytest.raises(MissingJudgeError):
        audit(Answer, {"text": GOOD}, context={"references": REFERENCES})
    with pytest.raises(MissingJudgeError):
        check(GOOD, by="llm")


def labels(*words: str) -> Callable[[Question], Any]:
    """A reply about several claims with these labels; about a single one with the last of them."""

    def rule(question: Question) -> Any:
        if question.prompt.startswith("check_claims"):
            listed = [
                {"claim": number, "label": word, "passage": None}
                for number, word in enumerate(words, 1)
            ]
            return question.response_model.model_validate({"labels": listed})
        return question.response_model.model_validate({"label": words[-1], "passage": 1})

    return rule


def llm_check(text: str, llm: ScriptedLLM, **options: Any) -> Audit[Any]:
    class Answer(Grounded):
        text: Annotated[str, Cited(by="llm", **options)]

    context = {"references": REFERENCES, "judges": Judges(llm=llm)}
    return audit(Answer, {"text": text}, context=context)


def test_an_llm_judges_each_sentence_by_what_it_cites() -> None:
    llm = ScriptedLLM(labels("supported"))
    found = llm_check(GOOD, llm)
    assert found.ok
    (questions,) = llm.batches
    assert ["iron" in question.content for question in questions] == [True, False]
    assert not any("[1]" in question.content for question in questions)
    assert [verdict.tokens for verdict in found.verdicts] == [15, 15]
    assert [verdict.span.reference for verdict in found.verdicts if verdict.span] == [
        "guide",
        "almanac",
    ]


SAME = "The tower is made of iron [1]. It is an iron tower, as all towers here are [1]."


def test_sentences_that_cite_the_same_are_one_question() -> None:
    llm = ScriptedLLM(labels("supported", "supported"))
    assert llm_check(SAME, llm).ok
    assert [len(batch) for batch in llm.batches] == [1]


def test_an_llm_that_leaves_a_sentence_out_is_asked_about_it_alone() -> None:
    llm = ScriptedLLM(labels("supported"))
    found = llm_check(SAME, llm)
    assert found.ok
    assert [len(batch) for batch in llm.batches] == [1, 1]


def test_an_llm_is_asked_about_other_references_for_what_fails() -> None:
    llm = ScriptedLLM(labels("not stated"))
    found = llm_check(GOOD, llm)
    assert {fault.slug for fault in found.faults} == {"citation_unsupported"}


@pytest.mark.parametrize(
    ("style", "example"),
    [("auto", "[1]"), ("parentheses", "(guide)"), ("tags", "<cite"), ("superscripts", "\u00b9")],
)
def test_the_json_schema_says_how_to_cite(style: str, example: str) -> None:
    class Answer(BaseModel):
        text: Annotated[str, Cited(style=style)]
        quiet: Annotated[str, Cited(style=style, describe=False)]

    fields = Answer.model_json_schema()["properties"]
    assert example in fields["text"]["description"]
    assert ("from 1" in fields["text"]["description"]) == (style in ("auto", "superscripts"))
    assert "description" not in fields["quiet"]


def test_no_rule_holds_the_signs_of_a_template() -> None:
    assert "{{" not in Cited(style="braces").rule


@pytest.mark.parametrize(
    "options",
    [
        {"require": "most"},
        {"scope": "page"},
        {"by": "human"},
        {"threshold": 0.0},
        {"threshold": 1.5},
        {"style": "(a+)+"},
        {"style": "["},
    ],
)
def test_wrong_options_are_mistakes(options: dict[str, Any]) -> None:
    with pytest.raises(MarkerError):
        Cited(**options)


def test_markers_are_values() -> None:
    assert Cited() == Cited(style="auto")
    assert hash(Cited()) == hash(Cited(require="all"))
    assert pickle.loads(pickle.dumps(Cited(scope="paragraph"))) == Cited(scope="paragraph")  # noqa: S301 # our own


def test_a_pattern_of_ones_own() -> None:
    text = "The tower is made of iron @guide@. Gustave Eiffel built it @nobody@."
    assert slugs(text, style=r"@(\w{1,40})@") == ["citation_unknown"]


def test_the_threshold_decides() -> None:
    half = ScriptedNLI(lambda _: NLIScores(entailment=0.6, neutral=0.3, contradiction=0.1))
    assert slugs("The tower is made of iron [1].", engine=half) == []
    assert slugs("The tower is made of iron [1].", engine=half, threshold=0.7) == [
        "citation_unsupported"
    ]
    (verdict,) = check("The tower is made of iron [1].", engine=half, threshold=0.55).verdicts
    assert (verdict.score, verdict.threshold) == (0.6, 0.55)


def test_many_unknown_markers_are_bounded() -> None:
    text = "The tower is tall " + "".join(f"[{number}]" for number in range(100, 1_000)) + "."
    found = check(text)
    assert 1 <= len(found.faults) <= 50


def test_many_sentences_with_many_sets_of_references_are_judged_in_bounded_time() -> None:
    references = [f"Fact {number} is about iron. It is known." for number in range(30)]
    sentences = []
    for number in range(300):
        cited = ", ".join(str((number * step) % 30 + 1) for step in range(1, 12))
        sentences.append(f"Fact {number % 30} is about iron [{cited}].")
    found = check(" ".join(sentences), references, engine=ScriptedNLI(lambda _: ENTAILED))
    assert len(found.verdicts) == 300


def test_messages_are_bounded() -> None:
    references = {"x" * 5_000: "word " * 5_000, "y" * 5_000: "other " * 5_000}
    text = "Long " * 3_000 + "sentences say nothing [1][2]. " + "a" * 5_000 + " [9]."
    found = check(text, references)
    assert found.faults
    assert all(len(fault.message or "") <= 700 for fault in found.faults)


def test_a_plain_model_settles_at_once() -> None:
    class Answer(BaseModel):
        text: Annotated[str, Cited()]

    context = {"references": REFERENCES, "judges": Judges(nli=ScriptedNLI(by_words))}
    assert isinstance(Answer.model_validate({"text": GOOD}, context=context).text, CitedText)
    with pytest.raises(ValidationError) as raised:
        Answer.model_validate({"text": "It is red [1]."}, context=context)
    assert [line["type"] for line in raised.value.errors()] == ["citation_unsupported"]


def test_the_audit_cites_each_sentence_with_its_evidence() -> None:
    found = check(GOOD)
    assert [(cited.statement[:16], cited.span.reference) for cited in found.citations()] == [
        ("The tower is tal", "guide"),
        ("The tower was fi", "almanac"),
    ]


@pytest.mark.parametrize("text", ["", "[1]", "[1][2]", "Sources:\n[1] guide", "...", "[1] [2]."])
@pytest.mark.parametrize("require", ["all", "some", "none"])
def test_a_text_without_words_does_not_hold(text: str, require: str) -> None:
    assert slugs(text, require=require) == ["citation_missing"]


@pytest.mark.parametrize(
    "options",
    [
        {"style": 5},
        {"style": None},
        {"style": ["brackets"]},
        {"threshold": "0.5"},
        {"threshold": True},
        {"threshold": float("nan")},
        {"superfluous": "x"},
        {"superfluous": None},
        {"describe": 1},
    ],
)
def test_an_option_of_another_type_is_a_mistake(options: dict[str, Any]) -> None:
    with pytest.raises(MarkerError):
        Cited(**options)


def test_tags_around_a_marker_are_not_judged() -> None:
    engine = ScriptedNLI(by_words)
    assert check("The tower is tall<sup>[1]</sup>.", engine=engine).ok
    assert {pair.hypothesis for batch in engine.batches for pair in batch} == {"The tower is tall."}


def test_more_unknown_markers_than_are_shown_are_counted() -> None:
    labels = "".join(f"[{number}]" for number in range(100, 1_000))
    found = check(f"The tower is tall {labels}.")
    assert len(found.faults) == 10
    assert sum(fault.count for fault in found.verdicts) == 900
    assert "nor 890 more" in (found.verdicts[-1].message or "")
    assert found.verdicts[-1].to_dict()["count"] == 891
    assert "count" not in found.verdicts[0].to_dict()
    none = check(f"The tower is tall {labels}.", [])
    assert sum(fault.count for fault in none.verdicts if fault.label == "unknown") == 900


def test_more_references_than_are_compared_are_a_fault() -> None:
    references = [f"The tower is tall. This is copy {number}." for number in range(25)]
    engine = ScriptedNLI(lambda _: ENTAILED)
    cited = "".join(f"[{number}]" for number in range(1, 26))
    found = check(f"The tower is tall {cited}.", references, superfluous=True, engine=engine)
    [fault] = found.faults
    assert fault.slug == "citation_superfluous"
    assert [len(verdict.citations) for verdict in found.verdicts] == [25, *[1] * 20, 5]
    few = "".join(f"[{number}]" for number in range(1, 21))
    assert check(f"The tower is tall {few}.", references, superfluous=True, engine=engine).ok
    assert check(f"The tower is tall {cited}.", references, engine=engine).ok


def test_clauses_with_markers_are_judged_each_by_its_own() -> None:
    both = "The tower is tall and made of iron [1], and lunch costs 12 euros [3]."
    assert not slugs(both)
    assert not slugs("The tower was finished in 1889 [2] and lunch costs 12 euros [3].")
    [fault] = check(both.replace("[3]", "[2]")).faults
    assert fault.slug == "citation_unsupported"
    swapped = "The tower is tall and made of iron [3], and lunch costs 12 euros [1]."
    assert slugs(swapped) == ["citation_unsupported"]
    assert 'Reference [3] (menu) does not say this: "The tower is tall' in message(swapped)


def test_what_only_all_citations_together_say_of_a_clause_holds() -> None:
    engine = ScriptedNLI(lambda pair: ENTAILED if "1889" in pair.hypothesis else NEUTRAL)
    text = "The tower of Paris [1] was finished in 1889 [2]."
    assert check(text, engine=engine).ok


def test_a_marker_between_sentences_without_a_space_counts_for_the_first() -> None:
    references = {"a": "塔高330米。", "b": "它于1889年完工。"}
    found = check("塔高330米。[1]它于1889年完工。[2]", references, ScriptedNLI(lambda _: ENTAILED))
    assert [verdict.citations for verdict in found.verdicts] == [("a",), ("b",)]


@pytest.mark.parametrize(
    "lead", ["Key facts", "**The main points**", "Wichtige Fakten", "Datos clave"]
)
def test_a_line_above_a_list_claims_nothing(lead: str) -> None:
    engine = ScriptedNLI(by_words)
    text = f"{lead}:\n\n- The tower is tall [1]\n- Lunch costs 12 euros [3]\n"
    assert check(text, engine=engine).ok
    assert {pair.hypothesis for batch in engine.batches for pair in batch} == {
        "The tower is tall",
        "Lunch costs 12 euros",
    }


def test_a_line_above_a_list_that_restricts_it_stays() -> None:
    text = "In Rome:\n\n- The tower is tall [1]\n- Lunch costs 12 euros [3]\n"
    assert slugs(text) == ["citation_unsupported"] * 2


def test_the_titles_of_inner_lists_claim_nothing() -> None:
    food = "- **Food**\n  - Lunch costs 12 euros [3].\n"
    assert not slugs(f"- **History**\n  - The tower was finished in 1889 [2].\n{food}")
    hidden = "- **Lunch is free**\n  - Lunch costs 12 euros [3].\n"
    assert slugs(hidden) == ["citation_missing"]
