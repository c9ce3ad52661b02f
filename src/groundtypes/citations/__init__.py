"""Citations: what an answer cites, and whether that supports it.

- `markers` reads the citation markers of a text: which there are, and which references they mean.
- `statements` cuts an answer into sentences: what each cites, and whether it claims something.
- `judgement` asks whether what a sentence cites supports it, and words the verdicts.
- `cited` is the marker `Cited`, which does this inside of validation.
- `providers` does it with the citations that Anthropic, OpenAI, Gemini, Cohere and others return.

The names below are those of `providers`, which is imported when one of them is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groundtypes.citations.providers import (
        CitationAudit,
        CitedSource,
        ProviderAnswer,
        ProviderCitation,
        Statement,
        aaudit_citations,
        audit_citations,
        read_answer,
        request_documents,
    )

__all__ = [
    "CitationAudit",
    "CitedSource",
    "ProviderAnswer",
    "ProviderCitation",
    "Statement",
    "aaudit_citations",
    "audit_citations",
    "read_answer",
    "request_documents",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'groundtypes.citations' has no attribute {name!r}")
    return getattr(import_module("groundtypes.citations.providers"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
