"""Result files of a provider's batch API: answers are audited, and faulty ones asked again.

Three files in OpenAI's format are joined by their `custom_id`: the requests that were sent, the
results that came back, and rows with the references (their `id` is the `custom_id`). The outputs
are recorded calls, which `build_dataset` reads, and the requests of the next round. A round that
continues an earlier one adds its attempts to the calls of that one.
"""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic_core import from_json

from groundtypes.dataset.check.row_auditor import Auditor, Item
from groundtypes.errors import DatasetError
from groundtypes.integrations.recordings import Attempt, RecordedCall
from groundtypes.integrations.recordings.calls import model_name, read_calls
from groundtypes.integrations.recordings.completions import answer_in, tokens_in
from groundtypes.judges import Judges
from groundtypes.rounds.row_mistakes import OnMistake, failure_reason
from groundtypes.row_files.answer_rows import Keys, RowReader
from groundtypes.row_files.files import file_errors, open_json_lines
from groundtypes.row_files.json_lines import (
    BrokenLineError,
    LineReader,
    Position,
    json_line,
    parse_line,
)
from groundtypes.row_files.run_files import RunFiles
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit

_BATCH: Final = 256
_URL: Final = "/v1/chat/completions"
_CORRECT: Final = "Correct your JSON ONLY RESPONSE, based on the following errors:\n"


@dataclass(frozen=True, slots=True)
class CheckedBatch:
    """The counts of a round; `problems` says what could not be audited, by its `custom_id`.

    `passed`, `faulty`: answers. `failed`: requests that the provider did not answer. `reasked`:
    requests written for the next round, of faulty answers and failed requests. `unjudged`: answers
    that could not be judged, which are among the problems.
    """

    passed: int
    faulty: int
    failed: int
    reasked: int
    problems: Mapping[str, str]
    unjudged: int = 0


def check_batch(
    model: Any,
    results: str | Path,
    *,
    requests: str | Path,
    rows: str | Path,
    recordings: str | Path,
    reasks: str | Path,
    earlier: str | Path | None = None,
    keys: Keys = Keys(),  # noqa: B008 # frozen
    judges: Judges | str | None = None,
    max_attempts: int = 3,
    on_mistake: OnMistake = "raise",
    overwrite: bool = False,
) -> CheckedBatch:
    """Audit every answer of a batch, record it, and write the requests that ask again.

    `results`, `requests` and `rows` are JSON Lines; `earlier` are the recordings of the round
    before. A request that is sent again keeps its `custom_id`; it holds the messages so far, the
    faulty answer and its faults. After `max_attempts` an answer is not asked again.
    With `on_mistake="keep"` an answer that cannot be judged is a problem, as in `audit_many`, and
    the others go on.

    Raises:
        DatasetError: A file cannot be read or written, or is there already.
        Mistake: As `audit`.
    """
    if max_attempts < 1:
        raise DatasetError(f"`max_attempts` is {max_attempts}; it must be at least 1")
    files = RunFiles(
        {"recordings": Path(recordings), "reasks": Path(reasks)},
        {},
        sources=[Path(path) for path in (results, requests, rows, earlier) if path is not None],
        overwrite=overwrite,
        discard=True,
    )
    sent, repeated = _lines(requests, "custom_id")
    known, ambiguous = _lines(rows, "id")
    round_ = _Round(
        RowReader(model, keys),
        Auditor(model, judges, on_mistake),
        model_name(model),
        sent,
        known,
        ambiguous,
        {} if earlier is None else {call.id: call for call in read_calls(earlier)},
        max_attempts,
        dict.fromkeys(sorted(repeated), "two requests have this custom_id"),
    )
    with files.opened():
        checked = round_.run(Path(results), files)
        files.commit(Position(0, 0, ""), finished=True)
    files.publish()
    files.close()
    return checked


def _lines(path: str | Path, key: str) -> tuple[dict[str, bytes], set[str]]:
    """Return the first line with each name, which is under a key, and the repeated names."""
    lines: dict[str, bytes] = {}
    repeated: set[str] = set()
    with file_errors(f"read {path}"), open_json_lines(Path(path)) as stream:
        for line in LineReader(stream):
            name = _name(line.data, key)
            if name is not None and lines.setdefault(name, line.data) != line.data:
                repeated.add(name)
    return lines, repeated


def _name(data: bytes, key: str) -> str | None:
    try:
        name = from_json(data).get(key)
    except (ValueError, AttributeError):
        return None
    return str(name) if isinstance(name, str | int) and not isinstance(name, bool) else None


@dataclass(frozen=True, slots=True)
class _BatchAnswer:
    """An answer of the batch that can be audited, with all that belongs to it."""

    name: str
    number: int
    request: dict[str, Any]
    body: Mapping[str, Any]
    answer: str
    context: Mapping[str, Any]


class _ProblemError(Exception):
    """A result cannot be audited; where there is no answer, the same request may be sent again."""

    def __init__(self, reason: str, *, is_answered: bool = True) -> None:
        super().__init__(reason)
        self.is_answered = is_answered


@dataclass(slots=True)
class _Round:
    """One round: results in, calls and requests out."""

    reader: RowReader
    auditor: Auditor
    response_model: str
    requests: Mapping[str, bytes]
    rows: Mapping[str, bytes]
    ambiguous: Collection[str]
    earlier: Mapping[str | None, RecordedCall]
    max_attempts: int
    problems: dict[str, str]
    counts: Counter[str] = field(default_factory=Counter)

    def run(self, results: Path, files: RunFiles) -> CheckedBatch:
        """Audit every result, and write what follows from it."""
        seen: set[str] = set()
        waiting: list[_BatchAnswer] = []
        with file_errors(f"read {results}"), open_json_lines(results) as stream:
            for line in LineReader(stream):
                result = self._read(line.number, line.data, seen, files)
                if result is not None:
                    waiting.append(result)
                if len(waiting) >= _BATCH:
                    self._audit(waiting, files)
                    waiting = []
        self._audit(waiting, files)
        for name in self.requests:
            if name not in seen:  # such as those of a batch that expired
                self.problems[name] = "no result"
                self._ask_as_before(name, files)
        for id_, call in self.earlier.items():
            # A request that got no answer in this round keeps the attempts that it has.
            if id_ not in seen or id_ in self.problems:
                files.write("recordings", [json_line(call.to_dict())])
        names = ("passed", "faulty", "failed", "reasked", "unjudged")
        return CheckedBatch(problems=self.problems, **{name: self.counts[name] for name in names})

    def _read(
        self, number: int, data: bytes, seen: set[str], files: RunFiles
    ) -> _BatchAnswer | None:
        """Return the result on a line, or note why it cannot be audited."""
        name = _name(data, "custom_id")
        if name is None:
            self.problems[f"line {number}"] = "not a JSON object with a custom_id"
        elif name in seen:
            self.problems[f"line {number}"] = f"a second result of {clip(name, 80)}"
        else:
            seen.add(name)
            try:
                return self._result(name, number, from_json(data))
            except _ProblemError as problem:
                self.problems[name] = str(problem)
                if not problem.is_answered:
                    self._ask_as_before(name, files)
        return None

    def _result(self, name: str, number: int, data: Mapping[str, Any]) -> _BatchAnswer:
        request = self.requests.get(name)
        if request is None:
            raise _ProblemError("no request has this custom_id")
        response = data.get("response")
        error = data.get("error")
        status = response.get("status_code") if isinstance(response, Mapping) else None
        if error or status != 200 or not isinstance(response, Mapping):
            reply = json.dumps(error or response, ensure_ascii=False)
            reason = f"the provider answered with an error: {clip(reply, 300)}"
            raise _ProblemError(reason, is_answered=False)
        body = response.get("body")
        answer = answer_in(body)
        if answer is None or not isinstance(body, Mapping):
            raise _ProblemError("the response holds no answer", is_answered=False)
        row = self.rows.get(name)
        if row is None:
            raise _ProblemError("no row has this id, so that its references are not known")
        if name in self.ambiguous:
            raise _ProblemError("two rows have this id, so that its references are not known")
        try:
            context = self.reader.read(parse_line(row)).context
        except BrokenLineError as broken:
            raise _ProblemError(f"its row is broken: {broken}") from broken
        sent = from_json(request)
        messages = sent["body"].get("messages") if isinstance(sent.get("body"), dict) else None
        if not isinstance(messages, list) or not all(isinstance(m, dict) for m in messages):
            raise _ProblemError("its request holds no messages")
        return _BatchAnswer(name, number, sent, body, answer, context)

    def _audit(self, results: Sequence[_BatchAnswer], files: RunFiles) -> None:
        items = [Item(result.number, result.answer, result.context) for result in results]
        for result, audit in zip(results, self.auditor.audits(items), strict=True):
            if audit.mistake is not None:
                reason = failure_reason(audit.mistake)
                self.problems[result.name] = f"its answer could not be judged: {reason}"
                self.counts["unjudged"] += 1
                continue
            call = self._call(result, audit)
            files.write("recordings", [json_line(call.to_dict())])
            self.counts["passed" if audit.ok else "faulty"] += 1
            if not audit.ok and len(call.attempts) < self.max_attempts:
                self._ask_again(result, audit, files)

    def _call(self, result: _BatchAnswer, audit: Audit[Any]) -> RecordedCall:
        """Return the call of a result, with the attempts of the rounds before."""
        before = self.earlier.get(result.name)
        earlier = () if before is None else before.attempts
        body = result.request["body"]
        known = sum(len(attempt.messages) for attempt in earlier)
        attempt = Attempt(
            ok=audit.ok,
            messages=tuple(body["messages"][known:]),
            completion=dict(result.body),
            answer=result.answer,
            value=audit.to_dict()["value"],
            faults=audit.faults,
            usage=tokens_in(result.body),
        )
        return RecordedCall(
            id=result.name,
            llm=str(body.get("model", "")),
            response_model=self.response_model,
            question=result.context.get("question"),
            references={ref.id: ref.text for ref in result.context["references"]},
            request={key: value for key, value in body.items() if key != "messages"},
            attempts=(*earlier, attempt),
        )

    def _ask_again(self, result: _BatchAnswer, audit: Audit[Any], files: RunFiles) -> None:
        """Write the request that shows the faulty answer and its faults."""
        body = result.request["body"]
        answer = {"role": "assistant", "content": result.answer}
        faults = {"role": "user", "content": f"{_CORRECT}{audit.error or ''}"}
        body = {**body, "messages": [*body["messages"], answer, faults]}
        request = {"method": "POST", "url": _URL, **result.request, "body": body}
        files.write("reasks", [json_line(request)])
        self.counts["reasked"] += 1

    def _ask_as_before(self, name: str, files: RunFiles) -> None:
        """Write the request once more, because its result is missing."""
        line = self.requests.get(name)
        if line is not None:
            files.write("reasks", (line, b"\n"))
            self.counts["reasked"] += 1
        self.counts["failed"] += 1
