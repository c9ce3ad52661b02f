"""Two runs of a pipeline over the same questions: which answers better, and is that more than luck?

    pip install 'groundtypes[nli]'
    python cookbook/compare_two_runs.py

No language model is needed: the answers of two models are in `cookbook/data`. Change a prompt,
a retriever or a model, run the pipeline again, and compare the runs in the same way.
"""

import json
from pathlib import Path

from groundtypes.evaluation import Evaluation, EvaluationRow, aggregate, compare, evaluate_many

DATA = Path(__file__).parent / "data"
SHOWN = {
    "answer_by_context": "answer entailed by its context",
    "truth_by_answer": "ground truth entailed by the answer",
    "contradicted": "statements that the context contradicts",
    "answer_refuses": "answers that refuse or abstain",
}


def scored(name: str) -> list[Evaluation]:
    """Return the scores of a run; all rows share the batches of the engine."""
    rows = map(json.loads, (DATA / name).read_text(encoding="utf-8").splitlines())
    return evaluate_many(
        EvaluationRow(row["question"], row["context"], row["answer"], row["ground_truth"])
        for row in rows
    )


def main() -> None:
    """Score both runs, sum each up, and compare them row by row."""
    before, after = scored("run_one.jsonl"), scored("run_two.jsonl")
    first, second = aggregate(before), aggregate(after)
    for metric, difference in compare(before, after).items():
        if metric in SHOWN:
            verdict = "clear" if difference.clear else "may be luck"
            print(
                f"{SHOWN[metric]}: {first[metric].mean:.2f} -> {second[metric].mean:.2f}, "
                f"{difference.low:+.2f} to {difference.high:+.2f}: {verdict}"
            )
    worst = min(after, key=lambda one: one.answer_by_context.score or 0.0)
    print("\nThe least supported sentence of the second run's weakest answer:")
    if worst.answer_by_context.hypotheses:
        weakest = min(worst.answer_by_context.hypotheses, key=lambda one: one.estimate)
        print(f"  {weakest.text} ({weakest.statements[0].label})")


if __name__ == "__main__":
    main()
