"""The tools that the quote benchmarks compare with, each configured as its users would.

A peer takes a quote and a text, and returns the passage that it accepts, or `None`. Peers that
are not installed are skipped: `pip install --group benchmarks`.
"""

from collections.abc import Callable
from typing import Any

Peer = Callable[[str, str], str | None]

__all__ = ["Peer", "peers"]


def _substring(quote: str, text: str) -> str | None:
    return quote if quote in text else None


def _rapidfuzz() -> Peer:
    from rapidfuzz.fuzz import partial_ratio_alignment  # noqa: PLC0415 # only where it is measured

    def find(quote: str, text: str) -> str | None:
        found = partial_ratio_alignment(quote, text, score_cutoff=90)
        return text[found.dest_start : found.dest_end] if found else None

    return find


def _fuzzysearch() -> Peer:
    from fuzzysearch import find_near_matches  # noqa: PLC0415 # only where it is measured

    def find(quote: str, text: str) -> str | None:
        # One edit per twenty characters: a typo, and one or two quotation marks.
        matches = find_near_matches(quote, text, max_l_dist=max(1, len(quote) // 20))
        best = min(matches, key=lambda match: match.dist, default=None)
        return str(best.matched) if best else None

    return find


def _fuzzy_regex() -> Peer:
    import regex  # noqa: PLC0415 # only where it is measured

    def find(quote: str, text: str) -> str | None:
        # As instructor's mixin does: try up to five edits, one more each time.
        for edits in range(6):
            match = regex.search(f"(?:{regex.escape(quote)}){{e<={edits}}}", text)
            if match:
                return str(match.group())
        return None

    return find


def _citation_mixin() -> Peer:
    from instructor.dsl import CitationMixin  # noqa: PLC0415 # only where it is measured
    from pydantic import create_model  # noqa: PLC0415 # the same

    model: Any = create_model("Cited", __base__=CitationMixin)

    def find(quote: str, text: str) -> str | None:
        validated = model.model_validate({"substring_quotes": [quote]}, context={"context": text})
        return validated.substring_quotes[0] if validated.substring_quotes else None

    return find


def _langextract() -> Peer:
    from langextract.data import Extraction  # noqa: PLC0415 # only where it is measured
    from langextract.resolver import WordAligner  # noqa: PLC0415 # the same

    aligner = WordAligner()

    def find(quote: str, text: str) -> str | None:
        ((extraction,),) = aligner.align_extractions([[Extraction("quote", quote)]], text)
        span = extraction.char_interval
        return text[span.start_pos : span.end_pos] if span else None

    return find


def _citations() -> Peer:
    from citations import resolve_in  # noqa: PLC0415 # only where it is measured

    def find(quote: str, text: str) -> str | None:
        citations = resolve_in(quote, text)
        return quote if citations.count else None

    return find


_MAKERS: dict[str, Callable[[], Peer]] = {
    "substring": lambda: _substring,
    "rapidfuzz": _rapidfuzz,
    "fuzzysearch": _fuzzysearch,
    "fuzzy regex": _fuzzy_regex,
    "CitationMixin": _citation_mixin,
    "langextract": _langextract,
    "citations": _citations,
}


def peers(*names: str) -> dict[str, Peer]:
    """Return the peers of these names that are installed; all of them without names."""
    installed: dict[str, Peer] = {}
    for name in names or _MAKERS:
        try:
            installed[name] = _MAKERS[name]()
        except ImportError:
            print(f"{name} is not installed and is skipped")
    return installed
