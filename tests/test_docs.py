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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_snippets_run_and_print_what_they_say(page: Path) -> None:
    # The snippets of one page go on from each other, as a reader takes them.
    names: dict[str, Any] = {"__name__": "snippets"}
    for line, code in _snippets(page):
        said = [
            part
            for match in _PRINTED.finditer(code)
            for part in textwrap.dedent(match["line"] or match["block"]).split("\n")
        ]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            # Padded, so that a traceback names the line of the page.
            exec(compile("\n" * line + code, str(page), "exec"), names)  # noqa: S102 # our own pages
        assert printed.getvalue().splitlines() == said, f"{page.name}, line {line}"


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
    slugs = {errors.SLUGS.get(key, key) for key in errors.FAULTS}
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
    # What the snippets print is checked above; the command's mistake is shown in a console.
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
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert pages == set(re.findall(r": ([\w-]+\.md)$", nav, re.MULTILINE))


def test_every_public_name_is_in_the_reference_of_the_api() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^::: groundtypes\.(?:\w+\.)*(\w+)$", text, re.MULTILINE))
    named = shown | set(re.findall(r"`(\w+)`", text))
    public = set(groundtypes.__all__)
    for package in _PACKAGES:
        public |= set(importlib.import_module(f"groundtypes.{package}").__all__)
    assert public <= named
