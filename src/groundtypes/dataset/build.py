"""`build_dataset`: from rows and recorded calls to files that trainers read.

Three passes. Lines are judged, batch by batch, into examples and rejected rows; this is the work,
and an interrupted run goes on after its last batch. Then all examples are indexed, which finds
duplicates and shares the groups out. Then the files are written, and get their names at the end.
The last two passes take a fraction of the time; a run that was killed in them does them again.
"""

import hashlib
import json
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import TypeAdapter

from groundtypes.dataset.asking import Asking, ask_all
from groundtypes.dataset.files import mistake_of, rename, replace_file
from groundtypes.dataset.index import Index
from groundtypes.dataset.job import Job, Quiet, Watcher
from groundtypes.dataset.judging import unusable
from groundtypes.dataset.lines import json_bytes
from groundtypes.dataset.lock import locked
from groundtypes.dataset.manifest import card, checks_of, model_digest, versions
from groundtypes.dataset.outputs import Format, Outputs, check_parquet, file_digest
from groundtypes.dataset.prompts import Prompt, chat_prompt
from groundtypes.dataset.repairs import Policy
from groundtypes.dataset.rows import Keys
from groundtypes.dataset.shapes import Shapes, Style
from groundtypes.dataset.sifting import Sift
from groundtypes.dataset.tally import Tally
from groundtypes.errors import DatasetError
from groundtypes.recordings import RecordedCall
from groundtypes.scoring import Judges

__all__ = ["BuiltDataset", "build_dataset"]

_LOCK: Final = ".groundtypes.lock"
_WORK: Final = ".groundtypes"
_SPLITS: Final = ("train", "test")
_KINDS: Final = ("supervised", "preference")


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
            "model": _name(self.model),
            "schema": model_digest(adapter),
            "checks": checks_of(adapter),
            "prompt": _name(prompt),
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
                _compare(_read_json(noted), identity)
        elif not self.overwrite:
            for name in ("manifest.json", *_names(self.formats)):
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
            model_name=_name(self.model),
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
            return _read_json(done)
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
            ours = {(self.folder / name).resolve() for name in _names(self.formats)}
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

    def _examples(self) -> Iterator[dict[str, Any]]:
        with (self.work / "examples.jsonl").open("rb") as file:
            for line in file:
                yield json.loads(line)

    def _write(
        self, shapes: Shapes, identity: Mapping[str, Any], judged: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Write every file into the work folder, and return the manifest."""
        out = self.work / "out"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        counts: Counter[str] = Counter()
        counted: dict[str, Counter[str]] = {"llms": Counter(), "origins": Counter()}
        tools = bool(shapes.tools)
        with (
            Index(self.work / "index.sqlite", self.near) as index,
            Outputs(out, self.formats, tools=tools) as outputs,
        ):
            left_out = self._index(index, shapes, outputs)
            groups = index.split(self.test, self.seed)
            number = 0
            for place, example in enumerate(self._examples()):
                if left_out[place]:
                    continue
                split, group = index.place(number)
                number += 1
                outputs.openai(split, shapes.openai(example))
                outputs.table("supervised", split, shapes.supervised(example, group))
                counts[f"supervised {split}"] += 1
                counts["repaired"] += example["repair"] is not None
                if example["llm"]:
                    counted["llms"][example["llm"]] += 1
                for pair in shapes.preferences(example, group):
                    outputs.table("preference", split, pair)
                    counts[f"preference {split}"] += 1
                    counted["origins"][pair["origin"]] += 1
        if (self.work / "rejected.jsonl").stat().st_size:
            (out / "rejected.jsonl").hardlink_to(self.work / "rejected.jsonl")
        tally = {key: judged[key] for key in ("rows", "clean", "rejected", "broken")}
        manifest = {
            "format": 1,
            "versions": versions(),
            "input": {"name": self._input_name(), **judged["input"]},
            "options": dict(identity),
            "counts": {
                **tally,
                "duplicates": sum(left_out),
                **{f"{kind} {split}": counts[f"{kind} {split}"]
                   for kind in _KINDS for split in _SPLITS},
                "repaired": counts["repaired"],
            },
            "groups": groups,
            "asking": _read_json(self.work / "asked.json") if self.ask is not None else None,
            "llms": _sorted(counted["llms"]),
            "pairs": _sorted(counted["origins"]),
            "verdicts": judged["verdicts"],
            "faulty fields": judged["fields"],
            "licence": self.licence,
        }  # fmt: skip
        if "jsonl" in self.formats or "parquet" in self.formats:
            text = card(manifest, self._tables(out))
            (out / "README.md").write_text(text, encoding="utf-8")
        manifest["files"] = {
            path.relative_to(out).as_posix(): file_digest(path)
            for path in sorted(out.rglob("*"))
            if path.is_file()
        }
        return manifest

    def _index(self, index: Index, shapes: Shapes, outputs: Outputs) -> bytearray:
        """Take every example into the index; return which are duplicates, a byte for each."""
        left_out = bytearray()
        for example in self._examples():
            id_ = example["id"]
            earlier = index.add(
                example["line"], id_, example["name"], shapes.text_of(example),
                example["references"],
            )  # fmt: skip
            left_out.append(earlier is not None)
            if earlier is not None:
                outputs.line(
                    "duplicates.jsonl",
                    {
                        "line": example["line"],
                        "id": id_,
                        "of_line": earlier.line,
                        "reason": earlier.reason,
                        "resemblance": earlier.resemblance,
                        "name": example["name"],
                        "messages": example["messages"],
                        "answer": example["answer"],
                    },
                )
        return left_out

    def _tables(self, out: Path) -> dict[str, dict[str, str]]:
        suffix = "parquet" if "parquet" in self.formats else "jsonl"
        return {
            kind: paths
            for kind in _KINDS
            if (
                paths := {
                    split: f"{kind}/{split}.{suffix}"
                    for split in _SPLITS
                    if (out / kind / f"{split}.{suffix}").exists()
                }
            )
        }

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
        ours = {"README.md", *_names(get_args(Format))} - set(kept)
        for name in ours & set(_read_json(noted).get("files", ())):
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


def _names(formats: Iterable[str]) -> list[str]:
    """Return the files that a data set in these formats may have, but for the manifest."""
    names = ["rejected.jsonl", "duplicates.jsonl"]
    for name in formats:
        if name == "openai":
            names += [f"openai/{split}.jsonl" for split in _SPLITS]
        else:
            names += [f"{kind}/{split}.{name}" for kind in _KINDS for split in _SPLITS]
            names.append("README.md")
    return list(dict.fromkeys(names))


def _name(thing: Any) -> str:
    """Return where a class or function is found; of anything else what it says of itself."""
    module, name = getattr(thing, "__module__", ""), getattr(thing, "__qualname__", "")
    if module and name:
        return f"{module}:{name}"
    return f"{type(thing).__name__} {hashlib.sha256(repr(thing).encode()).hexdigest()[:12]}"


def _line(item: Any, number: int) -> bytes:
    try:
        plain = item.to_dict() if isinstance(item, RecordedCall) else dict(item)
        return json_bytes(plain) + b"\n"
    except (TypeError, ValueError) as error:
        raise DatasetError(f"Row {number} cannot be written as JSON: {error}") from error


def _read_json(path: Path) -> dict[str, Any]:
    try:
        read: dict[str, Any] = json.loads(path.read_bytes())
    except OSError as error:
        raise mistake_of(error, f"read {path}") from error
    except ValueError as error:
        raise DatasetError(f"{path} is damaged. Start again with --overwrite.") from error
    return read


def _compare(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    now = json.loads(json_bytes(now))
    differing = [
        name for name in sorted(earlier.keys() | now.keys()) if earlier.get(name) != now.get(name)
    ]
    if differing:
        told = "; ".join(
            f"{name} was {earlier.get(name)!r} and is {now.get(name)!r}" for name in differing
        )
        raise DatasetError(
            f"The interrupted run is another one: {told[:600]}. Give what it was given, or start "
            "again with --overwrite instead of --resume."
        )


def _sorted(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))
