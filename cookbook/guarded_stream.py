"""A stream of text in which every sentence is judged before it is shown.

    pip install 'groundtypes[nli]'
    python cookbook/guarded_stream.py

`tokens` stands for the stream of any client; how its chunks become text is on the page
"Streams". The second sentence is false, and so is a figure in the list.
"""

import time
from collections.abc import Iterator

from pydantic import ValidationError

from groundtypes import guard

REFERENCES = {
    "almanac": "The Eiffel Tower was finished in March 1889, after two years of work.",
    "guide": "The tower is 330 metres tall. It is repainted every seven years, by hand. "
    "The lifts climb to the second floor and to the top.",
}
ANSWER = """The Eiffel Tower was finished in March 1889. It was sold to a dealer in scrap metal. \
Here is what a visitor should know:

- The tower is repainted every seven years.
- The tower is 350 metres tall.
- The lifts climb to the top.
"""


def tokens() -> Iterator[str]:
    """Yield the answer as a model writes it."""
    for start in range(0, len(ANSWER), 4):
        time.sleep(0.002)
        yield ANSWER[start : start + 4]


def main() -> None:
    """Show the answer with marks, without what is false, and until the first false sentence."""
    marked = guard(tokens(), REFERENCES)
    for text in marked:
        print(text, end="", flush=True)
    for sentence in marked.audit.sentences:
        for fault in sentence.faults:
            print(f"at {sentence.start}-{sentence.end}: {fault.slug}")

    print("\nWithout what fails:", "".join(guard(tokens(), REFERENCES, on_fault="drop")), sep="\n")

    print("Until something fails:")
    try:
        for text in guard(tokens(), REFERENCES, on_fault="stop"):
            print(text, end="", flush=True)
    except ValidationError as error:
        print(f" [stopped: {error.errors()[0]['type']}]")


if __name__ == "__main__":
    main()
