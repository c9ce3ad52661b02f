"""JSON of an LLM is read bare or as the whole content of one fenced block, and nowhere else."""

import pytest

from groundtypes.text.fenced_json import json_text

BODY = '{"quote": "is tall"}'


@pytest.mark.parametrize(
    "text",
    [
        BODY,
        f"```json\n{BODY}\n```",
        f"\n ```JSON \r\n{BODY}\r\n```\n\n",
        f"```\n{BODY}\n```",
        f"````json\n{BODY}\n````",
        f"~~~json\n[{BODY}]\n~~~",
    ],
)
def test_a_text_that_is_nothing_but_json_is_read(text: str) -> None:
    found = json_text(text)
    assert found is not None
    assert found.strip() in (BODY, f"[{BODY}]")


@pytest.mark.parametrize(
    "text",
    [
        "plain text",
        f"Here it is:\n```json\n{BODY}\n```",
        f"```json\n{BODY}\n```\nDone.",
        f"```json\n{BODY}\n```\n```json\n{BODY}\n```",
        f"```json\n{BODY}",
        f"````json\n{BODY}\n```",
        f"```python\n{BODY}\n```",
        "```json\nnone\n```",
        "```",
        "``````",
        "",
        None,
        3,
        {"quote": "is tall"},
    ],
)
def test_anything_else_is_not(text: object) -> None:
    assert json_text(text) is None
