"""`build_dataset` in a cluster."""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from groundtypes.dataset.build.asking import AskOptions
from groundtypes.dataset.build.examples import ExampleOptions
from groundtypes.dataset.build.formats import Style
from groundtypes.dataset.build.pipeline import BuiltDataset, DatasetBuild, make_folder
from groundtypes.dataset.build.prompts import PromptFunction, chat_prompt
from groundtypes.dataset.build.repairs import Policy
from groundtypes.dataset.build.writing import Format, OutputOptions
from groundtypes.judges import Judges
from groundtypes.ray.build.engine import RayEngine
from groundtypes.recordings import RecordedCall
from groundtypes.rounds.row_mistakes import OnMistake
from groundtypes.row_files.progress import Progress
from groundtypes.row_files.rows import Keys

__all__ = ["build_dataset"]


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
    address: str | None = None,
    actors: int | None = None,
    gpus: float = 0.0,
    shard_bytes: int | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: Progress = Progress(),  # noqa: B008 # without state
) -> BuiltDataset:
    """Write a data set as `groundtypes.dataset.build_dataset` does, with workers of Ray.

    The files are the same, byte for byte. Lines are judged by workers, shard by shard; duplicates,
    groups and rows are made by tasks, none of which holds more than its part of the data. Every
    node must see `source` and `folder`. What is finished is kept in `folder`, so that a run that
    stopped goes on with `resume`, and does nothing twice. A row that ends the process of its worker
    is rejected as broken. Questions for an LLM (`ask`) are asked by this process.

    Options:
        batch: How many lines are judged together.
        address: That of a cluster, such as "auto"; by default the one that is connected or that
            `RAY_ADDRESS` names, else Ray is started on this machine, and stopped at the end.
        actors: How many workers judge; by default one for each processor.
        gpus: How many GPUs each of them reserves; a part of one is allowed.
        shard_bytes: About how large the part of the input is that a worker judges and that is then
            kept; by default one in 256 of it, between 64 KiB and 32 MiB.
        resume: Continue an interrupted run of Ray; it ends with the same bytes.
        progress: Receives the counts after each shard, and notes: which workers there are, why
            nothing happens yet, and what is done after judging.

    The other options are those of `groundtypes.dataset.build_dataset`.

    Raises:
        DatasetError: An option, the source or the folder is not what it should be.
        Mistake: As `audit`; the message names the shard.
    """
    examples = ExampleOptions(model, keys, policy, prompt, judges, on_mistake)
    unique_formats = tuple(dict.fromkeys(formats))
    output = OutputOptions(style, unique_formats, test, seed, near_duplicates, licence)
    with ExitStack() as connection:
        engine = RayEngine(
            connection=connection,
            address=address,
            progress=progress,
            batch=batch,
            actors=actors,
            gpus=gpus,
            shard_bytes=shard_bytes,
        )
        made = make_folder(folder)
        return DatasetBuild(
            examples, source, made, output, engine, ask=ask, resume=resume, overwrite=overwrite
        ).run(progress)
