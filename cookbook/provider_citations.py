"""The citations that a provider returned, compared with the documents of the request.

    pip install 'groundtypes[nli]'
    python cookbook/provider_citations.py

The message is what `anthropic.Anthropic().messages.create(...)` returns for documents with
`"citations": {"enabled": True}`; its object, its `model_dump()` and its JSON are read alike. The
same call audits responses of OpenAI, Gemini and Cohere, and messages of LangChain and pydantic-ai.
"""

from typing import Any

from groundtypes.citations import audit_citations, request_documents

GUIDE = (
    "The machine comes with a warranty of two years. "
    "The warranty covers the pump and the motor. It does not cover damage by limescale. "
    "The tank holds 1.8 litres."
)
#: The messages of the request, from which the documents are read in their order.
REQUEST: list[dict[str, Any]] = [
    {
        "role": "user",
        "content": [
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": GUIDE},
                "title": "User guide",
                "citations": {"enabled": True},
            },
            {"type": "text", "text": "What does the warranty cover, and how big is the tank?"},
        ],
    }
]


def cited(text: str, words: str, start: int) -> dict[str, Any]:
    """Return a text block with a citation of the guide."""
    return {
        "type": "text",
        "text": text,
        "citations": [
            {
                "type": "char_location",
                "cited_text": words,
                "document_index": 0,
                "document_title": "User guide",
                "start_char_index": start,
                "end_char_index": start + len(words),
            }
        ],
    }


#: An answer of which one citation holds. The others are what can go wrong behind a gateway, after
#: the answer was edited, or when a document has changed since.
MESSAGE: dict[str, Any] = {
    "type": "message",
    "role": "assistant",
    "content": [
        cited(
            "The warranty covers the pump and the motor. ",
            "The warranty covers the pump and the motor. ",
            48,
        ),
        cited("The tank holds 2.5 litres. ", "The tank holds 1.8 litres.", 131),
        cited("The warranty lasts for two years. ", "a warranty of two years", 90),
        cited("Damage by limescale is covered, too. ", "It covers damage by limescale.", 92),
        {"type": "text", "text": "Most customers find the machine easy to clean."},
    ],
}


def main() -> None:
    """Audit the message, and print what holds and what does not."""
    audit = audit_citations(MESSAGE, request_documents(REQUEST))
    for number, (citation, held) in enumerate(
        zip(audit.answer.citations, audit.held, strict=True), 1
    ):
        words = audit.answer.text[citation.start : citation.end].strip()
        print(f"[{number}] {'holds' if held else 'at fault'}: {words}")
    for fault in audit.faults:
        print(f"{fault.slug}: {fault.message}")
    for sentence in audit.uncited:
        print(f"cites nothing: {sentence.text}")


if __name__ == "__main__":
    main()
