"""The built documentation, read back from its HTML files."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"})
_VOID |= {"source", "track", "wbr"}
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass
class Page:
    """What the tests need to know about one HTML file."""

    path: Path
    text: str = ""
    headings: list[str] = field(default_factory=list)
    code_blocks: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    #: Every `href` and `src`.
    links: list[str] = field(default_factory=list)
    #: The links in the text of the page, without those around it.
    article_links: list[str] = field(default_factory=list)
    navigation_links: list[str] = field(default_factory=list)
    #: What a browser loads without a click.
    resources: list[str] = field(default_factory=list)


class _PageParser(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        #: The open elements, each with its classes.
        self._open: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag not in _VOID:
            self._open.append((tag, values.get("class", "")))
        if "id" in values:
            self.page.anchors.add(values["id"])
        if tag in _HEADINGS and self._inside("article"):
            self.page.headings.append("")
        if tag == "pre":
            self.page.code_blocks.append("")
        link = values.get("href", values.get("src"))
        if link is None:
            return
        self.page.links.append(link)
        if tag == "a" and self._inside("article"):
            self.page.article_links.append(link)
        elif tag == "a" and any("md-nav--primary" in classes for _, classes in self._open):
            self.page.navigation_links.append(link)
        elif tag in {"img", "script", "iframe"} or values.get("rel") == "stylesheet":
            self.page.resources.append(link)

    def handle_endtag(self, tag: str) -> None:
        # An element without an end tag, such as `<img />`, is not among the open ones.
        if self._inside(tag):
            while self._open.pop()[0] != tag:
                pass

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside("article"):
            return
        self.page.text += data
        if self._inside("pre"):
            self.page.code_blocks[-1] += data
        in_permalink = any(classes == "headerlink" for _, classes in self._open)
        if not in_permalink and any(tag in _HEADINGS for tag, _ in self._open):
            self.page.headings[-1] += data

    def _inside(self, tag: str) -> bool:
        return any(name == tag for name, _ in self._open)


def read_page(path: Path) -> Page:
    """Return what the HTML file contains."""
    page = Page(path)
    _PageParser(page).feed(path.read_text(encoding="utf-8"))
    return page
