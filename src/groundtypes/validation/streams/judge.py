"""Judging the parts of units: all questions of all parts in one batch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from groundtypes.backends.observing import LoneRun, Operation
from groundtypes.concurrency.threads import check_cancelled
from groundtypes.errors import CheckError, MarkerError
from groundtypes.ledger import Ledger, Unsettled
from groundtypes.refusals.talk import without_talk
from groundtypes.text.hypotheses import Hypothesis
from groundtypes.validation.streams.judged_parts import Part
from groundtypes.validators.case import Case
from groundtypes.validators.check import Check
from groundtypes.validators.check_group import CheckGroup, verdicts_of
from groundtypes.validators.entailed import Entailed
from groundtypes.validators.faithful import Faithful
from groundtypes.validators.marked_field import MarkedField
from groundtypes.validators.supported import Supported
from groundtypes.verdicts import Verdict

#: The limit that stops a check which asks something new in every round.
_MAX_ROUNDS: Final = 12
_FIELD: Final = MarkedField(None, None)


def checked_checks(checks: Any) -> tuple[Check, ...]:
    """Return the checks, if each of them can judge one sentence after the other.

    Raises:
        MarkerError: One cannot, or is no check.
    """
    if isinstance(checks, str | bytes) or not isinstance(checks, Check | Iterable):
        kind = "None" if checks is None else f"an object of type {type(checks).__name__}"
        raise MarkerError(f"guard takes a list of checks such as [Entailed()], not {kind}.")
    given = (checks,) if isinstance(checks, Check) else tuple(checks)
    for check in given:
        if not isinstance(check, Check):
            hint = f" Write {check.__name__}()." if isinstance(check, type) else ""
            raise MarkerError(f"guard takes checks such as Entailed(), not {check!r}.{hint}")
        if check.siblings:
            raise MarkerError(
                f"{check.name} reads the field {check.siblings[0]!r}, and a stream has no fields."
            )
        if not check.sentence_by_sentence:
            raise MarkerError(
                f"{check.name} judges a whole answer, and guard passes each sentence on before the "
                "answer is whole. Check the text with verify() when the stream has ended."
            )
        if "str" not in check.accepts:
            kinds = " or ".join(sorted(check.accepts))
            raise MarkerError(f"{check.name} works on {kinds}, and a stream is text.")
    if not given:
        raise MarkerError("guard needs at least one check; without any, all text would pass.")
    return given


@dataclass(frozen=True, slots=True)
class PartJudge:
    """Judges parts with the engines of a context."""

    checks: tuple[Check, ...]
    context: Mapping[str, Any]

    def judge(self, parts: Sequence[Part]) -> list[tuple[Verdict, ...]]:
        """Return the verdicts on each part.

        Raises:
            Mistake: Something other than the text is wrong.
        """
        ledger = Ledger()
        observer = ledger.observer
        if observer is None:
            return self._judge(parts, ledger)
        run = LoneRun(self.context)
        calls = [run.add(CheckGroup(self.checks, _FIELD)) for _ in parts]
        with observer.watch(Operation("guard", "text"), ledger, [run]) as watch:
            judged = self._judge(parts, ledger)
            for call, verdicts in zip(calls, judged, strict=True):
                call.verdicts = verdicts
            watch.judged()
        return judged

    def _judge(self, parts: Sequence[Part], ledger: Ledger) -> list[tuple[Verdict, ...]]:
        case = Case(self.context, None, _FIELD, ledger)
        verdicts: dict[tuple[int, int], tuple[Verdict, ...]] = {}
        waiting = [(at, number) for at in range(len(parts)) for number in range(len(self.checks))]
        for _ in range(_MAX_ROUNDS):
            unsettled = []
            for at, number in waiting:
                try:
                    verdicts[at, number] = _verdicts(self.checks[number], parts[at], case)
                except Unsettled:
                    unsettled.append((at, number))
            if not unsettled:
                break
            waiting = unsettled
            ledger.settle()
            check_cancelled()
        else:
            raise CheckError(
                f"a check still asks new questions after {_MAX_ROUNDS} rounds; its judge() must "
                "ask the same questions for the same value in every round"
            )
        return [
            tuple(verdict for number in range(len(self.checks)) for verdict in verdicts[at, number])
            for at in range(len(parts))
        ]


def _verdicts(check: Check, part: Part, case: Case) -> tuple[Verdict, ...]:
    """Return the verdicts of a check on a part; none if it claims nothing, and that matters."""
    if part.is_wordless:
        return verdicts_of(check.name, partial(check.judge, part.text, case))
    part = _without_markers(part, case)
    if isinstance(check, Entailed):
        return _entailed(check, part, case) if part.claims else ()
    if isinstance(check, Supported | Faithful):
        return tuple(_verdicts_on_claims(check, part, case))
    return verdicts_of(check.name, partial(check.judge, part.text, case))


def _without_markers(part: Part, case: Case) -> Part:
    """Return a part whose claims have no citation markers; other checks read its text as it is."""

    def plain(sentences: tuple[Hypothesis, ...]) -> tuple[Hypothesis, ...]:
        without = (replace(each, text=case.without_markers(each.text)) for each in sentences)
        return tuple(each for each in without if each.text)

    claims, before, joined = map(plain, (part.claims, part.before, part.joined))
    return replace(part, claims=claims, before=before, joined=joined)


def _entailed(check: Entailed, part: Part, case: Case) -> tuple[Verdict, ...]:
    """Return the verdicts of `Entailed`; a short sentence may be entailed with the one before it.

    It also holds alone, because the one before it may be what fails.
    """
    claims = without_talk(part.claims)
    if not claims:
        return ()
    sentences = (*claims, *part.joined)
    verdicts = verdicts_of(check.name, partial(check.judge_sentences, sentences, case, part.before))
    alone, joined = verdicts[: len(claims)], verdicts[len(claims) :]
    holds_joined = bool(joined) and all(verdict.ok for verdict in joined)
    return joined if holds_joined and not all(verdict.ok for verdict in alone) else alone


def _verdicts_on_claims(check: Check, part: Part, case: Case) -> Iterator[Verdict]:
    """Yield the verdicts on each claiming sentence, which is worded so that it stands alone."""
    waiting = False
    verdicts: list[Verdict] = []
    for claim in part.claims:
        try:
            verdicts.extend(verdicts_of(check.name, partial(check.judge, claim.text, case)))
        except Unsettled:  # the other sentences note their questions for the same batch
            waiting = True
    if waiting:
        raise Unsettled
    yield from verdicts
