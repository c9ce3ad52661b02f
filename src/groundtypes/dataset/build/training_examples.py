"""Lines to examples: rows and recorded calls are audited, repaired and written as plain data.

An example is one line of an intermediate file: the prompt, the answer that passed, the refused
answers to the same prompt with the reasons, and hashes of its references. The files of the data
set are made of these.
"""

import hashlib
import json
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from groundtypes.dataset.build.repairs import Policy, empties_list, repair_answer
from groundtypes.dataset.check.row_auditor import (
    Auditor,
    Item,
    LineResult,
    audit_line,
    given_rows,
    is_start,
    verdict_line,
)
from groundtypes.errors import DatasetError, RecordingError
from groundtypes.integrations.recordings import RecordedCall
from groundtypes.integrations.recordings.completions import (
    json_within,
    last_question,
    plain_messages,
)
from groundtypes.judges import Judges
from groundtypes.references import References
from groundtypes.rounds.row_mistakes import OnMistake, check_on_mistake, failure_reason
from groundtypes.row_files.answer_rows import Keys, RowReader
from groundtypes.row_files.json_lines import BrokenLineError, Line, content_id, read_line
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit
from groundtypes.validators.quote_spans import PLAIN_QUOTES
from groundtypes.verdicts import Verdict

#: Takes a question and its references; returns the messages that ask it.
PromptFunction = Callable[[str, References], Sequence[Mapping[str, Any]]]

_SYSTEM: Final = (
    "Answer the question from the references alone, with JSON. Copy every quote word for word."
)


def chat_prompt(question: str, references: References) -> list[dict[str, str]]:
    """Return a system message and the references with the question, as one user message."""
    parts = [f"Reference {reference.id}:\n{reference.text}" for reference in references]
    return [
        {"role": "system", "content": _SYSTEM},
        {"role": "user", "content": "\n\n".join([*parts, f"Question: {question}"])},
    ]


def normalised_text(text: str) -> str:
    """Return the text with case, width and white space normalised, to compare it with another."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@dataclass(frozen=True, slots=True)
class ExampleOptions:
    """How examples are made: the model of the answers, and the policy for faulty ones.

    `judges` may be the name of an NLI engine; without them, the engines are those of the model.
    """

    model: Any
    keys: Keys = Keys()  # noqa: RUF009 # frozen
    policy: Policy = "reject"
    prompt: PromptFunction = chat_prompt
    judges: Judges | str | None = None
    on_mistake: OnMistake = "raise"

    def __post_init__(self) -> None:
        check_on_mistake(self.on_mistake)
        if self.policy not in get_args(Policy):
            names = " or ".join(map(repr, get_args(Policy)))
            raise DatasetError(f"`policy` is {self.policy!r}; it must be {names}")

    @property
    def identity(self) -> Mapping[str, Any]:
        """Nothing: the work folder of a build has the identity of the whole build."""
        return {}

    def processor(self, outputs: Collection[str]) -> "ExampleBuilder":  # noqa: ARG002 # it makes all
        """Return a builder of examples."""
        return ExampleBuilder(self)

    def messages(self, number: int, row: Any, context: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the messages that ask for an answer: the row's own, else those of its question."""
        messages = plain_messages(row.get("messages"))
        if messages is not None:
            return messages
        if row.get("messages"):  # no question in their place: they may ask something else
            raise BrokenLineError("its messages are not all text, or ask nothing")
        if "question" not in context:
            raise BrokenLineError("no question and no messages, so that nothing is asked")
        try:
            prompt = self.prompt(context["question"], context["references"])
            messages = plain_messages(list(prompt))
        except Exception as error:
            raise DatasetError(
                f"Line {number}: the prompt raised {type(error).__name__}: {clip(str(error), 300)}"
            ) from error
        if messages is None:
            raise DatasetError(f"Line {number}: the prompt returned no messages of text.")
        return messages


@dataclass(slots=True)
class _PromptAnswers:
    """The prompt of one line with its answers, oldest first, and their audits."""

    line: Line
    data: dict[str, Any]
    context: Mapping[str, Any]
    answers: Sequence[Any]
    messages: Sequence[Mapping[str, Any]]
    name: str | None = None
    llm: str = ""
    error: str | None = None
    audits: list[Audit[Any]] = field(default_factory=list)
    repair: str | None = None


class ExampleBuilder:
    """Makes examples of lines, a batch at a time."""

    def __init__(self, options: ExampleOptions) -> None:
        self._options = options
        self._auditor = Auditor(options.model, options.judges, options.on_mistake)
        self._reader = RowReader(options.model, options.keys)

    def process(self, lines: Iterable[Line]) -> Iterator[LineResult]:
        """Yield what became of each line; all answers of the lines are audited together."""
        results = [(line, self._read(line)) for line in lines]
        if is_start(results):
            rows = given_rows(result for _, result in results)
            self._reader.check_keys(row for row in rows if "attempts" not in row)
        prompts = [prompt for _, prompt in results if isinstance(prompt, _PromptAnswers)]
        self._audit(prompts, lambda prompt: prompt.answers)
        self._repair(prompts)
        for line, prompt in results:
            if isinstance(prompt, _PromptAnswers):
                yield self._result(prompt)
            else:
                yield LineResult.broken(line, prompt)

    def _audit(
        self,
        prompts: Sequence[_PromptAnswers],
        answers: Callable[[_PromptAnswers], Iterable[Any]],
    ) -> None:
        """Audit these answers to each prompt, and add the audits to it."""
        owners = [(prompt, answer) for prompt in prompts for answer in answers(prompt)]
        items = [Item(prompt.line.number, answer, prompt.context) for prompt, answer in owners]
        for (prompt, _), audit in zip(owners, self._auditor.audits(items), strict=True):
            prompt.audits.append(audit)

    def _repair(self, prompts: Iterable[_PromptAnswers]) -> None:
        """Repair the last answer to each prompt without a passing one; keep repairs that pass."""
        policy = self._options.policy
        repaired: dict[int, Any] = {}
        for prompt in prompts:
            is_decided = all(audit.decision != "review" for audit in prompt.audits)
            if prompt.audits and is_decided and not any(map(self._passes, prompt.audits)):
                faults = prompt.audits[-1].faults
                answer = repair_answer(policy, prompt.answers[-1], faults, prompt.context)
                if answer is not None:
                    repaired[id(prompt)] = answer
        chosen = [prompt for prompt in prompts if id(prompt) in repaired]
        self._audit(chosen, lambda prompt: (repaired[id(prompt)],))
        for prompt in chosen:
            if self._passes(prompt.audits[-1]):
                prompt.repair = policy
            else:
                prompt.audits.pop()

    def _passes(self, audit: Audit[Any]) -> bool:
        """Return whether an answer is accepted."""
        if audit.decision != "accept" or not audit.faults:
            return audit.decision == "accept"
        return self._options.policy == "drop-items" and not empties_list(audit.given, audit.faults)

    # --- reading ----------------------------------------------------------------------------

    def _read(self, line: Line) -> _PromptAnswers | BrokenLineError:
        def read(data: dict[str, Any]) -> _PromptAnswers:
            is_call = isinstance(data.get("attempts"), list)
            return self._call(line, data) if is_call else self._row(line, data)

        return read_line(line, read)

    def _row(self, line: Line, data: dict[str, Any]) -> _PromptAnswers:
        row = self._reader.read(data)
        messages = self._options.messages(line.number, data, row.context)
        name = data.get("id")
        has_name = name is not None and not isinstance(name, bool | dict | list)
        return _PromptAnswers(
            line, data, row.context, [row.answer], messages, name=str(name) if has_name else None
        )

    def _call(self, line: Line, data: dict[str, Any]) -> _PromptAnswers:
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
        if passed:  # attempts after the one that passed are not part of the call
            answered = answered[: passed[-1] + 1]
        errors = [attempt.error for attempt in call.attempts if attempt.error]
        return _PromptAnswers(
            line,
            data,
            call.context,
            [attempt.answer for attempt in answered],
            messages,
            llm=call.llm,
            error=clip(errors[-1], 300) if errors else None,
        )

    # --- writing ----------------------------------------------------------------------------

    def _result(self, prompt: _PromptAnswers) -> LineResult:
        if not prompt.audits:
            return _rejected(prompt, error=f"no answer: {prompt.error or 'none was recorded'}")
        last = prompt.audits[-1]
        passing = [audit for audit in prompt.audits if self._passes(audit)]
        unjudged = next((audit for audit in prompt.audits if audit.mistake is not None), None)
        if not passing and unjudged is not None and unjudged.mistake is not None:
            reason = failure_reason(unjudged.mistake)
            return _rejected(prompt, last.verdicts, audit=unjudged, error=reason)
        doubtful = [audit for audit in prompt.audits if audit.decision == "review"]
        if not passing and doubtful:
            entry = audit_line(prompt.line, prompt.data, doubtful[-1])
            return LineResult(prompt.line.number, {"review": entry}, doubtful[-1])
        if not passing:
            refused = Audit(None, last.verdicts, last.error or _DROPPED) if last.ok else last
            return _rejected(prompt, last.verdicts, audit=refused)
        try:
            # Unlike a rejected row, an example with a lone surrogate is of no use to a trainer.
            example = json.dumps(
                self._example(prompt, passing[-1]), ensure_ascii=False, allow_nan=False
            ).encode()
        except Exception as error:  # noqa: BLE001 # a user's own serializer may raise anything
            reason = f"the answer cannot be written as JSON: {clip(str(error), 200)}"
            return _rejected(prompt, last.verdicts, error=reason)
        repaired = _repair_of(prompt, passing[-1]) is not None
        return LineResult(
            prompt.line.number, {"clean": example + b"\n"}, passing[-1], repaired=repaired
        )

    def _example(self, prompt: _PromptAnswers, audit: Audit[Any]) -> dict[str, Any]:
        # The fields that the LLM wrote, and no defaults.
        plain = self._auditor.adapter.dump_python(
            audit.value,
            mode="json",
            by_alias=True,
            exclude_unset=True,
            warnings=False,
            context=PLAIN_QUOTES,
        )
        answer = json.dumps(plain, ensure_ascii=False, allow_nan=False)
        references: References = prompt.context["references"]
        return {
            "line": prompt.line.number,
            "id": content_id(prompt.messages, answer),
            "name": prompt.name,
            "llm": prompt.llm,
            "repair": _repair_of(prompt, audit),
            "question": prompt.context.get("question") or last_question(prompt.messages),
            "messages": prompt.messages,
            "answer": answer,
            "rejected": list(_refused(prompt, answer)),
            "references": sorted({_digest(text) for text in references.texts}),
        }


def _repair_of(prompt: _PromptAnswers, audit: Audit[Any]) -> str | None:
    """Return the policy by which the accepted answer was repaired, if it was."""
    return prompt.repair or ("drop-items" if audit.faults else None)


#: The error of an audit whose answer is refused because its model has dropped faulty items.
_DROPPED: Any = DatasetError("items were dropped")


def _rejected(
    prompt: _PromptAnswers,
    verdicts: Iterable[Verdict] = (),
    *,
    audit: Audit[Any] | None = None,
    error: str | None = None,
) -> LineResult:
    is_judged = audit is None or audit.mistake is None
    entry = verdict_line(prompt.line, prompt.data, verdicts, error, is_judged=is_judged)
    return LineResult(prompt.line.number, {"rejected": entry}, audit, error)


def _refused(prompt: _PromptAnswers, accepted: str) -> Iterator[dict[str, Any]]:
    """Yield the refused answers to the prompt, each once, with where they come from and why."""
    seen = {accepted}
    for answer, audit in zip(prompt.answers, prompt.audits, strict=False):
        text = _respelled(answer)
        if audit.faults and audit.decision != "review" and text not in seen:
            seen.add(text)
            if prompt.repair is not None and audit is prompt.audits[-2]:
                origin = prompt.repair
            else:
                origin = "drop-items" if audit.ok else "re-ask"
            reasons = [_reason(fault) for fault in audit.faults[:20]]
            yield {"answer": text, "origin": origin, "reasons": reasons}


def _respelled(answer: Any) -> str:
    """Return an answer spelled as the accepted ones are, so that only content differs."""
    try:
        data = json.loads(json_within(answer)) if isinstance(answer, str) else answer
        text = json.dumps(data, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = str(answer)
    return _encodable(text)


def _encodable(text: str) -> str:
    """Return the text with a question mark for every lone surrogate."""
    return text.encode("utf-8", "replace").decode()


def _reason(fault: Verdict) -> dict[str, str]:
    return {
        "field": _encodable(".".join(map(str, fault.loc))),
        "check": fault.check,
        "slug": fault.slug or "",
        "message": _encodable(fault.message or ""),
    }


def _digest(text: str) -> str:
    content = normalised_text(text).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=16).hexdigest()
