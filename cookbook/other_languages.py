"""Answers in several languages: what the model cannot read goes to people instead.

    pip install 'groundtypes[nli]'
    python cookbook/other_languages.py

The bundled model reads English. A statement in another language is a mistake, and neither
supported nor unsupported; an engine for more languages is one argument away.
"""

from typing import Annotated

from groundtypes import Entailed, Grounded, LanguageError, audit

REFERENCES = {"rules": "Dogs are not allowed in the tower. The ticket costs 4 euros."}


class Answer(Grounded):
    """The answer for the visitor."""

    text: Annotated[str, Entailed()]


ANSWERS = [
    "The ticket costs 4 euros.",
    "Dogs are allowed in the tower.",
    "Hunde sind im Turm erlaubt.",
    "塔に犬を連れて入ることができます。",
    "4 euros",
]


def main() -> None:
    """Judge each answer, and say which ones a person must read."""
    # A model that reads more is named in the context, with its languages: TransformersNLI of a hub
    # takes them as `languages`.
    for answer in ANSWERS:
        try:
            report = audit(Answer, {"text": answer}, context={"references": REFERENCES})
        except LanguageError as error:
            print(f"for people: {answer} ({str(error).split(':')[0]})")
        else:
            print(f"{'supported' if report.ok else 'not supported'}: {answer}")


if __name__ == "__main__":
    main()
