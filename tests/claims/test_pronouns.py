"""Names for pronouns, by a scripted LLM, before sentences are judged."""

from typing import Annotated, Any

import pytest

from groundtypes import Entailed, Grounded, Judges, audit
from groundtypes.errors import MissingJudgeError
from groundtypes.prompts.response_models import Sentence, Sentences
from groundtypes.testing import ScriptedLLM, ScriptedNLI

TEXT = "Ida Moe drew the bridge. She opened it in 1931."
NAMED = "Ida Moe opened the bridge in 1931."


class Answer(Grounded):
    text: Annotated[str, Entailed(resolve_pronouns=True)]


def naming(*texts: str) -> ScriptedLLM:
    sentences = [Sentence(number=number, text=text) for number, text in enumerate(texts, 1)]
    return ScriptedLLM(lambda _: Sentences(sentences=sentences))


def asked(llm: Any, text: str = TEXT) -> tuple[list[str], ScriptedNLI]:
    """Return the hypotheses that an NLI engine was asked about."""
    nli = ScriptedNLI()
    judges = Judges(nli=nli, llm=llm)
    audit(Answer, {"text": text}, context={"references": "Ida Moe.", "judges": judges})
    return [pair.hypothesis for batch in nli.batches for pair in batch], nli


def test_the_engine_is_asked_about_sentences_with_names() -> None:
    assert asked(naming("Ida Moe drew the bridge.", NAMED))[0] == [
        "Ida Moe drew the bridge.",
        NAMED,
    ]


@pytest.mark.parametrize(
    "changed",
    [
        "Ida Moe opened the bridge in 1932.",
        "Ida Moe opened the bridge.",
        "Ola Berg opened the bridge in 1931.",
        "Ida Moe closed the bridge in 1931.",
        "Yes.",
        "",
    ],
    ids=[
        "another number",
        "no number",
        "a name from nowhere",
        "another verb",
        "rubbish",
        "nothing",
    ],
)
def test_a_sentence_of_which_more_was_changed_stays_as_it_is(changed: str) -> None:
    assert asked(naming("Ida Moe drew the bridge.", changed))[0][1] == "She opened it in 1931."


def test_sentences_that_the_llm_leaves_out_stay_as_they_are() -> None:
    assert asked(naming())[0] == ["Ida Moe drew the bridge.", "She opened it in 1931."]


def test_a_text_without_pronouns_asks_no_llm() -> None:
    llm = naming()
    asked(llm, "Ida Moe drew the bridge.")
    assert llm.calls == 0


def test_pronouns_without_an_llm_are_a_mistake() -> None:
    with pytest.raises(MissingJudgeError):
        asked(None)
