"""An MCP server: agents look up quotes, and check citations, claims and figures.

`pip install 'groundtypes[mcp]'`. The command `groundtypes mcp` runs it. References are texts, or
files under the folders that the server was started with; no other file is read.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, create_model

from groundtypes.errors import ContextError, Mistake
from groundtypes.judges import Judges
from groundtypes.references import References
from groundtypes.row_files.files import open_regular
from groundtypes.text.message_excerpts import clip
from groundtypes.validation.grounded import Grounded
from groundtypes.validation.one_answer import audit
from groundtypes.validators.cited import Cited
from groundtypes.validators.entailed import Entailed
from groundtypes.validators.figures import Figures
from groundtypes.validators.quoted import Quoted
from groundtypes.verdicts import Verdict

try:
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.server.transport_security import TransportSecuritySettings
except ImportError as error:
    raise ImportError("The MCP server needs mcp: pip install 'groundtypes[mcp]'") from error

__all__ = ["Finding", "Result", "mcp_server", "serve_http"]

#: Bounds of what a call may send: characters, and how many.
_LONGEST_TEXT: Final = 100_000
_LONGEST_REFERENCES: Final = 2_000_000
_MOST_REFERENCES: Final = 500
_MOST_FILES: Final = 50

_INSTRUCTIONS: Final = (
    "Checks what you write against reference texts. Pass the texts that you have read as "
    "`references`, or their paths as `files`. A result with ok=false says in each finding what is "
    "wrong and what to write instead: correct it, and check again."
)

Text = Annotated[str, Field(max_length=_LONGEST_TEXT)]
Texts = Annotated[
    list[str] | dict[str, str],
    Field(description="The reference texts: a list, or texts by id.", max_length=_MOST_REFERENCES),
]
Files = Annotated[
    list[str],
    Field(description="Paths of text files with more references.", max_length=_MOST_FILES),
]


class Finding(BaseModel):
    """What is wrong, and what to do; `start` and `end` are code points of the reference."""

    slug: str
    message: str
    part: str | None = None
    reference: str | None = None
    start: int | None = None
    end: int | None = None


class Result(BaseModel):
    """Whether a check holds. Of a quote that does, `text` is what the reference says."""

    ok: bool
    findings: list[Finding] = []
    text: str | None = None
    reference: str | None = None
    start: int | None = None
    end: int | None = None


def mcp_server(
    roots: Sequence[str | Path] = (), *, judges: Judges | str | None = None
) -> MCPServer[Any]:
    """Return the server with its four tools.

    Args:
        roots: The folders whose text files may be references.
        judges: The engines, or the name of an NLI engine.

    Raises:
        ContextError: A root is no folder.
    """
    folders = [_folder(root) for root in roots]
    server = MCPServer[Any]("groundtypes", instructions=_INSTRUCTIONS)

    def checked(marker: Any, text: str, references: Texts, files: Files) -> Result:
        try:
            return _checked(marker, text, _references(references, files, folders), judges)
        except Mistake as mistake:
            raise ToolError(clip(str(mistake), 1_000)) from mistake

    @server.tool()
    def find_quote(quote: Text, references: Texts = [], files: Files = []) -> Result:  # noqa: B006
        """Look up words that must occur in a reference, word for word up to typography."""
        return checked(Quoted(), quote, references, files)

    @server.tool()
    def check_citations(text: Text, references: Texts = [], files: Files = []) -> Result:  # noqa: B006
        """Check prose with citation markers such as [1]: each sentence against what it cites."""
        return checked(Cited(), text, references, files)

    @server.tool()
    def check_claims(text: Text, references: Texts = [], files: Files = []) -> Result:  # noqa: B006
        """Check that the references entail every sentence of a text."""
        return checked(Entailed(), text, references, files)

    @server.tool()
    def check_figures(text: Text, references: Texts = [], files: Files = []) -> Result:  # noqa: B006
        """Check that every number, date and amount of a text stands in the references."""
        return checked(Figures(), text, references, files)

    return server


def serve_http(server: MCPServer[Any], port: int) -> None:
    """Serve streamable HTTP at `http://127.0.0.1:PORT/mcp`, until it is interrupted."""
    hosts = [f"{name}:{port}" for name in ("127.0.0.1", "localhost")]
    server.run(
        "streamable-http",
        host="127.0.0.1",
        port=port,
        # A page of another site must not reach the server through the browser of its user.
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
        ),
    )


def _checked(marker: Any, text: str, references: References, judges: Judges | str | None) -> Result:
    model = create_model("Checked", __base__=Grounded, text=(Annotated[str, marker], ...))
    context: dict[str, Any] = {"references": references}
    if judges is not None:
        context["judges"] = Judges(nli=judges) if isinstance(judges, str) else judges
    audited = audit(model, {"text": text}, context=context)
    if audited.mistake is not None:
        raise audited.mistake
    if audited.faults:
        return Result(ok=False, findings=[_finding(text, fault) for fault in audited.faults])
    span = next((each.span for each in audited.verdicts), None)
    if not isinstance(marker, Quoted) or span is None:
        return Result(ok=True)
    words = references[span.reference].text[span.start : span.end]
    return Result(ok=True, text=words, reference=span.reference, start=span.start, end=span.end)


def _finding(text: str, fault: Verdict) -> Finding:
    part = None if fault.part is None else text[slice(*fault.part)]
    finding = Finding(slug=fault.slug or "fails", message=fault.message or "", part=part)
    if (span := fault.span) is not None:
        finding.reference, finding.start, finding.end = span.reference, span.start, span.end
    return finding


def _references(
    texts: Sequence[str] | Mapping[str, str], files: Sequence[str], roots: Sequence[Path]
) -> References:
    """Return the references of a call; files have their paths as ids.

    Raises:
        ContextError: There are none or too many, or a file cannot be read.
    """
    found = (
        dict(texts)
        if isinstance(texts, Mapping)
        else {str(number): text for number, text in enumerate(texts, 1)}
    )
    for name in files:
        found[name] = _text_of_file(name, roots)
    if not found:
        raise ContextError("Pass the texts as `references`, or their paths as `files`.")
    if sum(map(len, found.values())) > _LONGEST_REFERENCES:
        raise ContextError(f"The references have more than {_LONGEST_REFERENCES:,} characters.")
    return References.of(found)


def _folder(root: str | Path) -> Path:
    path = Path(root).resolve()
    if not path.is_dir():
        raise ContextError(f"{clip(str(root), 200)} is no folder.")
    return path


def _text_of_file(name: str, roots: Sequence[Path]) -> str:
    """Return the text of a file under one of the roots.

    Raises:
        ContextError: It is elsewhere, too large, or no text file.
    """
    shown = clip(repr(name), 200)
    outside = ContextError(f"There is no file {shown} under the folders of the server.")
    if "\0" in name or not roots:
        raise outside
    candidates = [Path(name)] if Path(name).is_absolute() else [root / name for root in roots]
    for candidate in candidates:
        try:
            path = candidate.resolve(strict=True)
            if not any(path.is_relative_to(root) for root in roots):
                continue
            # A link that was put there since is not followed.
            with open_regular(path) as file:
                data = file.read(4 * _LONGEST_REFERENCES + 1)
        except (OSError, ValueError, RuntimeError):
            continue
        if len(data) > 4 * _LONGEST_REFERENCES:
            raise ContextError(f"The file {shown} is too large.")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            raise ContextError(f"The file {shown} is no text in UTF-8.")
        return text
    raise outside
