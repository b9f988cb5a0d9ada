"""Links from the pages of the manual to menus and panels.

Texts such as `View › Grid` become links. The pages have no markup for this, because the terminal and the web
site show the same files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from viewer.actions import ACTIONS, ACTIONS_BY_NAME
from viewer.session.layouts import PANELS
from viewer.session.state import State
from viewer.ui.layout import open_panels
from viewer.ui.menu import TITLES

ARROW = " › "
MENU = re.compile(rf"\b(?:{'|'.join(TITLES)})\s+›\s+")
PANEL = re.compile(rf"\b[Pp]anel ({'|'.join(panel.title for panel in PANELS)})\b")
KEY = re.compile(r"\*\*([^*\n]+)\*\*")
ROW = re.compile(r"^(\| .* \| )`(\w+)` \|$", re.MULTILINE)
"""Matches a table row whose last cell is the name of an action."""
KEYS_ROW = re.compile(r"^(\| .*? \|) .*? ?(\| `(\w+)` \|)$", re.MULTILINE)
"""Matches a row of the tables of keys: an action's title, its keys and its name."""
LITERAL = re.compile(r"^```.*?^```|`[^`\n]*`|!?\[[^\]]*\]\([^)]*\)", re.DOTALL | re.MULTILINE)
"""Matches code, links and pictures, which are not changed."""
SCHEME = "show:"
ARROWS = {"←": "Left", "→": "Right", "↑": "Up", "↓": "Down", "Esc": "Escape"}
"""Keys whose names in the pages differ from those in the table of actions."""
SEPARATOR = "/"

Path = tuple[str, ...]


def linked(text: str) -> str:
    """Return a page, in Markdown, with links to the menu entries, keys and panels that it names."""
    text = ROW.sub(_row, text)
    parts, at = [], 0
    for literal in LITERAL.finditer(text):
        parts += [_plain(text[at : literal.start()]), literal[0]]
        at = literal.end()
    return "".join((*parts, _plain(text[at:])))


def with_keys(text: str, keys: Mapping[str, Sequence[str]]) -> str:
    """Return a page whose tables of keys show `keys`, by action, in place of the defaults."""

    def row(found: re.Match[str]) -> str:
        own = keys.get(found[3])
        return found[0] if own is None else f"{found[1]} {', '.join(f'`{each}`' for each in own)} {found[2]}"

    return KEYS_ROW.sub(row, text) if keys else text


def _row(found: re.Match[str]) -> str:
    action = ACTIONS_BY_NAME.get(found[2])
    return found[0] if action is None else f"{found[1]}{_link(f'`{found[2]}`', _path(action.name))} |"


def _plain(text: str) -> str:
    """Link the names in a text without code and links."""
    text = PANEL.sub(_panel, KEY.sub(_key, text))
    parts, at = [], 0
    for menu in MENU.finditer(text):
        path, end = menu_entry(text, menu.start())
        if path and menu.start() >= at:
            parts += [text[at : menu.start()], _link(text[menu.start() : end].replace("*", ""), path)]
            at = end
    return "".join((*parts, text[at:]))


def _key(found: re.Match[str]) -> str:
    name = actions_by_key().get(re.sub("[←→↑↓]|Esc$", lambda key: ARROWS[key[0]], found[1]))
    return found[0] if name is None else _link(found[0], _path(name))


def _panel(found: re.Match[str]) -> str:
    name = next(panel.name for panel in PANELS if panel.title == found[1])
    return f"{found[0][: -len(found[1])]}{_link(found[1], (name,))}"


def _link(text: str, path: Path) -> str:
    shown = " ".join(text.split()).replace("[", "\\[").replace("]", "\\]")
    return f"[{shown}](<{SCHEME}{SEPARATOR.join(path)}>)"


def _path(name: str) -> Path:
    action = ACTIONS_BY_NAME[name]
    return (*action.menu, action.title)


@cache
def actions_by_key() -> Mapping[str, str]:
    """The names of the actions by their keys."""
    return {key: action.name for action in ACTIONS for key in action.keys}


@cache
def entries() -> Mapping[Path, tuple[str, ...]]:
    """The titles of the entries and submenus of a menu, by the menu's path; the longest title comes first."""
    found: dict[Path, set[str]] = {}
    for path in map(_path, ACTIONS_BY_NAME):
        for depth in range(1, len(path)):
            found.setdefault(path[:depth], set()).add(path[depth])
    return {path: tuple(sorted(titles, key=len, reverse=True)) for path, titles in found.items()}


def menu_entry(text: str, start: int) -> tuple[Path, int]:
    """Return the path of the menu entry that `text` names at `start`, and the offset after it.

    The path is `()` if the text names no entry. The entry may contain line breaks and emphasis, and text may
    follow it.
    """
    path: Path = ()
    end = start
    rest: tuple[str, ...] = TITLES
    while rest:
        begin = end if not path else _after_arrow(text, end)
        step = _longest(text, begin, rest) if begin is not None else None
        if step is None:
            break
        title, end = step
        path = (*path, title)
        rest = entries().get(path, ())
    return (path, end) if len(path) > 1 else ((), start)


def _after_arrow(text: str, at: int) -> int | None:
    found = re.compile(r"\s+›\s+(?=\S)").match(text, at)
    return found.end() if found else None


def _longest(text: str, at: int, titles: tuple[str, ...]) -> tuple[str, int] | None:
    """Return the first of the titles that stands in `text` at offset `at`, and the offset of its end; None if
    no title stands there. The title may be emphasised.
    """
    for title in titles:
        words = r"\s+".join(map(re.escape, title.removesuffix("…").split()))
        found = re.compile(rf"{words}…?(?!\w)" if text[at] != "*" else rf"\*{words}…?\*").match(text, at)
        if found:
            return title, found.end()
    return None


def show(state: State, link: str) -> None:
    """Point at the menu entry or the panel of a link that `linked` made.

    If the panel is not shown for the file in view, a note says so.
    """
    path = tuple(link.removeprefix(SCHEME).split(SEPARATOR))
    if len(path) == 1:
        state.interface.bring(path[0])
        panel = next(panel for panel in PANELS if panel.name == path[0])
        if panel not in open_panels(state, "wide"):
            state.interface.front = ""
            state.interface.note(f"The panel {panel.title} has nothing to show now")
            return
    state.interface.pointed = path
