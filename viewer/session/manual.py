"""The manual: its pages as data, for `rigscope help` and the Manual panel.

A page is a Markdown file in `assets/manual`; the links of `index.md` give the order of the pages. A section
begins at a heading and ends at the next heading of the same or a higher level.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from viewer.errors import FormatError, ResourceError
from viewer.paths import folder
from viewer.scene.material import Image
from viewer.scene.names import unknown
from viewer.scene.text_filter import TextFilter
from viewer.storage.reading import read_file

INDEX = "index"
LINK = re.compile(r"\]\(([\w-]+)\.md\)")
HEADING = re.compile(r"(#+) +(.+)")
TARGET = re.compile(r"(?<!!)\]\(([^)\s]+)\)")
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
FENCE = "```"


class Section(Struct, frozen=True):
    """A section of the page named `page`.

    `text` is Markdown and begins with the heading; `level` is the number of `#` in front of it. `own` is the
    text up to the next heading of any level.
    """

    page: str
    title: str
    level: int
    text: str
    own: str

    @property
    def anchor(self) -> str:
        """The name of the section in a link, the text after `#`."""
        return anchor_of(self.title)

    def link(self) -> str:
        """The page and the anchor, such as `export#pictures-and-films`."""
        return f"{self.page}#{self.anchor}"


class Page(Struct, frozen=True):
    """A page of the manual.

    `name` is the name of its file without suffix, `about` the first paragraph, `text` the Markdown.
    """

    name: str
    title: str
    about: str
    text: str

    @property
    def sections(self) -> tuple[Section, ...]:
        """The page itself as the first section, then one section for each further heading."""
        return _sections(self.name, self.text)


def anchor_of(title: str) -> str:
    """Make the anchor of a heading by the same rule as the web site and GitHub."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@cache
def pages() -> tuple[Page, ...]:
    """Read all pages in the order of the index. ResourceError if the installation lacks a page."""
    names = dict.fromkeys(LINK.findall(_read(INDEX)))
    return tuple(_page(name) for name in names)


def _page(name: str) -> Page:
    text = COMMENT.sub("", _read(name))
    heading, _, rest = text.partition("\n")
    about = rest.strip().split("\n\n", 1)[0].replace("\n", " ")
    return Page(name, heading.lstrip("# "), about, text)


def _read(name: str) -> str:
    try:
        return read_file(str(folder("assets") / "manual" / f"{name}.md")).decode()
    except (FormatError, OSError, UnicodeDecodeError) as error:
        raise ResourceError(f"the manual's page {name} is missing: install rigscope again") from error


def picture(name: str, side: int) -> Image:
    """Decode a picture of the manual. `name` is its path in the folder of the pages.

    The longer side of the result has at least `side` pixels, unless the file has fewer. FormatError if the
    file cannot be read.
    """
    # imported late, because `rigscope help` shows no pictures
    from viewer.scene.reading_context import DEFAULT
    from viewer.storage.image import read_small_image
    from viewer.storage.search import lone

    return read_small_image(lone(str(folder("assets") / "manual" / name), DEFAULT), side)


@cache
def _sections(page: str, text: str) -> tuple[Section, ...]:
    lines, starts, fenced = text.split("\n"), list[tuple[int, int, str]](), False
    for number, line in enumerate(lines):
        fenced ^= line.startswith(FENCE)
        found = None if fenced else HEADING.match(line)
        if found:
            starts.append((number, len(found[1]), found[2]))
    sections = []
    for at, (start, level, title) in enumerate(starts):
        later = starts[at + 1 :]
        whole = "\n".join(lines[start : _end(later, level)])
        own = "\n".join(lines[start : later[0][0] if later else None])
        sections.append(Section(page, title.replace("`", ""), level, whole, own))
    return tuple(sections)


def _end(later: Sequence[tuple[int, int, str]], level: int) -> int | None:
    """Return the index of the first line after a section of this level."""
    return next((start for start, other, _ in later if other <= level), None)


def every_section() -> Iterator[Section]:
    """Yield the sections of all pages in order."""
    for page in pages():
        yield from page.sections


def topics() -> tuple[str, ...]:
    """List the names of all pages, then the titles of sections, such as verbs and rules."""
    named = [each.name for each in pages()]
    return tuple(dict.fromkeys((*named, *(each.title for each in every_section() if each.level > 1))))


def topic(name: str) -> tuple[Section, ...]:
    """Find the sections of a topic: the page with this name, and the sections with this title.

    For an unknown topic, ResourceError lists similar topics and the sections that contain its words.
    """
    key = name.casefold().removesuffix(".md")
    paged = [page.sections[0] for page in pages() if key in (page.name, page.title.casefold())]
    titled = [each for each in every_section() if each.title.casefold() == key and each.level > 1]
    titled = [each for each in titled if each.title == name] or titled
    inside = {each.page for each in paged}
    found = (*paged, *(each for each in titled if each.page not in inside))
    if found:
        return found
    error, mentions = unknown("topic", name, topics()), search(name)[:3]
    if not mentions:
        raise error
    raise ResourceError(f"{error}; see {', '.join(map(Section.link, mentions))}")


def at(link: str) -> Section:
    """Find the section of a link, `page` or `page#anchor`, with or without `.md`.

    ResourceError if the section does not exist.
    """
    name, _, anchor = link.replace(".md", "").partition("#")
    page = next((each for each in pages() if each.name == name), None)
    if page is None:
        raise unknown("page", name, [each.name for each in pages()])
    found = next((each for each in page.sections if each.anchor == anchor), None)
    if anchor and found is None:
        raise unknown("section", anchor, [each.anchor for each in page.sections])
    return found or page.sections[0]


def search(text: str) -> list[Section]:
    """Find the smallest sections that contain all words. Sections with the words in the title come first."""
    wanted = TextFilter(text)
    found = [each for each in every_section() if wanted and wanted.fits(each.own)]
    return sorted(found, key=lambda each: -sum(word in each.title.casefold() for word in wanted.words))


def links(text: str) -> list[str]:
    """List the targets of links to other pages and sections in Markdown, such as `page.md#anchor`."""
    return [found for found in TARGET.findall(text) if found.startswith("#") or ".md" in found]
