"""German answers that stand on English documents, judged by the judge.

    pip install 'groundtypes[judge]' groundtypes-judge
    python cookbook/answers_in_german.py [BASE]

BASE is the base model of the judge, as a folder or a GGUF file; without it, it is loaded from the
hub. The judge reads 17 languages, and a reference may be in another one than the answer.
"""

import sys
from typing import Annotated

from groundtypes import Entailed, Figures, Grounded, Judges, audit
from groundtypes.backends.nli_causal import CausalNLI

REFERENCES = {
    "hours": "The workshop is open from Tuesday to Saturday, and closed on Mondays.",
    "prices": "A repair costs 45 euros. It takes two days, or three in December.",
}


class Antwort(Grounded):
    """The answer for the customer."""

    text: Annotated[str, Entailed(), Figures()]


ANSWERS = [
    "Montags ist die Werkstatt geschlossen. Eine Reparatur kostet 45 Euro.",
    "Die Werkstatt hat auch montags geöffnet. Eine Reparatur kostet 45 Euro.",
    "Eine Reparatur kostet 54 Euro.",
]


def main() -> None:
    """Judge each answer, and show the faults."""
    base = sys.argv[1] if len(sys.argv) > 1 else None
    judges = Judges(nli=CausalNLI.judge(base))
    for answer in ANSWERS:
        report = audit(
            Antwort, {"text": answer}, context={"references": REFERENCES, "judges": judges}
        )
        print(f"{'supported' if report.ok else 'not supported'}: {answer}")
        for verdict in report.verdicts:
            if not verdict.ok:
                print(f"  {verdict.message}")


if __name__ == "__main__":
    main()
