"""Messages in the shapes that the documentation of the providers shows, each with its page."""

from types import SimpleNamespace
from typing import Any, Final

__all__ = [
    "ANTHROPIC_BLOCKS",
    "ANTHROPIC_CHAR",
    "ANTHROPIC_PAGE",
    "ANTHROPIC_SEARCH_RESULT",
    "ANTHROPIC_WEB",
    "BEDROCK_CONVERSE",
    "BEDROCK_KNOWLEDGE_BASE",
    "CHAT_COMPLETION",
    "COHERE_DOCUMENTS",
    "COHERE_TOOLS",
    "GEMINI_PAGES",
    "GEMINI_RETRIEVED",
    "GEMINI_WEB",
    "MISTRAL_CHAT",
    "MISTRAL_CONVERSATION",
    "PERPLEXITY",
    "PRIVATE_MARKS",
    "RESPONSES_CONTAINER",
    "RESPONSES_FILE",
    "RESPONSES_WEB",
    "VERTEX_RAG",
    "VERTEX_SEARCH",
    "as_objects",
]


def as_objects(data: Any) -> Any:
    """Return plain data as objects with attributes, as SDKs return them."""
    if isinstance(data, dict):
        return SimpleNamespace(**{key: as_objects(value) for key, value in data.items()})
    return [as_objects(item) for item in data] if isinstance(data, list) else data


# https://platform.claude.com/docs/en/build-with-claude/citations (plain text documents)
ANTHROPIC_CHAR: Final[dict[str, Any]] = {
    "id": "msg_01",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-4-5",
    "content": [
        {"type": "text", "text": "According to the document, "},
        {
            "type": "text",
            "text": "the grass is green",
            "citations": [
                {
                    "type": "char_location",
                    "cited_text": "The grass is green. ",
                    "document_index": 0,
                    "document_title": "My Document",
                    "start_char_index": 0,
                    "end_char_index": 20,
                    "file_id": None,
                }
            ],
        },
        {"type": "text", "text": " and "},
        {
            "type": "text",
            "text": "the sky is blue",
            "citations": [
                {
                    "type": "char_location",
                    "cited_text": "The sky is blue.",
                    "document_index": 0,
                    "document_title": "My Document",
                    "start_char_index": 20,
                    "end_char_index": 36,
                    "file_id": None,
                }
            ],
        },
        {"type": "text", "text": "."},
    ],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 575, "output_tokens": 52},
}

# The same page: PDF files. Pages count from 1, and the end is not cited.
ANTHROPIC_PAGE: Final[dict[str, Any]] = {
    "id": "msg_02",
    "type": "message",
    "role": "assistant",
    "content": [
        {
            "type": "text",
            "text": "Water is essential for life.",
            "citations": [
                {
                    "type": "page_location",
                    "cited_text": "Water is essential for life.",
                    "document_index": 1,
                    "document_title": "PDF Document",
                    "start_page_number": 5,
                    "end_page_number": 6,
                }
            ],
        }
    ],
}

# The same page: custom content documents. Blocks count from 0, and the end is not cited.
ANTHROPIC_BLOCKS: Final[dict[str, Any]] = {
    "id": "msg_03",
    "type": "message",
    "role": "assistant",
    "content": [
        {
            "type": "text",
            "text": "These are important findings.",
            "citations": [
                {
                    "type": "content_block_location",
                    "cited_text": "These are important findings.",
                    "document_index": 0,
                    "document_title": "Custom Content Document",
                    "start_block_index": 1,
                    "end_block_index": 2,
                }
            ],
        }
    ],
}

# https://platform.claude.com/docs/en/build-with-claude/search-results
ANTHROPIC_SEARCH_RESULT: Final[dict[str, Any]] = {
    "role": "assistant",
    "content": [
        {"type": "text", "text": "To authenticate API requests, "},
        {
            "type": "text",
            "text": "you include an API key in the Authorization header",
            "citations": [
                {
                    "type": "search_result_location",
                    "source": "https://docs.company.com/api-reference",
                    "title": "API Reference - Authentication",
                    "cited_text": "All API requests must include an API key in the Authorization "
                    "header.",
                    "search_result_index": 1,
                    "start_block_index": 0,
                    "end_block_index": 1,
                }
            ],
        },
        {"type": "text", "text": "."},
    ],
}

# https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
ANTHROPIC_WEB: Final[dict[str, Any]] = {
    "role": "assistant",
    "content": [
        {"type": "text", "text": "I'll search for when Claude Shannon was born."},
        {
            "type": "server_tool_use",
            "id": "srvtoolu_01",
            "name": "web_search",
            "input": {"query": "claude shannon birth date"},
        },
        {
            "type": "web_search_tool_result",
            "tool_use_id": "srvtoolu_01",
            "content": [
                {
                    "type": "web_search_result",
                    "url": "https://en.wikipedia.org/wiki/Claude_Shannon",
                    "title": "Claude Shannon - Wikipedia",
                    "encrypted_content": "EqgfCioIARgBIiQ3YTAw",
                    "page_age": "April 30, 2025",
                }
            ],
        },
        {"type": "text", "text": "Based on the search results, ", "citations": None},
        {
            "type": "text",
            "text": "Claude Shannon was born on April 30, 1916, in Petoskey, Michigan",
            "citations": [
                {
                    "type": "web_search_result_location",
                    "url": "https://en.wikipedia.org/wiki/Claude_Shannon",
                    "title": "Claude Shannon - Wikipedia",
                    "encrypted_index": "Eo8BCioIAhgBIiQyYjQ0",
                    "cited_text": "Claude Elwood Shannon (April 30, 1916 – February 24, 2001) was "
                    "an American mathematician.",
                }
            ],
        },
    ],
}

# https://platform.openai.com/docs/guides/tools-web-search: the annotation marks the link.
_WEB_TEXT: Final = (
    "The bridge was opened to traffic in March 1932. "
    "([example.org](https://example.org/bridge?utm_source=openai)) "
    "It carries eight lanes of road traffic today."
)
RESPONSES_WEB: Final[dict[str, Any]] = {
    "id": "resp_67c9",
    "object": "response",
    "output": [
        {"type": "web_search_call", "id": "ws_67c9", "status": "completed"},
        {
            "id": "msg_67c9",
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": [
                {
                    "type": "output_text",
                    "text": _WEB_TEXT,
                    "annotations": [
                        {
                            "type": "url_citation",
                            "start_index": 48,
                            "end_index": 109,
                            "url": "https://example.org/bridge?utm_source=openai",
                            "title": "The bridge",
                        }
                    ],
                }
            ],
        },
    ],
}

# https://platform.openai.com/docs/guides/tools-file-search, with
# include=["file_search_call.results"]; `index` is a position in the text.
RESPONSES_FILE: Final[dict[str, Any]] = {
    "id": "resp_67cc",
    "object": "response",
    "output": [
        {
            "type": "file_search_call",
            "id": "fs_67cc",
            "status": "completed",
            "queries": ["What is deep research?"],
            "results": [
                {
                    "file_id": "file-2dtbBZdjtDKS8eqWxqbgDi",
                    "filename": "deep_research_blog.pdf",
                    "score": 0.95,
                    "text": "Deep research is a capability that conducts multi-step research.",
                    "attributes": {},
                },
                {
                    "file_id": "file-2dtbBZdjtDKS8eqWxqbgDi",
                    "filename": "deep_research_blog.pdf",
                    "score": 0.4,
                    "text": "It is available to subscribers.",
                    "attributes": {},
                },
            ],
        },
        {
            "id": "msg_67cc",
            "type": "message",
            "role": "assistant",
            "content": [
                {
                    "type": "output_text",
                    "text": "Deep research conducts multi-step research. Everyone may use it "
                    "without any charge.",
                    "annotations": [
                        {
                            "type": "file_citation",
                            "index": 43,
                            "file_id": "file-2dtbBZdjtDKS8eqWxqbgDi",
                            "filename": "deep_research_blog.pdf",
                        },
                        {
                            "type": "file_citation",
                            "index": 82,
                            "file_id": "file-2dtbBZdjtDKS8eqWxqbgDi",
                            "filename": "deep_research_blog.pdf",
                        },
                    ],
                }
            ],
        },
    ],
}

# https://platform.openai.com/docs/guides/tools-code-interpreter
RESPONSES_CONTAINER: Final[dict[str, Any]] = {
    "id": "msg_682d",
    "type": "message",
    "role": "assistant",
    "status": "completed",
    "content": [
        {
            "type": "output_text",
            "text": "The file is ready: [cat](sandbox:/mnt/data/cat.png)",
            "annotations": [
                {
                    "type": "container_file_citation",
                    "container_id": "cntr_682d",
                    "file_id": "cfile_682d",
                    "filename": "cat.png",
                    "start_index": 19,
                    "end_index": 51,
                }
            ],
        }
    ],
}

# https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat
CHAT_COMPLETION: Final[dict[str, Any]] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": "The bridge was opened to traffic in March 1932.",
                "refusal": None,
                "annotations": [
                    {
                        "type": "url_citation",
                        "url_citation": {
                            "start_index": 0,
                            "end_index": 47,
                            "title": "The bridge",
                            "url": "https://example.org/bridge",
                        },
                    }
                ],
            },
            "finish_reason": "stop",
        }
    ],
}

# https://ai.google.dev/gemini-api/docs/google-search: the first startIndex, 0, is left out.
GEMINI_WEB: Final[dict[str, Any]] = {
    "candidates": [
        {
            "content": {
                "parts": [
                    {
                        "text": "Spain won Euro 2024, defeating England 2-1 in the final. This "
                        "victory marks Spain's record fourth European Championship title."
                    }
                ],
                "role": "model",
            },
            "groundingMetadata": {
                "webSearchQueries": ["UEFA Euro 2024 winner", "who won euro 2024"],
                "searchEntryPoint": {"renderedContent": "<style>"},
                "groundingChunks": [
                    {"web": {"uri": "https://vertexaisearch.example/1", "title": "aljazeera.com"}},
                    {"web": {"uri": "https://vertexaisearch.example/2", "title": "uefa.com"}},
                ],
                "groundingSupports": [
                    {
                        "segment": {
                            "endIndex": 56,
                            "text": "Spain won Euro 2024, defeating England 2-1 in the final.",
                        },
                        "groundingChunkIndices": [0],
                    },
                    {
                        "segment": {
                            "startIndex": 57,
                            "endIndex": 126,
                            "text": "This victory marks Spain's record fourth European "
                            "Championship title.",
                        },
                        "groundingChunkIndices": [0, 1],
                    },
                ],
            },
        }
    ]
}

# https://ai.google.dev/gemini-api/docs/file-search
GEMINI_RETRIEVED: Final[dict[str, Any]] = {
    "candidates": [
        {
            "content": {
                "parts": [
                    {"text": "I look it up.", "thought": True},
                    {"text": "Der Zug nach Zürich fährt stündlich. "},
                    {"text": "Die Fahrt dauert 48 Minuten."},
                ],
                "role": "model",
            },
            "groundingMetadata": {
                "groundingChunks": [
                    {
                        "retrievedContext": {
                            "title": "Fahrplan",
                            "text": "Der Zug nach Zürich fährt stündlich.",
                            "fileSearchStore": "fileSearchStores/fahrplan-1",
                        }
                    },
                    {
                        "retrievedContext": {
                            "title": "Fahrplan",
                            "text": "Die Fahrt dauert 48 Minuten.",
                            "fileSearchStore": "fileSearchStores/fahrplan-1",
                        }
                    },
                ],
                "groundingSupports": [
                    {
                        "segment": {
                            "partIndex": 1,
                            "startIndex": 13,
                            "endIndex": 39,
                            "text": "Zürich fährt stündlich.",
                        },
                        "groundingChunkIndices": [0],
                    },
                    {
                        "segment": {
                            "partIndex": 2,
                            "endIndex": 28,
                            "text": "Die Fahrt dauert 48 Minuten.",
                        },
                        "groundingChunkIndices": [1],
                    },
                ],
            },
        }
    ]
}

# https://ai.google.dev/gemini-api/docs/file-search#page-numbers: the page that a chunk is on.
GEMINI_PAGES: Final[dict[str, Any]] = {
    "candidates": [
        {
            "content": {"parts": [{"text": "It is 12.5 metres wide."}], "role": "model"},
            "groundingMetadata": {
                "groundingChunks": [
                    {
                        "retrievedContext": {
                            "title": "report.pdf",
                            "text": "It is 12.5 metres wide.",
                            "pageNumber": 2,
                            "fileSearchStore": "fileSearchStores/reports-1",
                        }
                    }
                ],
                "groundingSupports": [
                    {
                        "segment": {"endIndex": 23, "text": "It is 12.5 metres wide."},
                        "groundingChunkIndices": [0],
                    }
                ],
            },
        }
    ]
}

# https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/rag-output-explained, with
# the page span of https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1beta1/
# GroundingMetadata: both ends are pages of the chunk, and count from 1.
VERTEX_RAG: Final[dict[str, Any]] = {
    "candidates": [
        {
            "content": {"parts": [{"text": "The bridge is 503 m long."}], "role": "model"},
            "groundingMetadata": {
                "groundingChunks": [
                    {
                        "retrievedContext": {
                            "uri": "gs://reports/bridge.pdf",
                            "title": "bridge.pdf",
                            "text": "The bridge is 503 m long.",
                            "ragChunk": {
                                "text": "The bridge is 503 m long.",
                                "pageSpan": {"firstPage": 1, "lastPage": 2},
                            },
                        }
                    }
                ],
                "groundingSupports": [
                    {
                        "segment": {"endIndex": 25, "text": "The bridge is 503 m long."},
                        "groundingChunkIndices": [0],
                        "confidenceScores": [0.9],
                    }
                ],
            },
            "citationMetadata": {
                "citations": [{"startIndex": 0, "endIndex": 25, "uri": "https://example.org/long"}]
            },
        }
    ]
}

# https://docs.perplexity.ai/api-reference/sonar-post
PERPLEXITY: Final[dict[str, Any]] = {
    "id": "3c90c3cc",
    "model": "sonar",
    "object": "chat.completion",
    "created": 1724369245,
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {
                "role": "assistant",
                "content": "The bridge opened in 1932[1]. It is 1,149 metres long[2][1].",
            },
        }
    ],
    "citations": ["https://example.org/bridge", "https://example.com/length"],
    "search_results": [
        {
            "title": "The bridge",
            "url": "https://example.org/bridge",
            "date": "2024-01-02",
            "snippet": "The bridge opened in 1932.",
        },
        {
            "title": "How long it is",
            "url": "https://example.com/length",
            "date": None,
            "snippet": "The bridge is 1,149 metres long.",
        },
    ],
}

# https://docs.cohere.com/docs/rag-citations
COHERE_DOCUMENTS: Final[dict[str, Any]] = {
    "id": "c14c80c3",
    "finish_reason": "COMPLETE",
    "message": {
        "role": "assistant",
        "content": [
            {
                "type": "text",
                "text": "The tallest penguins are the Emperor penguins. They only live in "
                "Antarctica.",
            }
        ],
        "citations": [
            {
                "start": 29,
                "end": 46,
                "text": "Emperor penguins.",
                "sources": [
                    {
                        "type": "document",
                        "id": "doc:0",
                        "document": {
                            "id": "doc:0",
                            "snippet": "Emperor penguins are the tallest.",
                            "title": "Tall penguins",
                        },
                    }
                ],
                "type": "TEXT_CONTENT",
            },
            {
                "start": 65,
                "end": 76,
                "text": "Antarctica.",
                "sources": [
                    {
                        "type": "document",
                        "id": "doc:1",
                        "document": {
                            "id": "doc:1",
                            "snippet": "Emperor penguins only live in Antarctica.",
                            "title": "Penguin habitats",
                        },
                    }
                ],
                "type": "TEXT_CONTENT",
            },
        ],
    },
}

# https://docs.cohere.com/docs/tool-use-citations
COHERE_TOOLS: Final[dict[str, Any]] = {
    "message": {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "I read the result of the tool."},
            {"type": "text", "text": "It is currently 24°C in Madrid and 28°C in Brasilia."},
        ],
        "citations": [
            {
                "start": 5,
                "end": 20,
                "text": "the result of t",
                "content_index": 0,
                "type": "THINKING_CONTENT",
                "sources": [{"type": "tool", "id": "get_weather_1:0", "tool_output": {}}],
            },
            {
                "start": 16,
                "end": 20,
                "text": "24°C",
                "content_index": 1,
                "type": "TEXT_CONTENT",
                "sources": [
                    {
                        "type": "tool",
                        "id": "get_weather_14brd1n2kfqj:0",
                        "tool_output": {"temperature": '{"madrid":"24°C"}'},
                    }
                ],
            },
            {
                "start": 35,
                "end": 39,
                "text": "28°C",
                "content_index": 1,
                "type": "TEXT_CONTENT",
                "sources": [
                    {
                        "type": "tool",
                        "id": "get_weather_vdr9cvj619fk:0",
                        "tool_output": {"temperature": '{"brasilia":"28°C"}'},
                    }
                ],
            },
        ],
    }
}

# https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CitationsContentBlock.html
BEDROCK_CONVERSE: Final[dict[str, Any]] = {
    "output": {
        "message": {
            "role": "assistant",
            "content": [
                {"text": "Here you are:\n\n"},
                {
                    "citationsContent": {
                        "content": [{"text": "It was opened in 1932."}],
                        "citations": [
                            {
                                "title": "history",
                                "sourceContent": [{"text": "It was opened in 1932."}],
                                "location": {
                                    "documentChar": {"documentIndex": 0, "start": 0, "end": 22}
                                },
                            }
                        ],
                    }
                },
                {"text": " "},
                {
                    "citationsContent": {
                        "content": [{"text": "It is 12.5 metres wide."}],
                        "citations": [
                            {
                                "title": "report",
                                "sourceContent": [{"text": "It is 12.5 metres wide."}],
                                "location": {
                                    "documentPage": {"documentIndex": 1, "start": 2, "end": 3}
                                },
                            },
                            {
                                "title": "bridges.example",
                                "sourceContent": [{"text": "It is 12.5 metres wide."}],
                                "location": {
                                    "web": {
                                        "url": "https://bridges.example/1",
                                        "domain": "bridges.example",
                                    }
                                },
                            },
                        ],
                    }
                },
            ],
        }
    },
    "stopReason": "end_turn",
    "usage": {"inputTokens": 9, "outputTokens": 9, "totalTokens": 18},
    "metrics": {"latencyMs": 9},
}

# https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent-runtime_RetrieveAndGenerate.html
BEDROCK_KNOWLEDGE_BASE: Final[dict[str, Any]] = {
    "sessionId": "e9e681b4",
    "output": {"text": "The café opens at nine. It closes at five. Ask us."},
    "citations": [
        {
            "generatedResponsePart": {
                "textResponsePart": {
                    "text": "The café opens at nine.",
                    "span": {"start": 0, "end": 22},
                }
            },
            "retrievedReferences": [
                {
                    "content": {"type": "TEXT", "text": "The café opens at nine."},
                    "location": {"type": "S3", "s3Location": {"uri": "s3://hours/cafe.md"}},
                    "metadata": {"x-amz-bedrock-kb-source-uri": "s3://hours/cafe.md"},
                }
            ],
        },
        {
            "generatedResponsePart": {
                "textResponsePart": {"text": "It closes at five.", "span": {"start": 24, "end": 41}}
            },
            "retrievedReferences": [
                {
                    "content": {"type": "TEXT", "text": "It closes at five."},
                    "location": {
                        "type": "CUSTOM",
                        "customDocumentLocation": {"id": "closing"},
                    },
                }
            ],
        },
        {
            "generatedResponsePart": {
                "textResponsePart": {"text": "Ask us.", "span": {"start": 43, "end": 49}}
            },
            "retrievedReferences": [],
        },
    ],
}

# https://docs.mistral.ai/studio/conversations/citations
MISTRAL_CHAT: Final[dict[str, Any]] = {
    "id": "3f1",
    "object": "chat.completion",
    "model": "mistral-large-latest",
    "created": 1733000000,
    "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "The bridge opened in 1932"},
                    {"type": "reference", "reference_ids": [0]},
                    {"type": "text", "text": ". It is 503 metres long"},
                    {"type": "reference", "reference_ids": [1, "0"]},
                    {"type": "text", "text": "."},
                ],
            },
        }
    ],
}

# The same page: what a connector of Mistral's found.
MISTRAL_CONVERSATION: Final[dict[str, Any]] = {
    "object": "conversation.response",
    "conversation_id": "conv_1",
    "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
    "outputs": [
        {"type": "tool.execution", "object": "entry", "name": "web_search", "arguments": "{}"},
        {
            "type": "message.output",
            "object": "entry",
            "role": "assistant",
            "content": [
                {"type": "text", "text": "The bridge opened in 1932"},
                {
                    "type": "tool_reference",
                    "tool": "web_search",
                    "title": "The bridge",
                    "url": "https://example.org/bridge",
                },
                {"type": "text", "text": "."},
            ],
        },
    ],
}

# https://cloud.google.com/generative-ai-app-builder/docs/reference/rest/v1/Answer
VERTEX_SEARCH: Final[dict[str, Any]] = {
    "answer": {
        "state": "SUCCEEDED",
        "answerText": "Zürich hat Züge. Sie fahren stündlich.",
        "citations": [
            {"endIndex": "18", "sources": [{"referenceId": "0"}]},
            {
                "startIndex": "19",
                "endIndex": "41",
                "sources": [{"referenceId": "1"}, {"referenceId": "0"}],
            },
        ],
        "references": [
            {
                "chunkInfo": {
                    "content": "Zürich hat Züge.",
                    "relevanceScore": 0.9,
                    "documentMetadata": {
                        "document": "projects/1/documents/a",
                        "uri": "gs://plans/a.pdf",
                        "title": "Plan A",
                        "pageIdentifier": "3",
                    },
                }
            },
            {
                "unstructuredDocumentInfo": {
                    "document": "projects/1/documents/b",
                    "uri": "gs://plans/b.pdf",
                    "title": "Plan B",
                    "chunkContents": [{"content": "Sie fahren stündlich."}],
                }
            },
        ],
    },
    "answerQueryToken": "t",
}

# https://developers.openai.com/api/docs/guides/citation-formatting
PRIVATE_MARKS: Final[dict[str, Any]] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1733000000,
    "model": "gpt-oss-120b",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {
                "role": "assistant",
                "content": "The bridge opened in 1932. \ue200cite\ue202turn0search1\ue201 It is "
                "503 metres long \ue200cite\ue202turn0search0\ue202turn0search1\ue202L8-L13\ue201.",
            },
        }
    ],
}
