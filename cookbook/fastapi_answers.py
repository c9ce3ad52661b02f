"""A FastAPI application whose requests and responses must be grounded in stored documents.

    pip install groundtypes fastapi uvicorn
    uvicorn --app-dir cookbook fastapi_answers:app

FastAPI validates bodies and responses without a context. A dependency that yields inside of
`grounded_in` gives them the documents that the path names: it is entered before the body is
validated. It has to be `async def`, because FastAPI runs other generators in threads of their own,
whose context variables end there.
"""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import ResponseValidationError
from fastapi.responses import JSONResponse

from groundtypes import Grounded, Quote, grounded_in
from groundtypes.rounds.grounding import Grounding

LIBRARY = {
    "tower": {"almanac": "The Eiffel Tower was finished in March 1889."},
    "bridge": {"chronicle": "Tolls on the bridge were lifted in 1988."},
}
app = FastAPI()


class Answer(Grounded):
    """An answer and the words that prove it."""

    answer: str
    quote: Quote


async def documents(subject: str) -> AsyncIterator[Grounding]:
    """Give the documents of a subject to everything that this request validates."""
    if subject not in LIBRARY:
        raise HTTPException(404, f"There are no documents on {subject!r}.")
    async with grounded_in(LIBRARY[subject]) as grounding:
        yield grounding


@app.post("/{subject}/answers")
def check(answer: Answer, grounding: Annotated[Grounding, Depends(documents)]) -> dict[str, object]:
    """Take an answer that somebody else has written; a false quote is a 422 with our message."""
    span = answer.quote.span
    return {
        "reference": span.reference,
        "before": grounding.references[span.reference].text[: span.start],
    }


@app.get("/{subject}/answers", dependencies=[Depends(documents)], response_model=Answer)
async def ask(subject: str, *, careless: bool = False) -> dict[str, str]:
    """Answer; a response whose quote is false is never sent."""
    text = next(iter(LIBRARY[subject].values()))
    return {"answer": "So it is.", "quote": text.replace("8", "9") if careless else text}


@app.exception_handler(ResponseValidationError)
async def not_grounded(_request: Request, error: ResponseValidationError) -> JSONResponse:
    """Say that the answer was at fault, not the request."""
    return JSONResponse({"detail": [fault["type"] for fault in error.errors()]}, status_code=502)
