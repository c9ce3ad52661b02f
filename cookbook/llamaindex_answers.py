"""A cited answer with LlamaIndex's structured output, from any endpoint of OpenAI's protocol.

    pip install groundtypes llama-index-core llama-index-llms-openai-like
    python cookbook/llamaindex_answers.py --base-url http://127.0.0.1:8115/v1 --model local

`structured_predict` validates the answer itself, without a context: `grounded_in` gives it the
retrieved nodes. LlamaIndex does not ask again by itself; a loop sends the faults back.
"""

import argparse
import os

from llama_index.core.prompts import PromptTemplate
from llama_index.core.schema import TextNode
from llama_index.core.types import PydanticProgramMode
from llama_index.llms.openai_like import OpenAILike
from pydantic import ValidationError

from groundtypes import Grounded, Quote, grounded_in

NODES = [
    TextNode(text="The Eiffel Tower was finished in March 1889.", id_="almanac"),
    TextNode(text="The tower is 330 metres tall.", id_="guide"),
]
QUESTION = "When was the tower finished?"
PROMPT = PromptTemplate("{texts}\n\n{question}\n{faults}")


class Answer(Grounded):
    """The answer to the question, and the words that prove it."""

    answer: str
    quote: Quote


def main() -> int:
    """Ask one question; return 1 when no answer came whose quote is real."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", default=os.environ.get("GROUNDTYPES_LLM_BASE_URL"))
    parser.add_argument("--model", default=os.environ.get("GROUNDTYPES_LLM_MODEL", "local"))
    options = parser.parse_args()
    llm = OpenAILike(
        model=options.model,
        api_base=options.base_url,
        api_key=os.environ.get("OPENAI_API_KEY", "-"),
        is_chat_model=True,
        # With tool calls LlamaIndex makes a ValueError of every error, also of missing references.
        pydantic_program_mode=PydanticProgramMode.LLM,
    )
    texts = "\n".join(f"[{node.node_id}] {node.text}" for node in NODES)
    faults = ""
    with grounded_in(NODES, question=QUESTION):
        for _ in range(3):
            try:
                answer = llm.structured_predict(
                    Answer, PROMPT, texts=texts, question=QUESTION, faults=faults
                )
            except ValidationError as error:
                faults = "\n".join(fault["msg"] for fault in error.errors())
                print(f"sent back  {faults}")
            else:
                print(f"answer     {answer.answer}")
                print(f"quote      {answer.quote!s}  [{answer.quote.span.reference}]")
                return 0
    print("no answer")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
