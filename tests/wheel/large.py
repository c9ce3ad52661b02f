"""Run with the built wheels of groundtypes[nli] and groundtypes-nli-large, and nothing else."""

from importlib.resources import files

import groundtypes_nli_large

from groundtypes.backends.nli_onnx import OnnxNLI
from groundtypes.entailment import entail
from groundtypes.scoring import Label

REFERENCE = "Opened software and gift cards cannot be returned."
EXPECTED = {
    REFERENCE: Label.ENTAILMENT,
    "A gift card cannot be returned.": Label.ENTAILMENT,
    "Gift cards can be returned.": Label.CONTRADICTION,
}


def main() -> None:
    """Load the larger model and judge a few statements."""
    assert files(groundtypes_nli_large).joinpath("MODEL_CARD.md").is_file()
    engine = OnnxNLI.large(threads=1)
    for statement, label in EXPECTED.items():
        [found] = entail(REFERENCE, statement, nli=engine)
        assert found.label is label, (statement, found)
    print(f"{len(EXPECTED)} statements judged")


if __name__ == "__main__":
    main()
