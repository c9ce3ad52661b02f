"""From lines to examples: rows and recorded calls are judged, repaired and written as plain data.

An example is one line of an intermediate file: the prompt, the answer that passed, the answers to
the same prompt that did not, with the reasons, and what its references are. The outputs are made
from these.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundtypes.dataset.build.prompts import (
    Prompt,
    chat_prompt,
    folded,
    last_question,
    plain_messages,
)
from groundtypes.dataset.build.repairs import Policy, repaired
from groundtypes.dataset.build.shapes import identifier
from groundtypes.dataset.check.row_auditor import (
    Auditor,
    Item,
    Judged,
    broken_entry,
    rejected_entry,
    unusable,
)
from groundtypes.dataset.io.lines import LINE_LIMIT, Line, json_line
from groundtypes.dataset.io.rows import BrokenLineError, Keys, RowReader, parse_line
from groundtypes.errors import DatasetError, RecordingError, clip
from groundtypes.judges import Judges
from groundtypes.recordings import RecordedCall
from groundtypes.recordings.completions import json_within
from groundtypes.references import References
from groundtypes.validation.audits import Audit
from groundtypes.verdicts import Verdict

__all__ = ["Sieve", "Sift"]


@dataclass(frozen=True, slots=True)
class Sift:
    """How examples are made: the model, and what is done to its answers."""

    model: Any
    keys: Keys = Keys()  # noqa: RUF009 # frozen
    policy: Policy = "reject"
    prompt: Prompt = chat_prompt
    judges: Judges | None = None

    def sifter(self) -> "Sieve":
        """Return what makes examples of lines."""
        return Sieve(self)

    def prompted(self, number: int, context: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the messages that ask the question of a context, of the line of this number.

        Raises:
            DatasetError: The prompt makes none.
        """
        try:
            given = self.prompt(context["question"], context["references"])
            messages = plain_messages(list(given))
        except Exception as error:
            raise DatasetError(
                f"Line {number}: the prompt raised {type(error).__name__}: {clip(str(error), 300)}"
            ) from error
        if messages is None:
            raise DatasetError(f"Line {number}: the prompt returned no messages of text.")
        return messages


@dataclass(slots=True)
class _Case:
    """One line on its way: its answers, oldest first, and their audits."""

    line: Line
    text: str
    data: dict[str, Any]
    context: Mapping[str, Any]
    answers: Sequence[Any]
    messages: Sequence[Mapping[str, Any]] | None
    name: str | None = None
    llm: str = ""
    error: str | None = None
    audits: list[Audit[Any]] = field(default_factory=list)
    repair: str | None = None


class Sieve:
    """Makes examples of lines, a batch at a time."""

    def __init__(self, options: Sift) -> None:
        """Take what is to be done.

        Raises:
            DatasetError: The model cannot be used.
        """
        self._options = options
        self._auditor = Auditor(options.model, options.judges)
        try:
            self._reader = RowReader(options.model, options.keys)
        except Exception as error:
            raise unusable(error) from error

    def judge(self, lines: Iterable[Line]) -> Iterator[Judged]:
        """Return what became of each line; all answers of the lines are judged together.

        Raises:
            Mistake: Something is wrong that is no answer's fault.
        """
        read = [(line, self._read(line)) for line in lines]
        cases = [case for _, case in read if isinstance(case, _Case)]
        self._audit(cases, lambda case: case.answers)
        self._repair(cases)
        for line, case in read:
            if isinstance(case, _Case):
                yield self._judged(case)
            else:
                yield Judged(line.number, rejected=broken_entry(line, case), error=str(case))

    def _audit(self, cases: Sequence[_Case], answers: Callable[[_Case], Iterable[Any]]) -> None:
        asked = [(case, answer) for case in cases for answer in answers(case)]
        items = [Item(case.line.number, answer, case.context) for case, answer in asked]
        for (case, _), audit in zip(asked, self._auditor.audits(items), strict=True):
            case.audits.append(audit)

    def _repair(self, cases: Iterable[_Case]) -> None:
        """Judge what is left of the last answer of a case once the policy has repaired it."""
        policy = self._options.policy
        mended: dict[int, Any] = {}
        for case in cases:
            if case.audits and not any(map(self._passes, case.audits)):
                faults = case.audits[-1].faults
                new = repaired(policy, case.answers[-1], faults, case.context)
                if new is not None:
                    mended[id(case)] = new
        chosen = [case for case in cases if id(case) in mended]
        self._audit(chosen, lambda case: (mended[id(case)],))
        for case in chosen:
            if self._passes(case.audits[-1]):
                case.repair = policy
            else:
                case.audits.pop()

    def _passes(self, audit: Audit[Any]) -> bool:
        return audit.ok and (not audit.faults or self._options.policy == "drop-items")

    # --- reading ----------------------------------------------------------------------------

    def _read(self, line: Line) -> "_Case | BrokenLineError":
        if line.spool is not None:
            return BrokenLineError(f"longer than {LINE_LIMIT // 2**20} MiB")
        try:
            text, data = parse_line(line.data)
            try:
                if isinstance(data.get("attempts"), list):
                    return self._call(line, text, data)
                return self._row(line, text, data)
            except BrokenLineError as error:
                error.row = data
                raise
        except BrokenLineError as error:
            return error.with_traceback(None)

    def _row(self, line: Line, text: str, data: dict[str, Any]) -> _Case:
        row = self._reader.row(text, data)
        messages = plain_messages(data.get("messages"))
        if messages is None and "question" in row.context:
            messages = self._options.prompted(line.number, row.context)
        if messages is None:
            raise BrokenLineError("no question and no messages, so that nothing is asked")
        name = data.get("id")
        given = name is not None and not isinstance(name, bool | dict | list)
        return _Case(
            line, text, data, row.context, [row.answer], messages,
            name=str(name) if given else None,
        )  # fmt: skip

    def _call(self, line: Line, text: str, data: dict[str, Any]) -> _Case:
        try:
            call = RecordedCall.from_dict(data)
        except RecordingError as error:
            raise BrokenLineError(str(error)) from error
        if call.references is None:
            raise BrokenLineError("a recorded call without references")
        messages = plain_messages(call.prompt)
        if messages is None:
            raise BrokenLineError("a recorded call whose messages are not all text")
        answered = [attempt for attempt in call.attempts if attempt.answer is not None]
        passed = [number for number, attempt in enumerate(answered) if attempt.ok]
        if passed:  # what came after it belongs to nothing
            answered = answered[: passed[-1] + 1]
        errors = [attempt.error for attempt in call.attempts if attempt.error]
        return _Case(
            line, text, data, call.context, [attempt.answer for attempt in answered], messages,
            llm=call.llm,
            error=clip(errors[-1], 300) if errors else None,
        )  # fmt: skip

    # --- writing ----------------------------------------------------------------------------

    def _judged(self, case: _Case) -> Judged:
        number = case.line.number
        if not case.audits:
            reason = f"no answer: {case.error or 'none was recorded'}"
            return Judged(number, rejected=self._rejected(case, (), reason), error=reason)
        passing = [audit for audit in case.audits if self._passes(audit)]
        last = case.audits[-1]
        if not passing:
            refused = Audit(None, last.verdicts, last.error or _DROPPED) if last.ok else last
            return Judged(number, rejected=self._rejected(case, last.verdicts), audit=refused)
        try:
            example = json_line(self._example(case, passing[-1]))
        except Exception as error:  # noqa: BLE001 # a user's own serializer may raise anything
            reason = f"the answer cannot be written as JSON: {clip(str(error), 200)}"
            return Judged(
                number, rejected=self._rejected(case, last.verdicts, reason), error=reason
            )
        return Judged(number, clean=(example,), audit=passing[-1])

    def _rejected(
        self, case: _Case, verdicts: Iterable[Verdict], error: str | None = None
    ) -> Iterable[bytes]:
        return rejected_entry(case.line.number, case.text, case.data, verdicts, error)

    def _example(self, case: _Case, audit: Audit[Any]) -> dict[str, Any]:
        answer = self._written(audit.value)
        references: References = case.context["references"]
        messages = case.messages or ()
        return {
            "line": case.line.number,
            "id": identifier(messages, answer),
            "name": case.name,
            "llm": case.llm,
            "repair": case.repair or ("drop-items" if audit.faults else None),
            "question": case.context.get("question") or last_question(messages),
            "messages": messages,
            "answer": answer,
            "rejected": list(self._refused(case, answer)),
            "references": sorted({_digest(text) for text in references.texts}),
        }

    def _refused(self, case: _Case, answer: str) -> Iterator[dict[str, Any]]:
        """Yield the other answers to the same prompt, each once."""
        seen = {answer}
        for given, audit in zip(case.answers, case.audits, strict=False):
            if not audit.faults:
                continue
            text = _rewritten(given)
            if text not in seen:
                seen.add(text)
                yield {
                    "answer": text,
                    "origin": self._origin(case, audit),
                    "reasons": [_reason(fault) for fault in audit.faults[:20]],
                }

    def _origin(self, case: _Case, audit: Audit[Any]) -> str:
        """Say what became of a refused answer: it was asked again, or repaired."""
        if case.repair is not None and audit is case.audits[-2]:
            return case.repair
        return "drop-items" if audit.ok else "re-ask"

    def _written(self, value: Any) -> str:
        """Return the validated answer as JSON, with the fields that the LLM wrote."""
        plain = self._auditor.adapter.dump_python(
            value, mode="json", by_alias=True, exclude_unset=True, warnings=False
        )
        return json.dumps(plain, ensure_ascii=False, allow_nan=False)


#: Stands for the error that an answer does not have whose model has dropped its faulty items.
_DROPPED: Any = DatasetError("items were dropped")


def _rewritten(answer: Any) -> str:
    """Return a refused answer spelled as the accepted ones are, so that only content differs."""
    try:
        read = json.loads(json_within(answer)) if isinstance(answer, str) else answer
        text = json.dumps(read, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = str(answer)
    return _encodable(text)


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _reason(fault: Verdict) -> dict[str, str]:
    return {
        "field": _encodable(".".join(map(str, fault.loc))),
        "check": fault.check,
        "slug": fault.slug or "",
        "message": _encodable(fault.message or ""),
    }


def _digest(text: str) -> str:
    data = folded(text).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16).hexdigest()
