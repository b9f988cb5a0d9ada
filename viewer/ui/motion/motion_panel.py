"""The Motion panel: the keys of a clip that leave what their neighbours say, and its feet."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS_BY_NAME
from viewer.actions.motion import go_to_key
from viewer.animation.motion.key_outliers import KeyOutlier
from viewer.errors import counted, printable
from viewer.scene.animation import match
from viewer.scene.items import BoneItem
from viewer.session.feet import judge_bone, unjudged_bones
from viewer.session.motion import LISTED, MotionFindings
from viewer.session.requests import Post, SaveAs, SaveMotion
from viewer.session.state import State
from viewer.ui.item_menu import action_entries
from viewer.ui.kit.texts import fitted_row
from viewer.ui.kit.theme import TEXT, WARNING, Color
from viewer.ui.kit.tree_rows import Branch, Row
from viewer.ui.kit.tree_table import Column, TableRows, TreeTable
from viewer.ui.kit.widgets import Memo, button_width, hint, nothing, same_line_if_fits, still, toggle
from viewer.ui.motion.feet_table import FeetTable
from viewer.ui.timeline.keys import key_item, select

LIST = 0.58
"""The share of the panel for the list of keys."""
BESIDE = 44.0
"""The least width in font sizes of a panel with the feet beside the list."""
LOWEST = 5.0, 9.0
"""The least heights in font sizes of the list and of the feet below it. A lower panel scrolls."""
NAMES, FILTER = 9.0, 6.0
"""The least width of the names of bones and of the filter in font sizes."""
SECONDARY = ("key", "ratio")
"""The columns that are left out first if there is no room for the names."""
STILL = int(imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse)

COLUMNS: tuple[Column[KeyOutlier], ...] = (
    Column("bone", searched=True),
    Column("time", 6.0, mono=True, right=True, text=lambda each: f"{each.time:.3f} s"),
    Column("key", 4.5, mono=True, right=True, text=lambda each: str(each.key)),
    Column("angle", 5.0, mono=True, right=True, text=lambda each: f"{each.angle:.1f}°"),
    Column("ratio", 4.5, mono=True, right=True, text=lambda each: f"{each.ratio:.2f}"),
)


class MotionPanel:
    """The list of keys and the table of feet beside each other, in a narrow panel below each other.

    A list without room for the names of bones has fewer columns.
    """

    def __init__(self) -> None:
        self._keys = TreeTable[KeyOutlier]("keys that pop", COLUMNS, headers=True)
        self._bones = Memo()
        self._feet = FeetTable()

    def __call__(self, state: State, post: Post) -> None:
        """Draw the panel."""
        clip, motion = state.playback.keyed, state.motion
        if clip is None:
            nothing(still(state))
            return
        motion.wanted = True
        if motion.result is None or motion.result.clip is not clip:
            nothing(motion.error or "Judging …")
            return
        room = imgui.get_content_region_avail()
        unit = imgui.get_font_size()
        beside = room.x > BESIDE * unit
        size = ImVec2(room.x * LIST, 0) if beside else ImVec2(0, max(room.y * LIST, LOWEST[0] * unit))
        if imgui.begin_child("keys", size, 0, STILL):
            self._list(state, post, motion)
        imgui.end_child()
        if beside:
            imgui.same_line()
        rest = imgui.get_content_region_avail().y
        if imgui.begin_child("feet", ImVec2(0, 0 if beside else max(rest, LOWEST[1] * unit))):
            self._feet(state, post, motion.result)
        imgui.end_child()

    def _list(self, state: State, post: Post, motion: MotionFindings) -> None:
        """Draw the keys, the worst first."""
        assert motion.result is not None, "the clip is judged"
        for icon, name in (("\uf077", "previous_outlier"), ("\uf078", "next_outlier")):
            action = ACTIONS_BY_NAME[name]
            imgui.begin_disabled(not action.enabled(state))
            if imgui.button(f"{icon}##{name}"):
                action.run(state, post)
            imgui.end_disabled()
            hint(action.title)
            imgui.same_line(0, 2)
        if toggle("Heat map", state.view.timeline.heat):
            ACTIONS_BY_NAME["heat"].run(state, post)
        hint("Colour the rows of the timeline by the angular speed of their bone")
        imgui.same_line()
        if imgui.button("Save…##keys"):
            post(SaveAs(SaveMotion("keys")))
        count = len(motion.result.outliers)
        hint(f"Save {counted(count, 'key')} as CSV; the list has the first {LISTED}")
        _left_out(state)
        same_line_if_fits(FILTER * imgui.get_font_size())
        self._keys.filter_line()
        if not count:
            nothing("Every key follows from the keys around it.")
            return
        rows: Branch[KeyOutlier] = self._keys.kept(
            (motion.result,),
            lambda: Branch(
                [each for each in motion.listed if self._keys.filter.fits(each.bone)], lambda each: ()
            ),
        )
        self._follow(motion, rows)
        if len(rows):
            self._keys(rows, _KeyRows(state, post, self._numbers(state)), _columns())
        else:
            nothing("No bone contains this text.")

    def _follow(self, motion: MotionFindings, rows: Branch[KeyOutlier]) -> None:
        """Put the cursor on the key that an action went to."""
        if motion.chosen >= 0 and motion.moved:
            motion.moved = False
            wanted = motion.listed[motion.chosen]
            number = next((n for n, each in enumerate(rows.nodes) if each is wanted), None)
            if number is not None:
                self._keys.cursor = (number,)
                self._keys.show((number,))

    def _numbers(self, state: State) -> dict[str, int]:
        """The number of the bone that each track of the clip moves, by the track's target."""
        clip, skeleton = state.playback.keyed, state.skeleton
        found: dict[str, int] = self._bones.get(
            (clip, skeleton),
            lambda: {} if clip is None or skeleton is None else match(clip, skeleton.names).bones,
        )
        return found


def _columns() -> list[str]:
    """The names of the columns for which the window has room beside the names of bones."""
    unit, style = imgui.get_font_size(), imgui.get_style()
    room = imgui.get_content_region_avail().x - style.scrollbar_size - NAMES * unit
    shown = {each.name: each.width * unit + 2 * style.cell_padding.x for each in COLUMNS}
    for name in SECONDARY:
        if sum(shown.values()) > room:
            del shown[name]
    return [*shown]


def _left_out(state: State) -> None:
    """Draw the button that judges the bones again that were left out; nothing if there are none."""
    document, names = state.document, unjudged_bones(state)
    if document is None or not names:
        return
    label = f"{counted(len(names), 'bone')} left out"
    same_line_if_fits(button_width(label))
    if imgui.button(label):
        for name in names:
            judge_bone(state.interface.preferences, document.path, name, True)
    hint("Judge these bones again: " + printable(", ".join(names)))


class _KeyRows(TableRows[KeyOutlier]):
    """The rows of the list. `bones` are the numbers of the bones by the target of their track."""

    def __init__(self, state: State, post: Post, bones: dict[str, int]) -> None:
        self._state, self._post, self._bones = state, post, bones

    def line(self, row: Row[KeyOutlier]) -> tuple[float, str]:
        """The name of the bone."""
        return fitted_row(0, printable(row.node.bone))

    def cell_color(self, row: Row[KeyOutlier], column: Column[KeyOutlier]) -> Color:
        """The colour of warnings for the numbers of keys that the check reports."""
        return WARNING if row.node.pops and column.name in ("angle", "ratio") else TEXT

    def on_line(self, row: Row[KeyOutlier]) -> None:
        """Hover the bone, and say what the numbers mean."""
        bone = self._bones.get(row.node.bone)
        if bone is not None and imgui.is_item_hovered():
            self._state.view.selection.point(BoneItem(bone))
        node = row.node
        hint(
            lambda: (
                f"{printable(node.bone)}, key {node.key} at {node.time:.3f} s: {node.angle:.1f}° away from "
                f"what the keys around it say, {node.ratio:.2f} times the usual"
            )
        )

    def choose(self, row: Row[KeyOutlier], by_key: bool) -> None:
        """Go to the key."""
        go_to_key(self._state, row.node)

    def open(self, row: Row[KeyOutlier]) -> None:
        """Select the key, which shows its bytes."""
        clip = self._state.playback.keyed
        if clip is not None:
            select(self._state, clip, key_item(self._state, clip, row.node.bone, row.node.key))

    def menu(self, row: Row[KeyOutlier]) -> None:
        """Draw the entries of a key."""
        go_to_key(self._state, row.node)
        action_entries(self._state, self._post, ("trail", "frame_selected"))
        document = self._state.document
        if document is not None and imgui.menu_item_simple("Leave out this bone"):
            judge_bone(self._state.interface.preferences, document.path, row.node.bone, False)
