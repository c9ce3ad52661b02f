"""Write the list of English words by which a short text is told from one in another language.

    python -m tables.build_english_words /usr/share/dict/american-english-small > english_words.txt

Takes word lists of the SCOWL project, one word a line (Debian: `wamerican-small`, which has the
words of SCOWL's sizes 10 to 35). Names and possessives are left out.
"""

import sys
from pathlib import Path


def main() -> None:
    """Read the lists and print the words."""
    words = {
        line.strip()
        for path in sys.argv[1:]
        for line in Path(path).read_text(encoding="utf-8").splitlines()
    }
    words = {
        word
        for word in words
        if word.isascii()
        and len(word) > 1
        and word.islower()
        and word.replace("'", "").isalpha()
        and not word.endswith("'s")
    }
    print("\n".join(sorted(words)))


if __name__ == "__main__":
    main()
