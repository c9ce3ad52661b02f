"""An engine is asked only about texts in the languages that it reads."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from groundtypes import (
    Cited,
    Entailed,
    Grounded,
    Judges,
    LanguageError,
    Mistake,
    NLIScores,
    Pair,
    audit,
    audit_many,
    verify,
    verify_many,
)
from groundtypes.backends.languages import JUDGE_LANGUAGES, is_in_other_language, language_codes
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.entailment import entail
from groundtypes.errors import ContextError
from groundtypes.judges import default_nli, nli_engine
from tests.checks import ENTAILED, ScriptedNLI

GERMAN = "Hunde sind im Turm nicht erlaubt."
ENGLISH = "Dogs are not allowed in the tower."


class Answer(Grounded):
    text: Annotated[str, Entailed()]


class CitedAnswer(Grounded):
    text: Annotated[str, Cited()]


class Plain(BaseModel):
    text: Annotated[str, Entailed()]


class English:
    """An engine that somebody wrote, and that says what it reads."""

    languages = ("en",)

    def score(self, pairs: Iterable[Pair]) -> list[NLIScores]:
        return [ENTAILED for _ in pairs]


def context(references: Any, **judges: Any) -> dict[str, Any]:
    return {"references": references, "judges": Judges(**judges)}


CALLS: dict[str, Callable[[str, str, Any], object]] = {
    "verify": lambda reference, text, nli: verify(
        Answer, {"text": text}, context=context(reference, nli=nli)
    ),
    "audit": lambda reference, text, nli: audit(
        Answer, {"text": text}, context=context(reference, nli=nli)
    ),
    "Grounded": lambda reference, text, nli: Answer.model_validate(
        {"text": text}, context=context(reference, nli=nli)
    ),
    "a plain model": lambda reference, text, nli: Plain.model_validate(
        {"text": text}, context=context(reference, nli=nli)
    ),
    "verify_many": lambda reference, text, nli: verify_many(
        Answer, [{"text": ENGLISH}, {"text": text}], context=context(reference, nli=nli)
    ),
    "audit_many": lambda reference, text, nli: audit_many(
        Plain, [{"text": text}, {"text": ENGLISH}], context=context(reference, nli=nli)
    ),
    "entail": lambda reference, text, nli: entail(reference, text, nli=nli),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    ("reference", "text"),
    [(GERMAN, "Hunde sind im Turm erlaubt."), (ENGLISH, GERMAN), (GERMAN, ENGLISH)],
    ids=["both", "the statement", "the reference"],
)
def test_a_text_in_another_language_is_a_mistake(
    call: Callable[[str, str, Any], object], reference: str, text: str
) -> None:
    with pytest.raises(LanguageError) as caught:
        call(reference, text, English())
    assert isinstance(caught.value, Mistake)
    assert not isinstance(caught.value, ValueError | AssertionError)
    message = str(caught.value)
    assert "English" in message
    assert "German" in message
    assert "Hunde sind" in message
    assert "languages=" in message


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_text_in_the_language_is_judged(call: Callable[[str, str, Any], object]) -> None:
    call(ENGLISH, "Dogs may not enter.", English())


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("Hunde sind im Turm nicht erlaubt.", "Hunde sind im Turm erlaubt."),
        ("允许带狗进入塔楼。", "不允许带狗进入塔楼。"),
        ("Собакам вход в башню запрещён.", "Собакам вход в башню разрешён."),
        ("塔に犬を連れて入ることはできます。", "塔に犬を連れて入ることはできません。"),
    ],
    ids=["German", "Chinese", "Russian", "Japanese"],
)
def test_the_bundled_model_does_not_judge_what_it_cannot_read(reference: str, text: str) -> None:
    with pytest.raises(LanguageError):
        entail(reference, text)


@pytest.mark.parametrize(
    "text",
    [
        GERMAN,
        "Собакам вход в башню запрещён.",
        "不允许带狗进入塔楼。",
        "لا يسمح للكلاب بدخول البرج.",
    ],
    ids=["German", "Russian", "Chinese", "Arabic"],
)
def test_the_message_names_the_judge_if_it_reads_the_language(text: str) -> None:
    with pytest.raises(LanguageError, match=r"CausalNLI\.judge\(\)\), .* pip install .*\[judge\]"):
        entail(ENGLISH, text, nli=English())


@pytest.mark.parametrize(
    "text",
    [
        "Els gossos no poden entrar a la torre del castell.",
        "Τα σκυλιά δεν επιτρέπονται στον πύργο.",
    ],
    ids=["Catalan", "Greek"],
)
def test_the_message_does_not_name_the_judge_for_what_was_not_measured(text: str) -> None:
    with pytest.raises(LanguageError, match=r"reads it: Judges\(nli=\.\.\.\)\.") as caught:
        entail(ENGLISH, text, nli=English())
    assert "CausalNLI" not in str(caught.value)


def test_the_languages_of_the_judge_are_known_here() -> None:
    from groundtypes.text.language_detection import language_names, name_of_language  # noqa: PLC0415

    assert language_codes(JUDGE_LANGUAGES) == JUDGE_LANGUAGES
    assert {name_of_language(code) for code in JUDGE_LANGUAGES} <= set(language_names().values())


def test_the_message_shows_only_the_beginning_of_a_long_text() -> None:
    with pytest.raises(LanguageError) as caught:
        entail(
            "Der Turm ist sehr alt, und er steht am Fluss. " * 20_000, "It is old.", nli=English()
        )
    assert len(str(caught.value)) < 600


def test_other_languages_among_the_references_are_a_mistake_where_they_are_evidence() -> None:
    with pytest.raises(LanguageError, match="passage"):
        entail([ENGLISH, GERMAN], "Dogs may not enter.", nli=English())


@pytest.mark.parametrize(
    "languages", ["any", ["de"], ["en", "de"], "de"], ids=["any", "one", "two", "a plain code"]
)
def test_judges_say_what_their_engine_reads(languages: Any) -> None:
    judged = audit(
        Answer,
        {"text": GERMAN},
        context=context(GERMAN, nli=English(), languages=languages),
    )
    assert judged.ok


def test_judges_may_narrow_what_an_engine_reads() -> None:
    engine = ScriptedNLI(lambda pair: ENTAILED)
    assert audit(Answer, {"text": GERMAN}, context=context(GERMAN, nli=engine)).ok
    with pytest.raises(LanguageError):
        audit(Answer, {"text": GERMAN}, context=context(GERMAN, nli=engine, languages=["en"]))


def test_what_was_judged_without_a_check_is_not_taken_for_checked() -> None:
    engine = English()
    assert audit(Answer, {"text": GERMAN}, context=context(GERMAN, nli=engine, languages="any")).ok
    with pytest.raises(LanguageError):
        audit(Answer, {"text": GERMAN}, context=context(GERMAN, nli=engine))


def test_the_same_engine_and_languages_are_the_same_engine_to_the_ledger() -> None:
    engine = English()
    first = nli_engine(Judges(nli=engine, languages=["en", "de"]))
    assert nli_engine(Judges(nli=engine, languages=["en", "de"])) is first
    assert nli_engine(Judges(nli=engine, languages="any")) is not first
    assert nli_engine(Judges(nli=engine)) is engine


def test_an_engine_declares_its_languages_unless_it_is_not_known() -> None:
    assert OnnxNLI().languages == ("en",)
    assert OnnxNLI(languages="any").languages is None
    assert OnnxNLI("somewhere").languages is None
    assert OnnxNLI("somewhere", languages=["de", "pt-BR", "de"]).languages == ("de", "pt-br")
    assert nli_engine(Judges()) is default_nli()


@pytest.mark.parametrize(
    "languages",
    ["German", "", [], ["en", 3], ["en", "english"], "*", 5],
    ids=["a name", "empty", "none", "a number", "a name among codes", "a sign", "only a number"],
)
def test_what_is_no_code_is_refused(languages: Any) -> None:
    with pytest.raises(ContextError, match="ISO 639"):
        language_codes(languages)
    with pytest.raises(ContextError, match="ISO 639"):
        Judges(languages=languages)
    engine = English()
    engine.languages = languages
    with pytest.raises(ContextError, match="ISO 639"):
        audit(Answer, {"text": ENGLISH}, context=context(ENGLISH, nli=engine))


@pytest.mark.parametrize("code", ["en", "EN", "eng", "en-GB", "en_US"])
def test_a_code_may_be_written_in_any_usual_way(code: str) -> None:
    with pytest.raises(LanguageError, match="ScriptedNLI reads English") as caught:
        audit(
            Answer,
            {"text": GERMAN},
            context=context(GERMAN, nli=ScriptedNLI(lambda _: ENTAILED), languages=code),
        )
    assert "Declared" not in str(caught.value)


def test_judges_with_languages_can_be_keys() -> None:
    judges = Judges(languages=["de", "en"])
    assert judges == Judges(languages=("de", "en"))
    assert hash(judges) == hash(Judges(languages=("de", "en")))


def test_a_question_in_another_language_is_named_where_it_would_be_read() -> None:
    question = "Wann wurde der Turm für Besucher geöffnet?"
    tower = "The tower opened in 1889."
    with pytest.raises(LanguageError, match="this question seems to be in German"):
        entail(tower, "In 1889.", question=question, nli=English())
    whole = "The tower was opened to all visitors in 1889."
    assert entail(tower, whole, question=question, nli=English())


@pytest.mark.parametrize(
    "text",
    ["", "1889, 1932", "Anna Weber", "\x00", "\ud800", "α = β"],
    ids=["nothing", "numbers", "a name", "a null character", "a surrogate", "a formula"],
)
def test_a_text_that_says_too_little_gets_a_verdict(text: str) -> None:
    judged = audit(Answer, {"text": text}, context=context(ENGLISH, nli=English()))
    assert judged.verdicts


BILINGUAL = (
    "Das Museum ist montags geschlossen und Hunde sind nicht erlaubt. "
    "The museum is closed on Mondays."
)


@pytest.mark.parametrize(
    ("statement", "label"),
    [
        ("The museum is closed on Mondays.", "entailment"),
        ("The museum is open on Mondays.", "contradiction"),
    ],
)
def test_a_statement_is_judged_by_the_english_sentence_of_a_bilingual_reference(
    statement: str, label: str
) -> None:
    for reference in (BILINGUAL, BILINGUAL + " Die Kasse schließt um fünf Uhr." * 40):
        [sentence] = entail(reference, statement)
        assert sentence.label == label
        assert sentence.passage == "The museum is closed on Mondays."


def test_an_engine_is_not_shown_the_other_language_of_a_bilingual_reference() -> None:
    shown: list[Pair] = []

    def score(pair: Pair) -> NLIScores:
        shown.append(pair)
        return ENTAILED

    statement = "The museum is closed on Mondays."
    judges = context(BILINGUAL, nli=ScriptedNLI(score), languages="en")
    assert audit(Answer, {"text": statement}, context=judges).ok
    assert {pair.premise for pair in shown} == {statement}


@pytest.mark.parametrize(
    "references",
    [
        f"{GERMAN} Preis: 5 Euro.",
        "Hunde sind im Turm nicht erlaubt. Der Turm ist montags geschlossen.",
    ],
    ids=["a sentence that says too little", "one language"],
)
def test_what_is_not_read_stays_a_mistake(references: Any) -> None:
    with pytest.raises(LanguageError, match="German"):
        entail(references, "Dogs pay 5 Euro in the museum.", nli=English())


def test_cited_sentences_are_judged_by_the_english_sentence_too() -> None:
    judged = audit(
        CitedAnswer,
        {"text": "The museum is closed on Mondays [1]."},
        context=context({"1": BILINGUAL}, nli=English()),
    )
    assert judged.ok


#: A sentence that is Catalan by its words alone.
FENCES = "Fences cost us eleven euros a metre."
FARM = "The farm lies on a hill above the village and has forty cows. "


def test_the_language_of_a_passage_is_told_from_its_whole_reference() -> None:
    assert is_in_other_language(FENCES, ("en",), str)
    assert not is_in_other_language(FENCES, ("en",), lambda: FARM)
    reference = f"{FARM}{FENCES} We sold none of them last year."
    for references in (reference, [FARM, reference]):
        statement = "The fences were eleven euros for each metre."
        assert entail(references, statement, nli=English())
        cited = {"1": reference, "2": FARM}
        assert audit(
            CitedAnswer, {"text": f"{statement[:-1]} [1]."}, context=context(cited, nli=English())
        ).verdicts
    with pytest.raises(LanguageError, match="Catalan"):
        entail([FENCES], "A fence is dear.", nli=English())


def test_the_language_of_a_statement_is_told_from_its_whole_text() -> None:
    references = f"{FARM} A fence is eleven euros for a metre."
    assert len(entail(references, f"{FARM}{FENCES}", nli=English())) == 2
    with pytest.raises(LanguageError, match="Catalan"):
        entail(references, FENCES, nli=English())


@pytest.mark.parametrize(
    "foreign",
    [
        GERMAN,
        "Die Kasse schließt um fünf Uhr.",
        "La clôture nous a coûté onze euros le mètre.",
        "La valla nos costó once euros el metro cuadrado.",
        "围栏每米花了我们十一欧元。",
    ],
    ids=["German", "short German", "French", "Spanish", "Chinese"],
)
def test_a_clearly_foreign_sentence_is_a_mistake_in_an_english_text_too(foreign: str) -> None:
    with pytest.raises(LanguageError):
        entail(f"{FARM}It has a fence.", f"{FARM}{foreign}", nli=English())
    with pytest.raises(LanguageError):
        entail([f"{FARM} {foreign} It has a fence."], foreign.upper(), nli=English())


def test_rows_that_are_judged_together_tell_nothing_of_each_other() -> None:
    rows = [{"text": FARM}, {"text": FENCES}]
    found = audit_many(Answer, rows, context=context(FARM, nli=English()), on_mistake="keep")
    assert [type(judged.mistake) for judged in found] == [type(None), LanguageError]
