"""`build_dataset`: from rows and recorded calls to files that trainers read.

Three passes. Lines are judged, batch by batch, into examples and rejected rows; this is the work,
and an interrupted run goes on after its last batch. Then all examples are indexed, which finds
duplicates and shares the groups out. Then the files are written, and get their names at the end.
The last two passes take a fraction of the time; a run that was killed in them does them again.
"""

import shutil
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import TypeAdapter

from groundtypes.dataset.build.asking import Asking, ask_all
from groundtypes.dataset.build.examples import Sift
from groundtypes.dataset.build.identity import check_same, name_of, read_json
from groundtypes.dataset.build.manifest import checks_of, model_digest, versions
from groundtypes.dataset.build.outputs import Format, check_parquet
from groundtypes.dataset.build.prompts import Prompt, chat_prompt
from groundtypes.dataset.build.repairs import Policy
from groundtypes.dataset.build.shapes import Shapes, Style
from groundtypes.dataset.build.writing import Writing, file_names
from groundtypes.dataset.check.job import Job, Quiet, Watcher
from groundtypes.dataset.check.row_auditor import unusable
from groundtypes.dataset.io.counts import Tally
from groundtypes.dataset.io.files import mistake_of, rename, replace_file
from groundtypes.dataset.io.lines import json_bytes
from groundtypes.dataset.io.lock import locked
from groundtypes.dataset.io.rows import Keys
from groundtypes.errors import DatasetError
from groundtypes.judges import Judges
from groundtypes.recordings import RecordedCall

__all__ = ["BuiltDataset", "build_dataset"]

_LOCK: Final = ".groundtypes.lock"
_WORK: Final = ".groundtypes"


@dataclass(frozen=True, slots=True)
class BuiltDataset:
    """A finished data set: its folder, its manifest, and what the checks found."""

    folder: Path
    manifest: Mapping[str, Any]
    tally: Tally
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
    ask: Asking | None = None,
    keys: Keys = Keys(),  # noqa: B008 # frozen
    prompt: Prompt = chat_prompt,
    judges: Judges | None = None,
    licence: str | None = None,
    batch: int = 256,
    workers: int = 1,
    resume: bool = False,
    overwrite: bool = False,
    watcher: Watcher | None = None,
) -> BuiltDataset:
    """Write a data set of the answers whose every check passed, and return what was found.

    `source` is a JSON Lines file of rows or of recorded calls, or an iterable of them, such as a
    `Recording`. A row holds its references, its question (or `messages`) and its answer, as
    `groundtypes check` reads it.

    Into `folder` go, for those splits that hold any rows:

    - `openai/train.jsonl`, `openai/test.jsonl`: for OpenAI's fine-tuning, `messages` and nothing
      else, with the `style` "tools" also `tools` with the model's schema;
    - `supervised/...` and `preference/...` as JSON Lines or Parquet for Hugging Face's
      `datasets`: messages; and prompt, chosen, rejected and reasons, as TRL reads pairs;
    - `rejected.jsonl` with the verdicts, `duplicates.jsonl`, `manifest.json`, `README.md`.

    Options:
        policy: What happens to a faulty answer. "reject" leaves it out; "drop-items" leaves the
            faulty items of lists out; "snap" puts the references' own words in the place of
            quotes with slips of the pen. What is repaired is judged anew, and makes a pair.
        test: The share of examples in the test split. Groups of rows that share a reference,
            directly or through others, stay together.
        near_duplicates: From which share of equal runs of three words in question and answer on
            a row counts as a duplicate of an earlier one; `None` for equal rows only.
        ask: The rows are questions with references, and this LLM is asked them first. Its answers
            go into `recordings.jsonl` at once and are never asked for again; what the budget did
            not allow is asked by a later run with `overwrite`.
        prompt: Makes the messages of a row from its question and its references.
        workers: How many processes judge; the model must then be importable by its name.
        resume: Continue an interrupted run; it ends with the same bytes.
        overwrite: Replace a data set, or what an interrupted run left.

    Raises:
        DatasetError: An option, the source or the folder is not what it should be, or another
            run writes there.
        Mistake: As `audit`.
    """
    building = _Building(
        model=model,
        source=source,
        folder=_folder(folder),
        sift=Sift(model, keys, policy, prompt, judges),
        style=style,
        formats=tuple(dict.fromkeys(formats)),
        test=test,
        seed=seed,
        near=near_duplicates,
        ask=ask,
        licence=licence,
        batch=batch,
        workers=workers,
        resume=resume,
        overwrite=overwrite,
    )
    building.check()
    with locked(building.folder / _LOCK):
        return building.run(watcher or Quiet())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Building:
    """One data set on its way."""

    model: Any
    source: Any
    folder: Path
    sift: Sift
    style: Style
    formats: tuple[Format, ...]
    test: float
    seed: int
    near: float | None
    ask: Asking | None
    licence: str | None
    batch: int
    workers: int
    resume: bool
    overwrite: bool

    @property
    def work(self) -> Path:
        return self.folder / _WORK

    def check(self) -> None:
        """Refuse options that mean nothing."""
        allowed = {
            "policy": (self.sift.policy, get_args(Policy)),
            "style": (self.style, get_args(Style)),
            **{f"format {name}": (name, get_args(Format)) for name in self.formats},
        }
        for option, (value, values) in allowed.items():
            if value not in values:
                raise DatasetError(f"{option.split()[0]} is {value!r}, not {' or '.join(values)}")
        if not self.formats:
            raise DatasetError("formats is empty, so that nothing would be written")
        if not 0.0 <= self.test < 1.0:
            raise DatasetError(f"test is {self.test}; it must be at least 0 and below 1")
        if self.near is not None and not 0.0 < self.near <= 1.0:
            raise DatasetError(f"near_duplicates is {self.near}; it must be above 0, at most 1")
        if not 0 <= self.seed < 2**64:
            raise DatasetError(f"seed is {self.seed}; it must be at least 0")
        if self.batch < 1 or self.workers < 1:
            raise DatasetError("batch and workers must be at least 1")
        check_parquet(self.formats)

    def run(self, watcher: Watcher) -> BuiltDataset:
        """Do all of it."""
        began = time.monotonic()
        try:
            adapter: TypeAdapter[Any] = TypeAdapter(self.model)
        except Exception as error:
            raise unusable(error) from error
        shapes = Shapes.of(self.model, self.style)
        identity = self._identity(adapter)
        self._prepare(identity)
        judged = self._judge(watcher)
        try:
            manifest = self._write(shapes, identity, judged)
            files = self._publish(manifest)
        except OSError as error:
            raise mistake_of(error, f"write {self.work}") from error
        tally = Tally.from_dict(judged)
        return BuiltDataset(self.folder, manifest, tally, time.monotonic() - began, files)

    # --- before -----------------------------------------------------------------------------

    def _identity(self, adapter: TypeAdapter[Any]) -> dict[str, Any]:
        prompt = self.sift.prompt
        keys = self.sift.keys
        return {
            "model": name_of(self.model),
            "schema": model_digest(adapter),
            "checks": checks_of(adapter),
            "prompt": name_of(prompt),
            "answer": keys.answer,
            "references": keys.references,
            "question": keys.question,
            "policy": self.sift.policy,
            "style": self.style,
            "formats": list(self.formats),
            "test": self.test,
            "seed": self.seed,
            "near_duplicates": self.near,
            "licence": self.licence,
            "asking": None if self.ask is None else self.ask.identity,
        }

    def _prepare(self, identity: Mapping[str, Any]) -> None:
        """Make the work folder, or check that the one which is there is this run's."""
        noted = self.work / "identity.json"
        if self.work.exists() and not self.overwrite:
            if not self.resume:
                raise DatasetError(
                    f"An interrupted run left {self.work}. Continue it with --resume, or start "
                    "again with --overwrite."
                )
            if noted.exists():
                check_same(read_json(noted), identity)
        elif not self.overwrite:
            for name in ("manifest.json", *file_names(self.formats)):
                if (self.folder / name).exists():
                    raise DatasetError(
                        f"A data set is there already: {self.folder / name}. Name another "
                        "folder, or replace it with --overwrite."
                    )
        try:
            if self.overwrite:
                shutil.rmtree(self.work, ignore_errors=True)
            self.work.mkdir(exist_ok=True)
        except OSError as error:
            raise mistake_of(error, f"write {self.work}") from error
        if not noted.exists():
            replace_file(noted, json_bytes(identity))

    # --- judging ----------------------------------------------------------------------------

    def _judge(self, watcher: Watcher) -> dict[str, Any]:
        """Judge what an earlier run has not judged, and return what was found."""
        done = self.work / "judged.json"
        job = Job(
            model=self.model,
            model_name=name_of(self.model),
            source=self._asked(watcher) if self.ask is not None else self._source(),
            clean=self.work / "examples.jsonl",
            rejected=self.work / "rejected.jsonl",
            summary=done,
            keys=self.sift.keys,
            sifting=self.sift,
            batch=self.batch,
            workers=self.workers,
            resume=True,
        )
        if done.exists() and not job.unfinished:
            return read_json(done)
        return dict(job.run(watcher).to_dict())

    def _asked(self, watcher: Watcher) -> Path:
        """Ask the LLM what an earlier run has not asked, and return the file of its calls."""
        ordered, noted = self.work / "calls.jsonl", self.work / "asked.json"
        questions = self._source()
        if self.ask is None or questions is None:
            raise DatasetError("Questions to be asked come from a file, not from standard input.")
        if not noted.exists():
            journal = self.folder / "recordings.jsonl"
            counts = ask_all(self.ask, self.sift, questions, journal, ordered, watcher)
            replace_file(noted, json_bytes(counts))
        return ordered

    def _source(self) -> Path | None:
        """Return the file to read; what is no file is written into one first."""
        if self.source == "-":
            return None
        if isinstance(self.source, str | Path):
            path = Path(self.source)
            ours = {(self.folder / name).resolve() for name in file_names(self.formats)}
            if path.resolve() in ours or self.work in path.resolve().parents:
                raise DatasetError(f"The input is a file of the data set itself: {path}")
            return path
        path = self.work / "input.jsonl"
        try:
            with path.open("wb") as file:
                for number, item in enumerate(self.source):
                    file.write(_line(item, number))
        except OSError as error:
            raise mistake_of(error, f"write {path}") from error
        return path

    # --- writing ----------------------------------------------------------------------------

    def _write(
        self, shapes: Shapes, identity: Mapping[str, Any], judged: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Write every file into the work folder, and return the manifest."""
        writing = Writing(self.work, shapes, self.formats)
        written = writing.write(near=self.near, test=self.test, seed=self.seed)
        tally = {key: judged[key] for key in ("rows", "clean", "rejected", "broken")}
        manifest = {
            "format": 1,
            "versions": versions(),
            "input": {"name": self._input_name(), **judged["input"]},
            "options": dict(identity),
            "counts": {**tally, **written.counts},
            "groups": written.groups,
            "asking": read_json(self.work / "asked.json") if self.ask is not None else None,
            "llms": written.llms,
            "pairs": written.origins,
            "verdicts": judged["verdicts"],
            "faulty fields": judged["fields"],
            "licence": self.licence,
        }
        manifest["files"] = writing.finish(manifest)
        return manifest

    def _input_name(self) -> str:
        if isinstance(self.source, str | Path):
            return Path(self.source).name
        return type(self.source).__name__

    def _publish(self, manifest: Mapping[str, Any]) -> dict[str, Path]:
        """Give all files their names, the manifest last, and tidy up."""
        out = self.work / "out"
        self._remove_earlier(manifest["files"])
        files: dict[str, Path] = {}
        for name in manifest["files"]:
            target = self.folder / name
            target.parent.mkdir(exist_ok=True)
            rename(out / name, target)
            files[name] = target
        files["manifest.json"] = self.folder / "manifest.json"
        replace_file(files["manifest.json"], json_bytes(manifest, indent=2) + b"\n")
        shutil.rmtree(self.work, ignore_errors=True)
        return files

    def _remove_earlier(self, kept: Iterable[str]) -> None:
        """Remove the manifest that is replaced, and the files of it that nothing replaces."""
        noted = self.folder / "manifest.json"
        if not noted.exists():
            return
        ours = {"README.md", *file_names(get_args(Format))} - set(kept)
        for name in ours & set(read_json(noted).get("files", ())):
            (self.folder / name).unlink(missing_ok=True)
        noted.unlink()


def _folder(folder: str | Path) -> Path:
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        return path.resolve()
    except (OSError, ValueError) as error:
        if isinstance(error, OSError):
            raise mistake_of(error, f"write the folder {path}") from error
        raise DatasetError(f"{folder} is no usable path: {error}") from error


def _line(item: Any, number: int) -> bytes:
    try:
        plain = item.to_dict() if isinstance(item, RecordedCall) else dict(item)
        return json_bytes(plain) + b"\n"
    except (TypeError, ValueError) as error:
        raise DatasetError(f"Row {number} cannot be written as JSON: {error}") from error
