"""`Cited`: every statement of a text cites references, and what it cites supports it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from groundtypes.errors import fault_message
from groundtypes.judges import check_threshold
from groundtypes.references import References
from groundtypes.validators.case import Case
from groundtypes.validators.check import Check
from groundtypes.validators.option_values import check_choices, check_flags
from groundtypes.verdicts import Verdict

if TYPE_CHECKING:
    from groundtypes.citations.judgement.nli_support import Judge, Support
    from groundtypes.citations.markers.cited_text import CitedText
    from groundtypes.citations.statements.cited_answer import CitedAnswer, CitedClaim

_REQUIRE: Final = ("all", "some", "none")
_SCOPES: Final = ("sentence", "paragraph")
_ENGINES: Final = ("nli", "llm")
#: How an LLM is told to cite, by the name of the style. Pairs of curly brackets are described in
#: words, because frameworks render prompts as templates.
_HOW: Final = {
    "auto": "by number in square brackets, as in [1] or [2][3]",
    "brackets": "by number in square brackets, as in [1] or [2][3]",
    "footnotes": "by number as footnotes, as in [^1] or [^2][^3]",
    "lenticular": "by number, as in \u30101\u2020source\u3011",
    "superscripts": "by superscript number, as in \u00b9 or \u00b2\u00b3",
    "parentheses": "by id in round brackets, as in (guide)",
    "tags": 'by id in an element around it, as in <cite id="guide">...</cite>',
    "braces": "by id, as cite:guide between two pairs of curly brackets",
}
_BY_ID: Final = ("parentheses", "tags", "braces")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited(Check):
    """Holds when every statement of the text cites references that support it.

    The text has citation markers, such as "It is 330 m tall [2, 3]." A sentence is judged against
    the references that it cites, together. There is a verdict for each sentence that claims
    something, and one for each marker that names no reference. Headings, leading phrases, questions
    and offers claim nothing. The value becomes a `CitedText`, a string with its `citations`.

    Args:
        style: How the markers are written: the name of a style, a pattern of your own whose first
            group is the label, or `"auto"`, which finds out.
        require: `"all"`: each sentence that claims something cites a reference. `"some"`: at least
            one does. `"none"`: a text without citations is fine, too.
        scope: What a marker counts for. `"sentence"`: its own sentence. `"paragraph"`: a marker at
            the end of a paragraph also counts for the sentences before it that have none.
        superfluous: Also find cited references that do not support a sentence which the other ones
            that it cites support without them. There is a verdict for each reference of a supported
            sentence that cites several.
        by: Who judges: the NLI engine, which also needs every figure of a sentence in the cited
            references, or the LLM.
        threshold: The lowest probability at which the NLI engine takes a sentence as supported; by
            default that of the judges' calibration, else 0.5.
        describe: Add the rule to the description in the JSON schema, where the LLM reads it.
    """

    style: str | re.Pattern[str] = "auto"
    require: Literal["all", "some", "none"] = "all"
    scope: Literal["sentence", "paragraph"] = "sentence"
    superfluous: bool = False
    by: Literal["nli", "llm"] = "nli"
    threshold: float | None = None

    def __post_init__(self) -> None:
        check_choices(self, require=_REQUIRE, scope=_SCOPES, by=_ENGINES)
        check_flags(superfluous=self.superfluous, describe=self.describe)
        check_threshold(self.threshold)
        _check_style(self.style)

    @property
    def sentence_by_sentence(self) -> bool:
        """Whether sentences can be judged alone: style and scope are those of the whole answer."""
        return False

    @property
    def rule(self) -> str:
        """The sentence for the JSON schema, which tells the LLM how to cite."""
        how = _HOW.get(self.style) if isinstance(self.style, str) else None
        if how is None:
            return "Cite at the end of each sentence all references that it is taken from."
        numbers = "" if self.style in _BY_ID else "; numbers count the references from 1"
        where = "Cite for" if self.style == "tags" else "Cite at the end of"
        return f"{where} each sentence all references that it is taken from, {how}{numbers}."

    def judge(self, value: str, case: Case) -> list[Verdict]:
        """Judge each sentence against what it cites."""
        from groundtypes.citations.judgement.citation_verdicts import (  # noqa: PLC0415 # the same
            CitationVerdicts,
            ReferenceNames,
        )
        from groundtypes.citations.judgement.judged_sentences import judge_sentences  # noqa: PLC0415 # slow to load

        references, answer = case.references, self._read(value, case.references)
        judged = judge_sentences(
            answer.claiming,
            references,
            self._judge_of(case),
            look_up_uncited=self.require == "all",
            find_superfluous=self.superfluous,
        )
        threshold = case.threshold(self.threshold) if self.by == "nli" else None
        names = ReferenceNames(answer.marked, references, by_id=self.style in _BY_ID)
        decide = case.decision if self.threshold is None else None
        make = CitationVerdicts(
            self.holds, self.fails, answer, references, threshold, self.require, names, decide
        )
        return list(make.of(judged)) or [self._verdict_on_nothing(answer.marked.plain)]

    def replace(self, value: str, verdicts: Sequence[Verdict], case: Case) -> "CitedText":
        """Return the text with its citations, each with the places that support its sentence."""
        from groundtypes.citations.judgement.citation_verdicts import citations_of  # noqa: PLC0415 # the same
        from groundtypes.citations.markers.cited_text import CitedText  # noqa: PLC0415 # as in `judge`

        answer = self._read(value, case.references)
        return CitedText(answer.marked, citations_of(answer, verdicts, case.references))

    def _read(self, value: str, references: References) -> "CitedAnswer":
        from groundtypes.citations.statements.cited_answer import read_answer  # noqa: PLC0415 # as in `judge`

        return read_answer(str(value), references, self.style, self.scope)

    def _judge_of(self, case: Case) -> "Judge":
        """Return the function that judges a batch; an engine is needed once there is a question."""
        from groundtypes.citations.judgement.llm_support import support_by_llm  # noqa: PLC0415 # as in `judge`
        from groundtypes.citations.judgement.nli_support import support_by_nli  # noqa: PLC0415 # the same

        def judge(claims: "Sequence[CitedClaim]") -> "list[Support]":
            references, question = case.references, case.question
            if not claims:
                return []
            if self.by == "llm":
                return support_by_llm(claims, references, question, case.llm, case.ask)
            threshold = case.threshold(self.threshold)
            return support_by_nli(claims, references, question, case.nli, case.ask, threshold)

        return judge

    def _verdict_on_nothing(self, plain: str) -> Verdict:
        """Return the verdict on a text that claims nothing, given without its markers."""
        if not any(character.isalnum() for character in plain):
            slug, message = fault_message("citation_missing_empty")
            return self.fails(slug, message, label="uncited")
        return self.holds(label="none")


def _check_style(style: str | re.Pattern[str]) -> None:
    """Raise if an option `style` is no style."""
    if isinstance(style, str) and style in _HOW:
        return
    from groundtypes.citations.markers.marker_reader import style_pattern  # noqa: PLC0415 # rare

    style_pattern(style)
