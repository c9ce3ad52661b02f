"""What `groundtypes check --estimate` says of a run, beside what the run takes.

    python -m benchmarks.estimates [--rows 10000] [--nli-rows 1000] [--llm-rows 2000]
        [--repeat 3] [--json FILE]

For each kind of check a file of rows is written, its run is estimated, and then done, one right
after the other, each in a process of its own as on a command line: quotes in one process and in
two, sentences judged by the bundled NLI model, and claims by an LLM. The LLM is a server on
loopback that answers at once. It replies with one to three claims for a sentence, leaves a
statement open in one of four replies, and counts tokens as the bundled tokenizer does: nothing of
this is known to the estimate. So calls and tokens are compared there, and no time.

Estimates and runs of times alternate, and the table has the median of each, because the speed of a
machine differs from minute to minute.
"""

import argparse
import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any, Final, Self

from tokenizers import Tokenizer

from benchmarks import machine
from benchmarks.dataset_speed import rows as checked_rows
from benchmarks.texts import text_of
from groundtypes_nli import NLI

_SENTENCES: Final = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
#: What is compared -> its name in the figures of an estimate and in the summary of a run.
_TIME: Final = {"seconds": "seconds", "rows": "rows"}
_LLM: Final = {
    "calls": "calls",
    "input tokens": "input tokens",
    "output tokens": "output tokens",
}


@dataclass(frozen=True)
class Case:
    """A run: its name, its rows, its command, and how many rows it has."""

    name: str
    kind: str
    rows: int
    command: tuple[str, ...]


def main() -> None:
    """Estimate, run, and print both as Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--nli-rows", type=int, default=1_000)
    parser.add_argument("--llm-rows", type=int, default=2_000)
    parser.add_argument("--repeat", type=int, default=3, help="pairs of an estimate and a run")
    parser.add_argument("--only", nargs="+", help="names of cases")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    described = machine.describe(["onnxruntime", "instructor"])
    print(machine.show(described) + "\n")
    print("| run | figure | estimated | 95 % interval | real | off | the estimate took |")
    print("|---|---|---|---|---|---|---|", flush=True)
    report = []
    with tempfile.TemporaryDirectory() as scratch, _Server() as server:
        for case in _cases(options.rows, options.nli_rows, options.llm_rows, server.url):
            if options.only and case.name not in options.only:
                continue
            for line in _compared(case, Path(scratch), server, options.repeat):
                report.append(line)
                print(_shown(line), flush=True)
    if options.json:
        options.json.write_text(json.dumps({"machine": described, "figures": report}, indent=1))


def _cases(rows: int, nli_rows: int, llm_rows: int, url: str) -> list[Case]:
    checks = "benchmarks.dataset_speed"
    llm = ("claims", "--llm", "m", "--base-url", url)
    return [
        Case("quotes", "quotes", rows, ("check", "--model", f"{checks}:Quotes")),
        Case(
            "quotes, 2 workers",
            "quotes",
            rows,
            ("check", "--model", f"{checks}:Quotes", "--workers", "2"),
        ),
        Case("NLI", "nli", nli_rows, ("check", "--model", f"{checks}:Sentences")),
        Case("claims, one call", "claims", llm_rows, llm),
        Case("claims, extracted first", "claims", llm_rows, (*llm, "--extract-first")),
    ]


def _compared(
    case: Case, scratch: Path, server: "_Server", repeat: int
) -> Iterator[dict[str, Any]]:
    """Yield a line for each figure of a case."""
    path = scratch / "rows.jsonl"
    with path.open("w", encoding="utf-8") as file:
        kinds = claim_rows if case.kind == "claims" else lambda n: checked_rows(case.kind, n)
        file.writelines(json.dumps(row) + "\n" for row in kinds(case.rows))
    estimates, runs = [], []
    # Calls and tokens do not depend on how busy a machine is.
    for _ in range(1 if case.kind == "claims" else repeat):
        estimates.append(_estimated(case, path, scratch))
        runs.append(_real(case, path, scratch, server))
    for name, key in (_LLM if case.kind == "claims" else _TIME).items():
        bounds = {
            bound: median(estimate[key][bound] for estimate in estimates)
            for bound in ("value", "low", "high")
        }
        yield {
            "run": f"{case.name}, {case.rows:,} rows",
            "figure": name,
            **bounds,
            "real": median(real[key] for real in runs),
            "estimates": [estimate[key]["value"] for estimate in estimates],
            "runs": [real[key] for real in runs],
            "estimate took": median(estimate["sample"]["seconds"] for estimate in estimates),
        }


def _real(case: Case, path: Path, scratch: Path, server: "_Server") -> dict[str, Any]:
    """Return what a run has taken."""
    server.reset()
    summary = scratch / "summary.json"
    outputs = ("--clean", scratch / "clean.jsonl", "--rejected", scratch / "rejected.jsonl")
    _command(case, path, *outputs, "--json", summary)
    real: dict[str, Any] = json.loads(summary.read_text(encoding="utf-8"))
    return real | server.counts()


def _estimated(case: Case, path: Path, scratch: Path) -> dict[str, Any]:
    figures = scratch / "estimate.json"
    _command(case, path, "--estimate", "--json", figures)
    estimate: dict[str, Any] = json.loads(figures.read_text(encoding="utf-8"))
    return estimate


def _command(case: Case, path: Path, *options: object) -> None:
    """Run the command as a user does; rejected rows (1) are no failure."""
    name, *rest = case.command
    arguments = [name, path, *rest, "--overwrite", "--quiet", *options]
    command = [sys.executable, "-m", "groundtypes", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")


def _shown(line: dict[str, Any]) -> str:
    digits = 1 if line["figure"] == "seconds" else 0
    value, low, high, real = (
        f"{line[name]:,.{digits}f}" for name in ("value", "low", "high", "real")
    )
    off = line["value"] / line["real"] - 1 if line["real"] else 0.0
    return (
        f"| {line['run']} | {line['figure']} | {value} | {low} to {high} | {real} | {off:+.0%} "
        f"| {line['estimate took']:.1f} s |"
    )


def claim_rows(count: int) -> Iterator[dict[str, Any]]:
    """Yield rows whose answers have one to eight sentences of their reference."""
    generator = random.Random(0)
    sentences = [part.strip() for part in text_of(2_000_000).split(". ") if part.count(" ") > 5]
    for number in range(count):
        start = generator.randrange(len(sentences) - 40)
        length = generator.randint(1, 8)
        chosen = [sentences[start + at] for at in generator.sample(range(20), length)]
        yield {
            "id": number,
            "question": f"What does text {number} say?",
            "references": {"text": ". ".join(sentences[start : start + 20])},
            "answer": ". ".join([f"Text {number} is old", *chosen]) + ".",
        }


# --- the LLM ------------------------------------------------------------------------------------


class _Server:
    """A server that replies as an LLM might, and counts calls and tokens."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        folder = NLI
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        handler = type("Handler", (_Handler,), {"server_of_tokens": self})
        kind = type("Server", (ThreadingHTTPServer,), {"request_queue_size": 128})
        self._http = kind(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        self.reset()

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def reset(self) -> None:
        """Count anew."""
        self._calls = self._tokens_in = self._tokens_out = 0

    def counts(self) -> dict[str, int]:
        """Return what was counted, by the names of an estimate."""
        return {
            "calls": self._calls,
            "input tokens": self._tokens_in,
            "output tokens": self._tokens_out,
        }

    def count(self, asked: str, replied: str) -> tuple[int, int]:
        """Count one call; return its tokens."""
        tokens = [
            len(self._tokenizer.encode(text, add_special_tokens=False).ids)
            for text in (asked, replied)
        ]
        with self._lock:
            self._calls += 1
            self._tokens_in += tokens[0]
            self._tokens_out += tokens[1]
        return tokens[0], tokens[1]


def _reply(system: str, content: str) -> dict[str, Any]:
    """Return what the LLM replies, by the content of the question alone."""
    chance = random.Random(hashlib.blake2b(content.encode(), digest_size=8).digest())
    lines = _SENTENCES.findall(content)
    if system.startswith("You take"):
        claims = []
        for number, sentence in enumerate(lines, 1):
            words = sentence.split()
            parts = chance.choice((1, 2, 2, 3))
            for part in range(parts):
                own = words[len(words) * part // parts : len(words) * (part + 1) // parts]
                texts = (own[:2], own[2:3], own[3:])
                names = ("subject", "predicate", "object")
                claim = {name: " ".join(text) for name, text in zip(names, texts, strict=True)}
                claims.append({"sentence": number, **claim})
        return {"claims": claims}
    words = ("supported", "supported", "supported", "not stated", "contradicted")
    if system.startswith("You check sentences"):
        is_open = chance.random() < 0.25
        labels = [
            {"sentence": number, "label": chance.choice(words), "passage": 1}
            for number in range(1, len(lines) + 1)
        ]
        if is_open and labels:
            labels[0] |= {"label": "supported", "passage": None}
        return {"labels": labels}
    if "[claims " in content:
        return {
            "labels": [
                {"claim": number, "label": chance.choice(words), "passage": 1}
                for number in range(1, len(lines) + 1)
            ]
        }
    return {"label": chance.choice(words), "passage": 1}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of_tokens: _Server

    def log_message(self, *args: object) -> None:
        """Log nothing."""

    def do_POST(self) -> None:  # the name that http.server calls
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        messages = body["messages"]
        tool = body["tools"][0]["function"]
        arguments = json.dumps(_reply(messages[0]["content"], messages[-1]["content"]))
        asked = "\n".join(message["content"] for message in messages) + json.dumps(tool)
        tokens_in, tokens_out = self.server_of_tokens.count(asked, arguments)
        call = {
            "id": "1",
            "type": "function",
            "function": {"name": tool["name"], "arguments": arguments},
        }
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
        data = json.dumps(
            {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
                "usage": usage | {"total_tokens": tokens_in + tokens_out},
            }
        ).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    main()
