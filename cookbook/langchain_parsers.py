"""Cited answers with LangChain, in three ways, from any endpoint that speaks the OpenAI protocol.

    pip install groundtypes langchain-openai langchain-classic
    python cookbook/langchain_parsers.py --base-url http://127.0.0.1:8115/v1 --model local

LangChain has no validation context: `grounded_in` gives the retrieved documents to whatever it
validates.

- `structured`: `with_structured_output(include_raw=True)`, and a loop that sends the faults back.
- `parser`: a chain that ends in `PydanticOutputParser`; a faulty answer is an error.
- `retry`: `RetryWithErrorOutputParser`, which sends the faults back by itself.
"""

import argparse
import os
from typing import Any

from langchain_classic.output_parsers import RetryWithErrorOutputParser
from langchain_core.documents import Document
from langchain_core.exceptions import OutputParserException
from langchain_core.messages import HumanMessage
from langchain_core.output_parsers import PydanticOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_openai import ChatOpenAI
from pydantic import ValidationError

from groundtypes import Grounded, Quote, grounded_in

DOCUMENTS = [
    Document("The Eiffel Tower was finished in March 1889.", metadata={"page": 4}, id="almanac"),
    Document("The tower is 330 metres tall.", metadata={"page": 17}, id="guide"),
]
QUESTION = "When was the tower finished?"


class Answer(Grounded):
    """The answer to the question, and the words that prove it."""

    answer: str
    quote: Quote


PROMPT = ChatPromptTemplate.from_messages(
    [("human", "{texts}\n\n{question}\nCopy the words that prove your answer.\n{instructions}")]
)


def variables(instructions: str = "") -> dict[str, str]:
    """Return what fills the prompt."""
    texts = "\n".join(f"[{document.id}] {document.page_content}" for document in DOCUMENTS)
    return {"texts": texts, "question": QUESTION, "instructions": instructions}


def structured(llm: ChatOpenAI) -> Answer | None:
    """Ask by a tool call; send the faults back up to two times."""
    model = llm.with_structured_output(Answer, method="function_calling", include_raw=True)
    messages: list[Any] = PROMPT.invoke(variables()).to_messages()
    for _ in range(3):
        reply: Any = model.invoke(messages)
        error = reply["parsing_error"]
        if error is None:
            answer: Answer | None = reply["parsed"]
            return answer
        if not isinstance(error, ValidationError):
            raise error
        faults = "\n".join(fault["msg"] for fault in error.errors())
        print(f"sent back  {faults}")
        messages.append(HumanMessage(f"Your answer was {reply['raw'].tool_calls}.\n{faults}"))
    return None


def parser(llm: ChatOpenAI) -> Answer | None:
    """Ask for JSON in the text, once."""
    parsed = PydanticOutputParser(pydantic_object=Answer)
    chain = PROMPT | llm | parsed
    try:
        answer: Answer = chain.invoke(variables(parsed.get_format_instructions()))
    except OutputParserException as error:
        print(f"at fault   {error}")
        return None
    return answer


def retry(llm: ChatOpenAI) -> Answer | None:
    """Ask for JSON in the text; the parser sends the faults back up to two times."""
    parsed = PydanticOutputParser(pydantic_object=Answer)
    retrying = RetryWithErrorOutputParser.from_llm(llm=llm, parser=parsed, max_retries=2)
    prompt = PROMPT.invoke(variables(parsed.get_format_instructions()))
    reply = llm.invoke(prompt)
    try:
        answer: Answer = retrying.parse_with_prompt(str(reply.content), prompt)
    except OutputParserException:
        return None
    return answer


def main() -> int:
    """Ask one question; return 1 when no answer came whose quote is real."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--base-url", default=os.environ.get("GROUNDTYPES_LLM_BASE_URL"))
    options.add_argument("--model", default=os.environ.get("GROUNDTYPES_LLM_MODEL", "local"))
    ways = {"structured": structured, "parser": parser, "retry": retry}
    options.add_argument("--way", choices=ways, default="structured")
    chosen = options.parse_args()
    llm = ChatOpenAI(
        base_url=chosen.base_url,
        model=chosen.model,
        api_key=lambda: os.environ.get("OPENAI_API_KEY", "-"),
        temperature=0,
    )
    with grounded_in(DOCUMENTS, question=QUESTION):
        answer = ways[chosen.way](llm)
    if answer is None:
        print("no answer")
        return 1
    metadata = {document.id: document.metadata for document in DOCUMENTS}
    print(f"answer     {answer.answer}")
    span = answer.quote.span
    print(
        f"quote      {answer.quote!s}  [{span.reference}, page {metadata[span.reference]['page']}]"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
