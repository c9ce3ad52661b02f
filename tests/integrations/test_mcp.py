"""Agents reach the tools over standard input and output and over HTTP, with the real SDK."""

import os
import random
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from groundtypes import Judges, NLIScores, Pair
from groundtypes.errors import ContextError
from groundtypes.integrations.mcp import mcp_server
from groundtypes.testing import ENTAILED, NEUTRAL, ScriptedNLI

TEXT = "The tower was finished in 1889. It is 12.5 metres wide at the top."
ENGINE = Judges(
    nli=ScriptedNLI(lambda pair: ENTAILED if pair.hypothesis in pair.premise else NEUTRAL)
)


def called(server: Any, tool: str, **arguments: Any) -> Any:
    async def run() -> Any:
        async with Client(server) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(run)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "guide.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "secret.txt").write_text("The password is swordfish.", encoding="utf-8")
    return folder


def test_each_tool_says_what_holds_and_what_does_not() -> None:
    server = mcp_server(judges=ENGINE)
    for tool, name, right, wrong, slug in (
        ("find_quote", "quote", "finished in 1889", "finished in 1898", "quote_altered"),
        ("check_figures", "text", "It is 12.5 m wide.", "It is 13 m wide.", "figure_unsupported"),
        (
            "check_claims",
            "text",
            "The tower was finished in 1889.",
            "The tower is red.",
            "not_entailed",
        ),
        (
            "check_citations",
            "text",
            "The tower was finished in 1889 [1].",
            "The tower is red [1].",
            "citation_unsupported",
        ),
    ):
        held = called(server, tool, references=[TEXT], **{name: right})
        failed = called(server, tool, references={"guide": TEXT}, **{name: wrong})
        assert held.structured_content["ok"] is True, tool
        assert [each["slug"] for each in failed.structured_content["findings"]] == [slug], tool
        assert not failed.is_error


def test_a_quote_comes_with_its_place() -> None:
    found = called(
        mcp_server(), "find_quote", quote="FINISHED in 1889", references={"guide": TEXT}
    ).structured_content
    assert (found["text"], found["reference"]) == ("finished in 1889", "guide")
    assert TEXT[found["start"] : found["end"]] == "finished in 1889"


def test_files_under_a_root_are_references(root: Path) -> None:
    server = mcp_server([root])
    for name in ("guide.txt", str(root / "guide.txt")):
        found = called(server, "find_quote", quote="finished in 1889", files=[name])
        assert found.structured_content["reference"] == name


def test_no_other_file_is_read(root: Path) -> None:
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    (root / "loop.txt").symlink_to(root / "loop.txt")
    (root / "image.bin").write_bytes(b"\x89PNG\0\xff")
    os.mkfifo(root / "pipe")
    server = mcp_server([root])
    for name in (
        "../secret.txt",
        "link.txt",
        "loop.txt",
        "image.bin",
        "pipe",
        "",
        ".",
        "missing.txt",
        "guide.txt\0",
        "/etc/passwd",
        str(root.parent / "secret.txt"),
        "x" * 10_000,
    ):
        found = called(server, "find_quote", quote="password is", files=[name])
        assert found.is_error, name
        assert "swordfish" not in found.content[0].text
    without = called(mcp_server(), "find_quote", quote="finished in", files=["guide.txt"])
    assert without.is_error


@pytest.mark.parametrize(
    "arguments",
    [
        {"quote": "x" * 100_001, "references": [TEXT]},
        {"quote": "finished", "references": ["x"] * 501},
        {"quote": "finished", "references": ["x" * 1_000_000] * 3},
        {"quote": "finished", "references": 7},
        {"quote": "finished"},
        {"references": [TEXT]},
    ],
    ids=["long", "many", "large", "type", "no references", "no quote"],
)
def test_what_is_too_much_or_wrong_is_an_error(arguments: dict[str, Any]) -> None:
    assert called(mcp_server(), "find_quote", **arguments).is_error


def test_an_engine_that_fails_is_an_error_and_no_finding() -> None:
    class Broken:
        def score(self, pairs: Sequence[Pair], /) -> list[NLIScores]:
            raise TimeoutError("down")

    server = mcp_server(judges=Judges(nli=Broken()))
    found = called(server, "check_claims", text="It is red.", references=[TEXT])
    assert found.is_error
    assert "Broken failed: TimeoutError" in found.content[0].text


def test_a_root_must_be_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ContextError, match="is no folder"):
        mcp_server([tmp_path / "missing"])


def test_over_standard_input_and_output(root: Path) -> None:
    command = [sys.executable, "-m", "groundtypes", "mcp", "--root", str(root)]
    server = StdioServerParameters(
        command=command[0], args=command[1:], env={**os.environ, "PYTHONWARNINGS": "default"}
    )
    found = called(server, "find_quote", quote="finished in 1889", files=["guide.txt"])
    assert found.structured_content["ok"] is True


def free_port() -> int:
    """Return a free port below those that the system gives to other tests meanwhile."""
    for port in random.sample(range(20_000, 30_000), 100):
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
    raise OSError("no port is free")


@pytest.fixture
def port() -> Iterator[int]:
    port = free_port()
    command = [sys.executable, "-m", "groundtypes", "mcp", "--port", str(port)]
    serving = subprocess.Popen(  # ours
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port
    finally:
        serving.terminate()
        serving.wait()


def test_over_http_and_not_from_another_site(port: int) -> None:
    url = f"http://127.0.0.1:{port}/mcp"
    found = called(url, "find_quote", quote="finished in 1889", references=[TEXT])
    assert found.structured_content["ok"] is True
    for header in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
        request = urllib.request.Request(  # loopback
            url, b"{}", {"Content-Type": "application/json", **header}
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)  # noqa: S310 # loopback
        assert refused.value.code in (403, 421)
        refused.value.close()
