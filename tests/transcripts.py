"""Transcripts of sessions, as Claude Code writes them, and events of its hooks."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TOWER = "     1→The tower was not finished until\n     2→1889. It is 12.5 metres wide at the top."
TRUE = "the tower was not finished until 1889"
ALTERED = "the tower was finished in the year 1889"
INVENTED = "everybody loved it from the first day on"


def prompt(text: str, **more: Any) -> dict[str, Any]:
    """A message of the user, as Claude Code writes it."""
    return {"type": "user", "uuid": "u", "message": {"role": "user", "content": text}, **more}


def says(text: str, **more: Any) -> dict[str, Any]:
    block = {"type": "text", "text": text}
    return {"type": "assistant", "message": {"role": "assistant", "content": [block]}, **more}


def call(name: str, result: Any, *, failed: bool = False, **given: Any) -> list[dict[str, Any]]:
    """The call of a tool, and what it returned."""
    use = {"type": "tool_use", "id": f"toolu_{name}", "name": name, "input": given}
    returned = {"type": "tool_result", "tool_use_id": f"toolu_{name}", "content": result}
    if failed:
        returned["is_error"] = True
    return [
        {"type": "assistant", "message": {"role": "assistant", "content": [use]}},
        {"type": "user", "message": {"role": "user", "content": [returned]}, "toolUseResult": {}},
    ]


READ = call("Read", TOWER, file_path="/work/README.md")


def event(path: Path, entries: Iterable[Any], **more: Any) -> dict[str, Any]:
    """The event of a hook whose transcript has these lines."""
    lines = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in entries]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return {"hook_event_name": "Stop", "transcript_path": str(path), "session_id": "s", **more}
