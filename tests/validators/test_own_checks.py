"""A check of one's own is a frozen dataclass of hashable options; anything else is refused."""

from dataclasses import dataclass
from typing import Annotated

import pytest

from groundtypes import Case, Check, Grounded, Verdict, audit
from groundtypes.errors import MarkerError


def test_a_check_with_a_plain_init_is_refused() -> None:
    class Own(Check):
        def __init__(self, words: int) -> None:
            self.words = words

        def judge(self, value: str, case: Case) -> Verdict:  # it judges nothing
            return self.holds()

    class Derived(Own):
        pass

    for check in (Own, Derived):
        with pytest.raises(MarkerError, match=r"Own has an __init__.*dataclass"):
            check(3)


def test_an_option_that_is_not_hashable_is_refused() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Own(Check):
        words: list[str]

        def judge(self, value: str, case: Case) -> Verdict:  # it judges nothing
            return self.holds()

    with pytest.raises(MarkerError, match="hashable"):

        class Answer(Grounded):
            text: Annotated[str, Own(words=["a"])]


def test_a_dataclass_with_a_post_init_is_fine() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Own(Check):
        words: tuple[str, ...] = ()

        def __post_init__(self) -> None:
            object.__setattr__(self, "words", tuple(self.words))

        def judge(self, value: str, case: Case) -> Verdict:  # it judges nothing
            return self.holds()

    class Plain(Own):
        pass

    class Answer(Grounded):
        text: Annotated[str, Own(words=("a",)), Plain()]

    assert len(audit(Answer, {"text": "x"}, context={"references": []}).verdicts) == 2
