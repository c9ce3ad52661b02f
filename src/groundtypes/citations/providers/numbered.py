"""Answers whose citations are numbers in their text: those of Perplexity and Azure OpenAI.

https://docs.perplexity.ai/api-reference/sonar-post (`citations`, `search_results`)
https://learn.microsoft.com/azure/ai-services/openai/references/on-your-data (`context`)

The numbers count from 1: `[1]` is the first of Perplexity's results, `[doc1]` the first of Azure's
citations. A number without a source is a citation of a source that does not exist.
"""

import re
from collections.abc import Sequence
from typing import Final

from groundtypes.citations.markers.marker_reader import read_markers
from groundtypes.citations.providers.message_fields import field, items, text_field
from groundtypes.citations.providers.parts import Draft, Part, Place
from groundtypes.citations.providers.provider_answer import CitedSource
from groundtypes.references import References

_DOC: Final = re.compile(r"\[(doc\d{1,9})\]")
_THOUGHTS: Final = "</think>"


def without_thoughts(content: object) -> object:
    """Return a text without what Perplexity's reasoning models think, which comes before it."""
    if isinstance(content, str) and content.lstrip().startswith("<think>") and _THOUGHTS in content:
        return content.partition(_THOUGHTS)[2].lstrip()
    return content


def read_perplexity(draft: Draft, response: object) -> None:
    """Note the citations of a response; its text has been noted.

    The addresses are in `citations`, with their titles and extracts in `search_results`.
    """
    results = items(response, "search_results")
    by_url = {url: result for result in results if (url := text_field(result, "url"))}
    urls = [url for url in items(response, "citations") if isinstance(url, str)]
    sources = [
        CitedSource(
            url=url,
            title=text_field(by_url.get(url), "title"),
            text=text_field(by_url.get(url), "snippet"),
        )
        for url in urls or [text_field(result, "url") or "" for result in results]
    ]
    if sources:
        _cite(draft, "brackets", [str(number) for number in range(1, len(sources) + 1)], sources)


def read_azure(draft: Draft, message: object) -> None:
    """Note the citations in the context of a message; its text has been noted."""
    context = field(message, "context")
    sources = [
        CitedSource(
            id=text_field(citation, "filepath"),
            url=text_field(citation, "url"),
            title=text_field(citation, "title"),
            text=text_field(citation, "content"),
        )
        for citation in items(context, "citations")
    ]
    if context is not None:
        _cite(draft, _DOC, [f"doc{number}" for number in range(1, len(sources) + 1)], sources)


def _cite(
    draft: Draft,
    style: "str | re.Pattern[str]",
    labels: Sequence[str],
    sources: Sequence[CitedSource],
) -> None:
    """Note a citation for each marker in the text."""
    part: Part = draft.whole()
    known = dict(zip(labels, sources, strict=True))
    marked = read_markers(part.text, References(tuple(known), ("",) * len(known)), style)
    for marker in marked.markers:
        cited = []
        for label in marker.labels:
            id_ = marked.ids.get(label)
            unknown = CitedSource(id=f"[{label}]", exists=False)
            cited.append(unknown if id_ is None else known[id_])
        draft.cite("number", Place(marker.start, marker.end), tuple(cited))
