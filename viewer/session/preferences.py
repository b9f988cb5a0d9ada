"""The table of the settings that are stored between starts of the program.

Each field of `Preferences` is a row with a name in the file, a type, bounds, a default and a note. The table
is used to validate files, to merge the changes of several windows, and to make the manual's list of settings.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import FieldInfo

from viewer.scene.choices import LARGEST_SCALE, SMALLEST_SCALE, MissingTextures, Quality, SearchMode, Theme
from viewer.session.layouts import LayoutName

RECENT = 20
"""The largest number of recent files in the settings."""
SMALLEST_PICTURE, LARGEST_PICTURE = 56.0, 320.0
"""The limits of the size of the wall's pictures in points."""
FARTHEST = 1 << 15
"""The largest coordinate and size of a window in the X Window System."""
PLACEMENT = {"x", "y", "width", "height", "maximized"}
"""The keys of the setting `window`, which is the last placement of the window."""
PRESET_NAMES = {"default": "Rigscope keys", "blender": "Blender keys", "maya": "Maya keys"}
"""The titles of the presets for keys and mouse, by name."""

FileSort = Literal["name", "kind", "size", "date", "bones", "triangles"]
FILE_SORTS: tuple[FileSort, ...] = get_args(FileSort)
"""The columns that the Files panel and the wall are sorted by."""
Bytes = Annotated[int, Meta(ge=0)]
WindowNumber = Annotated[int, Meta(gt=-FARTHEST, lt=FARTHEST)]


def note(text: str, merge: str = "", ge: float | None = None, le: float | None = None) -> Meta:
    """Make the note and the bounds of a setting.

    `merge` names the rule for a value that another window has also changed, see
    `viewer.session.settings.merged`.
    """
    return Meta(description=text, extra={"merge": merge}, ge=ge, le=le)


class Preferences(Struct):
    """The settings, in the order of the file."""

    theme: Annotated[Theme, note("Colours of the panels")] = "dark"
    scale: Annotated[
        float,
        note("Size of the interface, on top of the screen's own scale", ge=SMALLEST_SCALE, le=LARGEST_SCALE),
    ] = 1.0
    layout: Annotated[LayoutName, note("The layout that was chosen last")] = "default"
    arrangements: Annotated[
        dict[str, str], note("Changes to the layout, in ImGui's text format, by window kind")
    ] = {}
    closed: Annotated[list[str], note("Names of the panels that are closed")] = []
    preset: Annotated[str, note(f"Preset of keys and mouse: {', '.join(PRESET_NAMES)}")] = "default"
    keys: Annotated[
        dict[str, list[str]],
        note("The user's own keys by action; they replace the keys of the preset"),
    ] = {}
    recent: Annotated[list[str], note("Recent files, the latest first", "recent")] = []
    look: Annotated[
        dict[str, bool], note("The display options `grid` and `axes`, if the user has changed them")
    ] = {}
    missing: Annotated[MissingTextures, note("What is drawn in place of missing textures")] = (
        MissingTextures.CLAY
    )
    quality: Annotated[Quality, note("Quality while the camera or a clip moves")] = Quality.AUTOMATIC
    same_view: Annotated[bool, note("The camera stays when the next file of a folder is opened")] = False
    max_size: Annotated[Bytes | None, note("Largest file that is opened, in bytes; null: 2 GiB")] = None
    thumbnail_bytes: Annotated[Bytes, note("Largest total size of the cached thumbnails in bytes")] = 1 << 30
    resources: Annotated[list[str], note("Resource folders, in which missing files are searched for")] = []
    search: Annotated[SearchMode, note("Folders that are searched for the files that a model names")] = (
        "project"
    )
    check_files: Annotated[bool, note("Opened files are checked")] = True
    ignored_rules: Annotated[list[str], note("Rules whose findings are not listed")] = []
    window: Annotated[
        dict[str, WindowNumber],
        note("Last placement of the window: `x`, `y`, `width`, `height`, `maximized` (0 or 1)", "whole"),
    ] = {}
    pictures: Annotated[
        str, note("Path of saved pictures; `{name}` is the model's name. Empty: ask when saving")
    ] = ""
    films: Annotated[str, note("Path of saved films, like `pictures`")] = ""
    exports: Annotated[str, note("Path of exported models, like `pictures`")] = ""
    files_sort: Annotated[FileSort, note("Column that listed files are sorted by")] = "name"
    files_descending: Annotated[bool, note("Files are listed in reverse order")] = False
    files_folded: Annotated[bool, note("Listed files are kept in their subfolders")] = False
    picture_size: Annotated[
        float, note("Size of the pictures on the wall, in points", ge=SMALLEST_PICTURE, le=LARGEST_PICTURE)
    ] = 128.0

    def __post_init__(self) -> None:
        if self.window and set(self.window) != PLACEMENT:
            raise ValueError(f"window needs {', '.join(sorted(PLACEMENT))}")


SETTINGS: dict[str, FieldInfo] = {each.encode_name: each for each in msgspec.structs.fields(Preferences)}
"""The rows of the table of settings by name."""


def merge_rule(name: str) -> str:
    """Return the name of the rule that merges the values of a setting from two windows, see `note`."""
    return str(SETTINGS[name].type.__metadata__[-1].extra["merge"])
