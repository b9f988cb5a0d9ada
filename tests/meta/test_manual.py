"""The manual says what the program says, and every link of it and of README leads somewhere."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import ROOT
from viewer.actions import ACTIONS
from viewer.commands.usage import VERBS, WINDOW
from viewer.ui.manual.show_me import LITERAL, MENU, menu_entry

MANUAL = ROOT / "assets" / "manual"
PAGES = sorted(MANUAL.glob("*.md"))
LINK = re.compile(r"!?\[[^]]*]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
KEY = re.compile(r"\*\*((?:Ctrl\+|Shift\+|Alt\+)*(?:[A-Z0-9,.\[\]=←→↑↓-]|F\d+|Tab|Space|Esc))\*\*")
ARROWS = {"←": "Left", "→": "Right", "↑": "Up", "↓": "Down", "Esc": "Escape"}
IN_PANELS = {"F3", "Ctrl+G"}
"""The keys that only some panels have."""


@pytest.fixture(scope="module")
def facts() -> Iterator[ModuleType]:
    """The module that makes the facts of the pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(MANUAL))
        import facts

        yield facts
        sys.modules.pop("facts")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.mark.usefixtures("wow")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_facts_of_a_page_are_those_of_the_program(facts: ModuleType, page: Path) -> None:
    assert facts.written(text_of(page)) == text_of(page), "run `python3 dev.py manual --facts`"


def test_the_options_of_the_public_interface_are_typed(facts: ModuleType) -> None:
    source = text_of(ROOT / "viewer" / "api.py")
    assert facts.typed(source) == source, "run `python3 dev.py manual --facts`"
    assert facts.typed(source.replace("    wireframe: bool\n", "", 1)) == source


def test_the_presets_list_an_action_that_lost_its_keys(facts: ModuleType) -> None:
    rows = facts.FACTS["presets"]().splitlines()
    assert "| Maya keys | Choose shading | none |" in rows
    assert "| Blender keys | Find an action… | `F3`, `Ctrl+P` |" in rows


def test_every_fact_stands_in_a_page(facts: ModuleType) -> None:
    named = [name for page in PAGES for name in facts.names(text_of(page))]
    assert sorted(named) == sorted(facts.FACTS)


def test_every_page_is_in_the_index(facts: ModuleType) -> None:
    assert sorted([*facts.PAGES, "index"]) == [page.stem for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_begins_with_its_title_and_its_subject(page: Path) -> None:
    title, empty, subject, *_ = text_of(page).split("\n")
    assert re.fullmatch(r"# \S.*", title)
    assert empty == "" and subject.endswith(".")


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.stem)
def test_every_link_leads_somewhere(page: Path) -> None:
    assert list(broken(page)) == []


def test_every_picture_is_shown() -> None:
    linked = {
        (page.parent / link).resolve()
        for page in [ROOT / "README.md", *PAGES]
        for link in LINK.findall(text_of(page))
    }
    assert {each for each in (MANUAL / "pictures").iterdir() if each not in linked} == set()


def test_every_room_is_listed() -> None:
    listing = text_of(MANUAL / "contributing.md").split("\nviewer/\n")[1].split("```")[0]
    rooms = {path.parent.name for path in (ROOT / "viewer").glob("*/__init__.py")}
    assert set(re.findall(r"(\w+)/", listing)) == rooms
    free = {path.name for path in (ROOT / "viewer").glob("*.py") if not path.name.startswith("__")}
    assert set(re.findall(r"\w+\.py", listing)) == free


def test_every_command_of_dev_py_is_named() -> None:
    offered = set(re.findall(r"python3 dev\.py (\w+)", text_of(ROOT / "dev.py")))
    named = {word for page in PAGES for word in re.findall(r"dev\.py (\w+)", text_of(page))}
    assert named == offered


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.stem)
def test_the_options_of_examples_exist(page: Path) -> None:
    """Of each line `rigscope VERB … --option` in a block of commands."""
    for line in re.findall(r"^rigscope (.*?)(?:  +#.*)?$", text_of(page), re.MULTILINE):
        verb = next((verb for verb in VERBS if line.split()[:1] == [verb.name]), WINDOW)
        known = {flag for option in verb.options for flag in option.flags}
        assert set(re.findall(r"(?<=\s)--[a-z][a-z-]*", line)) <= known, line


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.stem)
def test_menus_and_keys_exist(page: Path) -> None:
    text = LITERAL.sub("", text_of(page))
    for found in MENU.finditer(text):
        assert menu_entry(text, found.start())[0], text[found.start() :][:40]
    keys = IN_PANELS | {key for action in ACTIONS for key in action.keys}
    for key in KEY.findall(text_of(page)):
        assert re.sub("[←→↑↓]|Esc", lambda found: ARROWS[found[0]], key) in keys, key


def broken(page: Path) -> Iterator[str]:
    """The links of a page to files, headings and pictures that do not exist."""
    for link in LINK.findall(CODE.sub("", text_of(page))):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.is_file() or (anchor and anchor not in anchors(target)):
            yield link


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", CODE.sub("", text_of(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
