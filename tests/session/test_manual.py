"""The manual as data: pages, sections, topics, links and search."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from viewer.check.rules import all_rules
from viewer.commands.usage import VERBS
from viewer.errors import ResourceError
from viewer.session import manual
from viewer.session.manual import anchor_of, at, every_section, pages, search, topic, topics

INDEX = "# Manual\n\nAll pages.\n\n- [One](one.md): first\n- [Two](two.md): second\n"
ONE = """# First page

About one,
in two lines.

<!-- facts: x -->
Some text.
<!-- /facts -->

## A part & more

```sh
# no heading
```

### Deeper

Words of blue whales.

## render

Last part.
"""
TWO = "# Second\n\nAbout two.\n\n## Render\n\nBlue.\n"


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A manual of two pages."""
    (tmp_path / "manual").mkdir()
    for name, text in {"index": INDEX, "one": ONE, "two": TWO}.items():
        (tmp_path / f"manual/{name}.md").write_text(text, "utf-8")
    monkeypatch.setattr(manual, "folder", lambda name: tmp_path)
    manual.pages.cache_clear()
    yield
    manual.pages.cache_clear()


def test_pages_have_the_order_of_the_index(small: None) -> None:
    assert [(each.name, each.title, each.about) for each in pages()] == [
        ("one", "First page", "About one, in two lines."),
        ("two", "Second", "About two."),
    ]
    assert "<!--" not in pages()[0].text and "Some text." in pages()[0].text


def test_a_section_ends_at_the_next_heading_of_its_level(small: None) -> None:
    first, part, deeper, last = pages()[0].sections
    assert first.text == pages()[0].text
    assert (part.title, part.level) == ("A part & more", 2)
    assert part.text.endswith("whales.\n") and "# no heading" in part.text
    assert deeper.text.startswith("### Deeper") and last.text == "## render\n\nLast part.\n"


@pytest.mark.parametrize(
    ("title", "anchor"),
    [("A part & more", "a-part--more"), ("texture/missing", "texturemissing"), ("Übung 1", "übung-1")],
)
def test_anchors_are_those_of_the_site(title: str, anchor: str) -> None:
    assert anchor_of(title) == anchor


def test_a_topic_is_a_page_or_a_heading(small: None) -> None:
    assert [each.title for each in topic("one")] == ["First page"]
    assert [each.title for each in topic("second")] == ["Second"]
    assert [each.page for each in topic("render")] == ["one"]
    assert [each.page for each in topic("RENDER")] == ["one", "two"]


def test_a_topic_is_a_page_and_a_heading_of_another_page(small: None, tmp_path: Path) -> None:
    (tmp_path / "manual/one.md").write_text(ONE + "\n## second\n\nOf one.\n", "utf-8")
    assert [each.link() for each in topic("Second")] == ["two#second", "one#second"]


def test_an_unknown_topic_names_near_ones_and_mentions(small: None) -> None:
    with pytest.raises(ResourceError, match="no topic 'rendr'; near: render"):
        topic("rendr")
    with pytest.raises(ResourceError, match="see one#deeper"):
        topic("blue whales")


def test_a_link_leads_to_a_page_or_a_section(small: None) -> None:
    assert at("one.md").level == 1 and at("one.md#deeper").title == "Deeper"
    with pytest.raises(ResourceError, match="no page 'onn'; near: one"):
        at("onn")
    with pytest.raises(ResourceError, match="no section 'deep'; near: deeper"):
        at("one#deep")


def test_a_search_finds_the_smallest_sections(small: None) -> None:
    assert [each.link() for each in search("BLUE")] == ["one#deeper", "two#render"]
    assert [each.link() for each in search("whales blue")] == ["one#deeper"]
    assert [each.link() for each in search("part")] == ["one#a-part--more", "one#render"]
    assert search("") == [] and search("purple") == []


def test_a_missing_page_is_one_line(small: None, tmp_path: Path) -> None:
    (tmp_path / "manual/two.md").unlink()
    with pytest.raises(ResourceError, match="page two is missing: install rigscope again"):
        pages()


def test_every_verb_and_every_rule_is_a_topic() -> None:
    names = set(topics())
    assert {verb.name for verb in VERBS} <= names
    assert {rule.id for rule in all_rules()} <= names


def test_no_link_between_the_pages_is_broken() -> None:
    links = [(each.page, link) for each in every_section() for link in manual.links(each.text)]
    assert links
    for page, link in links:
        at(link if not link.startswith("#") else page + link)
