"""Diagrams of the documentation: Mermaid in the pages, SVG files in the built site.

    python -m scripts.diagrams render MERMAID_JS

The pages hold each diagram as a `mermaid` block, which code forges draw themselves. In a built
site a script of another server would have to draw it, so that the site shows an SVG file instead.
`render` writes these files with Chromium and `mermaid.min.js` of the npm package `mermaid`. MkDocs
calls `on_page_markdown`, which puts the files in place of the blocks. It fails for a block that was
changed since it was rendered.
"""

import hashlib
import re
import sys
from pathlib import Path
from typing import Any, Final

DOCS: Final = Path(__file__).parents[2] / "docs"
_BLOCK: Final = re.compile(r"^```mermaid\n(?P<source>.*?)^```$", re.MULTILINE | re.DOTALL)
#: The first comment of each block is its title, which readers of the picture's text hear.
_TITLE: Final = re.compile(r"^%% (?P<title>.+)$", re.MULTILINE)


class DiagramError(Exception):
    """A diagram has no title, or no SVG file of its present source."""


def file_of(source: str) -> str:
    """Return the name of the SVG file of a diagram, which changes with its source."""
    digest = hashlib.blake2b(source.encode(), digest_size=6).hexdigest()
    return f"diagram-{digest}.svg"


def title_of(source: str) -> str:
    """Return the title of a diagram.

    Raises:
        DiagramError: It has none.
    """
    if (match := _TITLE.search(source)) is None:
        raise DiagramError("a Mermaid block needs its title as a comment: %% What it shows.")
    return match["title"]


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return the text of a page with pictures in place of its Mermaid blocks."""

    def picture(match: re.Match[str]) -> str:
        name = file_of(match["source"])
        if not (DOCS / "images" / name).is_file():
            raise DiagramError(f"images/{name} is missing: run research/scripts/diagrams.py render")
        return f"![{title_of(match['source'])}](images/{name})"

    return _BLOCK.sub(picture, markdown)


def render(mermaid: Path) -> None:
    """Write the SVG file of every diagram, and remove those of no diagram."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 # only for rendering

    sources = [
        match["source"]
        for page in sorted(DOCS.glob("*.md"))
        for match in _BLOCK.finditer(page.read_text(encoding="utf-8"))
    ]
    for old in (DOCS / "images").glob("diagram-*.svg"):
        if old.name not in map(file_of, sources):
            old.unlink()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.set_content("<!doctype html><body></body>")
        page.add_script_tag(path=mermaid)
        page.evaluate(
            "mermaid.initialize({startOnLoad: false, theme: 'neutral', htmlLabels: false, "
            "flowchart: {htmlLabels: false}, deterministicIds: true})"
        )
        for source in sources:
            svg = page.evaluate(
                "async ([name, source]) => (await mermaid.render(name, source)).svg",
                [file_of(source).removesuffix(".svg"), source],
            )
            # A white ground, so that the lines are seen in the dark style of the site, too.
            svg = svg.replace('style="', 'style="background-color: white; ', 1)
            (DOCS / "images" / file_of(source)).write_text(svg + "\n", encoding="utf-8")
            print(file_of(source), title_of(source))
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "render":
        raise SystemExit(__doc__)
    render(Path(sys.argv[2]))
