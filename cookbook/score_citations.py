"""How well does a run of answers cite its references? Recall, precision and F1 of the citations.

    pip install 'groundtypes[nli]'
    python cookbook/score_citations.py

No language model is needed: the answers are in `cookbook/data/cited_texts.jsonl`. The bundled NLI
model judges each sentence against what it cites. The scores are those of ALCE (arXiv:2305.14627).
"""

import json
from pathlib import Path
from typing import Annotated

from groundtypes import Cited, Grounded, audit_many, citation_scores
from groundtypes.evaluation import aggregate

DATA = Path(__file__).parent / "data" / "cited_texts.jsonl"


class Answer(Grounded):
    """An answer with citation markers; precision needs to know which citations are superfluous."""

    answer: Annotated[str, Cited(superfluous=True)]


def main() -> None:
    """Score each answer and show what is wrong with it; then the means with their intervals."""
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    audits = audit_many(
        Answer,
        [{"answer": row["answer"]} for row in rows],
        context=[{"references": row["references"]} for row in rows],
    )
    scores = [citation_scores(audit) for audit in audits]
    for row, audit, found in zip(rows, audits, scores, strict=True):
        print(
            f"{row['id']}: {found.supported} of {found.statements} statements supported, "
            f"{found.relevant} of {found.citations} citations relevant"
        )
        for fault in audit.faults:
            print(f"  {fault.slug}: {fault.message}")
    print()
    for name, mean in aggregate(scores).items():
        print(f"{name}: {mean.mean:.2f} ({mean.low:.2f} to {mean.high:.2f}), {mean.rows} answers")


if __name__ == "__main__":
    main()
