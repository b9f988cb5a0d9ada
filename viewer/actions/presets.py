"""The presets of keys and mouse, which follow other programs."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from viewer.session.preferences import Preferences

KeyMap = Mapping[str, tuple[str, ...]]


class Preset(Struct, frozen=True):
    """The keys and the mouse of a program.

    `keys` are the chords that differ from the action table, by action name. `mouse` is what a drag with a
    button, or a turn of the wheel, does over the picture: `left`, `Alt+left`, `wheel`. A modifier key that is
    not in `mouse` is ignored. With `flat_axes`, a view along an axis is orthographic until the camera turns.
    """

    keys: KeyMap
    mouse: Mapping[str, str]
    flat_axes: bool = False


COMMON = {
    "wheel": "zoom",
    "left": "turn",
    "Alt+left": "turn",
    "Ctrl+left": "roll",
    "Shift+left": "move",
    "right": "zoom",
    "Shift+right": "turn light",
    "middle": "move",
}
PRESETS = {
    "default": Preset({}, COMMON),
    "blender": Preset(
        {
            "palette": ("F3", "Ctrl+P"),
            "hide_panels": ("Ctrl+Space", "Tab", "N"),
            "next_camera": ("0", "C"),
            "opposite": ("9",),
            "zoom_in": ("Num+",),
            "zoom_out": ("Num-",),
            "wireframe": ("Shift+Z", "W"),
            "isolate": ("Shift+H", "Num/", "/"),
            "deselect": ("Escape", "Alt+A"),
            "previous_frame": ("Left", ","),
            "next_frame": ("Right", "."),
            "previous_key": ("Down",),
            "next_key": ("Up",),
            "record": ("Ctrl+F12", "Shift+F12"),
        },
        COMMON
        | {
            "middle": "turn",
            "Shift+middle": "move",
            "Ctrl+middle": "zoom",
            "Alt+wheel": "step",
            "Ctrl+wheel": "move sideways",
            "Shift+wheel": "move up",
        },
        flat_axes=True,
    ),
    "maya": Preset(
        {
            "fit": ("A", "Home"),
            "edges": ("4",),
            "solid": ("5",),
            "textured": ("6",),
            "file_lights": ("7",),
            "hide": ("Ctrl+H", "H"),
            "isolate": ("Alt+H", "Ctrl+1"),
            "show_all": ("Shift+H", "Ctrl+Shift+H"),
            "play": ("Alt+V", "Space"),
            "first_frame": ("Alt+Shift+V", "Shift+Left"),
            "previous_frame": ("Alt+,",),
            "next_frame": ("Alt+.",),
            "previous_key": (",",),
            "next_key": (".",),
            "undo": ("Ctrl+Z", "Z"),
            "redo": ("Ctrl+Y", "Shift+Z", "Ctrl+Shift+Z"),
        },
        COMMON | {"Alt+middle": "move", "Alt+right": "zoom"},
    ),
}


def preset_of(preferences: Preferences) -> Preset:
    """The chosen preset; the default preset if the settings name an unknown one."""
    return PRESETS.get(preferences.preset, PRESETS["default"])
