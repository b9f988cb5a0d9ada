"""The Animations panel: the list of animations, the playing layers, and the details of an animation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath
from weakref import ref

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from viewer.actions import ACTIONS_BY_NAME
from viewer.actions.animations import can_add_selected, picked_animation, play_picked
from viewer.errors import printable
from viewer.scene.animation import Animation, TrackMatch, listing_order, match
from viewer.scene.items import AnimationItem
from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.item_menu import item_menu
from viewer.ui.kit.texts import fitted, label_text
from viewer.ui.kit.theme import FAINT, WARNING, Color
from viewer.ui.kit.tree_rows import Branch, Row, flat
from viewer.ui.kit.tree_table import Column, TableRows, TreeTable
from viewer.ui.kit.widgets import (
    Memo,
    colored,
    faint,
    filter_box,
    found_line,
    hint,
    mono,
    nothing,
    toggle,
)
from viewer.ui.panels.animation_details import details, flags_text, id_text, summary, tracks_text
from viewer.view.playlist import PlaylistEntry

EMPTY_NAME = re.compile(r"\s*|take[ _]?\d+|mixamo\.com|(default|unnamed|untitled)( take)?", re.IGNORECASE)
"""Matches names without meaning, such as a name that an exporter gives to every clip."""


def clip_titles(offered: Sequence[Animation]) -> tuple[str, ...]:
    """Return a unique title for each clip.

    The title is the clip's name. The title is the stem of the clip's file in two cases: the name has no
    meaning; or several clips have the name, and no other clip has the stem. Titles that are still equal get
    the variation (from 1) or a number.
    """
    names = Counter(each.name for each in offered)
    stems = Counter(PurePath(each.source).stem for each in offered)
    titles = [_title(each, names, stems) for each in offered]
    counts, seen, unique = Counter(titles), Counter[str](), []
    for animation, title in zip(offered, titles, strict=True):
        if counts[title] > 1:
            seen[title] += 1
            variation = animation.facts.get("variation")
            title = f"{title} {seen[title] if variation is None else int(variation) + 1}"
        unique.append(title)
    return tuple(unique)


def _title(animation: Animation, names: Counter[str], stems: Counter[str]) -> str:
    stem = PurePath(animation.source).stem
    says_nothing = EMPTY_NAME.fullmatch(animation.name) is not None
    if stem and (says_nothing or (names[animation.name] > 1 and stems[stem] == 1)):
        return stem
    return animation.name or "unnamed"


REMOVE, ON_TOP, BONE = "\uf00d", "\uf067", "\uf5d7"


def height(state: State) -> float:
    """The height in points that `layers` takes. The room of one layer is kept while no animation plays."""
    shown = max(len(state.view.playlist), 1)
    return shown * 2 * imgui.get_frame_height_with_spacing() + imgui.get_text_line_height()


def layers(state: State) -> None:
    """Draw two lines of controls for each playing animation, in blend order."""
    before = state.view.playlist
    if not before:
        faint("No animation plays")
    after = []
    for number, chosen in enumerate(before):
        imgui.push_id(number)
        kept = _layer(state, chosen)
        if kept is not None:
            after.append(kept)
        imgui.pop_id()
    if tuple(after) != before:
        state.playback.mix(after)


def _layer(state: State, chosen: PlaylistEntry) -> PlaylistEntry | None:
    """Draw a layer; return the layer with the user's changes, None if the user removed it."""
    side, gap = imgui.get_frame_height(), 2.0
    imgui.align_text_to_frame_padding()
    imgui.text_unformatted(printable(chosen.animation.name) or "unnamed")
    if chosen.fade is not None:
        imgui.same_line()
        colored("fading", FAINT)
    imgui.same_line(max(imgui.get_content_region_avail().x - side, imgui.get_cursor_pos_x()))
    removed = imgui.button(REMOVE, ImVec2(side, side))
    hint("Remove this layer")
    weight = chosen.weight_at(state.view.clock.time)
    imgui.set_next_item_width(imgui.get_content_region_avail().x - 2 * (side + gap))
    with mono():
        changed, value = imgui.slider_float(
            "##weight", weight, 0.0, 1.0, "Weight %.2f", imgui.SliderFlags_.always_clamp
        )
    if changed:
        chosen = replace(chosen, weight=value, fade=None)
    imgui.same_line(0, gap)
    if toggle(f"{ON_TOP}##additive", chosen.additive, ImVec2(side, side)):
        chosen = replace(chosen, additive=not chosen.additive)
    hint("Additive: adds the difference from the rest pose to the other layers")
    imgui.same_line(0, gap)
    return None if removed else _start_bone(state, chosen, side)


def _start_bone(state: State, chosen: PlaylistEntry, side: float) -> PlaylistEntry:
    """Draw the button that restricts a layer to the selected bone and its descendants; return the layer."""
    names = state.skeleton.names if state.skeleton else ()
    now, bone = chosen.start_bone, state.view.bone
    imgui.begin_disabled(now is None and bone is None)
    clicked = toggle(f"{BONE}##start", now is not None, ImVec2(side, side))
    imgui.end_disabled()
    moved = f"Moves {printable(names[now])} and the bones below it" if now is not None else "Moves all bones"
    if now is not None:
        then = "Click: move all bones"
    elif bone is not None:
        then = "Click: move only the selected bone and the bones below it"
    else:
        then = "Select a bone to move only the bones below it"
    hint(f"{moved}\n{then}")
    return replace(chosen, start_bone=None if now is not None else bone) if clicked else chosen


TABLE = int(imgui.TableFlags_.scroll_y | imgui.TableFlags_.sizing_stretch_prop)
ROW = int(imgui.SelectableFlags_.span_all_columns)
CLIPS, SEQUENCES = ("clip", "tracks", "keys", "length"), ("clip", "id", "flags", "length")
SHORT = ("clip", "length")
"""The columns of clips, of sequences of M2 files, and of a narrow list."""
REST = -1
"""Stands for the rest pose among the numbers of animations."""
SEARCHED = 8
"""From this number of animations on, the list has a filter. With fewer animations, Ctrl+F shows the filter.
"""
NARROW = 16
LEAST, SHORTEST = 6, 3
"""The least height in lines of two lists: of a list with at least LEAST clips, and of a shorter list. The
details scroll if there is no room for list and details.
"""
DETAILS = 6
"""The number of lines that the list leaves free for open details. Longer details scroll."""
FOCUSED = int(imgui.InputFlags_.route_focused | imgui.InputFlags_.repeat)
KEYS = ((int(imgui.Key.down_arrow), 1), (int(imgui.Key.up_arrow), -1), (int(imgui.Key.enter), 0))
"""The keys that play another animation of the list, with their step in the list."""
PLAYS = "\uf04b "
HOW_TO_MIX = "While a clip plays, select another one with Ctrl+click"
ALIAS = "alias of "


class Matches:
    """The track matches of each animation.

    The matches are computed when needed, because matching reads the keyframes.
    """

    def __init__(self, offered: tuple[Animation, ...], names: tuple[str, ...]) -> None:
        self.offered = offered
        self.of_sequences = any("id" in each.facts for each in offered)
        self._names = names
        self._known: dict[int, TrackMatch] = {}

    def __getitem__(self, number: int) -> TrackMatch:
        if number not in self._known:
            self._known[number] = match(self.offered[number], self._names)
        return self._known[number]


def fits(animation: Animation, wanted: TextFilter, title: str = "") -> bool:
    """Whether the name, title or tags of an animation contain each word of a filter, or its id equals the
    word.
    """
    known = f"{animation.facts['id']:g}" if "id" in animation.facts else ""
    folded = "\n".join((animation.name, title, *animation.tags)).casefold()
    return all(word in folded or word == known for word in wanted.words)


def _found(
    offered: Sequence[Animation], order: Sequence[int], wanted: TextFilter, titles: Sequence[str]
) -> tuple[Branch[int], list[int]]:
    """The rows of the list, and the numbers of its animations."""
    shown = [number for number in order if fits(offered[number], wanted, titles[number])]
    return flat([REST, *shown]), shown


def _fixed(name: str, text: Callable[[int], str]) -> Column[int]:
    """A column of numbers, as wide as its texts."""
    return Column(name, share=0.0, mono=True, right=True, text=text)


class AnimationsPanel:
    """The list of animations, with the layers and the details below it.

    A click, an arrow key or Enter plays only the chosen animation; the keys work while the panel has the
    focus. Ctrl+click and Shift+click select several animations and play none. The filter is empty for each
    document that comes into view. Sequences of M2 files show their ids in place of the counts of keyframes,
    so that no keyframes have to be read.
    """

    def __init__(self) -> None:
        self._matches = Memo()
        self._order = Memo()
        self._titles = Memo()
        self._shown: ref[Animation] | None = None
        self._path = ""
        self._filter = EVERYTHING
        columns = (
            Column[int]("clip"),
            _fixed("tracks", lambda number: tracks_text(self._clip(number), self._matches.value[number])),
            _fixed("id", lambda number: id_text(self._clip(number))),
            _fixed("keys", lambda number: f"{self._clip(number).keyframes}"),
            _fixed("flags", lambda number: flags_text(self._clip(number))),
            _fixed("length", lambda number: f"{self._clip(number).duration:.2f} s"),
        )
        self._table = TreeTable("animations", columns, True, TABLE)
        self._searched = False
        self._mixed = self._layers_open = self._details_open = False

    def __call__(self, state: State, post: Post) -> None:
        """Draw the filter, the list, the layers and the details."""
        offered = state.playback.animations
        if not offered:
            nothing(
                "No animations. Animation files beside the model are found automatically. "
                "Drop other files into the window."
            )
            return
        names = state.skeleton.names if state.skeleton else ()
        matches: Matches = self._matches.get((offered, names), lambda: Matches(offered, names))
        wanted = EVERYTHING
        if state.document is not None and state.document.path != self._path:
            self._path, self._filter = state.document.path, EVERYTHING
        find = state.interface.find_requested("animations")
        self._searched = self._searched or find
        if self._searched or len(offered) >= SEARCHED:
            self._filter = filter_box("animations", self._filter, find)
            wanted = self._filter
        order = self._order.get(offered, lambda: listing_order(offered))
        titles: tuple[str, ...] = self._titles.get(offered, lambda: clip_titles(offered))
        table = self._table
        table.filter = wanted
        tree, shown = table.kept((offered,), lambda: _found(offered, order, wanted, titles))
        _walk(state, shown)
        line = imgui.get_text_line_height_with_spacing()
        room = imgui.get_content_region_avail().y - self._reserved(state)
        least = LEAST if len(shown) >= LEAST else SHORTEST
        tall = max(min(room, (len(shown) + 2.5) * line), least * line)
        self._reveal(state, shown)
        wide = imgui.get_content_region_avail().x > NARROW * imgui.get_font_size()
        of_kind = SEQUENCES if matches.of_sequences else CLIPS
        rows = _ClipRows(state, post, shown, titles, matches)
        table(tree, rows, of_kind if wide else SHORT, tall)
        if imgui.begin_child("playing"):
            self._below(state, post, offered, matches)
        imgui.end_child()

    def _clip(self, number: int) -> Animation:
        """The animation with this number in the list."""
        matches: Matches = self._matches.value
        return matches.offered[number]

    def _reveal(self, state: State, shown: Sequence[int]) -> None:
        """Scroll to an animation in the frame in which it starts to play."""
        playing = state.view.playlist[0].animation if state.view.playlist else None
        before, self._shown = self._shown, None if playing is None else ref(playing)
        if before != self._shown:
            rows = (n for n, each in enumerate(shown, 1) if state.playback.animations[each] is playing)
            self._table.show((next(rows, 0),))

    def _reserved(self, state: State) -> float:
        """The height in points that must stay free below the list for the headers and their open contents.

        It does not depend on what plays or is selected, because a click must not move the list.
        """
        lines = 2 + (len(state.playback.animations) > 1)
        opened = height(state) if self._layers_open else 0.0
        details = DETAILS * imgui.get_text_line_height_with_spacing() if self._details_open else 0.0
        return lines * imgui.get_frame_height_with_spacing() + opened + details

    def _below(self, state: State, post: Post, offered: tuple[Animation, ...], matches: Matches) -> None:
        mixed = len(state.view.playlist) > 1
        if mixed and not self._mixed:
            imgui.set_next_item_open(True)
        self._mixed = mixed
        self._layers_open = imgui.collapsing_header("Layers")
        if self._layers_open:
            layers(state)
        if len(offered) > 1:
            _mixing(state, post)
        self._details_open = imgui.collapsing_header("Details")
        if self._details_open:
            playing = state.view.playlist[0].animation if state.view.playlist else None
            shown = picked_animation(state) or playing
            if shown in offered:
                details(state, shown, matches[offered.index(shown)])
            else:
                faint("No animation is selected")


class _ClipRows(TableRows[int]):
    """The rest pose and the animations with the numbers `shown`. The panel handles the keys, because they
    work while any part of it has the focus.
    """

    walks = False

    def __init__(
        self, state: State, post: Post, shown: Sequence[int], titles: Sequence[str], matches: Matches
    ) -> None:
        self._state, self._post, self._shown, self._titles, self._matches = (
            state,
            post,
            shown,
            titles,
            matches,
        )
        self._playing = {id(chosen.animation) for chosen in state.view.playlist}
        self._selected = frozenset(state.view.selection.together(AnimationItem))

    def draw(self, row: Row[int], chosen: bool, wide: bool) -> bool:
        """Draw the title of an animation, with a mark if it plays; return whether it was clicked."""
        label = "Rest pose"
        if row.node != REST:
            animation, title = self._matches.offered[row.node], label_text(self._titles[row.node])
            alias = next((tag.removeprefix(ALIAS) for tag in animation.tags if tag.startswith(ALIAS)), "")
            label = f"{PLAYS if id(animation) in self._playing else ''}{title}"
            label += f" → {label_text(alias)}" if alias else ""
        label = fitted(label, imgui.get_content_region_avail().x)
        return found_line(label, "clip", chosen, self.filter if row.node != REST else EVERYTHING, ROW)

    def is_chosen(self, row: Row[int], at_cursor: bool) -> bool:
        """Whether the animation is selected; the rest pose is while nothing plays."""
        return AnimationItem(row.node) in self._selected if row.node != REST else not self._playing

    def on_line(self, row: Row[int]) -> None:
        """Hover the animation, and show its tooltip."""
        if row.node == REST:
            return
        if imgui.is_item_hovered():
            self._state.view.selection.point(AnimationItem(row.node))
        hint(lambda: summary(self._state, self._matches.offered[row.node], self._matches[row.node]))

    def has_menu(self, row: Row[int]) -> bool:
        """Whether the row is an animation."""
        return row.node != REST

    def menu(self, row: Row[int]) -> None:
        """Draw the entries for the animation."""
        item_menu(self._state, self._post, AnimationItem(row.node))

    def cells(self, row: Row[int], columns: Sequence[Column[int]]) -> Iterable[tuple[str, Color]]:
        """The texts of an animation's columns; the rest pose has none."""
        return super().cells(row, columns) if row.node != REST else [("", FAINT)] * len(columns)

    def cell_color(self, row: Row[int], column: Column[int]) -> Color:
        """The colour of a warning for tracks without a bone."""
        return WARNING if column.name == "tracks" and self._matches[row.node].unmatched else FAINT

    def choose(self, row: Row[int], by_key: bool) -> None:
        """Play or select the clicked animation, or return to the rest pose."""
        if row.node == REST:
            self._state.playback.choose(None)
        else:
            _click(self._state, row.node, self._shown)


def _walk(state: State, shown: Sequence[int]) -> None:
    """Play the next or previous animation on an arrow key, or the selected animation on Enter."""
    pressed = [way for key, way in KEYS if imgui.shortcut(key, FOCUSED)]
    if pressed and shown:
        picked, offered = state.view.selection.picked, state.playback.animations
        playing = {id(one.animation) for one in state.view.playlist}
        if isinstance(picked, AnimationItem) and picked.number in shown:
            at = shown.index(picked.number)
        else:
            at = next((n for n, each in enumerate(shown) if id(offered[each]) in playing), -1)
        number = shown[max(0, min(at + pressed[0], len(shown) - 1))]
        state.view.selection.choose(AnimationItem(number))
        play_picked(state)


def _click(state: State, number: int, shown: Sequence[int]) -> None:
    """Play the clicked animation. With Ctrl, add it to the selection or remove it; with Shift, select the
    animations of the list up to it.
    """
    io, selection, item = imgui.get_io(), state.view.selection, AnimationItem(number)
    if io.key_shift:
        selection.extend(item, [AnimationItem(each) for each in shown])
    elif io.key_ctrl:
        selection.toggle(item)
    else:
        selection.choose(item)
        play_picked(state)


def _mixing(state: State, post: Post) -> None:
    """Draw the controls that add the selected animation as a layer or fade to it.

    They are disabled if nothing plays or if the selected animation plays already.
    """
    possible = can_add_selected(state)
    imgui.begin_disabled(not possible)
    for name, title in (("add_layer", "Add layer"), ("cross_fade", "Fade to")):
        if imgui.button(title):
            ACTIONS_BY_NAME[name].run(state, post)
        hint(ACTIONS_BY_NAME[name].title if possible else HOW_TO_MIX)
        imgui.same_line()
    imgui.end_disabled()
    width = min(imgui.get_font_size() * 5, imgui.get_content_region_avail().x)
    imgui.set_next_item_width(width)
    with mono():
        room = width - 2 * imgui.get_style().frame_padding.x
        text = "in %.2f s" if imgui.calc_text_size("in 0.00 s").x <= room else "%.2f s"
        changed, value = imgui.drag_float("##fade", state.view.timeline.fade, 0.01, 0.0, 10.0, text)
    hint("Duration of the fade. Drag, or Ctrl+click to type.")
    if changed:
        state.view.timeline.fade = min(max(value, 0.0), 10.0)
