"""Fit the threshold of an NLI engine to your own labels, and check answers with it.

    pip install 'groundtypes[nli]'
    python cookbook/calibrate_an_engine.py [LABELLED.jsonl [FOLDER]]

Reads labelled texts (by default those beside this file, about the rules of a town library), prints
the threshold and what to expect of it, and writes the calibration to the folder.
`groundtypes calibrate` does the same from a shell.
"""

import sys
import tempfile
from pathlib import Path
from typing import Annotated

from groundtypes import Entailed, Grounded, Judges, audit, calibrate
from groundtypes.backends.nli_onnx import OnnxNLI

LABELLED = Path(__file__).parent / "data" / "labelled.jsonl"
RULES = {
    "rules": "Books may be borrowed for four weeks. Reference books cannot be taken home.",
}


class Answer(Grounded):
    """An answer that the rules must entail; the judges give the threshold."""

    text: Annotated[str, Entailed()]


def main() -> None:
    """Calibrate the bundled engine, and judge an answer at the threshold."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else LABELLED
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    engine = OnnxNLI()
    result = calibrate(source, judges=Judges(nli=engine))
    found = result.calibration
    print(f"{found.supported} supported and {found.unsupported} unsupported texts")
    print(f"threshold {result.threshold:.2f}, chosen by {found.goal}")
    for name, share in (("precision", found.precision), ("recall", found.recall)):
        print(f"expected {name}: {share.value:.2f} ({share.low:.2f} to {share.high:.2f})")
    result.save(folder / "calibration.json")
    for example in result.wrongly_accepted:
        print(f"accepted at {example.score:.2f}, and labelled unsupported: {example.text}")

    judges = Judges(nli=engine, calibration=folder / "calibration.json")
    context = {"references": RULES, "judges": judges}
    answer = {"text": "Books can be borrowed for four weeks."}
    for verdict in audit(Answer, answer, context=context).verdicts:
        relation = "holds" if verdict.ok else "fails"
        print(f"{relation} at the threshold {verdict.threshold:.2f}: {answer['text']}")


if __name__ == "__main__":
    main()
