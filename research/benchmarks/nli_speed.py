"""How fast pairs and answers are judged, beside transformers and sentence-transformers.

    python -m benchmarks.nli_speed [--onnx FOLDER] [--checkpoint FOLDER] [--pairs FILE.jsonl]
        [--count 600] [--rounds 3] [--threads N] [--json FILE]

Without `--onnx` it is the bundled model. The peers run the weights of `--checkpoint`, an ordinary
Hugging Face folder of the same model, and are left out without one, or where they are not
installed. `--pairs` holds `premise` and `hypothesis`; without it they are cut from Wikipedia,
from 5 to 110 words. Nothing is cached: every round scores every pair. The best of the rounds is
shown, because other programs can only make a round slower. Memory is read from Linux's /proc.
"""

import argparse
import contextlib
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, create_model

import groundtypes
from benchmarks import machine
from corpora.wikipedia import wikipedia_passages
from groundtypes import Grounded, Judges, Pair
from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.backends.score_cache import MemoryScoreCache
from groundtypes.ledger import SHARED_CACHE

PACKAGES = ("onnxruntime", "tokenizers", "torch", "transformers", "sentence-transformers")
Score = Callable[[Sequence[Pair]], object]

#: One fresh process: import, load and the first verdict, then what it holds in memory.
COLD = """
import time; begun = time.perf_counter()
from groundtypes import Pair
{importing}
scorer = {making}
scorer.score([Pair("The bridge was opened in 1932.", "The bridge is old.")])
seconds = time.perf_counter() - begun
lines = dict(line.split(":", 1) for line in open("/proc/self/status") if line.startswith("Vm"))
print(seconds, *(int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")))
"""


def sentences() -> list[str]:
    """Return sentences of Wikipedia."""
    found = re.split(r"(?<=[a-z]\.)\s+", "\n".join(wikipedia_passages()))
    return [" ".join(one.split()) for one in found if 30 < len(one) < 300]


def pairs_of(count: int) -> list[Pair]:
    """Return pairs of passages and sentences, as ragged as in use."""
    dice, all_of_them = random.Random(1), sentences()
    made = []
    for _ in range(count):
        place = dice.randrange(len(all_of_them) - 9)
        words = " ".join(all_of_them[place : place + 8]).split()[: dice.choice((20, 45, 80, 110))]
        made.append(Pair(" ".join(words), dice.choice(all_of_them)))
    return made


def engines(options: argparse.Namespace) -> dict[str, Score]:
    """Return what is measured and installed."""
    plain = OnnxNLI(options.onnx, threads=options.threads, cache=MemoryScoreCache(0))
    found: dict[str, Score] = {
        "`OnnxNLI`": plain.score,
        "`OnnxNLI`, one pair a call": lambda pairs: [plain.score([pair]) for pair in pairs],
    }
    if not options.checkpoint:
        print("No --checkpoint: the peers are left out.")
        return found
    for make in (_torch, _pipeline, _cross_encoder):
        try:
            found |= make(str(options.checkpoint))
        except ImportError as error:
            print(f"Left out: {error}")
    return found


def _torch(path: str) -> dict[str, Score]:
    from groundtypes.backends.nli_torch import TransformersNLI  # noqa: PLC0415 # if installed

    return {
        f"`TransformersNLI`, {kind}": TransformersNLI(
            path, dtype=kind, cache=MemoryScoreCache(0)
        ).score
        for kind in ("float32", "bfloat16")
    }


def _pipeline(path: str) -> dict[str, Score]:
    from transformers import pipeline  # noqa: PLC0415 # only where it is measured

    made = pipeline("text-classification", model=path, top_k=None)

    def score(pairs: Sequence[Pair], size: int) -> object:
        inputs = [{"text": pair.premise, "text_pair": pair.hypothesis} for pair in pairs]
        return made(inputs, batch_size=size, truncation=True)

    return {
        "transformers `pipeline`, one pair a batch": lambda pairs: score(pairs, 1),
        "transformers `pipeline`, batches of 32": lambda pairs: score(pairs, 32),
    }


def _cross_encoder(path: str) -> dict[str, Score]:
    from sentence_transformers import CrossEncoder  # noqa: PLC0415 # only where it is measured

    made = CrossEncoder(path)
    return {
        "sentence-transformers `CrossEncoder`": lambda pairs: made.predict(
            [(pair.premise, pair.hypothesis) for pair in pairs],
            batch_size=32,
            show_progress_bar=False,
        )
    }


def seconds(call: Callable[[], object], rounds: int) -> float:
    """Return the best time of the rounds, after one round that is not counted."""
    call()
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return min(times)


def measure_pairs(options: argparse.Namespace) -> dict[str, float]:
    """Return pairs per second of every engine on the same pairs."""
    if options.pairs:
        with options.pairs.open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines][: options.count]
        pairs = [Pair(row["premise"], row["hypothesis"]) for row in rows]
    else:
        pairs = pairs_of(options.count)
    lengths = sorted(len(pair.premise.split()) + len(pair.hypothesis.split()) for pair in pairs)
    print(f"\n{len(pairs)} pairs of {lengths[0]} to {lengths[-1]} words, ", end="")
    print(f"{statistics.median(lengths):.0f} in the middle:\n")
    print("| engine | pairs/s |\n|---|---|")
    found = {}
    for name, score in engines(options).items():
        found[name] = len(pairs) / seconds(lambda score=score: score(pairs), options.rounds)  # type: ignore[misc] # bound by its default
        print(f"| {name} | {found[name]:.0f} |", flush=True)
    return found


def measure_answers(options: argparse.Namespace) -> dict[str, float]:
    """Return milliseconds for one answer of ten sentences, and one call for each field."""
    entailed = getattr(groundtypes, "Entailed", None)
    if entailed is None:
        print("\nAnswers are left out: this version has no `Entailed`.")
        return {}
    claim = Annotated[str, entailed()]
    names = [f"sentence_{number}" for number in range(10)]
    fields: dict[str, Any] = dict.fromkeys(names, (claim, ...))
    together: Any = create_model("Together", __base__=Grounded, **fields)
    one_by_one: Any = create_model("OneByOne", __base__=BaseModel, **fields)
    judges = Judges(nli=OnnxNLI(options.onnx, threads=options.threads, cache=MemoryScoreCache(0)))
    all_of_them = sentences()
    text = " ".join(all_of_them)
    answer = dict(zip(names, all_of_them[40:50], strict=True))
    found: dict[str, float] = {}

    def ask(model: Any, context: dict[str, Any]) -> None:
        SHARED_CACHE.clear()
        groundtypes.audit(model, answer, context=context)

    def ask_alone(context: dict[str, Any]) -> None:
        SHARED_CACHE.clear()
        with contextlib.suppress(ValueError):  # that some are not entailed is not what is measured
            one_by_one.model_validate(answer, context=context)

    print("\nOne answer of 10 sentences, references of 1,000 characters:\n")
    print("| references | first, with the index | batched | one call for each field |")
    print("|---|---|---|---|")
    for count in (1, 10, 1000):
        texts = [text[place * 1000 : place * 1000 + 1000] for place in range(count)]
        context = {"references": groundtypes.References.of(texts), "judges": judges}
        begun = time.perf_counter()
        ask(together, context)
        first = time.perf_counter() - begun
        best = seconds(lambda context=context: ask(together, context), options.rounds)  # type: ignore[misc] # bound by its default
        alone = seconds(lambda context=context: ask_alone(context), options.rounds)  # type: ignore[misc] # the same
        found |= {f"{count} first": first, f"{count}": best, f"{count} alone": alone}
        row = (f"{1000 * part:.0f} ms" for part in (first, best, alone))
        print(f"| {count:,} | {' | '.join(row)} |", flush=True)
    return found


def measure_cold(options: argparse.Namespace) -> dict[str, list[float]]:
    """Return seconds to the first verdict, and mebibytes then and at most, in fresh processes."""
    path = str(options.onnx) if options.onnx else None
    starts = {"`OnnxNLI`": ("nli_onnx", f"OnnxNLI({path!r}, threads={options.threads})")}
    if options.checkpoint:
        starts["`TransformersNLI`"] = (
            "nli_torch",
            f"TransformersNLI({str(options.checkpoint)!r}, device='cpu')",
        )
    print("\n| cold start | seconds to the first verdict | MiB then | MiB at most |")
    print("|---|---|---|---|")
    found = {}
    for name, (module, making) in starts.items():
        importing = f"from groundtypes.backends.{module} import {making.partition('(')[0]}"
        program = COLD.format(importing=importing, making=making)
        runs = []
        for _ in range(options.rounds):
            done = subprocess.run(
                [sys.executable, "-c", program], capture_output=True, text=True, check=False
            )
            if done.returncode:
                print(f"{name} is left out: {done.stderr.strip().splitlines()[-1:]}")
                break
            runs.append([float(number) for number in done.stdout.split()])
        else:
            found[name] = min(runs)
            first, now, most = found[name]
            print(f"| {name} | {first:.2f} | {now:.0f} | {most:.0f} |", flush=True)
    return found


def measure_peaks(options: argparse.Namespace, speed: float) -> dict[str, float]:
    """Return the billions of operations a second that one large product reaches, by type."""
    found: dict[str, float] = {}
    try:
        found["int8"] = _int8_peak(options)
    except ImportError as error:
        print(f"\nThe int8 peak is left out: {error}")
    try:
        found |= _torch_peaks(options)
    except ImportError as error:
        print(f"\nThe peaks of torch are left out: {error}")
    if options.checkpoint and found:
        done = speed * _operations(options) / 1e9
        found["OnnxNLI"] = done
        print("\n| what | billions of operations a second | share |\n|---|---|---|")
        for name, peak in found.items():
            print(f"| {name} | {peak:.0f} | {done / peak:.0%} |")
    return found


def _int8_peak(options: argparse.Namespace, size: int = 2048) -> float:
    import numpy as np  # noqa: PLC0415 # only where it is measured
    import onnxruntime as ort  # noqa: PLC0415 # the same
    from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415 # the same

    weight = np.random.default_rng(1).integers(-63, 64, (size, size), np.int8)
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["a", "w"], ["c"])],
        "peak",
        [helper.make_tensor_value_info("a", TensorProto.UINT8, [size, size])],
        [helper.make_tensor_value_info("c", TensorProto.INT32, [size, size])],
        [numpy_helper.from_array(weight, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    settings = ort.SessionOptions()
    settings.intra_op_num_threads = options.threads
    session = ort.InferenceSession(
        model.SerializeToString(), settings, providers=["CPUExecutionProvider"]
    )
    feed = {"a": np.random.default_rng(2).integers(0, 255, (size, size), np.uint8)}
    return 2 * size**3 / seconds(lambda: session.run(None, feed), 10) / 1e9


def _torch_peaks(options: argparse.Namespace, size: int = 2048) -> dict[str, float]:
    import torch  # noqa: PLC0415 # only where it is measured

    torch.set_num_threads(options.threads)
    found = {}
    for kind in (torch.float32, torch.bfloat16):
        one, other = (torch.randn(size, size, dtype=kind) for _ in range(2))
        took = seconds(lambda one=one, other=other: one @ other, 10)  # type: ignore[misc] # bound by its default
        found[str(kind).partition(".")[2]] = 2 * size**3 / took / 1e9
    return found


def _operations(options: argparse.Namespace) -> float:
    """Return the multiplications and additions that BERT needs for one pair, on average."""
    from tokenizers import Tokenizer  # noqa: PLC0415 # only where it is measured

    config = json.loads((options.checkpoint / "config.json").read_text(encoding="utf-8"))
    tokenizer = Tokenizer.from_file(str(options.checkpoint / "tokenizer.json"))
    tokenizer.no_padding()
    hidden, wide = config["hidden_size"], config["intermediate_size"]
    counts: list[float] = []
    for pair in pairs_of(options.count):
        length = len(tokenizer.encode(pair.premise, pair.hypothesis).ids)
        each = 2 * (4 * hidden * hidden + 2 * hidden * wide + 2 * length * hidden)
        counts.append(config["num_hidden_layers"] * length * each)
    return statistics.mean(counts)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--onnx", type=Path, help="an exported folder; the bundled model without")
    parser.add_argument("--checkpoint", type=Path, help="the same weights, for the peers")
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    described = machine.describe(PACKAGES)
    print(machine.show(described))
    pairs = measure_pairs(options)
    report = {
        "machine": described,
        "pairs": pairs,
        "answers": measure_answers(options),
        "cold": measure_cold(options),
        "peaks": measure_peaks(options, pairs["`OnnxNLI`"]),
    }
    if options.json:
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
