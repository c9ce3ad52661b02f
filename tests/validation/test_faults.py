"""Every fault of an answer is in one error, each in its place; a mistake is never a fault."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import Enum, StrEnum
from typing import Annotated, Any, Generic, Literal, NotRequired, TypeVar

import pydantic.dataclasses
import pytest
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    TypeAdapter,
    ValidationError,
    create_model,
    model_validator,
    validate_call,
)
from pydantic_core import to_json
from typing_extensions import TypedDict

from groundtypes import (
    Case,
    Check,
    Entailed,
    Figures,
    Grounded,
    Judges,
    Mistake,
    NLIScores,
    Quoted,
    Verdict,
    audit,
    grounded_in,
    verify,
    verify_many,
)
from groundtypes.errors import (
    BackendError,
    CheckError,
    ContextError,
    MarkerError,
    MissingJudgeError,
    MissingReferencesError,
)
from tests.checks import ENTAILED, REFUTED, Follows, ScriptedNLI, Short, without_bundled

Claim = Annotated[str, Follows()]
T = TypeVar("T")


def context(text: str = "true one. true two.", **more: Any) -> dict[str, Any]:
    return {"references": text, "judges": Judges(nli=ScriptedNLI()), **more}


def slugs(error: ValidationError) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(line["type"], line["loc"]) for line in error.errors()]


class Kind(StrEnum):
    A = "a"


class Item(BaseModel):
    claim: Claim


class TaggedClaim(BaseModel):
    kind: Literal["claim"]
    claim: Claim


class TaggedNote(BaseModel):
    kind: Literal["note"]
    note: str


class Page(BaseModel, Generic[T]):
    items: list[T]


class Claims(RootModel[list[Claim]]):
    pass


class Row(TypedDict):
    claim: Claim
    note: NotRequired[str]


@pydantic.dataclasses.dataclass
class Card:
    claim: Claim


@dataclass
class PlainCard:
    claim: Claim


class Theirs(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=str.upper, populate_by_name=True)


class Ours(Theirs):
    claim: Claim


class OursGrounded(Grounded, Theirs):
    claim: Claim


class Optional(BaseModel):
    claim: Claim | None = None
    inside: Annotated[str | None, Follows()] = None


Tagged = Annotated[TaggedClaim | TaggedNote, Field(discriminator="kind")]

SHAPES: list[tuple[str, Any, Any, Any, tuple[str | int, ...]]] = [
    ("model", Item, {"claim": "true one."}, {"claim": "no"}, ("claim",)),
    ("list", list[Item], [{"claim": "true one."}], [{"claim": "no"}], (0, "claim")),
    (
        "dict",
        dict[str, Item],
        {"k": {"claim": "true one."}},
        {"k": {"claim": "no"}},
        ("k", "claim"),
    ),
    ("optional", Optional, {"claim": None, "inside": None}, {"claim": "no"}, ("claim",)),
    ("nullable inside", Optional, {"inside": "true one."}, {"inside": "no"}, ("inside",)),
    (
        "discriminated union",
        list[Tagged],
        [{"kind": "note", "note": "x"}, {"kind": "claim", "claim": "true one."}],
        [{"kind": "claim", "claim": "no"}],
        (0, "claim", "claim"),
    ),
    ("dataclass", Card, {"claim": "true one."}, {"claim": "no"}, ("claim",)),
    ("standard dataclass", PlainCard, {"claim": "true one."}, {"claim": "no"}, ("claim",)),
    ("typed dict", Row, {"claim": "true one."}, {"claim": "no"}, ("claim",)),
    (
        "generic",
        Page[Item],
        {"items": [{"claim": "true one."}]},
        {"items": [{"claim": "no"}]},
        ("items", 0, "claim"),
    ),
    ("root model", Claims, ["true one."], ["true one.", "no"], (1,)),
    ("someone's base", Ours, {"CLAIM": "true one."}, {"CLAIM": "no"}, ("CLAIM",)),
    ("someone's base, grounded", OursGrounded, {"claim": "true one."}, {"CLAIM": "no"}, ("CLAIM",)),
    ("type adapter", TypeAdapter(list[Claim]), ["true one."], ["no"], (0,)),
    ("tuple", tuple[Claim, int], ["true one.", 1], ["no", 1], (0,)),
]


@pytest.mark.parametrize(
    ("model", "good", "bad", "loc"), [s[1:] for s in SHAPES], ids=[s[0] for s in SHAPES]
)
def test_every_shape_is_judged_and_its_fault_has_its_place(
    model: Any, good: Any, bad: Any, loc: tuple[str | int, ...]
) -> None:
    verify(model, good, context=context())
    with pytest.raises(ValidationError) as caught:
        verify(model, bad, context=context())
    assert slugs(caught.value) == [("does_not_follow", loc)]
    result = audit(model, bad, context=context())
    assert [v.loc for v in result.faults] == [loc]


def test_a_stored_instance_is_judged_anew() -> None:
    stored = OursGrounded.model_construct(claim="no")
    with pytest.raises(ValidationError) as caught:
        verify(OursGrounded, stored, context=context())
    assert slugs(caught.value) == [("does_not_follow", ("claim",))]
    with pytest.raises(ValidationError):
        OursGrounded.model_validate(stored, context=context())
    assert OursGrounded.model_validate(stored) is stored


def test_structural_faults_and_refuted_claims_are_in_one_error() -> None:
    class Answer(Grounded):
        when: date
        claims: list[Claim]
        item: Item
        both: Annotated[str, Short(), Follows()]

    bad = {
        "when": "soon",
        "claims": ["true one.", "no", 3],
        "item": {},
        "both": "far too long a text",
    }
    with pytest.raises(ValidationError) as caught:
        Answer.model_validate(bad, context=context())
    assert sorted(slugs(caught.value), key=str) == sorted(
        [
            ("date_from_datetime_parsing", ("when",)),
            ("does_not_follow", ("claims", 1)),
            ("string_type", ("claims", 2)),
            ("missing", ("item", "claim")),
            ("too_wordy", ("both",)),
            ("does_not_follow", ("both",)),
        ],
        key=str,
    )


def test_strict_json_admits_what_json_can_say() -> None:
    class Answer(Grounded):
        when: date
        kind: Kind
        pair: tuple[int, int]
        kids: "list[Answer]" = []
        claim: Claim

    text = '{"when":"2020-01-01","kind":"a","pair":[1,2],"claim":"true one.","kids":[%s]}'
    kid = '{"when":"2020-01-02","kind":"a","pair":[1,2],"claim":"%s"}'
    good = Answer.model_validate_json(text % (kid % "true two."), strict=True, context=context())
    assert good.kids[0].when == date(2020, 1, 2)
    with pytest.raises(ValidationError) as caught:
        Answer.model_validate_json(text % (kid % "no"), strict=True, context=context())
    assert slugs(caught.value) == [("does_not_follow", ("kids", 0, "claim"))]
    with pytest.raises(ValidationError) as wrong:
        Answer.model_validate_json(
            (text % "").replace('"2020-01-01"', "5"), strict=True, context=context()
        )
    assert slugs(wrong.value) == [("date_type", ("when",))]


class StrictField(Grounded):
    when: Annotated[date, Field(strict=True)]
    blob: bytes = b""

    model_config = ConfigDict(val_json_bytes="base64")


class StrictModel(Grounded):
    when: date
    blob: bytes = b""

    model_config = ConfigDict(strict=True, val_json_bytes="base64")


@pytest.mark.parametrize("model", [StrictField, StrictModel])
@pytest.mark.parametrize("strict", [None, True, False])
def test_json_is_validated_as_json(model: Any, strict: bool | None) -> None:
    text = '{"when":"2020-01-01","blob":"aGk="}'
    for name in ("PlainTwin", "Outer"):
        base = BaseModel if name == "PlainTwin" else Grounded
        config: Any = dict(model.model_config)
        twin: Any = type(name, (base,), {"__annotations__": {"one": model}, "model_config": config})
        assert twin.model_validate_json(f'{{"one":{text}}}', strict=strict).one.blob == b"hi"
    assert model.model_validate_json(text, strict=strict).when == date(2020, 1, 1)


class Shelf(Grounded, Generic[T]):
    items: list[T]


class Lines(Grounded, RootModel[list[Claim]]):
    pass


@pytest.mark.parametrize(
    ("model", "bad", "loc"),
    [
        (Shelf[Item], {"items": [{"claim": "no"}]}, ("items", 0, "claim")),
        (Shelf[Claim], {"items": ["no"]}, ("items", 0)),
        (Lines, ["true one.", "no"], (1,)),
    ],
    ids=["generic of models", "generic of claims", "root model"],
)
def test_grounded_goes_with_generics_and_root_models(
    model: Any, bad: Any, loc: tuple[str | int, ...]
) -> None:
    judges: list[Callable[[], Any]] = [
        lambda: model.model_validate(bad, context=context()),
        lambda: model.model_validate_json(to_json(bad), strict=True, context=context()),
        lambda: TypeAdapter(model).validate_python(bad, context=context()),
        lambda: verify(model, bad, context=context()),
    ]
    for judge in judges:
        with pytest.raises(ValidationError) as caught:
            judge()
        assert slugs(caught.value) == [("does_not_follow", loc)]
    assert model.model_json_schema()


def test_a_check_whose_sibling_is_at_fault_stays_silent() -> None:
    class Fact(BaseModel):
        quote: Annotated[str, Short()]
        statement: Annotated[str, Follows(by="quote")]

    with pytest.raises(ValidationError) as caught:
        verify(Fact, {"quote": "much too long a quote", "statement": "x"}, context=context())
    assert slugs(caught.value) == [("too_wordy", ("quote",))]
    with pytest.raises(ValidationError) as alone:
        Fact.model_validate({"quote": "much too long a quote", "statement": "x"}, context=context())
    assert slugs(alone.value) == [("too_wordy", ("quote",))]


class Early(BaseModel):
    statement: Annotated[str, Follows(by="quote")]
    quote: str


class EarlyRow(TypedDict):
    statement: Annotated[str, Follows(by="quote")]
    quote: NotRequired[str]


@pytest.mark.parametrize(
    "model", [Early, list[Early], EarlyRow], ids=["model", "list", "typed dict"]
)
def test_a_sibling_may_be_declared_later(model: Any) -> None:
    rows = {"statement": "b", "quote": "a b"}, {"statement": "b", "quote": "a c"}
    good, bad = ([row] for row in rows) if model == list[Early] else rows
    verify(model, good, context=context())
    with pytest.raises(ValidationError) as caught:
        verify(model, bad, context=context())
    assert [line["type"] for line in caught.value.errors()] == ["does_not_follow"]


def test_equal_values_keep_to_their_own_siblings() -> None:
    rows = [{"statement": "b", "quote": "a b"}, {"statement": "b", "quote": "a c"}]
    with pytest.raises(ValidationError) as caught:
        verify(list[Early], rows, context=context())
    assert slugs(caught.value) == [("does_not_follow", (1, "statement"))]
    result = audit(list[Early], rows, context=context())
    assert [(v.loc, v.ok) for v in result.verdicts] == [
        ((0, "statement"), True),
        ((1, "statement"), False),
    ]


def test_an_optional_sibling_that_is_not_there_is_none() -> None:
    with pytest.raises(ValidationError) as caught:
        verify(EarlyRow, {"statement": "b"}, context=context())
    assert slugs(caught.value) == [("does_not_follow", ("statement",))]


def test_a_later_sibling_is_a_mistake_where_fields_are_seen_in_order_only() -> None:
    with pytest.raises(MarkerError, match="declared later"):
        Early.model_validate({"statement": "b", "quote": "a b"}, context=context())


def test_an_argument_of_a_function_sees_no_other_argument() -> None:
    @validate_call
    def both(quote: str, statement: Annotated[str, Follows(by="quote")]) -> str:
        return f"{quote} {statement}"

    with pytest.raises(MarkerError, match="is an argument of the same function"), grounded_in("a"):
        both("a b", "b")


class _Source(Enum):
    GUIDE = "guide"


class _TextSource(str, Enum):  # noqa: UP042 # of which `str` is not the value
    GUIDE = "guide"


@pytest.mark.parametrize("source", [_Source, _TextSource, Kind])
def test_a_sibling_may_be_a_member_of_an_enumeration(source: Any) -> None:
    class Fact(Grounded):
        source: Any
        quote: Annotated[str, Quoted(of="source")]
        text: Annotated[str, Entailed(by="source"), Figures(by="source")]

    nli = ScriptedNLI(lambda pair: ENTAILED if pair.premise == value else REFUTED)
    (member, *_), value = source, next(iter(source)).value
    context = {"references": {value: "It is tall.", "b": "no"}, "judges": Judges(nli=nli)}
    data = {"source": member, "quote": "It is tall", "text": "It is as said."}
    assert audit(Fact, data, context=context).ok
    [fault] = audit(Fact, data | {"quote": "It is not"}, context=context).faults
    assert fault.loc == ("quote",) and fault.slug != "reference_unknown"


def test_a_list_names_no_reference() -> None:
    class Fact(Grounded):
        sources: list[str]
        quote: Annotated[str, Quoted(of="sources")]

    with pytest.raises(MarkerError, match="'sources', which holds a list"):
        verify(Fact, {"sources": ["0"], "quote": "It is"}, context={"references": "It is."})


@pytest.mark.parametrize("marker", [Entailed(by="text"), Quoted(of="text"), Figures(by="text")])
def test_a_field_proves_nothing_about_itself(marker: Any) -> None:
    with pytest.raises(MarkerError, match="names the field itself"):
        create_model("Row", __base__=Grounded, text=(Annotated[str, marker], ...))


def test_the_message_says_how_many_references_it_does_not_name() -> None:
    class Fact(Grounded):
        source: str
        quote: Annotated[str, Quoted(of="source")]

    for count, named in ((10, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9."), (12, "8, 9 and 2 more.")):
        context = {"references": ["It is."] * count}
        [fault] = audit(Fact, {"source": "x", "quote": "It is"}, context=context).faults
        assert fault.message is not None and fault.message.endswith(named)


def test_a_sibling_that_is_not_there_is_a_mistake_when_the_class_is_built() -> None:
    with pytest.raises(MarkerError, match="'qoute'"):

        class Fact(BaseModel):
            quote: str
            statement: Annotated[str, Follows(by="qoute")]


@pytest.mark.parametrize("annotation", [int, list[str], dict[str, str], Any, Item, bytes], ids=str)
def test_a_marker_on_a_type_it_cannot_judge_is_a_mistake_when_the_class_is_built(
    annotation: Any,
) -> None:
    with pytest.raises(MarkerError):
        TypeAdapter(Annotated[annotation, Quoted()])


def test_one_shot_inputs_are_read_once_for_all_rounds() -> None:
    class Answer(Grounded):
        claims: list[Claim]

    good = Answer.model_validate({"claims": (c for c in ["true one."])}, context=context())
    assert good.claims == ["true one."]
    for judge in (
        lambda: Answer.model_validate({"claims": (c for c in ["no"])}, context=context()),
        lambda: verify(list[Claim], iter(["no"]), context=context()),
    ):
        with pytest.raises(ValidationError) as caught:
            judge()
        assert [line["type"] for line in caught.value.errors()] == ["does_not_follow"]


def test_validators_of_the_user_run_once_in_each_round() -> None:
    seen: list[str] = []

    def note(value: str) -> str:
        seen.append(value)
        return value

    class Cheap(Grounded):
        text: Annotated[str, Short(), AfterValidator(note)]

    class Dear(Grounded):
        text: Annotated[str, Follows(), AfterValidator(note)]

    Cheap.model_validate({"text": "once"}, context=context())
    Dear.model_validate({"text": "true one."}, context=context())
    assert seen == ["once", "true one.", "true one."]


class Loose(BaseModel):
    text: str


@pytest.mark.parametrize(
    "make",
    [
        lambda: type("M", (Grounded,), {"__annotations__": {"x": Item | Loose}}),
        lambda: type("M", (Grounded,), {"__annotations__": {"x": list[Claim | int]}}),
        lambda: verify(list[Item | Loose], [], context=context()),
        lambda: verify(TypeAdapter[Any](Item | Loose), {}, context=context()),
    ],
    ids=["models", "checked text or number", "verify", "type adapter"],
)
def test_a_check_inside_a_plain_union_is_a_mistake(make: Any) -> None:
    with pytest.raises(MarkerError, match="plain union"):
        make()


def test_a_plain_union_of_models_that_are_declared_later_is_a_mistake_at_the_first_use() -> None:
    class Early(Grounded):
        part: "Item | Late"

    class Late(BaseModel):
        claim: str

    Early.model_rebuild(_types_namespace={"Item": Item, "Late": Late})
    for _ in range(2):
        with pytest.raises(MarkerError, match="plain union"):
            Early.model_validate({"part": {"claim": "no"}}, context=context())


def test_a_plain_union_really_lets_a_refuted_claim_through() -> None:
    """Why it is refused: this is what a plain model, where nothing can refuse it, does."""

    class Tagless(BaseModel):
        claim: str

    adapter: TypeAdapter[Any] = TypeAdapter(Item | Tagless)
    assert isinstance(adapter.validate_python({"claim": "no"}, context=context()), Tagless)


def test_a_union_without_checks_is_left_alone() -> None:
    class Answer(Grounded):
        claim: Claim
        number: int | float | None = None
        other: Loose | TaggedNote | None = None

    assert Answer.model_validate({"claim": "true one.", "number": 2}, context=context()).number == 2


def broken(error: Exception) -> ScriptedNLI:
    def rule(_: object) -> NLIScores:
        raise error

    return ScriptedNLI(rule)


class Answer(Grounded):
    claim: Claim


@pytest.mark.parametrize(
    ("given", "mistake"),
    [
        (None, MissingReferencesError),
        ({}, MissingReferencesError),
        ({"references": None}, MissingReferencesError),
        ({"references": "x"}, MissingJudgeError),
        ({"references": "x", "judges": object()}, ContextError),
        (context() | {"judges": Judges(nli=broken(ValueError("bad")))}, BackendError),
        (context() | {"judges": Judges(nli=broken(AssertionError()))}, BackendError),
        (context() | {"judges": Judges(nli=broken(ConnectionError()))}, BackendError),
    ],
    ids=[
        "no context",
        "empty",
        "none",
        "no engine",
        "rubbish",
        "value error",
        "assertion",
        "outage",
    ],
)
def test_a_mistake_is_never_a_fault(
    given: Any, mistake: type[Mistake], monkeypatch: pytest.MonkeyPatch
) -> None:
    without_bundled(monkeypatch)
    assert not issubclass(mistake, ValueError | AssertionError)
    with pytest.raises(mistake):
        Answer.model_validate({"claim": "y"}, context=given)
    with pytest.raises(mistake):
        audit(Answer, {"claim": "y"}, context=given)
    with pytest.raises(mistake):
        TypeAdapter(Claim).validate_python("y", context=given)


class Miscounting(ScriptedNLI):
    def score(self, pairs: Any, /) -> Any:
        return [ENTAILED] * (len(pairs) + 1)


class Wordless(ScriptedNLI):
    def score(self, pairs: Any, /) -> Any:
        return None


@pytest.mark.parametrize("engine", [Miscounting(), Wordless()], ids=["too many", "none"])
def test_an_engine_that_answers_rubbish_is_a_mistake(engine: ScriptedNLI) -> None:
    with pytest.raises(BackendError):
        Answer.model_validate({"claim": "y"}, context=context(judges=Judges(nli=engine)))


def test_scores_that_are_no_probabilities_are_refused() -> None:
    for scores in ((0.5, 0.5, 0.5), (float("nan"), 0.5, 0.5), (-0.1, 0.6, 0.5)):
        with pytest.raises(ArithmeticError):
            NLIScores(*scores)


def test_the_mistake_of_an_engine_shows_the_scores_that_are_no_probabilities() -> None:
    class Wrong:
        def score(self, pairs: Any, /) -> Any:
            return [NLIScores(float("nan"), 0.5, 0.5) for _ in pairs]

    with pytest.raises(BackendError, match=r"Wrong failed: not three probabilities .*nan"):
        Answer.model_validate({"claim": "y"}, context=context(judges=Judges(nli=Wrong())))


def test_a_bug_in_a_check_is_a_mistake_with_its_cause() -> None:
    class Buggy(Check):
        def judge(self, value: str, case: Case) -> Verdict:
            raise ValueError("a bug")

    with pytest.raises(CheckError) as caught:
        TypeAdapter(Annotated[str, Buggy()]).validate_python("x", context={})
    assert isinstance(caught.value.__cause__, ValueError)


def test_a_check_that_asks_for_ever_is_stopped() -> None:
    class Endless(Check):
        def judge(self, value: str, case: Case) -> Verdict:
            for number in range(100):
                case.ask(engine, [f"{number}"])
            return self.holds()

    class Echo:
        def score(self, questions: Any, /) -> Any:
            return questions

    engine = Echo()
    with pytest.raises(CheckError, match="rounds"):
        verify(TypeAdapter(Annotated[str, Endless()]), "x", context={})


def test_braces_in_messages_and_values_are_text() -> None:
    class Echo(Check):
        def judge(self, value: str, case: Case) -> Verdict:
            return self.fails("echo", f"No: {value} {{message}} {{check}}.")

    with pytest.raises(ValidationError) as caught:
        verify(TypeAdapter(Annotated[str, Echo()]), "{message}{0}{x!r}", context={})
    assert caught.value.errors()[0]["msg"] == "No: {message}{0}{x!r} {message} {check}."


def test_the_input_in_an_error_stays_small() -> None:
    with pytest.raises(ValidationError) as caught:
        verify(TypeAdapter(Claim), "no " * 100_000, context=context())
    assert len(str(caught.value.errors())) < 2_000


def test_verify_many_raises_every_faulty_row_and_names_it() -> None:
    rows = [{"claim": "true one."}, {"claim": "no"}, {"claim": "true two."}, {}]
    with pytest.raises(ExceptionGroup) as caught:
        verify_many(Answer, rows, context=context())
    assert [error.__notes__ for error in caught.value.exceptions] == [["row 1"], ["row 3"]]


def test_a_context_missing_for_a_row_is_a_mistake() -> None:
    with pytest.raises(ContextError):
        verify_many(Answer, [{"claim": "true one."}] * 2, context=[context()])


def test_the_models_own_judges_are_used_where_the_context_names_none() -> None:
    engine = ScriptedNLI()

    class Own(Grounded, judges=Judges(nli=engine)):
        claim: Claim

    class Heir(Own):
        pass

    Heir.model_validate({"claim": "true one."}, context={"references": "true one."})
    assert engine.calls == 1


def test_a_default_is_not_judged() -> None:
    class Defaulted(Grounded):
        claim: Claim = "no"

    assert Defaulted().claim == "no"


def test_an_answer_validated_inside_a_validator_is_an_answer_of_its_own() -> None:
    class Nested(Grounded):
        raw: Any
        claim: Claim

        @model_validator(mode="after")
        def _inner(self) -> "Nested":
            Answer.model_validate({"claim": self.raw}, context=context("other text"))
            return self

    Nested.model_validate({"raw": "other", "claim": "true one."}, context=context())
    with pytest.raises(ValidationError):
        Nested.model_validate({"raw": "nope", "claim": "true one."}, context=context())
