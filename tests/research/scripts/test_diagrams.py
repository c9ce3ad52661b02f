"""Every Mermaid diagram of the pages has an SVG file of its present source in the built site."""

import pytest

from scripts import diagrams

PAGES = sorted(diagrams.DOCS.glob("*.md"))


def test_every_diagram_has_a_picture_with_its_title() -> None:
    pages = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
    built = {name: diagrams.on_page_markdown(text) for name, text in pages.items()}
    changed = {name for name, text in pages.items() if built[name] != text}
    assert changed == {name for name, text in pages.items() if "```mermaid" in text} != set()
    assert not any("```mermaid" in text for text in built.values())


def test_a_diagram_that_was_changed_must_be_rendered_again() -> None:
    with pytest.raises(diagrams.DiagramError, match="is missing"):
        diagrams.on_page_markdown("```mermaid\n%% A graph.\nflowchart TB\n  new --> graph\n```\n")


def test_a_diagram_without_a_title_is_refused() -> None:
    block = "```mermaid\nflowchart TB\n  a --> b\n```\n"
    with pytest.raises(diagrams.DiagramError, match="title"):
        diagrams.title_of(block)
