"""Rows are audited, and divided into clean and rejected ones: `groundtypes check`."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from groundtypes.dataset.check.answer_auditor import Auditor, Item
from groundtypes.dataset.check.processing import LineResult, given_rows, verdict_line
from groundtypes.judges import Judges
from groundtypes.rounds.row_mistakes import OnMistake, check_on_mistake, failure_reason
from groundtypes.row_files.answer_rows import AnswerRow, Keys, RowReader
from groundtypes.row_files.json_lines import Line, json_line
from groundtypes.row_files.parsing import read_line
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.audits import Audit


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The model that reads the answers, its name, the keys of the rows, and the engines.

    `on_mistake` says what becomes of a row that cannot be judged, as in `audit_many`. A run that
    was stopped by such a row goes on with another value. `judges` may be the name of an NLI engine;
    without them, the engines are those of the model.
    """

    model: Any
    name: str
    keys: Keys = Keys()  # noqa: RUF009 # frozen
    on_mistake: OnMistake = "raise"
    judges: Judges | str | None = None

    def __post_init__(self) -> None:
        check_on_mistake(self.on_mistake)

    @property
    def identity(self) -> Mapping[str, Any]:
        """What the results depend on."""
        named = {"judges": self.judges} if isinstance(self.judges, str) else {}
        return {
            "model": self.name,
            "answer": self.keys.answer,
            "references": self.keys.references,
            "question": self.keys.question,
            **named,
        }

    def processor(self, outputs: Collection[str], *, first: bool = True) -> "RowAuditor":
        """Return an auditor of rows that makes the lines of these outputs."""
        return RowAuditor(self, outputs, first=first)


class RowAuditor:
    """Audits the rows of one model, a batch of lines at a time."""

    def __init__(
        self,
        options: CheckOptions,
        outputs: Collection[str],
        *,
        first: bool = True,
    ) -> None:
        """Store the model, its engines, the outputs that are wanted, and which lines will come.

        The `first` lines of an input must have the keys that the options name.

        Raises:
            DatasetError: Pydantic cannot use the model.
        """
        self._auditor = Auditor(options.model, options.judges, options.on_mistake)
        self._reader = RowReader(options.model, options.keys, checks_keys=first)
        self._outputs = outputs

    def process(self, lines: Iterable[Line]) -> Iterator[LineResult]:
        """Yield what became of each line, in order, after auditing all of them together.

        Raises:
            Mistake: The failure is not in an answer (engine, model or file).
        """
        rows = [(line, read_line(line, self._reader.read)) for line in lines]
        self._reader.check_keys(given_rows(row for _, row in rows))
        items = [
            Item(line.number, row.answer, row.context)
            for line, row in rows
            if isinstance(row, AnswerRow)
        ]
        audits = iter(self._auditor.audits(items))
        for line, row in rows:
            if isinstance(row, AnswerRow):
                yield self._result(line, row, next(audits))
            else:
                yield LineResult.broken(line, row)

    def _result(self, line: Line, row: AnswerRow, audit: Audit[Any]) -> LineResult:
        outputs: dict[str, bytes] = {}
        error = None
        if audit.mistake is not None:
            error = failure_reason(audit.mistake)
        elif audit.ok:
            try:
                dump = self._auditor.adapter.dump_json(audit.value, by_alias=True, warnings=False)
                outputs["clean"] = json_line(row.cleaned(from_json(dump)))
            except Exception as raised:  # noqa: BLE001 # a user's own serializer may raise anything
                error = f"the answer cannot be written as JSON: {clip(str(raised), 200)}"
        names = ("audits",) if outputs else ("rejected", "audits")
        if wanted := [name for name in names if name in self._outputs]:
            is_judged = audit.mistake is None
            entry = verdict_line(line, row.data, audit.verdicts, error, is_judged=is_judged)
            outputs |= dict.fromkeys(wanted, entry)
        is_counted = error is None or audit.mistake is not None
        return LineResult(line.number, outputs, audit if is_counted else None, error)
