"""What the documentation shows is what happens, and what it names is there."""

import contextlib
import importlib
import inspect
import io
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest
import typer

import groundtypes
from groundtypes import Mistake, errors
from groundtypes.cli.app import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_API = sorted((ROOT / "docs" / "api").glob("*.md"))


_FENCE = re.compile(r"^```python(?P<how>[^\n]*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
#: What a snippet says that it prints: comments, or a text on lines of its own.
_PRINTED = re.compile(
    r'^ *#> (?P<line>[^\n]*)$|^ *"""\n(?P<block>.*?)\n *"""$', re.MULTILINE | re.DOTALL
)


def _snippets(page: Path) -> list[tuple[int, str]]:
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, match.start()) + 1, match["code"])
        for match in _FENCE.finditer(text)
        if "skip" not in match["how"]
    ]


def _said(code: str) -> list[str]:
    """The lines that a snippet says that it prints."""
    return [
        part
        for match in _PRINTED.finditer(code)
        for part in textwrap.dedent(match["line"] or match["block"]).split("\n")
    ]


def _run(page: Path, line: int, code: str, names: dict[str, Any]) -> list[str]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        # Padded, so that a traceback names the line of the page.
        exec(compile("\n" * line + code, str(page), "exec"), names)  # noqa: S102 # our own pages
    return printed.getvalue().splitlines()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_snippet_runs_alone_and_prints_what_it_says(page: Path) -> None:
    for line, code in _snippets(page):
        assert _run(page, line, code, {"__name__": "snippet"}) == _said(code), (page.name, line)


def test_the_page_of_errors_shows_the_messages_as_they_are() -> None:
    examples = ROOT / "tests" / "docs" / "data" / "errors.md"
    # The examples go on from each other.
    names: dict[str, Any] = {"__name__": "examples"}
    printed: set[str] = set()
    for line, code in _snippets(examples):
        said = _run(examples, line, code, names)
        assert said == _said(code), line
        printed |= {*said}
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```text\n(.+?)\n```$", page, re.MULTILINE | re.DOTALL)
    # What a full budget and a missing extra say is tested where they are raised.
    unused = ("BudgetError: ", "MissingJudgeError: ")
    messages = {line for block in shown for line in block.split("\n")}
    assert {text for text in messages if not text.startswith(unused)} <= printed


#: The packages whose names are public.
_PACKAGES = (
    "integrations.attempts",
    "batch",
    "calibration",
    "citations",
    "claims",
    "dataset",
    "entailment",
    "errors",
    "evaluation",
    "figures",
    "models",
    "quotes",
    "integrations.recordings",
    "refusals",
    "scoring",
    "validation.streams",
    "integrations.telemetry",
    "testing",
    "validation",
)


def _headings(page: str) -> set[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return set(re.findall(r"^#{2,3} `(\w+)`", text, re.MULTILINE))


def test_every_slug_and_every_mistake_has_a_heading_and_no_heading_is_left_over() -> None:
    slugs = set(errors.SLUGS.values())
    mistakes = {
        name
        for name, thing in inspect.getmembers(errors, inspect.isclass)
        if issubclass(thing, Mistake)
    }
    assert _headings("errors.md") == slugs | mistakes


def test_every_slug_is_shown_as_it_happens_and_with_what_to_do() -> None:
    text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL))
    del sections["Mistake"]  # the base, which is never raised itself
    assert [name for name, page in sections.items() if "\nTo do: " not in page] == []
    # That the messages are those is checked above; the command's mistake is shown in a console.
    shown = {
        name
        for name, page in sections.items()
        if re.search(rf"^(#> )?{name}: ", page, re.MULTILINE)
    }
    assert sections.keys() - shown == {"DatasetError"}


def test_every_option_of_every_command_is_in_its_section() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    command_line = typer.main.get_command(app)
    assert isinstance(command_line, typer.core.TyperGroup)
    assert sections.keys() == command_line.commands.keys()
    for name, command in command_line.commands.items():
        options = {
            option
            for parameter in command.params
            for option in parameter.opts
            if option.startswith("-")
        }
        assert {option for option in options if f"`{option}" not in sections[name]} == set()


def test_every_page_is_in_the_navigation() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (*PAGES[1:], *_API)}
    assert pages == set(re.findall(r": ([\w/-]+\.md)$", nav, re.MULTILINE))


def test_every_page_is_listed_for_language_models() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    site = re.findall(r"^site_url: (\S+)$", nav, re.MULTILINE)[0]
    pages = set(re.findall(r": ([\w-]+)\.md$", nav, re.MULTILINE)) - {"index"} | {"api"}
    listed = (ROOT / "docs" / "llms.txt").read_text(encoding="utf-8")
    assert set(re.findall(rf"\({re.escape(site)}([\w-]+)/\)", listed)) == pages


def test_every_public_name_is_in_the_reference_of_the_api() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in _API)
    shown = set(re.findall(r"^::: groundtypes\.(?:\w+\.)*(\w+)$", text, re.MULTILINE))
    named = shown | set(re.findall(r"`(\w+)`", text))
    public = set(groundtypes.__all__)
    for package in _PACKAGES:
        public |= set(importlib.import_module(f"groundtypes.{package}").__all__)
    assert public <= named
