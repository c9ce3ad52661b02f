"""Each shape of a provider is read into one shape, from objects of its SDK and from plain data."""

import json
from typing import Any

import pytest
from anthropic.types import Message
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage
from openai.types.chat import ChatCompletion
from openai.types.responses import Response, ResponseOutputMessage
from pydantic_ai.messages import ModelResponse, TextPart

from groundtypes.citations import read_answer, request_documents
from groundtypes.errors import CitationsError
from tests.citations.providers import shapes

MESSAGES = {
    name: getattr(shapes, name) for name in vars(shapes) if name[0] != "_" and name.isupper()
}
#: The marked words of each citation, with the ids of what it cites.
Marked = list[tuple[str, tuple[str, ...]]]


def marked(message: Any, references: Any = None) -> Marked:
    answer = read_answer(message, references)
    return [
        (answer.text[citation.start : citation.end], citation.references)
        for citation in answer.citations
    ]


WIKIPEDIA = "https://en.wikipedia.org/wiki/Claude_Shannon"
READ: dict[str, Marked] = {
    "ANTHROPIC_CHAR": [
        ("the grass is green", ("My Document",)),
        ("the sky is blue", ("My Document #2",)),
    ],
    "ANTHROPIC_PAGE": [("Water is essential for life.", ("PDF Document",))],
    "ANTHROPIC_BLOCKS": [("These are important findings.", ("Custom Content Document",))],
    "ANTHROPIC_SEARCH_RESULT": [
        (
            "you include an API key in the Authorization header",
            ("https://docs.company.com/api-reference",),
        )
    ],
    "ANTHROPIC_WEB": [
        ("Claude Shannon was born on April 30, 1916, in Petoskey, Michigan", (WIKIPEDIA,))
    ],
    "RESPONSES_WEB": [("([example.org](https://example.org/bridge?utm_source=openai))", ())],
    "RESPONSES_FILE": [
        ("", ("file-2dtbBZdjtDKS8eqWxqbgDi",)),
        ("", ("file-2dtbBZdjtDKS8eqWxqbgDi",)),
    ],
    "RESPONSES_CONTAINER": [("[cat](sandbox:/mnt/data/cat.png)", ())],
    "CHAT_COMPLETION": [("The bridge was opened to traffic in March 1932.", ())],
    "GEMINI_WEB": [
        ("Spain won Euro 2024, defeating England 2-1 in the final.", ()),
        ("This victory marks Spain's record fourth European Championship title.", ()),
    ],
    "GEMINI_RETRIEVED": [
        ("Zürich fährt stündlich.", ("Fahrplan",)),
        ("Die Fahrt dauert 48 Minuten.", ("Fahrplan #2",)),
    ],
    "GEMINI_PAGES": [("It is 12.5 metres wide.", ("report.pdf",))],
    "VERTEX_RAG": [("The bridge is 503 m long.", ("gs://reports/bridge.pdf",))],
    "PERPLEXITY": [
        ("[1]", ("https://example.org/bridge",)),
        ("[2]", ("https://example.com/length",)),
        ("[1]", ("https://example.org/bridge",)),
    ],
    "BEDROCK_CONVERSE": [
        ("It was opened in 1932.", ("history",)),
        ("It is 12.5 metres wide.", ("report",)),
        ("It is 12.5 metres wide.", ("https://bridges.example/1",)),
    ],
    "BEDROCK_KNOWLEDGE_BASE": [
        ("The café opens at nine.", ("s3://hours/cafe.md",)),
        ("It closes at five.", ("closing",)),
    ],
    # Mistral has keys alone, and a page only its address.
    "MISTRAL_CHAT": [("", ()), ("", ())],
    "MISTRAL_CONVERSATION": [("", ())],
    "VERTEX_SEARCH": [
        ("Zürich hat Züge.", ("projects/1/documents/a",)),
        ("Sie fahren stündlich.", ("projects/1/documents/b", "projects/1/documents/a")),
    ],
    "PRIVATE_MARKS": [
        ("\ue200cite\ue202turn0search1\ue201", ()),
        ("\ue200cite\ue202turn0search0\ue202turn0search1\ue202L8-L13\ue201", ()),
    ],
    "COHERE_DOCUMENTS": [("Emperor penguins.", ("doc:0",)), ("Antarctica.", ("doc:1",))],
    "COHERE_TOOLS": [
        ("24°C", ("get_weather_14brd1n2kfqj:0",)),
        ("28°C", ("get_weather_vdr9cvj619fk:0",)),
    ],
}


@pytest.mark.parametrize("name", MESSAGES)
def test_each_shape_is_read_from_data_json_and_objects(name: str) -> None:
    message = MESSAGES[name]
    assert marked(message) == READ[name]
    assert marked(json.dumps(message)) == READ[name]
    assert marked(json.dumps(message).encode()) == READ[name]
    if not name.startswith("COHERE"):  # whose documents are plain data in its SDK, too
        assert marked(shapes.as_objects(message)) == READ[name]


@pytest.mark.parametrize("name", MESSAGES)
def test_the_answer_is_all_text_of_the_message_and_no_more(name: str) -> None:
    texts = {
        "ANTHROPIC_CHAR": "According to the document, the grass is green and the sky is blue.",
        "ANTHROPIC_WEB": "I'll search for when Claude Shannon was born.\n\nBased on the search "
        "results, Claude Shannon was born on April 30, 1916, in Petoskey, Michigan",
        "BEDROCK_CONVERSE": "Here you are:\n\nIt was opened in 1932. It is 12.5 metres wide.",
        "MISTRAL_CHAT": "The bridge opened in 1932. It is 503 metres long.",
        "MISTRAL_CONVERSATION": "The bridge opened in 1932.",
        "GEMINI_RETRIEVED": "Der Zug nach Zürich fährt stündlich. Die Fahrt dauert 48 Minuten.",
        "COHERE_TOOLS": "It is currently 24°C in Madrid and 28°C in Brasilia.",
    }
    answer = read_answer(MESSAGES[name])
    assert answer.text == texts.get(name, answer.text)
    assert all(0 <= each.start <= each.end <= len(answer.text) for each in answer.citations)
    assert all(each.place_fault is None for each in answer.citations)


def test_objects_of_the_sdks_are_read() -> None:
    assert marked(Message.model_construct(**shapes.ANTHROPIC_CHAR)) == READ["ANTHROPIC_CHAR"]
    typed = Message.model_validate(
        {**shapes.ANTHROPIC_CHAR, "usage": {"input_tokens": 1, "output_tokens": 1}}
    )
    assert type(typed.content[0]).__name__ == "TextBlock"
    assert marked(typed) == READ["ANTHROPIC_CHAR"]
    assert marked(typed.content) == READ["ANTHROPIC_CHAR"]
    web = Response.construct(**shapes.RESPONSES_WEB)
    assert marked(web) == READ["RESPONSES_WEB"]
    assert marked(web.output) == READ["RESPONSES_WEB"]
    container = ResponseOutputMessage.model_validate(shapes.RESPONSES_CONTAINER)
    assert marked(container) == READ["RESPONSES_CONTAINER"]
    chat = ChatCompletion.construct(**shapes.CHAT_COMPLETION)
    assert marked(chat) == READ["CHAT_COMPLETION"]
    assert marked(chat.choices[0].message) == READ["CHAT_COMPLETION"]


def test_the_fields_of_anthropic_are_kept() -> None:
    [first, second] = read_answer(shapes.ANTHROPIC_CHAR).citations
    assert (first.kind, first.cited_text) == ("char_location", "The grass is green. ")
    assert (second.source_start, second.source_end) == (20, 36)
    [page] = read_answer(shapes.ANTHROPIC_PAGE).citations
    assert page.pages == (5, 6)
    assert page.sources[0].index == 1
    [block] = read_answer(shapes.ANTHROPIC_BLOCKS).citations
    assert block.blocks == (1, 2)


def langchain(message: dict[str, Any], provider: str) -> AIMessage:
    return AIMessage(message["content"], response_metadata={"model_provider": provider})


@pytest.mark.parametrize(
    "name", ["ANTHROPIC_CHAR", "ANTHROPIC_PAGE", "ANTHROPIC_BLOCKS", "ANTHROPIC_SEARCH_RESULT"]
)
def test_a_message_of_langchain_has_the_same_citations_as_that_of_anthropic(name: str) -> None:
    message = langchain(MESSAGES[name], "anthropic")
    [*expected] = read_answer(MESSAGES[name]).citations
    assert list(read_answer(message).citations) == expected
    assert list(read_answer(dumpd(message)).citations) == expected
    assert list(read_answer(message.model_dump()).citations) == expected


@pytest.mark.parametrize("name", ["RESPONSES_WEB", "RESPONSES_FILE", "RESPONSES_CONTAINER"])
def test_a_message_of_langchain_has_the_same_marks_as_that_of_openai(name: str) -> None:
    data = MESSAGES[name]
    content = data.get("output", [data])[-1]["content"]
    # langchain-openai calls the blocks `text`.
    blocks: list[str | dict[Any, Any]] = [{**block, "type": "text"} for block in content]
    message = AIMessage(blocks, response_metadata={"model_provider": "openai"})
    expected = [words for words, _ in READ[name]]
    assert [words for words, _ in marked(message)] == expected


def test_a_message_of_langchain_has_the_grounding_of_gemini() -> None:
    candidate = shapes.GEMINI_WEB["candidates"][0]
    grounding = {
        "grounding_chunks": candidate["groundingMetadata"]["groundingChunks"],
        "grounding_supports": [
            {
                "segment": {
                    "start_index": support["segment"].get("startIndex", 0),
                    "end_index": support["segment"]["endIndex"],
                    "text": support["segment"]["text"],
                },
                "grounding_chunk_indices": support["groundingChunkIndices"],
            }
            for support in candidate["groundingMetadata"]["groundingSupports"]
        ],
    }
    text = candidate["content"]["parts"][0]["text"]
    metadata = {"model_provider": "google_genai", "grounding_metadata": grounding}
    message = AIMessage(text, response_metadata=metadata)
    assert marked(message) == READ["GEMINI_WEB"]


def test_a_message_of_langchain_has_the_citations_of_cohere() -> None:
    inner = shapes.COHERE_DOCUMENTS["message"]
    message = AIMessage(
        inner["content"][0]["text"], additional_kwargs={"citations": inner["citations"]}
    )
    assert marked(message) == READ["COHERE_DOCUMENTS"]
    # Version 1 of the API, as langchain-cohere has it: ids, and the documents beside them.
    first = AIMessage(
        "The tallest penguins are the Emperor penguins.",
        additional_kwargs={
            "documents": [{"id": "doc_0", "snippet": "Emperor penguins are the tallest."}],
            "citations": [
                {"start": 29, "end": 45, "text": "Emperor penguins", "document_ids": ["doc_0"]}
            ],
        },
    )
    assert marked(first) == [("Emperor penguins", ("doc_0",))]
    assert read_answer(first).references["doc_0"].text == "Emperor penguins are the tallest."


def test_a_response_of_pydantic_ai_has_the_annotations() -> None:
    block = shapes.RESPONSES_WEB["output"][1]["content"][0]
    part = TextPart(
        block["text"],
        provider_name="openai",
        provider_details={"annotations": block["annotations"]},
    )
    response = ModelResponse(parts=[part])
    assert marked(response) == READ["RESPONSES_WEB"]
    assert marked([ModelResponse(parts=[TextPart("Earlier.")]), response]) == READ["RESPONSES_WEB"]


def test_a_source_is_found_by_id_address_title_metadata_or_position() -> None:
    web = shapes.RESPONSES_WEB
    words = READ["RESPONSES_WEB"][0][0]
    documents: list[Any] = [
        {"https://example.org/bridge": "The bridge was opened in 1932."},
        {"The Bridge": "The bridge was opened in 1932."},
        [{"id": "b", "text": "It.", "metadata": {"source": "http://www.example.org/bridge/"}}],
    ]
    assert [marked(web, given)[0][0] for given in documents] == [words] * 3
    assert [marked(web, given)[0][1] for given in documents] == [
        ("https://example.org/bridge",),
        ("The Bridge",),
        ("b",),
    ]
    assert marked(shapes.ANTHROPIC_PAGE, ["One.", "Two."])[0][1] == ("1",)
    # The position decides where two documents have the same title.
    twins = [
        {"id": "a", "text": "One.", "metadata": {"title": "PDF Document"}},
        {"id": "b", "text": "Two.", "metadata": {"title": "PDF Document"}},
    ]
    assert marked(shapes.ANTHROPIC_PAGE, twins)[0][1] == ("b",)
    assert marked(shapes.COHERE_DOCUMENTS, ["One.", "Two."])[1][1] == ("1",)


def test_the_documents_of_a_request_are_read_in_their_order() -> None:
    request = [
        {
            "role": "user",
            "content": [
                {
                    "type": "document",
                    "source": {"type": "text", "media_type": "text/plain", "data": "It is green."},
                    "title": "Grass",
                    "citations": {"enabled": True},
                },
                {
                    "type": "document",
                    "source": {
                        "type": "base64",
                        "media_type": "application/pdf",
                        "data": "JVBERi0=",
                    },
                },
                {
                    "type": "document",
                    "source": {
                        "type": "content",
                        "content": [
                            {"type": "text", "text": "First chunk."},
                            {"type": "text", "text": "Second chunk."},
                        ],
                    },
                },
                {"type": "text", "text": "What colour is it?"},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "t",
                    "content": [
                        {
                            "type": "search_result",
                            "source": "https://example.org",
                            "title": "Colours",
                            "content": [{"type": "text", "text": "It is blue."}],
                        }
                    ],
                }
            ],
        },
    ]
    documents = request_documents(request)
    assert documents.ids == ("0", "1", "2", "search result 0")
    assert documents.texts == ("It is green.", "", "First chunk.\nSecond chunk.", "It is blue.")
    assert documents["2"].metadata == {"blocks": [0, 13]}
    given = {"title": "Colours", "source": "https://example.org", "blocks": [0]}
    assert documents["search result 0"].metadata == given
    cohere = request_documents([{"id": "a", "data": {"snippet": "It is red."}}, "It is grey."])
    assert dict(zip(cohere.ids, cohere.texts, strict=True)) == {
        "a": "It is red.",
        "1": "It is grey.",
    }
    with pytest.raises(CitationsError, match="list"):
        request_documents("It is green.")


@pytest.mark.parametrize(
    "message",
    [
        None,
        5,
        "It is tall.",
        b"\xff",
        [],
        {},
        object,
        {"content": None},
        {"content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]},
        {"choices": []},
        {"content": [{"type": "text", "text": 5}]},
    ],
    ids=repr,
)
def test_what_has_no_known_shape_is_a_mistake(message: Any) -> None:
    with pytest.raises(CitationsError, match="Pass"):
        read_answer(message)


@pytest.mark.parametrize(
    "message",
    [
        {"content": [{"type": "text", "text": "It is tall.", "citations": "many"}]},
        {"candidates": {"content": "It is tall."}},
        {"choices": 5},
    ],
    ids=repr,
)
def test_a_field_of_a_wrong_type_is_a_mistake(message: Any) -> None:
    with pytest.raises(CitationsError, match="is a list, not an object of type"):
        read_answer(message)


def test_a_message_without_citations_has_none() -> None:
    for message in (
        {"content": [{"type": "text", "text": "It is tall."}]},
        {"choices": [{"message": {"role": "assistant", "content": "It is tall."}}]},
        {"candidates": [{"content": {"parts": [{"text": "It is tall."}]}}]},
        AIMessage("It is tall."),
        ModelResponse(parts=[TextPart("It is tall.")]),
    ):
        answer = read_answer(message)
        assert (answer.text, answer.citations) == ("It is tall.", ())


def test_the_results_of_a_tool_of_the_provider_are_the_texts_of_its_sources() -> None:
    annotation = {"type": "file_citation", "file_id": "file-1", "filename": "a.pdf", "index": 10}
    parts = [
        {
            "part_kind": "builtin-tool-return",
            "tool_name": "file_search",
            "content": {"results": [{"file_id": "file-1", "text": "It is tall."}]},
        },
        {
            "part_kind": "text",
            "content": "It is tall.",
            "provider_details": {"annotations": [annotation]},
        },
    ]
    answer = read_answer({"kind": "response", "parts": parts})
    assert answer.citations[0].references == ("file-1",)
    assert answer.references["file-1"].text == "It is tall."
    result = shapes.as_objects({"response": {"kind": "response", "parts": parts}})
    assert marked(result) == [("", ("file-1",))]


def test_grounding_metadata_in_the_details_of_pydantic_ai_are_read() -> None:
    candidate = shapes.GEMINI_WEB["candidates"][0]
    response = ModelResponse(
        parts=[TextPart(candidate["content"]["parts"][0]["text"])],
        provider_details={"grounding_metadata": candidate["groundingMetadata"]},
    )
    assert marked(response) == READ["GEMINI_WEB"]


def test_a_citation_of_an_unknown_kind_is_read_by_its_common_fields() -> None:
    message = {
        "content": [
            {
                "type": "text",
                "text": "It is tall.",
                "annotations": [{"type": "video_citation", "url": "https://a.org", "second": 5}],
            }
        ]
    }
    [citation] = read_answer(message, {"a.org": "It is tall."}).citations
    assert (citation.kind, citation.references) == ("video_citation", ("a.org",))
    assert not citation.is_placed


def test_an_extract_of_a_page_that_openrouter_returns_is_its_text() -> None:
    # https://openrouter.ai/docs/features/web-search
    message = {
        "role": "assistant",
        "content": "It is tall.",
        "annotations": [
            {
                "type": "url_citation",
                "url_citation": {
                    "url": "https://a.org",
                    "title": "A",
                    "content": "It is very tall.",
                    "start_index": 0,
                    "end_index": 11,
                },
            }
        ],
    }
    answer = read_answer(message)
    assert answer.citations[0].references == ("https://a.org",)
    assert answer.references["https://a.org"].text == "It is very tall."
    assert answer.returned == {"https://a.org"}


def test_documents_of_a_tool_result_of_cohere_are_read() -> None:
    request = [
        {"role": "user", "content": "How warm is it?"},
        {
            "role": "tool",
            "tool_call_id": "t",
            "content": [
                {"type": "document", "document": {"id": "a", "data": '{"madrid": "24°C"}'}},
                {"type": "document", "document": {"data": {"snippet": "It is warm."}}},
            ],
        },
    ]
    documents = request_documents(request)
    assert dict(zip(documents.ids, documents.texts, strict=True)) == {
        "a": '{"madrid": "24°C"}',
        "1": "It is warm.",
    }


def test_search_results_are_counted_beside_the_documents() -> None:
    result = {
        "type": "search_result",
        "source": "https://docs.company.com/api-reference",
        "title": "API Reference - Authentication",
        "content": [{"type": "text", "text": "All API requests must include an API key."}],
    }
    document = {"type": "document", "source": {"type": "text", "data": "It is tall."}}
    request = [{"role": "user", "content": [document, result, document, result]}]
    # The sources have the same name, and there are as many documents: the number decides.
    assert marked(shapes.ANTHROPIC_SEARCH_RESULT, request_documents(request)) == [
        ("you include an API key in the Authorization header", ("search result 1",))
    ]


def test_reading_never_changes_the_message() -> None:
    for message in MESSAGES.values():
        before = json.dumps(message)
        read_answer(message, ["It is tall."])
        assert json.dumps(message) == before
