"""How right and wrong answers pass at the limits that are tried for the judge."""

import pytest

pytestmark = pytest.mark.torch


def test_an_answer_is_as_good_as_its_least_entailed_sentence() -> None:
    pytest.importorskip("peft")
    from training.fit_judge import Scored, judged  # noqa: PLC0415 # needs torch

    answers = [
        Scored((0.4, 0.9), (True, True), True),
        Scored((0.1, 0.9, 0.6), (False, True, None), False),
        Scored((0.4,), (False,), False),  # a sentence that stands alone needs more
    ]
    sentences, wholes = judged(answers, 0.3, 0.7)
    assert wholes == [(True, True), (False, False), (False, False)]
    assert sentences == [(True, True), (True, True), (False, False), (True, True), (False, False)]
    assert judged(answers, 0.5, 0.95)[0][:2] == [(False, True), (False, True)]
