"""Documents of a retriever as references, as they are.

    pip install groundtypes
    python cookbook/langchain_documents.py

The class below has what LangChain's `Document` has: `page_content`, `metadata`, `id`. LlamaIndex's
nodes, with `text` and `id_`, and plain mappings work in the same way.
"""

from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from groundtypes import Grounded, Quote


@dataclass
class Document:
    """What a retriever returns."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


class Answer(Grounded):
    """An answer and the words that prove it."""

    answer: str
    quotes: list[Quote]


RETRIEVED = [
    Document(
        "The bridge was opened on 3 June 1932. It carries two tracks and a foot-\npath.",
        {"title": "Bridges of the region", "page": 17},
        id="bridges-17",
    ),
    Document(
        "Tolls on the bridge were lifted in 1988.",
        {"title": "Local chronicle", "page": 4},
        id="chronicle-4",
    ),
]


def main() -> None:
    """Validate a good answer and a bad one against what was retrieved."""
    context = {"references": RETRIEVED}
    answer = Answer.model_validate(
        {
            "answer": "It was opened in 1932, and has cost nothing since 1988.",
            "quotes": ["opened on 3 June 1932", "two tracks and a footpath", "lifted in 1988"],
        },
        context=context,
    )
    documents = {document.id: document for document in RETRIEVED}
    for quote in answer.quotes:
        metadata = documents[quote.span.reference].metadata
        print(f"{str(quote)!r} ({quote.how}): {metadata['title']}, page {metadata['page']}")

    try:
        Answer.model_validate(
            {"answer": "Tolls were lifted in 1998.", "quotes": ["were lifted in 1998"]},
            context=context,
        )
    except ValidationError as error:
        for fault in error.errors():
            print(f"{fault['loc']} {fault['type']}: {fault['msg']}")


if __name__ == "__main__":
    main()
