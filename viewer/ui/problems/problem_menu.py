"""The context menus of problems, and the list of ignored rules."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.errors import counted, printable
from viewer.scene.items import TextureItem
from viewer.session.preferences import Preferences
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.give_file import give_file_menu
from viewer.ui.kit.copying import copy_text
from viewer.ui.kit.widgets import hint
from viewer.ui.problems.problem_groups import Node, ProblemGroup
from viewer.ui.problems.problem_rows import MISSING, PROGRAM, ProblemRow
from viewer.ui.problems.show_problem import present_problem, show_bytes

POPUP = "ignored rules"


def problem_menu(state: State, post: Post, node: Node) -> None:
    """Draw the entries for a problem or a group of problems."""
    if isinstance(node, ProblemGroup):
        if imgui.menu_item_simple("Copy all"):
            copy_text("\n\n".join(row.whole for row in node.rows))
    else:
        _entries(state, post, node)
    if node.rule != PROGRAM and imgui.menu_item_simple("Ignore this rule"):
        state.interface.preferences.ignored_rules.append(node.rule)


def _entries(state: State, post: Post, row: ProblemRow) -> None:
    if row.finding.items and imgui.menu_item_simple("Show", "Enter"):
        present_problem(state, post, row)
    if row.finding.offset is not None and imgui.menu_item_simple("Show bytes"):
        show_bytes(state, row)
    if imgui.menu_item_simple("Copy"):
        copy_text(row.whole)
    if row.rule in MISSING and row.owner is not None:
        _missing(state, post, row)


def _missing(state: State, post: Post, row: ProblemRow) -> None:
    """Draw the entries that give a missing file."""
    part = row.missing
    if part is not None and part.name and imgui.menu_item_simple("Copy name"):
        copy_text(printable(part.name))
    item = part.item if part is not None else None
    texture = item.number if isinstance(item, TextureItem) and row.owner is state.document else None
    named = part is not None and (texture is not None or not isinstance(item, TextureItem))
    give_file_menu(post, part.name if part is not None and named else "", texture)


def ignored_rules(preferences: Preferences) -> None:
    """Draw a button with the number of ignored rules, and the list that it opens; nothing without any."""
    ignored = preferences.ignored_rules
    if not ignored:
        return
    if imgui.button(f"{counted(len(ignored), 'rule')} ignored###ignored"):
        imgui.open_popup(POPUP)
    hint("List the ignored rules")
    if imgui.begin_popup(POPUP):
        for rule in tuple(ignored):
            if imgui.menu_item_simple(f"Tell {rule} again###{rule}"):
                ignored.remove(rule)
        imgui.end_popup()
    imgui.same_line()
