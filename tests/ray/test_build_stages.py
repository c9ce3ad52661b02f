"""The stages of a build write what one machine writes, however examples share their keys."""

import json
import random
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundtypes.dataset.build.formats import ExampleFormatter, content_id
from groundtypes.dataset.build.outputs import check_parquet
from groundtypes.dataset.build.writing import DatasetFiles, OutputOptions
from groundtypes.ray.build.components import (
    Plan,
    connect,
    joined_lines,
    labels_of,
    write_links,
)
from groundtypes.ray.build.rows import ShardedFiles, ShardFiles
from groundtypes.ray.build.stages import Call, Stages, perform, run_here
from groundtypes.row_files.json_lines import json_line
from tests.dataset.samples import contents

check_parquet()

OPTIONS = OutputOptions("messages", ("openai", "jsonl", "parquet"), 0.3, 0, 0.9, None)
WORDS = [f"word{number}" for number in range(30)]


def example(line: int, text: str, references: Iterable[int], **more: Any) -> dict[str, Any]:
    """Return an example with this answer, and references by number."""
    question = " ".join(WORDS[:20])
    messages = [{"role": "user", "content": question}]
    refused = {"answer": "no", "origin": "re-ask", "reasons": []}
    return {
        "line": line,
        "id": content_id(text),
        "name": None,
        "llm": "",
        "repair": None,
        "question": question,
        "messages": messages,
        "answer": text,
        "rejected": [refused] if line % 3 == 0 else [],
        "references": sorted({content_id(number) + "00000000" for number in references}),
        **more,
    }


def examples_of(generator: random.Random, count: int) -> list[dict[str, Any]]:
    """Return examples full of repeated names and ids, near-duplicates and chained references."""
    examples = []
    line = 0
    for _ in range(count):
        line += generator.randint(1, 3)
        text = [*WORDS[20:], f"number{generator.randint(0, count // 4)}"]
        if generator.random() < 0.3:
            text[generator.randrange(len(text))] = f"other{generator.randint(0, 3)}"
        if generator.random() < 0.3:
            text = [f"{word}-{generator.randint(0, count // 3)}" for word in text]
        references = generator.sample(range(1 + count), generator.randint(0, min(3, count)))
        name = f"name-{generator.randint(0, count)}" if generator.random() < 0.5 else None
        llm = generator.choice(["", "small", "large"])
        examples.append(example(line, " ".join(text), references, name=name, llm=llm))
    return examples


def one_machine(work: Path, examples: Sequence[Mapping[str, Any]], options: OutputOptions) -> Any:
    work.mkdir()
    (work / "examples.jsonl").write_bytes(b"".join(map(json_line, examples)))
    (work / "rejected.jsonl").write_bytes(b'{"line": 0}\n')
    return written(DatasetFiles(work, ExampleFormatter.of(dict, options.style), options))


def many_shards(
    work: Path,
    examples: Sequence[Mapping[str, Any]],
    options: OutputOptions,
    plan: Plan,
    ends: Sequence[int],
) -> Any:
    work.mkdir()
    shards = []
    for number, (start, end) in enumerate(zip([0, *ends], [*ends, len(examples)], strict=True)):
        shard = ShardFiles(work / f"{number}.jsonl", work / f"{number}.rejected.jsonl")
        shard.examples.write_bytes(b"".join(map(json_line, examples[start:end])))
        shard.rejected.write_bytes(b'{"line": 0}\n' if number == len(ends) else b"")
        shards.append(shard)
    formatter = ExampleFormatter.of(dict, options.style)
    stages = Stages(work / "stages", run_here)
    return written(ShardedFiles(work, shards, formatter, options, stages, plan))


def written(files: Any) -> tuple[Any, ...]:
    """Write all files, and return their bytes with what is said of them."""
    counted = files.write()
    digests = files.finish({"versions": {}, "counts": counted["counts"], "licence": None})
    return json.dumps(counted), json.dumps(digests), contents(files._out)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    count=st.integers(0, 40),
    cuts=st.lists(st.integers(0, 40), max_size=5),
    partitions=st.integers(1, 5),
    few=st.sampled_from([0, 3, 1000]),
    test=st.sampled_from([0.0, 0.1, 0.3, 0.9]),
    near=st.sampled_from([None, 0.5, 0.9, 1.0]),
    style=st.sampled_from(["messages", "tools"]),
)
def test_shards_give_the_bytes_of_one_machine(
    seed: int,
    count: int,
    cuts: list[int],
    partitions: int,
    few: int,
    test: float,
    near: float | None,
    style: Any,
) -> None:
    examples = examples_of(random.Random(seed), count)
    options = replace(OPTIONS, test=test, near_duplicates=near, style=style, seed=seed)
    ends = sorted(min(cut, count) for cut in cuts)
    with TemporaryDirectory() as folder:
        whole = one_machine(Path(folder) / "whole", examples, options)
        parts = many_shards(
            Path(folder) / "parts", examples, options, Plan(partitions, few), ends
        )
    assert parts == whole
