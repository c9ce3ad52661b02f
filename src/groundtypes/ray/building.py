"""`build_dataset` with the lines judged in a cluster."""

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from groundtypes import dataset
from groundtypes.dataset import BuiltDataset
from groundtypes.errors import DatasetError
from groundtypes.integrations.recordings import RecordedCall
from groundtypes.ray.checking import check


def build_dataset(
    model: Any,
    source: str | Path | Iterable[RecordedCall | Mapping[str, Any]],
    folder: str | Path,
    *,
    address: str | None = None,
    actors: int | None = None,
    gpus: float = 0.0,
    shard_bytes: int | None = None,
    **options: Any,
) -> BuiltDataset:
    """Write a data set as `groundtypes.dataset.build_dataset` does, with workers of Ray.

    The files are the same, byte for byte. Lines are judged by workers, shard by shard, as by
    `check`; this process then finds duplicates and writes the files. Every node must see `source`
    and `folder`. A row that ends the process of its worker is rejected as broken. Questions for an
    LLM (`ask`) are asked by this process.

    Options:
        address: That of a cluster, such as "auto"; by default the one that is connected or that
            `RAY_ADDRESS` names, else Ray is started on this machine, and stopped at the end.
        actors: How many workers judge; by default one for each processor.
        gpus: How many GPUs each of them reserves; a part of one is allowed.
        shard_bytes: About how large the part of the input is that a worker judges and that is then
            kept; by default one in 256 of it, between 64 KiB and 32 MiB.

    The other options are those of `groundtypes.dataset.build_dataset`, without `workers`.

    Raises:
        DatasetError: An option, the source or the folder is not what it should be.
        Mistake: As `audit`; the message names the shard.
    """
    if shard_bytes is not None and shard_bytes < 1:
        raise DatasetError("`shard_bytes` must be at least 1")
    judge = partial(check, address=address, actors=actors, gpus=gpus, shard_bytes=shard_bytes)
    return dataset.build_dataset(
        model, source, folder, **options, judge=lambda job, progress: judge(job, progress=progress)
    )
