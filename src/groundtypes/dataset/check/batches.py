"""Result files of a provider's batch API: every answer is judged, the faulty are asked again.

Three files in OpenAI's format meet here by their `custom_id`: the requests that were sent, the
results that came back, and rows with the references (their `id` is the `custom_id`). Out come
recorded calls, which `build_dataset` reads, and the requests of the next round. Where a round goes
on from an earlier one, its attempts are added to the calls of that.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import from_json

from groundtypes.dataset.check.row_auditor import Auditor, Item
from groundtypes.dataset.io.files import PartialFile, mistake_of, rename
from groundtypes.dataset.io.lines import LineReader, json_bytes
from groundtypes.dataset.io.rows import BrokenLineError, Keys, RowReader
from groundtypes.errors import DatasetError, RecordingError, clip
from groundtypes.judges import Judges
from groundtypes.recordings import Attempt, RecordedCall
from groundtypes.recordings.completions import answer_in, tokens_in
from groundtypes.validation.audits import Audit

__all__ = ["CheckedBatch", "check_batch"]

_BATCH: Final = 256
_URL: Final = "/v1/chat/completions"
_CORRECT: Final = "Correct your JSON ONLY RESPONSE, based on the following errors:\n"


@dataclass(frozen=True, slots=True)
class CheckedBatch:
    """What a batch came to; `problems` names what could not be judged, by its `custom_id`.

    `passed`, `faulty`: answers. `failed`: requests that the provider did not answer. `reasked`:
    requests written for the next round, of faulty answers and failed requests.
    """

    passed: int
    faulty: int
    failed: int
    reasked: int
    problems: Mapping[str, str]


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
    judges: Judges | None = None,
    max_attempts: int = 3,
    overwrite: bool = False,
) -> CheckedBatch:
    """Judge every answer of a batch, record it, and write the requests that ask again.

    `results`, `requests` and `rows` are JSON Lines; `earlier` are the recordings of the round
    before. A result that is asked again keeps its `custom_id`; its request holds the messages so
    far, the faulty answer and its faults. After `max_attempts` an answer is not asked again.

    Raises:
        DatasetError: A file cannot be read or written, or is there already.
        Mistake: As `audit`.
    """
    if max_attempts < 1:
        raise DatasetError(f"max_attempts is {max_attempts}; it must be at least 1")
    outputs = [Path(recordings), Path(reasks)]
    inputs = [Path(path) for path in (results, requests, rows, earlier) if path is not None]
    for path in outputs:
        if path.exists() and not overwrite:
            raise DatasetError(f"{path} exists already: replace it with --overwrite.")
        if any(path.resolve() == other.resolve() for other in inputs):
            raise DatasetError(f"{path} is an input too")
    round_ = _Round(
        model,
        _Lookup(Path(requests), "custom_id"),
        _Lookup(Path(rows), "id"),
        _Lookup(Path(earlier), "id") if earlier is not None else None,
        keys,
        judges,
        max_attempts,
    )
    with (
        PartialFile(outputs[0], length=None, discard=True) as calls,
        PartialFile(outputs[1], length=None, discard=True) as again,
    ):
        checked = round_.go(Path(results), calls, again)
        calls.sync()
        again.sync()
    for path, file in zip(outputs, (calls, again), strict=True):
        rename(file.partial, path)
    return checked


class _Lookup:
    """The lines of a file by one of their keys; only their places are in memory."""

    def __init__(self, path: Path, key: str) -> None:
        self._path = path
        self._places: dict[str, int] = {}
        self.twice: set[str] = set()
        try:
            with path.open("rb") as stream:
                reader = LineReader(stream)
                place = 0
                for line in reader:
                    name = _name_in(line.data, key)
                    if name is not None and name in self._places:
                        self.twice.add(name)
                    elif name is not None:
                        self._places[name] = place
                    place = reader.offset
        except OSError as error:
            raise mistake_of(error, f"read {path}") from error

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def line(self, name: str) -> bytes | None:
        """Return the first line with this name; blank lines before it do not matter."""
        place = self._places.get(name)
        if place is None:
            return None
        try:
            with self._path.open("rb") as stream:
                stream.seek(place)
                return next(iter(LineReader(stream))).data
        except OSError as error:
            raise mistake_of(error, f"read {self._path}") from error


def _name_in(data: bytes, key: str) -> str | None:
    try:
        name = from_json(data).get(key)
    except (ValueError, AttributeError):
        return None
    given = isinstance(name, str | int) and not isinstance(name, bool)
    return str(name) if given else None


@dataclass(frozen=True, slots=True)
class _Result:
    """An answer of the batch that can be judged, with all that belongs to it."""

    name: str
    number: int
    request: dict[str, Any]
    body: Mapping[str, Any]
    answer: str
    context: Mapping[str, Any]


class _Problem(Exception):
    """Why a result cannot be judged."""


class _Round:
    """One round: results in, calls and requests out."""

    def __init__(
        self,
        model: Any,
        requests: _Lookup,
        rows: _Lookup,
        earlier: _Lookup | None,
        keys: Keys,
        judges: Judges | None,
        max_attempts: int,
    ) -> None:
        self._model = model
        self._auditor = Auditor(model, judges)
        self._reader = RowReader(model, keys)
        self._requests = requests
        self._rows = rows
        self._earlier = earlier
        self._most = max_attempts
        self._problems: dict[str, str] = {}
        self._counts = dict.fromkeys(("passed", "faulty", "failed", "reasked"), 0)

    def go(self, results: Path, calls: PartialFile, again: PartialFile) -> CheckedBatch:
        """Take every result."""
        seen: set[str] = set()
        for name in sorted(self._requests.twice):
            self._problems[name] = "two requests have this custom_id"
        waiting: list[_Result] = []
        try:
            with results.open("rb") as stream:
                for line in LineReader(stream):
                    self._take(line.number, line.data, seen, waiting, again)
                    if len(waiting) >= _BATCH:
                        self._judge(waiting, calls, again)
                        waiting = []
        except OSError as error:
            raise mistake_of(error, f"read {results}") from error
        self._judge(waiting, calls, again)
        for name in self._requests:
            if name not in seen:  # such as those of a batch that expired
                self._problems[name] = "no result"
                self._ask_as_before(name, again)
        self._carry(seen, calls)
        return CheckedBatch(**self._counts, problems=self._problems)

    def _take(
        self, number: int, data: bytes, seen: set[str], waiting: list[_Result], again: PartialFile
    ) -> None:
        name = _name_in(data, "custom_id")
        if name is None:
            self._problems[f"line {number}"] = "no JSON object with a custom_id"
        elif name in seen:
            self._problems[f"line {number}"] = f"a second result of {clip(name, 80)}"
        else:
            seen.add(name)
            try:
                waiting.append(self._result(name, number, from_json(data)))
            except _Problem as problem:
                self._problems[name] = str(problem)
                if isinstance(problem, _Unanswered):
                    self._ask_as_before(name, again)

    def _result(self, name: str, number: int, data: Mapping[str, Any]) -> _Result:
        request = self._requests.line(name)
        if request is None:
            raise _Problem("no request has this custom_id")
        response = data.get("response")
        error = data.get("error")
        status = response.get("status_code") if isinstance(response, Mapping) else None
        if error or status != 200 or not isinstance(response, Mapping):
            told = json.dumps(error or response, ensure_ascii=False)
            raise _Unanswered(f"the provider answered with an error: {clip(told, 300)}")
        body = response.get("body")
        answer = answer_in(body)
        if answer is None or not isinstance(body, Mapping):
            raise _Unanswered("the response holds no answer")
        row = self._rows.line(name)
        if row is None:
            raise _Problem("no row has this id, so that its references are not known")
        try:
            context = self._reader.read(row).context
        except BrokenLineError as broken:
            raise _Problem(f"its row is broken: {broken}") from broken
        sent = from_json(request)
        messages = sent["body"].get("messages") if isinstance(sent.get("body"), dict) else None
        if not isinstance(messages, list) or not all(isinstance(m, dict) for m in messages):
            raise _Problem("its request holds no messages")
        return _Result(name, number, sent, body, answer, context)

    def _judge(self, results: Sequence[_Result], calls: PartialFile, again: PartialFile) -> None:
        items = [Item(result.number, result.answer, result.context) for result in results]
        for result, audit in zip(results, self._auditor.audits(items), strict=True):
            call = self._call(result, audit)
            calls.write((json_bytes(call.to_dict()), b"\n"))
            if audit.ok:
                self._counts["passed"] += 1
                continue
            self._counts["faulty"] += 1
            if len(call.attempts) < self._most:
                self._ask(result, audit, again)

    def _call(self, result: _Result, audit: Audit[Any]) -> RecordedCall:
        """Return the call of a result, with the attempts of the rounds before."""
        earlier = self._before(result.name)
        messages = result.request["body"]["messages"]
        known = sum(len(attempt.messages) for attempt in earlier)
        attempt = Attempt(
            ok=audit.ok,
            messages=tuple(messages[known:]),
            completion=dict(result.body),
            answer=result.answer,
            value=audit.to_dict()["value"],
            faults=audit.faults,
            usage=tokens_in(result.body),
        )
        body = result.request["body"]
        return RecordedCall(
            id=result.name,
            llm=str(body.get("model", "")),
            response_model=f"{getattr(self._model, '__module__', '')}:"
            f"{getattr(self._model, '__qualname__', str(self._model))}",
            question=result.context.get("question"),
            references={ref.id: ref.text for ref in result.context["references"]},
            request={key: value for key, value in body.items() if key != "messages"},
            attempts=(*earlier, attempt),
        )

    def _before(self, name: str) -> Sequence[Attempt]:
        line = self._earlier.line(name) if self._earlier is not None else None
        if line is None:
            return ()
        try:
            return RecordedCall.from_dict(from_json(line)).attempts
        except (ValueError, RecordingError) as error:
            raise DatasetError(f"The earlier recording of {clip(name, 80)}: {error}") from error

    def _carry(self, seen: set[str], calls: PartialFile) -> None:
        """Keep the calls of the round before that this one did not ask again."""
        for name in self._earlier or ():
            line = self._earlier.line(name) if self._earlier is not None else None
            # What was answered with an error keeps the attempts that it has.
            if line is not None and (name not in seen or name in self._problems):
                calls.write((line, b"\n"))

    def _ask(self, result: _Result, audit: Audit[Any], again: PartialFile) -> None:
        """Write the request that shows the faulty answer and its faults."""
        body = result.request["body"]
        said = {"role": "assistant", "content": result.answer}
        told = {"role": "user", "content": _CORRECT + _faults(audit.error)}
        request = {
            **result.request,
            "body": {**body, "messages": [*body["messages"], said, told]},
        }
        again.write((json_bytes({"method": "POST", "url": _URL, **request}), b"\n"))
        self._counts["reasked"] += 1

    def _ask_as_before(self, name: str, again: PartialFile) -> None:
        line = self._requests.line(name)
        if line is not None:
            again.write((line, b"\n"))
            self._counts["reasked"] += 1
        self._counts["failed"] += 1


class _Unanswered(_Problem):
    """The provider did not answer; the same request may be sent again."""


def _faults(error: ValidationError | None) -> str:
    return "" if error is None else str(error)
