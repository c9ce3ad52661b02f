"""Footnotes with pages, from an answer that was stored as JSON.

    pip install groundtypes
    python cookbook/citations_with_pages.py

A vector store returns documents with scores, whose metadata name the file and the page. The
validated answer is stored with the spans of its quotes; when it is read back, they are compared
with the documents, not searched for.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any

from groundtypes import Figures, Grounded, Quoted, Reference, References, cited_statements


@dataclass
class Document:
    """What LangChain's `Document` has, and what LlamaIndex's nodes have under other names."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


class Finding(Grounded):
    """A statement whose figures the quote contains."""

    quote: Annotated[str, Quoted(spans=True)]
    statement: Annotated[str, Figures(by="quote")]


class Answer(Grounded):
    """What was found."""

    findings: list[Finding]


#: One page of a file, as `similarity_search_with_score` returns it, with its score.
RETRIEVED = [
    (
        Document(
            "Tolls on the bridge were lifted in 1988.",
            {"source": "chronicle.pdf", "page": 3, "page_label": "4"},
            id="chronicle-4",
        ),
        0.83,
    ),
]
#: A whole report, whose pages are known.
REPORT = Reference(
    "report",
    "The bridge carries two tracks. It was opened on 3 June 1932. In 1932 it was the longest.",
    pages=[(0, 16), (31, 17)],
    metadata={"source": "report.pdf"},
)


def main() -> None:
    """Validate an answer, store it, read it back, and print its footnotes."""
    references = References.of([*RETRIEVED, REPORT])
    context = {"references": references}
    answer = Answer.model_validate(
        {
            "findings": [
                {"quote": "opened on 3 june 1932", "statement": "It dates from 1932."},
                {"quote": "lifted in 1988", "statement": "It has cost nothing since 1988."},
            ]
        },
        context=context,
    )
    stored = answer.model_dump_json()
    print(stored)

    again = Answer.model_validate_json(stored, context=context)
    for number, cited in enumerate(cited_statements(again), 1):
        metadata = references[cited.span.reference].metadata or {}
        print(f"{cited.statement} [{number}]")
        print(f'  [{number}] {metadata["source"]}, p. {cited.page}: "{cited.quote}"')


if __name__ == "__main__":
    main()
