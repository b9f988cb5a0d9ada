"""The command palette: finds actions, clips, recent files, settings and pages of the manual by name."""

from __future__ import annotations

from functools import cache, lru_cache, partial

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS, Action
from viewer.actions.action import Operation, posts
from viewer.actions.animations import play_picked
from viewer.actions.bindings import active
from viewer.errors import ResourceError
from viewer.scene.items import AnimationItem
from viewer.session.manual import pages
from viewer.session.requests import Open, Post
from viewer.session.setting_rows import setting_rows
from viewer.session.state import State
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.theme import FAINT, RAISED, rgba
from viewer.ui.kit.widgets import BARE, clipped, faint, mono, nothing

WIDTH, HEIGHT = 36, 24
"""Width of the window in letters, and height in lines."""
EXACT, WORDS = 1000, 3
"""Score of an action whose title equals the text, and of an action with the text among its `words`."""


class CommandPalette:
    """The window of the palette, shown while `state.interface.palette` is set."""

    def __init__(self) -> None:
        self._text = ""
        self._chosen = 0
        self._open = False
        self._refused = False

    def __call__(self, state: State, post: Post) -> None:
        """Draw the window if it is open."""
        if not state.interface.palette:
            self._open = False
            return
        fresh, self._open = not self._open, True
        if fresh:
            self._text, self._chosen = "", 0
            imgui.set_next_window_focus()
        screen, letter = imgui.get_io().display_size, imgui.get_font_size()
        line = imgui.get_text_line_height_with_spacing()
        size = ImVec2(min(letter * WIDTH, screen.x * 0.96), min(line * HEIGHT, screen.y * 0.7))
        imgui.set_next_window_pos(ImVec2((screen.x - size.x) / 2, screen.y * 0.12))
        imgui.set_next_window_size(size)
        imgui.push_style_color(imgui.Col_.window_bg, rgba(RAISED))
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 1.0)
        imgui.begin("palette", None, BARE)
        imgui.pop_style_var()
        imgui.pop_style_color()
        done = self._inside(state, post, fresh)
        left = not fresh and not imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows)
        imgui.end()
        if done or left:
            state.interface.palette = False

    def _inside(self, state: State, post: Post, fresh: bool) -> bool:
        """Draw the field and the list; return whether an action was run."""
        if fresh or self._refused:  # Enter took the focus from the field
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(-1)
        changed, self._text = imgui.input_text_with_hint("##text", "What to do", self._text)
        preferences = state.interface.preferences
        recent = (*preferences.recent, *preferences.recent_folders)
        ranks = ranked(self._text, recent, tuple(clip.name for clip in state.playback.animations))
        found = sorted(ranks, key=lambda action: not action.enabled(state))
        step = imgui.is_key_pressed(imgui.Key.down_arrow) - imgui.is_key_pressed(imgui.Key.up_arrow)
        self._chosen = 0 if changed else max(0, min(self._chosen + step, len(found) - 1))
        picked = found[self._chosen] if found and _entered() else None
        if not found:
            nothing("No action has this name.")
        if imgui.begin_child("list"):
            height = imgui.get_text_line_height_with_spacing()
            if step:
                imgui.set_scroll_y(max((self._chosen + 0.5) * height - imgui.get_window_height() / 2, 0.0))
            for number in clipped(len(found), height):
                if _row(state, found[number], number == self._chosen):
                    picked = found[number]
        imgui.end_child()
        self._refused = picked is not None and not picked.enabled(state)
        if picked is None or self._refused:
            return False
        picked.run(state, post)
        return True


def _entered() -> bool:
    return imgui.is_key_pressed(imgui.Key.enter) or imgui.is_key_pressed(imgui.Key.keypad_enter)


def _row(state: State, action: Action, chosen: bool) -> bool:
    """Draw an action with its keys, and its menu or why it cannot run. Return True if it can run and was
    clicked.
    """
    enabled = action.enabled(state)
    if not enabled:
        imgui.push_style_color(imgui.Col_.text, rgba(FAINT, 0.7))
    clicked = imgui.selectable(f"{label_text(action.caption(state))}##{action.name}", chosen)[0]
    if not enabled:
        imgui.pop_style_color()
    imgui.same_line()
    faint(action.refusal(state) or " · ".join(action.menu))
    keys = active(state.interface.preferences).get(action.name, ())
    if keys:
        with mono():
            imgui.same_line(
                imgui.get_window_width() - imgui.calc_text_size(keys[0]).x - imgui.get_font_size() * 1.2
            )
            faint(keys[0])
    return clicked and enabled


@lru_cache(maxsize=64)
def ranked(text: str, recent: tuple[str, ...] = (), clips: tuple[str, ...] = ()) -> tuple[Action, ...]:
    """Return the actions that match `text`, the best match first.

    There are also actions for clips, recent files and folders, and settings. They come after actions of the
    menus that match equally well. Pages of the manual come last, unless `text` is their title. Scattered
    letters never match these, and match actions of the menus only if nothing matches by words.
    """
    plays = map(_play, range(len(clips)), clips) if text else ()
    named = (*plays, *map(_reopen, range(len(recent)), recent), *_settings(), *_pages())
    offered = (*ACTIONS, *named)
    first_page = len(offered) - len(_pages())
    scored = [(score(text, action), number) for number, action in enumerate(offered)]
    least = WORDS if text and any((points or 0) >= WORDS for points, _ in scored) else 0
    found = [
        (
            number >= first_page and points < EXACT,
            -points,
            number >= len(ACTIONS),
            len(offered[number].title),
            number,
        )
        for points, number in scored
        if points is not None and points >= (least if number < len(ACTIONS) or not text else WORDS)
    ]
    return tuple(offered[number] for *_, number in (sorted(found) if text else found))


def _play(number: int, name: str) -> Action:
    """Make the action that plays the clip with the number `number` of the model in view."""

    def run(state: State, post: Post) -> None:
        """Play the clip."""
        if number < len(state.playback.animations):
            state.view.selection.pick(AnimationItem(number))
            play_picked(state)

    return Action(f"clip_{number}", name or "unnamed", (), ("Play",), run)


def _reopen(number: int, path: str) -> Action:
    folder, _, name = path.replace("\\", "/").rpartition("/")
    return Action(f"recent_{number}", name, (), ("Open recent", folder), posts(Open((path,))))


@cache
def _settings() -> tuple[Action, ...]:
    """Make an action for each setting. The action opens the settings window at the row of the setting."""
    return tuple(
        Action(
            f"setting_{row.name}",
            row.title,
            (),
            ("Settings", row.group.value),
            partial(_change, row.name),
            words=row.text.casefold(),
        )
        for row in setting_rows()
    )


def _change(name: str, state: State, post: Post) -> None:
    state.interface.settings = name


@cache
def _pages() -> tuple[Action, ...]:
    """The pages of the manual; empty if the installation is broken."""
    try:
        return tuple(
            Action(f"page_{page.name}", page.title, (), ("Manual",), _reads(page.name)) for page in pages()
        )
    except ResourceError:
        return ()


def _reads(link: str) -> Operation:
    return lambda state, post: state.interface.read(link)


def score(text: str, action: Action) -> int | None:
    """Score how well the title of an action matches `text`.

    If the title does not match, score the menu path, then the action's other search words. None if nothing
    matches.
    """
    text, title = text.casefold(), action.title.casefold()
    path = " ".join((*action.menu, action.title)).casefold()
    if text in (title.rstrip("…"), path.rstrip("…")):
        return EXACT
    words = text.split()
    found = _score(words, title)
    found = found + 1 if found is not None else _score(words, path)
    known = action.words and all(word in f"{path} {action.words}" for word in words)
    return max(found or 0, WORDS) if known else found


def _score(words: list[str], letters: str) -> int | None:
    """Score how well the letters of a name match the words; both are casefolded.

    If the name contains all words, each word counts 6, or 9 if it begins a word of the name. If the name only
    contains the letters of the words in the same order, the score is 0. Otherwise it is None.
    """
    if all(word in letters for word in words):
        return sum(9 if f" {word}" in f" {letters}" else 6 for word in words)
    at = -1
    for letter in "".join(words):
        at = letters.find(letter, at + 1)
        if at < 0:
            return None
    return 0
