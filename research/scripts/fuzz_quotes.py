"""Search for texts that violate invariants of the quote search, for a given time.

    python -m scripts.fuzz_quotes --seconds 300 [--seed 1] [--texts FILE]

Every round builds a reference from hostile pieces or a part of a real text, and checks: nothing
raises; every slice is found; a span selects its text; changes of typography are accepted
at the same place; a changed number, name, negation or word is rejected, also by the fuzzy search;
and each search ends soon. Prints every violated invariant, with the seed of its round.
"""

import argparse
import random
import sys
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

from groundtypes import QuoteMatch, References, find_quote
from groundtypes.quotes.search import search

_SLOW = 2.0
_PIECES = (
    *"Paris not the don't well-known 12.5 1,200 -5 ±3 m² 10² H₂O ½ % $ [1] [2][3] ¹ † **bold** "
    "_it_ `code` # - 1. | [link](http://x.y/z) <b> </b> <sup>2</sup> &amp; &nbsp; ... … [...] “ ” "
    "’s ' — – − . , ; ? ! ( ) ﬁne é İ ß 東京は日本の 首都 。 ภาษาไทย שלום مرحبا नमस्ते "
    "{x} (a+)+$ \\ \\* -LRB- `` '' <= p<0.05".split(),
    "\u200b",
    "\u202e",
    "\ufeff",
    "\x00",
    "\ud800",
    "e\u0301",
    "impor-\ntant",
    "soft\xadhyphen",
)
_WORDS = (
    "tower river engine museum village treatment patients increased national government musical "
    "northern century population language received several published company against under from "
    "with and the was built near after before large small first second people city history"
).split()


def _hostile(rng: random.Random) -> str:
    gaps = ("", " ", " ", "\n", "\t", "\u00a0", "-\n")
    return "".join(rng.choice(_PIECES) + rng.choice(gaps) for _ in range(rng.randint(1, 40)))


def _plain(rng: random.Random) -> str:
    return " ".join(rng.sample(_WORDS, len(_WORDS))[: rng.randint(8, len(_WORDS))])


def _change_number(rng: random.Random, quote: str) -> str | None:
    digits = [at for at, character in enumerate(quote) if "0" <= character <= "9"]
    if not digits:
        return None
    at = rng.choice(digits)
    return quote[:at] + rng.choice([d for d in "0123456789" if d != quote[at]]) + quote[at + 1 :]


def _change_word(rng: random.Random, quote: str) -> str | None:
    words = quote.split(" ")
    at = rng.randrange(len(words))
    words[at] = rng.choice(["zebra", "not", "never", "Quimby", "9,417"])
    return " ".join(words)


def _add_word(rng: random.Random, quote: str) -> str | None:
    words = quote.split(" ")
    words.insert(rng.randint(1, len(words) - 1), rng.choice(["not", "never", "zebra", "7"]))
    return " ".join(words)


_BENIGN: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lines": lambda text: text.replace(" ", "\n "),
    "no-break": lambda text: text.replace(" ", "\u00a0"),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "emphasis": lambda text: f"**{text}**",
    "quotation marks": lambda text: f"\u201c{text}\u201d",
    "entities": lambda text: text.replace(" ", "&nbsp;"),
}
_CHANGES = (_change_number, _change_word, _add_word)


class _Round:
    """One reference, and the invariants checked on it."""

    def __init__(self, seed: int, texts: str) -> None:
        self.rng = random.Random(seed)
        self.texts = texts

    def run(self) -> str | None:
        rng = self.rng
        kind = rng.random()
        if kind < 0.4 or not self.texts:
            text = _hostile(rng) if kind < 0.3 else _plain(rng)
        else:
            at = rng.randrange(max(1, len(self.texts) - 5_000))
            text = self.texts[at : at + rng.randint(50, 5_000)]
        references = References.of({"other": "Nothing of the kind.", "here": text})
        return self._slices(text, references) or self._rewrites(text, references)

    def _slices(self, text: str, references: References) -> str | None:
        for _ in range(5):
            start = self.rng.randrange(len(text))
            end = self.rng.randint(start + 1, min(len(text), start + 400))
            quote = text[start:end]
            if not quote.strip():
                continue
            match = find_quote(quote, references, fuzzy=self.rng.random() < 0.5)
            if match is None:
                return f"a slice was not found: {quote!r} in {text!r}"
            span = match.span
            if references[span.reference].text[span.start : span.end] != match.text:
                return f"a span does not cut out its text: {match}"
            search(quote[::-1], references, fuzzy=True)
        return None

    def _rewrites(self, text: str, references: References) -> str | None:
        words = text.split(" ")
        if not all(word.isalpha() and word.isascii() for word in words) or len(set(words)) < 8:
            return None
        start = self.rng.randint(0, len(words) - 6)
        quote = " ".join(words[start : start + self.rng.randint(5, 20)])
        name = self.rng.choice(sorted(_BENIGN))
        match = find_quote(_BENIGN[name](quote), references)
        if match is None or quote not in match.text:
            return f"{name} was refused: {quote!r} in {text!r}: {match}"
        for change in _CHANGES:
            changed = change(self.rng, quote)
            if changed is None or changed == quote:
                continue
            found = search(changed, references, fuzzy=True)
            if isinstance(found, QuoteMatch):
                return f"{change.__name__} was accepted: {changed!r} in {text!r}: {found}"
        return None


def main() -> int:
    """Run rounds until the time is over; return 1 if an invariant was violated."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--texts", type=Path, help="a file with real text")
    options = parser.parse_args()
    texts = options.texts.read_text(encoding="utf-8") if options.texts else ""
    begun, rounds, broken = time.monotonic(), 0, 0
    while time.monotonic() - begun < options.seconds:
        seed = options.seed + rounds
        started = time.monotonic()
        try:
            told = _Round(seed, texts).run()
        except Exception as error:  # noqa: BLE001 # any exception is a finding
            told = f"{type(error).__name__}: {error}"
        if told is None and time.monotonic() - started > _SLOW:
            told = f"took {time.monotonic() - started:.1f} s"
        rounds += 1
        if told:
            broken += 1
            print(f"seed {seed}: {told}")
    print(f"{rounds} rounds, {broken} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
