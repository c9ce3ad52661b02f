"""The Stop hook of Claude Code: what an agent quotes occurs in what its tools returned.

`groundtypes hook` runs it. No file is read but the transcript of the session.
"""

import contextlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

from pydantic import TypeAdapter

from groundtypes.errors import ContextError, Mistake
from groundtypes.judges import Judges
from groundtypes.quotes.search import find_quote
from groundtypes.quotes.word_limits import count_words
from groundtypes.row_files.files import open_regular
from groundtypes.row_files.json_lines import BrokenLineError, Line, LineReader, read_line
from groundtypes.text.message_excerpts import clip, encodable, excerpt
from groundtypes.text.quotations import quotations
from groundtypes.validation.one_answer import audit
from groundtypes.validators.entailed import Entailed
from groundtypes.validators.quoted import Quoted

__all__ = ["Outcome", "Transcript", "stop"]

#: How much of the end of a transcript is read, in bytes, and searched, in characters.
_READ: Final = 128 * 2**20
_SEARCHED: Final = 4_000_000
_MOST_BROKEN: Final = 1_000
#: What an agent has written with a call that succeeded, and may therefore quote.
_WRITTEN: Final = ("command", "content", "edits", "new_source", "new_string", "old_string")
#: The number before each line of a file, as the tool `Read` returns it.
_LINE_NUMBER: Final = re.compile(r"^ *\d+(?:\u2192|\t)", re.MULTILINE)
#: An image or the like; most texts have a space.
_ENCODED: Final = re.compile(r"[!-~]{1000,}")
#: How a message begins that repeats to the agent what this hook has found.
_FEEDBACK: Final = "Stop hook feedback"
#: Faults that say that words are nowhere, which is unknown where something was not read.
_NOWHERE: Final = frozenset(("quote_not_found", "not_entailed"))
_REQUEST: Final = (
    "Your answer does not say what your tools returned. Correct it, and put quotation marks only "
    "around words that you have read."
)


@dataclass(slots=True)
class Transcript:
    """What a session has shown its agent, and the last text of the agent.

    Attributes:
        answer: The text since the last result of a tool or message of the user.
        returned: What tools returned and users attached; the ids are numbers and calls.
        others: What else an agent may quote: messages of the user, and what it wrote itself.
        missing: Why something that the agent has seen is in neither.
    """

    answer: str = ""
    returned: dict[str, str] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    _calls: dict[str, tuple[str, list[str]]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Transcript":
        """Read the end of a transcript; of a broken line, `missing` has the reason.

        Raises:
            ContextError: The file is missing, no regular file, or no transcript.
        """
        self = cls()
        try:
            with open_regular(path.expanduser().resolve(strict=True)) as file:
                if (size := os.fstat(file.fileno()).st_size) > _READ:
                    self.missing.append("the beginning of the transcript was not read")
                    file.seek(size - _READ)
                    file.readline(_READ)
                for line in LineReader(file):
                    self._add_line(line)
        except (OSError, RuntimeError, ValueError) as error:
            shown = clip(repr(str(path)), 200)
            raise ContextError(f"Cannot read the transcript {shown}: {error}") from error
        self._forget_oldest()
        return self

    def _add_line(self, line: Line) -> None:
        entry = read_line(line, dict)
        if isinstance(entry, BrokenLineError):
            if entry.row is None:
                self.missing.append(f"line {line.number} of the transcript is broken: {entry}")
                if len(self.missing) > _MOST_BROKEN:
                    raise ContextError("The transcript is no JSON Lines.")
                return
            entry = entry.row  # half a pair of surrogates spoils no line
        # Agents that this agent has called write side chains, which it does not see.
        if entry.get("isSidechain") or entry.get("isApiErrorMessage"):
            return
        attached, message = entry.get("attachment"), entry.get("message")
        if isinstance(attached, dict) and not str(attached.get("type")).startswith("hook"):
            self._keep("attachment", "\n".join(_texts(attached)))
        content = message.get("content") if isinstance(message, dict) else None
        for block in _blocks(content):
            if entry.get("type") == "assistant":
                self._add_of_agent(block)
            elif entry.get("type") == "user":
                self._add_of_user(block)

    def _add_of_agent(self, block: Mapping[str, Any]) -> None:
        text, given = block.get("text"), block.get("input")
        if block.get("type") == "text" and isinstance(text, str):
            self.answer = encodable(f"{self.answer}\n\n{text}".strip())
        elif block.get("type") == "tool_use" and isinstance(given, dict):
            about = next((value for value in given.values() if isinstance(value, str)), "")
            written = [text for name in _WRITTEN for text in _texts(given.get(name))]
            call = f"{block.get('name')} {clip(about, 80)}".rstrip()  # not every call has a text
            self._calls[str(block.get("id"))] = call, written

    def _add_of_user(self, block: Mapping[str, Any]) -> None:
        self.answer = ""
        kind, text = block.get("type"), block.get("text")
        if kind == "text" and isinstance(text, str):
            self.others += [] if text.startswith(_FEEDBACK) else [encodable(text)]
        elif kind != "tool_result":
            self.missing.append("the user has sent more than text")
        else:
            call, written = self._calls.get(str(block.get("tool_use_id")), ("tool", []))
            texts = [part.get("text") for part in _blocks(block.get("content"))]
            if any(not isinstance(text, str) for text in texts):
                self.missing.append(f"not all that {call} returned is text")
            result = "\n".join(text for text in texts if isinstance(text, str))
            self._keep(call, _LINE_NUMBER.sub("", result) if call[:5] == "Read " else result)
            with contextlib.suppress(ValueError, RecursionError):
                self.others.append(encodable("\n".join(_texts(json.loads(result)))))
            self.others += [] if block.get("is_error") else map(encodable, written)

    def _keep(self, call: str, text: str) -> None:
        words = _ENCODED.sub("", text)
        if words != text:
            self.missing.append(f"{call} is not only text")
        if words.strip():
            self.returned[encodable(f"{len(self.returned) + 1} {call}")] = encodable(words)

    def _forget_oldest(self) -> None:
        size = 0
        for number, (call, text) in enumerate(reversed(self.returned.items())):
            size += len(text)
            if size > _SEARCHED:
                self.returned = dict([*self.returned.items()][-number:] if number else ())
                self.missing.append(f"what was returned up to {call} is not searched")
                break


class Outcome(NamedTuple):
    """Why an agent goes on, if it does, and what could not be judged."""

    reason: str | None = None
    unjudged: str | None = None


def stop(
    event: Mapping[str, Any],
    *,
    min_words: int = 5,
    claims: bool = False,
    judges: Judges | None = None,
    show: int = 5,
) -> Outcome:
    """Judge the answer with which an agent is about to stop.

    An agent that goes on because of a hook may stop, and without results of tools there is nothing
    to judge an answer by.

    Args:
        event: What Claude Code passes to a Stop hook.
        min_words: Shorter quotations are not looked up.
        claims: Whether the results must also entail every sentence.
        judges: The engines for that.
        show: The most faults that are told.

    Raises:
        Mistake: The event is of another kind, or the transcript cannot be read.
    """
    path, answer = event.get("transcript_path"), event.get("last_assistant_message")
    if event.get("hook_event_name") != "Stop" or not isinstance(path, str) or "\0" in path:
        raise ContextError("This is no event of a Stop hook with a transcript_path.")
    if event.get("stop_hook_active"):
        return Outcome()
    transcript = Transcript.read(Path(path))
    if not transcript.returned:
        return Outcome(None, transcript.missing[0] if transcript.missing else None)
    answer = encodable(answer) if isinstance(answer, str) else transcript.answer
    faults, unjudged = list(_misquoted(answer, transcript, min_words)), []
    try:
        faults += _not_entailed(answer, transcript, judges) if claims else ()
    except Mistake as mistake:  # what is known of quotations is told all the same
        unjudged.append(str(mistake))
    told = [message for slug, message in faults if not (transcript.missing and slug in _NOWHERE)]
    if len(told) < len(faults):
        unjudged.append(f"{len(faults) - len(told)} not found, but {transcript.missing[0]}.")
    lines = [_REQUEST, *(f"{number}. {message}" for number, message in enumerate(told[:show], 1))]
    if len(told) > show:
        lines.append(f"There are {len(told) - show} more.")
    return Outcome("\n".join(lines) if told else None, " ".join(unjudged) or None)


def _misquoted(answer: str, transcript: Transcript, min_words: int) -> Iterator[tuple[str, str]]:
    """Yield slug and message of each quotation that occurs nowhere."""
    quotes = [quote for quote in quotations(answer) if count_words(quote) >= min_words]
    model = TypeAdapter(list[Annotated[str, Quoted(min_words=0, max_words=None)]])
    for fault in audit(model, quotes, context={"references": transcript.returned}).faults:
        quote = quotes[int(fault.loc[0])]
        if find_quote(quote, transcript.others) is None:
            yield fault.slug or "", f"{excerpt(quote, 120)}: {fault.message}"


def _not_entailed(
    answer: str, transcript: Transcript, judges: Judges | None
) -> Iterator[tuple[str, str]]:
    context = {"references": transcript.returned, "judges": judges or Judges()}
    for fault in audit(TypeAdapter(Annotated[str, Entailed()]), answer, context=context).faults:
        yield fault.slug or "", fault.message or ""


def _blocks(content: object) -> list[Mapping[str, Any]]:
    """Return the blocks of a message or a result, of which a text is one."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in JSON data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
