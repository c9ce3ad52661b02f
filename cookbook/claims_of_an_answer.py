"""Which claims of a RAG answer do its references support?

    pip install 'groundtypes[instructor]'
    python cookbook/claims_of_an_answer.py --base-url http://127.0.0.1:8115/v1 --model local

An LLM splits the answer into claims and labels each of them, in one call; with `--nli` it only
extracts them, and the bundled NLI model labels them (`pip install 'groundtypes[nli]'`).
`research/notes/local-llm.md` says how to run a small model on this machine.
"""

import argparse
import os
from typing import Annotated

import instructor
import openai

from groundtypes import Grounded, Judges, Supported, audit
from groundtypes.backends.llm import Budget, InstructorLLM
from groundtypes.backends.nli_onnx import OnnxNLI

REFERENCES = {
    "leaflet": (
        "The common side effects of ibuprofen are headaches, dizziness and nausea. Difficulty "
        "breathing is not a common side effect; see a doctor at once if it occurs."
    ),
    "label": "Adults take one or two tablets of 200 mg, up to three times a day, with food.",
}
QUESTION = "What are the common side effects of ibuprofen?"
ANSWER = (
    "Common side effects of ibuprofen are nausea and dizziness. It is taken with food, "
    "up to five times a day."
)


class Answer(Grounded):
    """An answer whose every claim the references must support."""

    text: Annotated[str, Supported()]


def main() -> int:
    """Judge one answer; return 1 when a claim is not borne out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", default=os.environ.get("GROUNDTYPES_LLM_BASE_URL"))
    parser.add_argument("--model", default=os.environ.get("GROUNDTYPES_LLM_MODEL", "local"))
    parser.add_argument("--nli", action="store_true", help="label claims with the NLI model")
    parser.add_argument("--answer", default=ANSWER)
    options = parser.parse_args()
    endpoint = openai.OpenAI(
        base_url=options.base_url, api_key=os.environ.get("OPENAI_API_KEY", "-")
    )
    with endpoint:
        llm = InstructorLLM(
            endpoint,
            options.model,
            mode=instructor.Mode.JSON_SCHEMA,
            timeout=300,
            budget=Budget(calls=20),
            options={"temperature": 0},
        )
        judges = Judges(llm=llm, checker=OnnxNLI() if options.nli else None)
        context = {"references": REFERENCES, "question": QUESTION, "judges": judges}
        report = audit(Answer, {"text": options.answer}, context=context)
    for verdict in report.verdicts:
        where = verdict.span.reference if verdict.span else "nowhere"
        print(f"{verdict.label:<14} {verdict.reason}  [{where}]")
    usage = llm.usage
    print(f"{usage.calls} calls, {usage.tokens_in} tokens read, {usage.tokens_out} written")
    return 0 if report.ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
