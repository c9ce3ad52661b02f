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
from groundtypes.errors import DatasetError
from groundtypes.ray.build.components import (
    Plan,
    connect,
    joined_lines,
    labels_of,
    write_links,
)
from groundtypes.ray.build.rows import ShardedFiles, ShardFiles
from groundtypes.ray.build.stages import Call, Runner, Stages, perform, run_here
from groundtypes.row_files.json_lines import json_line
from groundtypes.row_files.progress import Progress
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
    runner: Runner = run_here,
) -> Any:
    work.mkdir(exist_ok=True)
    shards = []
    for number, (start, end) in enumerate(zip([0, *ends], [*ends, len(examples)], strict=True)):
        # A shard that was halved has several files.
        middle = (start + end) // 2
        pieces = [work / f"{number}.{piece}.jsonl" for piece in range(2)]
        pieces[0].write_bytes(b"".join(map(json_line, examples[start:middle])))
        pieces[1].write_bytes(b"".join(map(json_line, examples[middle:end])))
        rejected = work / f"{number}.rejected.jsonl"
        rejected.write_bytes(b'{"line": 0}\n' if number == len(ends) else b"")
        shards.append(ShardFiles(tuple(pieces), (rejected,)))
    formatter = ExampleFormatter.of(dict, options.style)
    stages = Stages(work / "stages", runner)
    return written(ShardedFiles(work, shards, formatter, options, stages, plan, Progress()))


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
        parts = many_shards(Path(folder) / "parts", examples, options, Plan(partitions, few), ends)
    assert parts == whole


@pytest.mark.parametrize("seed", range(6))
def test_groups_of_equal_rank_are_split_in_the_order_of_their_examples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    def rank(digest: bytes, seed: int) -> bytes:
        return bytes([digest[0] % 3]) + bytes(7)

    # Two hashes of eight bytes are not equal by chance.
    monkeypatch.setattr("groundtypes.dataset.build.index.group_rank", rank)
    monkeypatch.setattr("groundtypes.ray.build.groups.group_rank", rank)
    generator = random.Random(seed)
    examples = [
        example(line, f"{line} {line * 31} {line * 77}", [generator.randrange(15)])
        for line in range(1, 41)
    ]
    options = replace(OPTIONS, near_duplicates=None)
    whole = one_machine(tmp_path / "whole", examples, options)
    ends = range(4, 40, 4)
    assert many_shards(tmp_path / "parts", examples, options, Plan(2, 0), ends) == whole


def test_an_input_without_examples_gives_no_files(tmp_path: Path) -> None:
    whole = one_machine(tmp_path / "whole", [], OPTIONS)
    stages = Stages(tmp_path / "stages", run_here)
    shards = [ShardFiles((), (tmp_path / "whole" / "rejected.jsonl",))]
    formatter = ExampleFormatter.of(dict, "messages")
    files = ShardedFiles(tmp_path, shards, formatter, OPTIONS, stages, Plan(1), Progress())
    assert written(files) == whole


def test_the_examples_have_duplicates_of_every_kind_and_groups_of_many_sizes(
    tmp_path: Path,
) -> None:
    reasons, sizes = set(), set()
    for seed in range(5):
        examples = examples_of(random.Random(seed), 40)
        options = replace(OPTIONS, near_duplicates=0.5)
        counted, _, files = one_machine(tmp_path / str(seed), examples, options)
        rows = files["duplicates.jsonl"].splitlines()
        reasons |= {json.loads(row)["reason"] for row in rows}
        sizes.add(json.loads(counted)["groups"]["largest"])
    assert reasons == {"id", "equal", "near"}
    assert len(sizes) > 1
    assert max(sizes) > 2


# --- components -----------------------------------------------------------------------------------


def columns(keys: Iterable[tuple[int, int, int]]) -> dict[str, Any]:
    high, low, line = zip(*keys, strict=True) if keys else ((), (), ())
    return {
        "high": np.array(high, np.uint64),
        "low": np.array(low, np.uint64),
        "line": np.array(line, np.int64),
    }


def components(folder: Path, shards: Sequence[dict[int, set[int]]], plan: Plan) -> set[Any]:
    """Return the components of lines with keys, by shard, as the stages find them."""
    stages = Stages(folder, run_here)
    given = [(shard, plan) for shard in shards]
    links = stages.run("links", _linked, given)
    labels = connect(stages, "keys", links, plan)
    members: dict[int, set[int]] = {}
    for number, shard in enumerate(shards):
        roots = _roots(shard)
        found = labels_of(labels, number, roots)
        names = np.where(found < 0, roots, found).tolist()
        for line, name in zip(sorted(shard), names, strict=True):
            members.setdefault(name, set()).add(line)
    return {frozenset(component) for component in members.values()}


def _keys(shard: dict[int, set[int]]) -> dict[str, Any]:
    return columns([(7 * key, key // 2, line) for line, keys in shard.items() for key in keys])


def _roots(shard: dict[int, set[int]]) -> Any:
    return joined_lines(np.array(sorted(shard), np.int64), _keys(shard))


def _linked(folder: Path, shard: dict[int, set[int]], plan: Plan) -> None:
    lines = np.array(sorted(shard), np.int64)
    write_links(folder, lines, _roots(shard), _keys(shard), plan)


def searched(shards: Sequence[dict[int, set[int]]]) -> set[frozenset[int]]:
    """Return the components by a plain search."""
    keys = {line: found for shard in shards for line, found in shard.items()}
    left, found = set(keys), set()
    while left:
        waiting, component = [left.pop()], set()
        while waiting:
            line = waiting.pop()
            component.add(line)
            near = {other for other in left if keys[other] & keys[line]}
            left -= near
            waiting.extend(near)
        found.add(frozenset(component))
    return found


@pytest.mark.parametrize("few", [0, 1_000_000])
@pytest.mark.parametrize(
    "keys",
    [
        lambda line: {line, line + 1},
        lambda line: {0} if line else set(range(200)),
        lambda line: {line // 7, 1000 + line % 2} if line < 60 else {line},
        lambda line: {line * 37 % 200, (line * 37 + 1) % 200},
        lambda line: set(),
        lambda line: {line // 100, 500 + line % 100},
    ],
    ids=["path", "star", "two halves and single ones", "shuffled ring", "no keys", "pairs"],
)
def test_components_of_every_shape_are_found(tmp_path: Path, keys: Any, few: int) -> None:
    shards = [{line: keys(line) for line in range(part * 20, part * 20 + 20)} for part in range(10)]
    assert components(tmp_path, shards, Plan(3, few)) == searched(shards)


def test_a_long_path_takes_few_rounds(tmp_path: Path) -> None:
    # One line for each shard, in an order that lets no label spread by more than one in a round.
    lines = list(range(300))
    random.Random(1).shuffle(lines)
    shards = [{line: {line, line + 1} for line in lines[part::30]} for part in range(30)]
    assert components(tmp_path, shards, Plan(2, 0)) == {frozenset(lines)}
    rounds = [path for path in tmp_path.iterdir() if path.name.startswith("keys-chosen")]
    assert 3 < len(rounds) < 20


# --- stages ---------------------------------------------------------------------------------------


def _counting(folder: Path, log: Path, text: str) -> dict[str, int]:
    with log.open("a") as file:
        file.write("run\n")
    if text == "fail":
        raise OSError(28, "No space left on device")
    (folder / "part").mkdir()
    (folder / "part" / "text").write_text(text)
    return {"length": len(text)}


def test_a_finished_task_is_not_done_twice(tmp_path: Path) -> None:
    log = tmp_path / "log"
    call = Call(tmp_path / "000000", _counting, (log, "text"))
    assert [perform(call), perform(call)] == [{"length": 4}, {"length": 4}]
    assert log.read_text().count("run") == 1


@pytest.mark.parametrize("damage", ["changed", "removed", "record cut"])
def test_a_task_whose_files_are_damaged_is_done_again(tmp_path: Path, damage: str) -> None:
    log = tmp_path / "log"
    call = Call(tmp_path / "000000", _counting, (log, "text"))
    perform(call)
    written = call.folder / "part" / "text"
    if damage == "changed":
        written.write_text("tent")
    elif damage == "removed":
        written.unlink()
    else:
        record = call.folder / "result.json"
        record.write_bytes(record.read_bytes()[:20])
    assert perform(call) == {"length": 4}
    assert written.read_text() == "text"
    assert log.read_text().count("run") == 2


def test_a_task_that_fails_leaves_nothing_and_the_stage_goes_on_later(tmp_path: Path) -> None:
    log = tmp_path / "log"
    stages = Stages(tmp_path / "stages", run_here)
    with pytest.raises(DatasetError, match="No space left"):
        stages.run("name", _counting, [(log, "one"), (log, "fail")])
    assert [path.name for path in (tmp_path / "stages" / "name").iterdir()] == ["000000"]
    (tmp_path / "stages" / "name" / "000001.left-by-a-killed-process").mkdir()
    folders = stages.run("name", _counting, [(log, "one"), (log, "other")])
    assert [(folder / "part" / "text").read_text() for folder in folders] == ["one", "other"]
    assert stages.results["name"] == [{"length": 3}, {"length": 5}]
    assert log.read_text().count("run") == 3
    assert sorted(path.name for path in folders[0].parent.iterdir()) == ["000000", "000001"]


def test_a_run_that_dies_anywhere_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    examples = examples_of(random.Random(3), 30)
    whole = one_machine(tmp_path / "whole", examples, OPTIONS)
    died = 0
    while True:
        left = 3 + 7 * died

        def dying(calls: Sequence[Call]) -> list[Any]:
            results = []
            for call in calls:
                nonlocal left
                left -= not call.folder.exists()
                if left < 0:
                    raise KeyboardInterrupt
                results.append(perform(call))
            return results

        work = tmp_path / "parts"
        shutil.rmtree(work / "out", ignore_errors=True)
        try:
            parts = many_shards(work, examples, OPTIONS, Plan(2, 3), [10, 20], dying)
        except KeyboardInterrupt:
            died += 1
        else:
            break
    assert died > 3
    assert parts == whole
