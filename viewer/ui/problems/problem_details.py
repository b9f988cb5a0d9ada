"""The details of a problem with links to its items, its context menu, and the list of ignored rules."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.errors import counted, printable
from viewer.scene.finding import MOST_ITEMS
from viewer.scene.items import Item, TextureItem
from viewer.scene.needs import Need
from viewer.session.preferences import Preferences
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.item_menu import give_file, give_file_menu, item_menu
from viewer.ui.kit.theme import ACCENT, rgba
from viewer.ui.kit.widgets import clipped, copy_text, faint, hint, wrapped
from viewer.ui.problems.problem_rows import COLORS, ICONS, Node, ProblemGroup, ProblemRow
from viewer.ui.problems.show_problem import present_problem, problem_items, show_bytes
from viewer.ui.properties.page_widgets import jump

POPUP = "ignored rules"


def problem_menu(state: State, post: Post, node: Node) -> None:
    """Draw the entries for a problem or a group of problems."""
    if isinstance(node, ProblemGroup):
        if imgui.menu_item_simple("Copy all"):
            copy_text("\n\n".join(row.whole for row in node.rows))
    else:
        _entries(state, post, node)
    if imgui.menu_item_simple("Ignore this rule"):
        state.interface.preferences.ignored_rules.append(node.rule)


def _entries(state: State, post: Post, row: ProblemRow) -> None:
    if row.finding.items and imgui.menu_item_simple("Show", "Enter"):
        present_problem(state, post, row)
    if row.offers_bytes and imgui.menu_item_simple("Show bytes"):
        show_bytes(state, row)
    if imgui.menu_item_simple("Copy"):
        copy_text(row.whole)
    if row.need is not None:
        _missing(state, post, row, row.need)


def _missing(state: State, post: Post, row: ProblemRow, need: Need) -> None:
    """Draw the menu entries with which the user provides a missing file."""
    if need.name and imgui.menu_item_simple("Copy name"):
        copy_text(printable(need.name))
    item = next(iter(need.items), None)
    texture = item.number if isinstance(item, TextureItem) and row.owner is state.document else None
    named = texture is not None or not isinstance(item, TextureItem)
    give_file_menu(post, need.name if named else "", texture)


def ignored_rules(preferences: Preferences) -> None:
    """Draw a button that shows the number of ignored rules and opens their list.

    Without rules, draw nothing.
    """
    ignored = preferences.ignored_rules
    if not ignored:
        return
    if imgui.button(f"{counted(len(ignored), 'rule')} ignored###ignored"):
        imgui.open_popup(POPUP)
    hint("List the ignored rules")
    if imgui.begin_popup(POPUP):
        for rule in tuple(ignored):
            if imgui.menu_item_simple(f"Stop ignoring {rule}###{rule}"):
                ignored.remove(rule)
        imgui.end_popup()
    imgui.same_line()


def problem_details(state: State, post: Post, node: Node) -> None:
    """Draw all facts of a problem, or of the rule of a group."""
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
    if row.need is not None:
        give_file(post, row.need.name if row is node else "")
        if imgui.text_link("Where files are searched"):
            state.interface.read("materials#where-files-are-searched")
    if row is node:
        _location(state, row)
        _items(state, post, problem_items(state, row))


def _location(state: State, row: ProblemRow) -> None:
    """Draw the file of a problem and a link to its bytes."""
    if not row.finding.file:
        return
    imgui.spacing()
    faint("File")
    wrapped(printable(row.finding.file))
    if row.location and not row.offers_bytes:
        wrapped(row.location)
    elif row.location:
        imgui.push_style_color(imgui.Col_.text, rgba(ACCENT))
        if imgui.selectable(f"{row.location}###bytes", False)[0]:
            show_bytes(state, row)
        imgui.pop_style_color()
        hint("Show bytes")


def _items(state: State, post: Post, items: tuple[Item, ...]) -> None:
    """Draw a link to each item. A click selects the item."""
    if not items:
        return
    imgui.spacing()
    more = len(items) >= MOST_ITEMS
    faint(f"Only the first {MOST_ITEMS} items are marked" if more else counted(len(items), "item"))
    for number in clipped(len(items)):
        jump(state, items[number])
        if imgui.begin_popup_context_item(f"item {number}"):
            item_menu(state, post, items[number])
            imgui.end_popup()
