"""The marks between private characters by which OpenAI's models cite.

The API puts annotations in their place; without its tools, or from a model with open weights, they
stay in the text. "turn0search1" is the second result of a search. Which lines are cited is not
compared, because the tool that found them numbers them.
https://developers.openai.com/api/docs/guides/citation-formatting
"""

import re
from bisect import bisect_left, bisect_right
from typing import Final

from groundtypes.citations.markers.styles import TOKEN, token_names
from groundtypes.citations.providers.parts import Draft, Place
from groundtypes.citations.providers.provider_answer import CitedSource, ProviderAnswer
from groundtypes.errors import CitationsError
from groundtypes.text.message_excerpts import clip

#: The kinds of marks that cite; the others are lists of links, images and the like.
_KINDS: Final = ("cite", "filecite")
_RESULT: Final = re.compile(r"(?P<list>turn[0-9]{1,4}[a-z]{1,20})(?P<position>[0-9]{1,4})")


def read_private_marks(draft: Draft) -> None:
    """Note the marks in the text of an answer that are at no annotation."""
    text = draft.text
    placed = [citation for citation in draft.citations if citation.is_placed]
    starts = sorted(citation.start for citation in placed)
    ends = sorted(citation.end for citation in placed)
    tokens = [
        token
        for token in TOKEN.finditer(text)
        if token["kind"] in _KINDS
        and bisect_right(starts, token.end()) <= bisect_left(ends, token.start())
    ]
    named = [token_names(token) for token in tokens]
    results = [_RESULT.fullmatch(name) for names in named for name in names]
    # Only of one list it is known that the documents of the request are in its order.
    is_one_list = len({result and result["list"] for result in results}) == 1
    for token, names in zip(tokens, named, strict=True):
        sources = (_source(name, is_one_list=is_one_list) for name in names)
        draft.cite(token["kind"], Place(*token.span()), tuple(sources))


def _source(name: str, *, is_one_list: bool) -> CitedSource:
    result = _RESULT.fullmatch(name) if is_one_list else None
    return CitedSource(id=name, index=int(result["position"]) if result else None)


def check_private_marks(answer: ProviderAnswer) -> None:
    """Check that it is known what the marks of an answer name.

    Raises:
        CitationsError: They name results, and no document is called so or has their position.
    """
    marks = [citation for citation in answer.citations if citation.kind in _KINDS]
    if not marks or any(citation.references for citation in marks):
        return
    names = [source.id or "" for citation in marks for source in citation.sources]
    is_unclear = any(
        source.index is None and _RESULT.fullmatch(source.id or "")
        for citation in marks
        for source in citation.sources
    )
    if is_unclear or not answer.references:
        name = clip(names[0], 60) if names else "turn0search0"
        raise CitationsError(
            f"The answer cites {name!r} by a mark of OpenAI's, and no document is called so. Pass "
            f"the documents under these names, as references={{{name!r}: ...}}."
        )
