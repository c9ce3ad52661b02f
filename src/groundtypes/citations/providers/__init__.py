"""What providers cite: their citations in one shape, and which of them hold.

`read_answer` reads the citations of Anthropic, OpenAI, Azure OpenAI, Gemini, Perplexity and Cohere,
also from messages of LangChain and pydantic-ai. No SDK is needed for that. `audit_citations`
compares them with the documents: whether the words are there, at the place that is named, and
whether the sentences of the answer follow from what they cite.
"""

from groundtypes.citations.providers.answer_reader import read_answer
from groundtypes.citations.providers.audit import CitationAudit, aaudit_citations, audit_citations
from groundtypes.citations.providers.cited_sentences import Statement
from groundtypes.citations.providers.provider_answer import (
    CitedSource,
    ProviderAnswer,
    ProviderCitation,
)
from groundtypes.citations.providers.requests import request_documents

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
