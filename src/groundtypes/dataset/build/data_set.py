"""`build_dataset`: from rows and recorded calls to files that trainers read.

Everything is made in the work folder `.groundtypes` of the data set, in three passes. Lines are
audited, batch by batch, into `examples.jsonl` and `rejected.jsonl`; this takes most of the time,
and an interrupted run continues after its last batch. Then all examples are indexed, which finds
duplicates and splits the groups. Then the files are written to `out`, and moved into the data set
at the end. A run that was killed in the last two passes repeats them.
"""

import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, get_args

from groundtypes.dataset.build.asked_questions import AskOptions, ask_all
from groundtypes.dataset.build.manifest import build_manifest, object_name
from groundtypes.dataset.build.outputs import ExampleFormatter, Style
from groundtypes.dataset.build.repairs import Policy
from groundtypes.dataset.build.training_examples import ExampleOptions, PromptFunction, chat_prompt
from groundtypes.dataset.build.writing import DatasetFiles, Format, OutputOptions, file_names
from groundtypes.dataset.check.job import Job, JobResult
from groundtypes.dataset.check.model_checks import checks_of, schema_id
from groundtypes.dataset.check.row_auditor import type_adapter
from groundtypes.errors import DatasetError
from groundtypes.integrations.recordings import RecordedCall
from groundtypes.judges import Judges, judges_for
from groundtypes.rounds.row_mistakes import OnMistake
from groundtypes.row_files.answer_rows import Keys
from groundtypes.row_files.counts import Progress, RunCounts
from groundtypes.row_files.files import file_errors, locked, rename, replace_file, resolved
from groundtypes.row_files.json_lines import input_digest, json_bytes, json_line
from groundtypes.row_files.run_files import check_identity, check_unchanged, read_json
from groundtypes.text.message_excerpts import clip

_LOCK: Final = ".groundtypes.lock"
_WORK: Final = ".groundtypes"
_FINISHED: Final = ".groundtypes.finished"
_JOURNAL: Final = "recordings.jsonl"


@dataclass(frozen=True, slots=True)
class BuiltDataset:
    """A finished data set: its folder, its manifest, and the counts of its rows."""

    folder: Path
    manifest: Mapping[str, Any]
    counts: RunCounts
    seconds: float = 0.0
    files: Mapping[str, Path] = field(default_factory=dict)


def build_dataset(
    model: Any,
    source: str | Path | Iterable[RecordedCall | Mapping[str, Any]],
    folder: str | Path,
    *,
    policy: Policy = "reject",
    style: Style = "messages",
    formats: Iterable[Format] = ("openai", "jsonl"),
    test: float = 0.1,
    seed: int = 0,
    near_duplicates: float | None = 0.9,
    ask: AskOptions | None = None,
    keys: Keys = Keys(),  # noqa: B008 # frozen
    prompt: PromptFunction = chat_prompt,
    judges: Judges | str | None = None,
    licence: str | None = None,
    batch: int = 256,
    on_mistake: OnMistake = "raise",
    workers: int = 1,
    judge: Callable[[Job, Progress], JobResult] = Job.run,
    resume: bool = False,
    overwrite: bool = False,
    progress: Progress = Progress(),  # noqa: B008 # without state
) -> BuiltDataset:
    """Write a data set of the answers whose every check passed, into `folder`.

    `source` is a JSON Lines file of rows or of recorded calls, or an iterable of them, such as a
    `Recording`. A row holds its references, its question (or `messages`) and its answer. Rejected
    rows and duplicates, a manifest and a card are written too.

    Options:
        policy: What happens to a faulty answer: "reject", "drop-items" or "snap".
        style: The answer as text of the assistant ("messages"), or as its call of a tool ("tools").
        formats: Which files are written: "openai" and "jsonl".
        test: The share of the test split, from 0; rows that share a reference stay together.
        seed: Another number gives another split.
        near_duplicates: The least similarity, above 0, of duplicates; `None` for equal rows only.
        ask: The rows are questions, and this LLM is asked them first.
        keys: The keys that hold the parts of a row, where they are not the usual ones.
        judges: The engines, or the name of an NLI engine; by default those of the model.
        prompt: Makes the messages of a row from its question and its references.
        licence: A note for the manifest and the card.
        batch: How many lines are audited together.
        on_mistake: What becomes of a row that cannot be judged, as in `audit_many`: by default its
            mistake is raised; with "keep" the row is rejected, with the reason, and counted.
        workers: How many processes audit; the model must then be importable by its name.
        judge: Runs the job that audits the lines, on other machines for example.
        resume: Continue an interrupted run; it ends with the same bytes.
        overwrite: Replace a data set, or what an interrupted run left.
        progress: Receives the counts after each batch.

    Raises:
        DatasetError: An option, the source or the folder is not what it should be.
        Mistake: As `audit`.
    """
    if batch < 1 or workers < 1:
        raise DatasetError("`batch` and `workers` must be at least 1")
    examples = ExampleOptions(model, keys, policy, prompt, judges, on_mistake)
    unique_formats = tuple(dict.fromkeys(formats))
    output = OutputOptions(style, unique_formats, test, seed, near_duplicates, licence)
    made = _made_folder(folder)
    build = _Build(examples, source, made, output, ask, batch, workers, judge, resume, overwrite)
    build.check_source()
    with locked(made / _LOCK, made):
        return build.run(progress)


@dataclass(frozen=True, slots=True)
class _Build:
    """The build of one data set in a folder that exists, and that no other process writes to."""

    examples: ExampleOptions
    source: Any
    folder: Path
    output: OutputOptions
    ask: AskOptions | None
    batch: int
    workers: int
    judge: Callable[[Job, Progress], JobResult]
    resume: bool
    overwrite: bool

    @property
    def work(self) -> Path:
        """The folder that everything is made in."""
        return self.folder / _WORK

    def check_source(self) -> None:
        """Refuse an input that is a file of the data set itself, which would be replaced."""
        if not isinstance(self.source, str | Path) or self.source == "-":
            return
        names = [*file_names(self.output.formats), "manifest.json.new", _LOCK]
        if self.ask is not None:
            names.append(_JOURNAL)
        own, given = {resolved(self.folder / name) for name in names}, resolved(Path(self.source))
        if given in own or not {self.work, self.folder / _FINISHED}.isdisjoint(given.parents):
            raise DatasetError(f"The input is a file of the data set itself: {self.source}")

    def run(self, progress: Progress) -> BuiltDataset:
        """Make the data set."""
        began = time.monotonic()
        identity = self._identity()
        formatter = ExampleFormatter.of(self.examples.model, self.output.style)
        self._remove_finished()
        if self.resume and not self.overwrite and not self.work.exists():
            finished = self._finished(identity)
            if finished is not None:
                progress.noted("The data set is finished already, and nothing is left to do.")
                return finished
        self._prepare(identity)
        summary = self._process(progress)
        with file_errors(f"write {self.work}"):
            manifest = self._write(formatter, identity, summary)
            files = self._publish(manifest)
        counts = RunCounts.from_dict(summary)
        return BuiltDataset(self.folder, manifest, counts, time.monotonic() - began, files)

    def _identity(self) -> dict[str, Any]:
        """Return what the data set depends on, in addition to its input."""
        examples = self.examples
        adapter = type_adapter(examples.model)
        judges = judges_for(examples.model, examples.judges) or getattr(
            examples.model, "__groundtypes_judges__", None
        )
        named = {"judges": examples.judges} if isinstance(examples.judges, str) else {}
        return {
            "model": object_name(examples.model),
            "schema": schema_id(adapter),
            "checks": checks_of(adapter, judges or Judges()),
            "prompt": object_name(examples.prompt),
            **asdict(examples.keys),
            "policy": examples.policy,
            **asdict(self.output),
            "asking": None if self.ask is None else self.ask.identity,
            **named,
        }

    def _prepare(self, identity: Mapping[str, Any]) -> None:
        """Make the work folder, or check that the existing one is of this run."""
        path = self.work / "identity.json"
        if self.work.is_symlink():
            raise DatasetError(f"{self.work} is a symbolic link, which nothing here makes.")
        if self.overwrite:
            shutil.rmtree(self.work, ignore_errors=True)
        elif self.work.exists():
            if not self.resume:
                raise DatasetError(
                    f"An interrupted run left {self.work}. Continue it with `resume=True`, or "
                    "start again with `overwrite=True`."
                )
            if path.exists():
                check_identity(read_json(path), identity)
        else:
            for name in ("manifest.json", *file_names(self.output.formats)):
                if (self.folder / name).exists():
                    raise DatasetError(
                        f"A data set is there already: {self.folder / name}. Name another folder, "
                        "or replace it with `overwrite=True`."
                    )
        with file_errors(f"write {self.work}"):
            self.work.mkdir(exist_ok=True)
        if not path.exists():
            replace_file(path, json_bytes(identity))

    # --- examples ---------------------------------------------------------------------------

    def _process(self, progress: Progress) -> dict[str, Any]:
        """Process the lines that an earlier run has not processed, and return the summary."""
        summary = self.work / "judged.json"
        source = self._source() if self.ask is None else self._asked(self.ask, progress)
        if summary.exists():
            judged = read_json(summary)
            if source is not None:
                check_unchanged(source, judged["input"]["blake2b"])
            return judged
        job = Job(
            options=self.examples,
            source=source,
            clean=self.work / "examples.jsonl",
            rejected=self.work / "rejected.jsonl",
            review=self.work / "review.jsonl",
            summary=summary,
            batch=self.batch,
            workers=self.workers,
            resume=True,
        )
        return self.judge(job, progress).to_dict()

    def _asked(self, ask: AskOptions, progress: Progress) -> Path:
        """Ask the LLM what an earlier run has not asked, and return the file of its calls."""
        ordered, counts = self.work / "calls.jsonl", self.work / "asked.json"
        questions = self._source()
        if questions is None:
            raise DatasetError("Questions to be asked come from a file, not from standard input.")
        if counts.exists():
            check_unchanged(questions, read_json(counts)["questions"])
        else:
            journal = self.folder / _JOURNAL
            asked = ask_all(ask, self.examples, questions, journal, ordered, progress)
            replace_file(counts, json_bytes({**asked, "questions": input_digest(questions)}))
        return ordered

    def _source(self) -> Path | None:
        """Return the file to read, `None` for standard input; rows are first written to a file."""
        if self.source == "-":
            return None
        if isinstance(self.source, str | Path):
            return Path(self.source)
        path = self.work / "input.jsonl"
        with file_errors(f"write {path}"), path.open("wb") as file:
            for number, row in enumerate(self.source, 1):
                if not isinstance(row, RecordedCall | Mapping):
                    raise DatasetError(f"Row {number} is no mapping, but {clip(repr(row), 60)}.")
                try:
                    plain = row.to_dict() if isinstance(row, RecordedCall) else dict(row)
                    file.write(json_line(plain))
                except (TypeError, ValueError) as error:
                    raise DatasetError(
                        f"Row {number} cannot be written as JSON: {error}"
                    ) from error
        return path

    # --- files ------------------------------------------------------------------------------

    def _write(
        self, formatter: ExampleFormatter, identity: Mapping[str, Any], summary: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Write every file into the work folder, and return the manifest."""
        files = DatasetFiles(self.work, formatter, self.output)
        written = files.write()
        asked = read_json(self.work / "asked.json") if self.ask is not None else None
        digest = None if asked is None else asked.pop("questions", None)
        manifest = build_manifest(
            self.source,
            identity,
            summary,
            written,
            asking=asked,
            licence=self.output.licence,
        )
        if digest is not None:
            manifest["input"]["questions"] = digest
        manifest["files"] = files.finish(manifest)
        return manifest

    def _publish(self, manifest: Mapping[str, Any]) -> dict[str, Path]:
        """Move all files into the data set, the manifest last, and remove the work folder."""
        self._remove_earlier(manifest["files"])
        files = {name: self.folder / name for name in (*manifest["files"], "manifest.json")}
        for name in manifest["files"]:
            files[name].parent.mkdir(exist_ok=True)
            rename(self.work / "out" / name, files[name])
        replace_file(files["manifest.json"], json_bytes(manifest, indent=2) + b"\n")
        # Under its own name it is whole or not there, so that a kill leaves nothing half removed.
        self._remove_finished()
        rename(self.work, self.folder / _FINISHED)
        self._remove_finished()
        return files

    def _remove_finished(self) -> None:
        """Remove the work folder of a finished run."""
        finished = self.folder / _FINISHED
        if finished.is_symlink():
            raise DatasetError(f"{finished} is a symbolic link, which nothing here makes.")
        shutil.rmtree(finished, ignore_errors=True)

    def _finished(self, identity: Mapping[str, Any]) -> BuiltDataset | None:
        """Return the data set that a run with the same input has finished, if there is one."""
        path = self.folder / "manifest.json"
        if not path.is_file() or not isinstance(self.source, str | Path) or self.source == "-":
            return None
        manifest = read_json(path)
        given = manifest.get("input", {}).get("blake2b" if self.ask is None else "questions")
        files = {name: self.folder / name for name in (*manifest.get("files", {}), path.name)}
        if given is None or input_digest(Path(self.source)) != given:
            return None
        if not all(file.is_file() for file in files.values()):
            return None
        check_identity(manifest.get("options", {}), identity)
        counts = {
            **manifest["counts"],
            "verdicts": manifest["verdicts"],
            "fields": manifest["faulty fields"],
        }
        return BuiltDataset(self.folder, manifest, RunCounts.from_dict(counts), files=files)

    def _remove_earlier(self, replaced: Iterable[str]) -> None:
        """Remove the manifest that is replaced, and those of its files that nothing replaces."""
        manifest = self.folder / "manifest.json"
        if manifest.exists():
            own = {"README.md", *file_names(get_args(Format))} - set(replaced)
            for name in own & set(read_json(manifest).get("files", ())):
                (self.folder / name).unlink(missing_ok=True)
            manifest.unlink()


def _made_folder(folder: str | Path) -> Path:
    """Make the folder of a data set if it is not there, and return its absolute path."""
    try:
        with file_errors(f"write the folder {folder}"):
            path = Path(folder)
            path.mkdir(parents=True, exist_ok=True)
            return resolved(path)
    except ValueError as error:
        raise DatasetError(f"{folder} is not a usable path: {error}") from error
