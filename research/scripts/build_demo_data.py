"""Write the rows of `make demo` from public data sets.

    python -m scripts.build_demo_data --data FOLDER > cookbook/data/answers.jsonl

FOLDER holds `citation/quotesum_dev.jsonl.gz` (QuoteSum's development part, one JSON object a line)
and `grounded/factscore_contexts.jsonl.gz` (Wikipedia texts). What comes out is described in
`cookbook/data/README.md`; the same input gives the same output.
"""

import argparse
import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PARIS = "Paris is not the capital of France. It is a city on the Seine, and its people love bread."
COPIES = 54
_MARKED = re.compile(r"\[ \d+ (.*?) \]")
_SENTENCE = re.compile(r"[A-Z][^.!?\n]{50,220}\.(?= )")


def _read(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def paris() -> Iterator[dict[str, Any]]:
    """Yield the example of the negation that a quote leaves out, and the true quote."""
    for name, quote in (
        ("negation left out", "Paris is the capital of France"),
        ("as it stands", "Paris is not the capital of France"),
    ):
        yield {
            "id": f"paris {name}",
            "question": "What is the capital of France?",
            "references": {"letter": PARIS},
            "answer": {
                "answer": "The letter says something about Paris.",
                "citations": [
                    {"statement": "It names Paris.", "reference": "letter", "quote": quote}
                ],
            },
        }


def quotesum(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the answers of people with the words that they marked as quoted."""
    for row in _read(folder / "citation" / "quotesum_dev.jsonl.gz"):
        answer = _MARKED.sub(r"\1", row["answer_marked"])
        citations = [
            {"statement": answer, "reference": str(quote["source"]), "quote": quote["text"]}
            for quote in row["quotes"]
            if len(quote["text"].split()) > 1
        ]
        if citations:
            yield {
                "id": f"quotesum {row['id']}",
                "question": row["question"],
                "references": {
                    str(number): f"{source['title']}\n{source['text']}"
                    for number, source in enumerate(row["sources"], 1)
                },
                "answer": {"answer": answer, "citations": citations},
            }


def _number(rng: random.Random, text: str) -> str | None:
    found = re.search(r"\b\d{2,4}\b", text)
    if not found:
        return None
    other = str(int(found[0]) + rng.randint(1, 9))
    return text[: found.start()] + other + text[found.end() :]


def _negated(_rng: random.Random, text: str) -> str | None:
    found = re.search(r" (?:is|was|has) ", text)
    return text[: found.end()] + "not " + text[found.end() :] if found else None


def _swapped(_rng: random.Random, text: str) -> str | None:
    found = re.search(r"\b(\w{4,}) (and|of|in) (\w{4,})\b", text)
    if not found:
        return None
    return f"{text[: found.start()]}{found[3]} {found[2]} {found[1]}{text[found.end() :]}"


def _word(rng: random.Random, text: str) -> str | None:
    words = text.split(" ")
    at = rng.randrange(1, len(words))
    return " ".join([*words[:at], "famously", *words[at:]])


def _ellipsis(_rng: random.Random, text: str) -> str | None:
    words = text.split(" ")
    return " ".join([*words[:4], "...", *words[-4:]]) if len(words) > 12 else None


#: How an LLM copies: name -> what it makes of a sentence. The last ones change what it says.
COPYING: dict[str, Callable[[random.Random, str], str | None]] = {
    "as it stands": lambda _, text: text,
    "curly quotation marks": lambda _, text: f"\u201c{text.rstrip('.')}\u201d",
    "Markdown": lambda _, text: f"**{text}**",
    "in lines": lambda _, text: text.replace(" ", "\n", 3),
    "in small letters": lambda _, text: text.lower(),
    "with an ellipsis": _ellipsis,
    "another number": _number,
    "a negation more": _negated,
    "two words swapped": _swapped,
    "a word more": _word,
}


def copies(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield sentences of Wikipedia, copied as an LLM would, in turn faithfully and not."""
    rng = random.Random(20)
    contexts = list(_read(folder / "grounded" / "factscore_contexts.jsonl.gz"))
    kinds = list(COPYING)
    made = 0
    for context in contexts:
        sentences = _SENTENCE.findall(context["text"])
        if made == COPIES or len(sentences) < 3 or len(context["text"]) > 4_000:
            continue
        kind = kinds[made % len(kinds)]
        sentence = rng.choice(sentences[1:])
        quote = COPYING[kind](rng, sentence)
        if quote is None or (kind not in kinds[:6] and quote == sentence):
            continue
        made += 1
        yield {
            "id": f"copy {context['ctx_id']}",
            "note": f"copied by a script: {kind}",
            "question": "Copy a sentence of the biography, word for word.",
            "references": {context["ctx_id"]: context["text"]},
            "answer": {
                "answer": sentence,
                "citations": [
                    {"statement": sentence, "reference": context["ctx_id"], "quote": quote}
                ],
            },
        }


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    folder = parser.parse_args().data
    for rows in (paris(), quotesum(folder), copies(folder)):
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
