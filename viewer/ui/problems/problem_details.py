"""The explanation of a problem: what was found, what the engine does, the remedy, and links to all items."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.errors import counted, printable
from viewer.scene.finding import MOST_ITEMS
from viewer.scene.items import Item
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.give_file import give_file
from viewer.ui.item_menu import item_menu
from viewer.ui.kit.clipped_rows import clipped
from viewer.ui.kit.theme import ACCENT, rgba
from viewer.ui.kit.widgets import faint, hint, wrapped
from viewer.ui.problems.problem_groups import Node, ProblemGroup
from viewer.ui.problems.problem_rows import MISSING, ProblemRow
from viewer.ui.problems.severity_marks import COLORS, ICONS
from viewer.ui.problems.show_problem import problem_items, show_bytes
from viewer.ui.properties.page_widgets import jump


def problem_details(state: State, post: Post, node: Node) -> None:
    """Draw everything that is known of a problem, or of the rule of a group."""
    row = node.rows[0] if isinstance(node, ProblemGroup) else node
    finding = row.finding
    title = finding.title or row.severity.word.capitalize()
    wrapped(f"{ICONS[row.severity]}  {title}", COLORS[row.severity])
    wrapped(counted(len(node.rows), "finding") if isinstance(node, ProblemGroup) else row.text)
    for name, text in (("Effect", finding.effect), ("Remedy", finding.remedy), ("Rule", finding.rule)):
        if text:
            imgui.spacing()
            faint(name)
            wrapped(text)
    if row.rule in MISSING:
        part = row.missing if row is node else None
        give_file(post, part.name if part is not None else "")
    if row is node:
        _place(state, row)
        _items(state, post, problem_items(state, row))


def _place(state: State, row: ProblemRow) -> None:
    """Draw the file, and a link to the bytes."""
    if not row.finding.file:
        return
    imgui.spacing()
    faint("File")
    wrapped(printable(row.finding.file))
    if row.place:
        imgui.push_style_color(imgui.Col_.text, rgba(ACCENT))
        if imgui.selectable(f"{row.place}###bytes", False)[0]:
            show_bytes(state, row)
        imgui.pop_style_color()
        hint("Show bytes")


def _items(state: State, post: Post, items: tuple[Item, ...]) -> None:
    """Draw a link to each item; a click selects it."""
    if not items:
        return
    imgui.spacing()
    more = len(items) >= MOST_ITEMS
    faint(f"The first {MOST_ITEMS} of more items are marked" if more else counted(len(items), "item"))
    for number in clipped(len(items)):
        jump(state, items[number])
        if imgui.begin_popup_context_item(f"item {number}"):
            item_menu(state, post, items[number])
            imgui.end_popup()
