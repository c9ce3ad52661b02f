"""Make cookbook/data/run_one.jsonl and run_two.jsonl: what two models answered to the same tasks.

    python -m scripts.build_runs FOLDER

FOLDER holds the public sets; what is taken are short tasks of MTRAG's human evaluation.
"""

import hashlib
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from corpora.rows import read_rows

TARGET = Path(__file__).parents[2] / "cookbook" / "data"
RUNS = {"run_one.jsonl": "llama-3.1-405b-instruct", "run_two.jsonl": "gpt-4o"}
_TASKS = 16
_CONTEXT = 4_000
_ANSWER = 900


def main(folder: Path) -> None:
    """Write the tasks, drawn by the hash of their ids."""
    tasks: dict[str, dict[str, Any]] = defaultdict(dict)
    for row in read_rows(folder / "grounded" / "mtrag_human_eval.jsonl.gz"):
        task = row["id"].rpartition("_")[0]
        tasks[task][row["response_model"]] = row
    short = [
        task
        for task in sorted(tasks, key=lambda one: hashlib.sha256(one.encode()).hexdigest())
        if all(map(tasks[task].__contains__, RUNS.values()))
        and all(len(row["response"]) <= _ANSWER for row in tasks[task].values())
        and all(0 < len(row["context"]) <= _CONTEXT for row in tasks[task].values())
    ][:_TASKS]
    for name, model in RUNS.items():
        lines = [json.dumps(_line(task, tasks[task][model]), ensure_ascii=False) for task in short]
        (TARGET / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{name}: {len(lines)} rows")


def _line(task: str, row: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": task.removeprefix("mtrag_"),
        "question": row["messages"][-1]["text"],
        "context": row["context"],
        "answer": row["response"],
        "ground_truth": row["target"],
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
