"""Write the list of English words that are one typo away from another English word.

    python -m tables.build_near_words /usr/share/dict/american-english-large ... > near_words.txt

Takes word lists of the SCOWL project, one word a line (Debian: `wamerican-large`,
`wbritish-large`). A typo is one letter dropped, one letter doubled, or two neighbours swapped.
"""

import sys
from pathlib import Path


def typos(word: str) -> set[str]:
    """Return all spellings that are one typo away, the first letter kept."""
    dropped = {word[:i] + word[i + 1 :] for i in range(1, len(word))}
    doubled = {word[:i] + word[i] + word[i:] for i in range(len(word))}
    swapped = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(1, len(word) - 1)}
    return (dropped | doubled | swapped) - {word}


def main() -> None:
    """Read the lists and print the words."""
    words = {
        line.strip().lower()
        for path in sys.argv[1:]
        for line in Path(path).read_text(encoding="utf-8").splitlines()
    }
    words = {word for word in words if word.isascii() and word.isalpha()}
    near = {other for word in words if len(word) >= 6 for other in typos(word) if other in words}
    print("\n".join(sorted(near)))


if __name__ == "__main__":
    main()
