"""Laws of validation in rounds, for answers of any shape."""

from typing import Annotated, Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from groundtypes import Grounded, Judges, audit, verify
from tests.checks import Follows, ScriptedNLI, Short

TEXTS = st.sampled_from(["one.", "two.", "one. two.", "no", "none of that", "twelve. two."])


class Node(BaseModel):
    claim: Annotated[str, Short(), Follows()]
    claims: list[Annotated[str, Follows()]] = []
    named: dict[str, "Node"] = {}
    kids: "list[Node]" = []


class Root(Grounded):
    node: Node


class Dropping(BaseModel):
    claims: list[Annotated[str, Follows(on_fault="drop")]]


def trees() -> st.SearchStrategy[Any]:
    leaf = st.fixed_dictionaries({"claim": TEXTS}, optional={"claims": st.lists(TEXTS, max_size=3)})
    return st.recursive(
        leaf,
        lambda below: st.fixed_dictionaries(
            {"claim": TEXTS | st.integers()},
            optional={
                "claims": st.lists(TEXTS, max_size=3),
                "kids": st.lists(below, max_size=3),
                "named": st.dictionaries(st.sampled_from("ab"), below, max_size=2),
            },
        ),
        max_leaves=6,
    )


def context() -> dict[str, Any]:
    return {"references": "one. two. three.", "judges": Judges(nli=ScriptedNLI())}


def faults(judge: Any) -> Any:
    try:
        judge()
    except ValidationError as error:
        return sorted((line["loc"], line["type"]) for line in error.errors())
    return []


@given(trees())
def test_all_ways_find_the_same_faults(tree: Any) -> None:
    alone = faults(lambda: Node.model_validate(tree, context=context()))
    assert faults(lambda: verify(Node, tree, context=context())) == alone
    inside = faults(lambda: Root.model_validate({"node": tree}, context=context()))
    assert [(loc[1:], slug) for loc, slug in inside] == alone
    result = audit(Node, tree, context=context())
    assert sorted((v.loc, v.slug) for v in result.faults) == alone
    assert result.ok == (not alone)


@given(trees())
def test_an_audit_has_each_check_of_each_value_in_its_place(tree: Any) -> None:
    def places(node: Any, loc: tuple[str | int, ...]) -> Any:
        if isinstance(node["claim"], str):
            yield (*loc, "claim"), "Follows"
            yield (*loc, "claim"), "Short"
        for number in range(len(node.get("claims", ()))):
            yield (*loc, "claims", number), "Follows"
        for number, kid in enumerate(node.get("kids", ())):
            yield from places(kid, (*loc, "kids", number))
        for name, kid in node.get("named", {}).items():
            yield from places(kid, (*loc, "named", name))

    verdicts = audit(Node, tree, context=context()).verdicts
    found = [(v.loc, v.check) for v in verdicts if v.check != "schema"]
    assert sorted(found, key=str) == sorted(places(tree, ()), key=str)


@given(st.lists(TEXTS, max_size=8))
def test_dropping_keeps_what_holds_in_its_order(texts: list[str]) -> None:
    kept = [text for text in texts if text in "one. two. three."]
    assert verify(Dropping, {"claims": texts}, context=context()).claims == kept
    assert Dropping.model_validate({"claims": texts}, context=context()).claims == kept
