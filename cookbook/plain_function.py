"""Plain functions whose arguments and results are validated, without a context.

    pip install groundtypes
    python cookbook/plain_function.py

`validate_call` of Pydantic validates the arguments and the result of any function, and so do
parsers deep in a program. `grounded_in` gives them the references, and `wrap` takes these to the
threads of a pool.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

from pydantic import ValidationError, validate_call

from groundtypes import Grounded, Quote, Quoted, grounded_in

REFERENCES = {
    "almanac": "The Eiffel Tower was finished in March 1889.",
    "guide": "The tower is 330 metres tall.",
}
REPLIES = [
    '{"answer": "In 1889.", "quote": "finished in March 1889"}',
    '{"answer": "330 metres.", "quote": "The tower is 303 metres tall"}',
    '{"answer": "Very tall.", "quote": "is 330 metres tall"}',
]


class Answer(Grounded):
    """An answer and the words that prove it."""

    answer: str
    quote: Quote


def read(reply: str) -> str:
    """Return what is shown of a reply; it knows nothing of references."""
    try:
        answer = Answer.model_validate_json(reply)
    except ValidationError as error:
        return f"rejected: {error.errors()[0]['msg']}"
    return f"{answer.answer} [{answer.quote.span.reference}]"


@validate_call(validate_return=True)
def shorten(quote: Annotated[str, Quoted()], words: int, end: str = "") -> Annotated[str, Quoted()]:
    """Return the first words of a quote, which are a quote themselves if nothing is added."""
    return " ".join(quote.split()[:words]) + end


def main() -> None:
    """Read some replies, first one after the other, then in threads."""
    with grounded_in(REFERENCES) as grounding:
        one_by_one = [read(reply) for reply in REPLIES]

        def read_in_thread(reply: str) -> str:
            with grounding:  # such a thread starts without the block around
                return read(reply)

        with ThreadPoolExecutor() as pool:
            in_threads = list(pool.map(read_in_thread, REPLIES))
        print(*one_by_one, sep="\n")
        print(f"The same in threads: {one_by_one == in_threads}")
        print(f"shortened: {shorten('finished in March 1889', 3)}")
        for arguments in (("finished in March 1899", 3), ("finished in March 1889", 3, " 1899")):
            try:
                shorten(*arguments)
            except ValidationError as error:
                [fault] = error.errors()
                print(f"{fault['type']} at {fault['loc']}")


if __name__ == "__main__":
    main()
