"""The built site shows the pages as they were written, and no link in it is dead."""

import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.docs.site import Page, read_page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SOURCES = sorted(DOCS.rglob("*.md"))
_FENCED = re.compile(
    r"^ *(?P<fence>```+|~~~+)(?P<language>\w*)[^\n]*\n(?P<code>.*?)^ *(?P=fence) *$",
    re.MULTILINE | re.DOTALL,
)
#: Languages of what people write; what programs print is as long as it is.
_CODE = frozenset({"json", "python", "sh", "toml", "yaml"})

#: What a snippet says that it prints.
_PRINTED = re.compile(r'^ *#> .*$|^ *"""\n.*?\n *"""$', re.MULTILINE | re.DOTALL)
#: What fits on a screen of 1,280 pixels.
_COLUMNS = 84


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[Path, Page]:
    """Every page of the site by its path."""
    return {path: read_page(path) for path in site.rglob("*.html") if path.name != "404.html"}


def _page_of(source: Path, site: Path) -> Path:
    page = source.relative_to(DOCS).with_suffix("")
    folder = page.parent if page.stem == "index" else page
    return site / folder / "index.html"


def _headings_of(source: Path) -> list[str]:
    text = source.read_text(encoding="utf-8")
    for included in re.findall(r'^--8<-- "(.+)"$', text, re.MULTILINE):
        text += (ROOT / included).read_text(encoding="utf-8")
    headings = re.findall(r"^#{1,6} (.+?)(?: \{.*\})?$", _FENCED.sub("", text), re.MULTILINE)
    return [_plain(heading) for heading in headings]


def _plain(heading: str) -> str:
    without_links = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return " ".join(re.sub(r"[`*]|\\(?=[_*])", "", without_links).split())


def _target(page: Path, link: str) -> tuple[Path, str] | None:
    """The file and the anchor that a link leads to; None for a link that leaves the site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    return target / "index.html" if target.is_dir() else target, unquote(parts.fragment)


def test_no_fence_mark_is_shown(pages: dict[Path, Page]) -> None:
    assert [path for path, page in pages.items() if "```" in page.text] == []


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.relative_to(DOCS).as_posix())
def test_every_code_block_of_the_source_is_a_code_block_of_the_page(
    source: Path, site: Path, pages: dict[Path, Page]
) -> None:
    fences = _FENCED.finditer(source.read_text(encoding="utf-8"))
    # Diagrams are shown as pictures.
    written = Counter(fence["code"].strip() for fence in fences if fence["language"] != "mermaid")
    shown = Counter(block.strip() for block in pages[_page_of(source, site)].code_blocks)
    assert written - shown == Counter()


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.relative_to(DOCS).as_posix())
def test_every_heading_of_the_source_is_a_heading_of_the_page(
    source: Path, site: Path, pages: dict[Path, Page]
) -> None:
    shown = Counter(_plain(heading) for heading in pages[_page_of(source, site)].headings)
    assert Counter(_headings_of(source)) - shown == Counter()


def test_no_link_and_no_anchor_inside_the_site_is_dead(pages: dict[Path, Page]) -> None:
    dead = []
    for path, page in pages.items():
        for link in page.links:
            target = _target(path, link)
            if target is None:
                continue
            file, anchor = target
            # Material's own link to the top of a page has an anchor that scripts understand.
            known = pages[file].anchors | {"__skip"} if file in pages else set()
            if not file.is_file() or (anchor and anchor not in known):
                dead.append((path.parent.name, link))
    assert dead == []


def test_every_page_is_in_the_navigation_and_linked_from_the_home_page(
    site: Path, pages: dict[Path, Page]
) -> None:
    home = site / "index.html"
    # The pages of the API are linked from their first one.
    api = site / "api" / "index.html"
    linked = {
        target[0]
        for page in (home, api)
        for link in pages[page].article_links
        if (target := _target(page, link))
    }
    assert pages.keys() - {home} - linked == set()
    shown = {target[0] for link in pages[home].navigation_links if (target := _target(home, link))}
    assert pages.keys() - {home} - shown == set()


def test_no_page_loads_anything_from_another_host(pages: dict[Path, Page]) -> None:
    foreign = {link for page in pages.values() for link in page.resources if urlsplit(link).netloc}
    assert foreign == set()


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.relative_to(DOCS).as_posix())
def test_code_is_not_wider_than_a_page(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    fences = (match for match in _FENCED.finditer(text) if match["language"] in _CODE)
    code = "\n".join(_PRINTED.sub("", fence[0]) for fence in fences)
    assert [line for line in code.splitlines() if len(line) > _COLUMNS] == []
