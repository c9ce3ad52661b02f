"""Write the parameters of NLTK's English Punkt model that the sentence splitter reads.

    python -m tables.build_punkt FOLDER > src/groundtypes/text/data/punkt_english.json

Takes the folder `punkt_tab/english` of NLTK's data, which llama-index-core ships in its wheel.
Of what the model knows about words only the ones seen in lower case are kept, with whether they
were also seen capitalised inside a sentence; no other word ever decides a boundary. Its 36
collocations are left out: most join a number to a name of the newspaper that it learned from.
"""

import json
import sys
from pathlib import Path

#: The flags of a word in `ortho_context.tab`, from Kiss and Strunk (2006), section 4.3.
_CAPITALISED_INSIDE = 4
_LOWER_CASE = 16 | 32 | 64


def main() -> None:
    """Read the tables and print the parameters as JSON."""
    folder = Path(sys.argv[1])
    lower: list[str] = []
    both: list[str] = []
    for row in _lines(folder / "ortho_context.tab"):
        word, flags = row.rsplit("\t", 1)
        if int(flags) & _LOWER_CASE and word[0].isalpha():
            (both if int(flags) & _CAPITALISED_INSIDE else lower).append(word)
    parameters = {
        "abbreviations": " ".join(sorted(_lines(folder / "abbrev_types.txt"))),
        "starters": " ".join(sorted(_lines(folder / "sent_starters.txt"))),
        "lower_case": " ".join(sorted(lower)),
        "either_case": " ".join(sorted(both)),
    }
    print(json.dumps(parameters, ensure_ascii=True, indent=0))


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main()
