"""Each preset does what its program does, or the manual says why not."""

from __future__ import annotations

import pytest

from viewer.actions import ACTIONS_BY_NAME
from viewer.actions.bindings import active
from viewer.actions.presets import PRESETS
from viewer.paths import folder
from viewer.session.preferences import Preferences
from viewer.ui.dialogs.key_sheet import WAYS

NOTHING_MOVES = "nothing is edited"
Row = tuple[str, str, str, str]
ROWS: dict[str, tuple[Row, ...]] = {
    # key or drag; what the program does; the action or movement that does the same; the reason for another
    "blender": (
        ("middle", "orbits", "turn", ""),
        ("Shift+middle", "pans", "move", ""),
        ("Ctrl+middle", "zooms", "zoom", ""),
        ("wheel", "zooms", "zoom", ""),
        ("Alt+wheel", "goes to the next or previous frame", "step", ""),
        ("Ctrl+wheel", "pans sideways", "move sideways", ""),
        ("Shift+wheel", "pans up or down", "move up", ""),
        ("left", "selects with a box", "", "one part is selected at a time, with a click"),
        ("right", "opens a menu", "", "a click without a drag opens the menu"),
        ("1", "front", "front", ""),
        ("Ctrl+1", "back", "back", ""),
        ("3", "right", "right", ""),
        ("Ctrl+3", "left", "left", ""),
        ("7", "top", "top", ""),
        ("Ctrl+7", "bottom", "bottom", ""),
        ("9", "opposite side", "opposite", ""),
        ("4", "orbits left", "turn_left", ""),
        ("6", "orbits right", "turn_right", ""),
        ("8", "orbits up", "turn_up", ""),
        ("2", "orbits down", "turn_down", ""),
        ("5", "perspective or orthographic", "ortho", ""),
        ("0", "camera of the scene", "next_camera", ""),
        ("Num+", "zooms in", "zoom_in", ""),
        ("Num-", "zooms out", "zoom_out", ""),
        ("Num.", "frames the selected", "frame_selected", ""),
        ("Home", "frames all", "fit", ""),
        ("Z", "pie of shadings", "shading_pie", ""),
        ("Shift+Z", "edges alone", "", "edges are drawn over the surface, which stays recognisable"),
        ("Space", "plays", "play", ""),
        ("Ctrl+Shift+Space", "plays backwards", "play_backwards", ""),
        ("Left", "previous frame", "previous_frame", ""),
        ("Right", "next frame", "next_frame", ""),
        ("Down", "previous key", "previous_key", ""),
        ("Up", "next key", "next_key", ""),
        ("Shift+Left", "first frame", "first_frame", ""),
        ("Shift+Right", "last frame", "last_frame", ""),
        ("Alt+A", "selects nothing", "deselect", ""),
        ("A", "selects all", "", "one part is selected at a time"),
        ("H", "hides the selected", "hide", ""),
        ("Shift+H", "hides the others", "isolate", ""),
        ("Alt+H", "shows all", "show_all", ""),
        ("Num/", "shows the selected alone", "isolate", ""),
        ("Ctrl+Space", "one area alone", "hide_panels", ""),
        ("N", "sidebar", "", "all panels are hidden and shown together"),
        ("Tab", "edit mode", "", NOTHING_MOVES),
        ("F3", "searches a command", "palette", ""),
        ("Ctrl+F12", "renders the animation", "record", ""),
    ),
    "maya": (
        ("Alt+left", "tumbles", "turn", ""),
        ("Alt+middle", "tracks", "move", ""),
        ("Alt+right", "dollies", "zoom", ""),
        ("wheel", "dollies", "zoom", ""),
        ("left", "selects with a box", "", "one part is selected at a time, with a click"),
        ("right", "opens a marking menu", "", "a click without a drag opens the menu"),
        ("4", "wireframe", "", "edges are drawn over the surface; `5`, `6` and `7` hide them"),
        ("5", "shaded", "solid", ""),
        ("6", "shaded and textured", "textured", ""),
        ("7", "lights of the scene", "file_lights", ""),
        ("F", "frames the selected", "frame_selected", ""),
        ("A", "frames all", "fit", ""),
        ("Alt+V", "plays", "play", ""),
        ("Alt+Shift+V", "first frame", "first_frame", ""),
        ("Alt+,", "previous frame", "previous_frame", ""),
        ("Alt+.", "next frame", "next_frame", ""),
        (",", "previous key", "previous_key", ""),
        (".", "next key", "next_key", ""),
        ("Ctrl+H", "hides the selected", "hide", ""),
        ("H", "hides or shows the selected", "", "what is hidden cannot be clicked: `Shift+H` shows it"),
        ("Shift+H", "shows the selected", "", "what is hidden cannot be clicked, so all is shown"),
        ("Ctrl+Shift+H", "shows what was hidden last", "", "all is shown"),
        ("Alt+H", "hides the others", "isolate", ""),
        ("Ctrl+1", "shows the selected alone", "isolate", ""),
        ("Escape", "stops playback", "", "`Alt+V` stops it; Escape leaves what is open or selected"),
        ("Space", "hotbox", "", "the menus are at the top; Space plays"),
        ("R", "scale tool", "", NOTHING_MOVES),
        ("W", "move tool", "", NOTHING_MOVES),
        ("Z", "undoes", "undo", ""),
        ("Shift+Z", "redoes", "redo", ""),
        ("Ctrl+Z", "undoes", "undo", ""),
        ("Ctrl+Y", "redoes", "redo", ""),
    ),
}
EACH = [(preset, row) for preset, rows in ROWS.items() for row in rows]


def ours(preset: str, key: str) -> str:
    """The movement or the name of the action that a key of a preset runs."""
    found = PRESETS[preset].mouse.get(key, "")
    keys = active(Preferences(preset=preset))
    return found or next((name for name, chords in keys.items() if key in chords), "")


@pytest.mark.parametrize(("preset", "row"), EACH, ids=[f"{preset} {row[0]}" for preset, row in EACH])
def test_a_key_does_what_it_does_in_the_other_program(preset: str, row: Row) -> None:
    key, theirs, same, why = row
    name = ours(preset, key)
    assert (name == same != "") is not bool(why), f"{key} {theirs}, here it runs {name}"
    title = WAYS.get(name) or (ACTIONS_BY_NAME[name].title if name else "nothing")
    page = (folder("assets") / "manual" / "keys.md").read_text(encoding="utf-8")
    assert f"\n| `{key}` | {theirs} | {title} | {why} |\n" in page


@pytest.mark.parametrize("preset", ROWS)
def test_every_key_of_a_preset_is_compared(preset: str) -> None:
    compared = {row[0] for row in ROWS[preset]}
    assert all(compared & set(chords) for chords in PRESETS[preset].keys.values())
    assert {key for key, way in PRESETS[preset].mouse.items() - PRESETS["default"].mouse.items()} <= compared
