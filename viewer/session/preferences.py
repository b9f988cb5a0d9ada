"""The table of the settings that are stored between starts of the program.

Each field of `Preferences` is a row with a name in the file, a type, bounds, a default and a note. The table
is used to validate files, to merge the changes of several windows, to draw the settings window, and to make
the manual's list of settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, defstruct
from msgspec.structs import FieldInfo

from viewer.family.registry import clients
from viewer.scene.choices import (
    LARGEST_SCALE,
    SMALLEST_SCALE,
    DialogMode,
    SearchMode,
    Theme,
)
from viewer.scene.picture_options import PICTURE_SETTINGS
from viewer.scene.reading_context import DEFAULT_SIZE
from viewer.session.file_columns import FILE_SORTS
from viewer.session.layouts import LayoutName

RECENT = 20
"""The largest number of recent files in the settings."""
SMALLEST_PICTURE, LARGEST_PICTURE = 56.0, 320.0
"""The limits of the size of the wall's pictures in points."""
FARTHEST = 1 << 15
"""The largest coordinate and size of a window in the X Window System."""
PLACEMENT = {"x", "y", "width", "height", "maximized"}
"""The keys of the setting `window`, which is the last placement of the window."""
PRESET_NAMES: Mapping[str, str] = {"default": "Rigscope keys", "blender": "Blender keys", "maya": "Maya keys"}
"""The titles of the presets for keys and mouse, by name."""

PERCENT, POINTS, MEBIBYTES = "%", "points", "MiB"
"""The units of numbers in the settings window: PERCENT for factors, POINTS for lengths, MEBIBYTES for values
that the file stores in bytes.
"""
Bytes = Annotated[int, Meta(ge=0)]
WindowNumber = Annotated[int, Meta(gt=-FARTHEST, lt=FARTHEST)]


class Group(Enum):
    """The groups of the settings window, in its order."""

    LOOK = "Look and quality"
    MOUSE = "Mouse"
    KEYS = "Keys"
    FILES = "Files"
    RESOURCES = "Resource folders"
    GAMES = "Games"
    SAVING = "Saving"
    CACHE = "Cache"
    CHECKS = "Checks"


class Shown(Struct, frozen=True):
    """How the settings window shows a setting.

    `title` is the name of the setting in the window. A setting without a `group` is not in the window. `unit`
    is a UNIT name. `labels` are the texts of its values. `empty` is the number that the value null stands
    for. `applies` says when a change takes effect; it is empty if the change takes effect at once. `words`
    are additional words by which the search finds the setting. `note` is the setting's note in the window, if
    the note for the settings file does not fit there (empty: the same note). `hint` stands in an empty text
    field.
    """

    title: str = ""
    group: Group | None = None
    unit: str = ""
    labels: Mapping[str, str] = MappingProxyType({})
    empty: int = 0
    applies: str = ""
    words: str = ""
    note: str = ""
    hint: str = ""


def note(
    text: str, shown: Shown | None = None, merge: str = "", ge: float | None = None, le: float | None = None
) -> Meta:
    """Make the note and the bounds of a setting, and how the window shows it.

    `merge` names the rule for a value that another window has also changed, see
    `viewer.session.settings.merged`.
    """
    return Meta(description=text, extra={"merge": merge, "shown": shown or Shown()}, ge=ge, le=le)


SLOWEST, FASTEST = 0.25, 4.0
"""The limits of the mouse speeds."""
ASK = "Ask when saving"
"""The hint of the paths of saved files."""
NEXT_START = "Applies at the next start"
NEXT_FILES = "Applies to files that are opened from now on"
SEARCHES = MappingProxyType(
    {"near": "Near the model", "project": "Also in its project", "none": "Only at the paths in the file"}
)
"""The texts of the search modes."""
if TYPE_CHECKING:
    FileSort = str
    ClientSetting = str
else:
    FileSort = Literal[FILE_SORTS]
    ClientSetting = Literal[("automatic", *clients())]
CLIENT_TITLES = MappingProxyType({"automatic": "By its archives"})
"""The text of the client's version that follows from the archives."""
DIALOGS = MappingProxyType(
    {"automatic": "Of the desktop", "program": "Of zenity or kdialog", "own": "Of Rigscope"}
)
"""The texts of the kinds of file dialogs."""


class Appearance(Struct):
    """The settings that stand before the settings of the picture in the file."""

    theme: Annotated[Theme, note("Colours of the panels", Shown("Theme", Group.LOOK, words="colors"))] = (
        "dark"
    )
    scale: Annotated[
        float,
        note(
            "Size of the interface, on top of the screen's own scale",
            Shown("Interface scale", Group.LOOK, PERCENT, words="zoom font text size"),
            ge=SMALLEST_SCALE,
            le=LARGEST_SCALE,
        ),
    ] = 1.0
    layout: Annotated[LayoutName, note("The layout that was chosen last")] = "default"
    arrangements: Annotated[
        dict[str, str], note("Changes to the layout, in ImGui's text format, by window kind")
    ] = {}
    closed: Annotated[list[str], note("Names of the panels that are closed")] = []


if TYPE_CHECKING:
    PictureSettings = Appearance
else:
    PictureSettings = defstruct(
        "PictureSettings",
        [
            (
                row.name,
                Annotated[
                    type(row.default),
                    note(row.setting, Shown(row.title, Group.LOOK, labels=row.labels, words=row.words)),
                ],
                row.default,
            )
            for row in PICTURE_SETTINGS
        ],
        bases=(Appearance,),
    )


class Preferences(PictureSettings, Struct):
    """The settings, in the order of the file."""

    turn_speed: Annotated[
        float,
        note(
            "How fast a drag turns the camera",
            Shown("Turning speed", Group.MOUSE, PERCENT, words="sensitivity rotate orbit"),
            ge=SLOWEST,
            le=FASTEST,
        ),
    ] = 1.0
    zoom_speed: Annotated[
        float,
        note(
            "How fast the wheel or a drag zooms",
            Shown("Zoom speed", Group.MOUSE, PERCENT, words="sensitivity scroll"),
            ge=SLOWEST,
            le=FASTEST,
        ),
    ] = 1.0
    wheel_reversed: Annotated[
        bool,
        note(
            "Turning the wheel forwards zooms out",
            Shown("Reversed wheel", Group.MOUSE, words="zoom invert scroll direction"),
        ),
    ] = False
    preset: Annotated[
        str,
        note(
            f"Preset of keys and mouse: {', '.join(PRESET_NAMES)}",
            Shown(
                "Preset of keys and mouse",
                Group.KEYS,
                labels=PRESET_NAMES,
                words="buttons shortcuts",
                note="The keys of other programs, and what a drag with each mouse button does",
            ),
        ),
    ] = "default"
    keys: Annotated[
        dict[str, list[str]],
        note(
            "The user's own keys by action; they replace the keys of the preset",
            Shown("Keys of actions", Group.KEYS, words="shortcuts hotkeys bindings keyboard change"),
        ),
    ] = {}
    recent: Annotated[list[str], note("Recent files, the latest first", merge="recent")] = []
    recent_folders: Annotated[
        list[str], note("Recent folders and packages, the latest first", merge="recent")
    ] = []
    dialogs: Annotated[
        DialogMode,
        note(
            "`automatic` (on Linux the desktop's dialog), `program` (zenity or kdialog) or `own` (built-in)",
            Shown(
                "File dialogs",
                Group.FILES,
                labels=DIALOGS,
                words="open save choose portal zenity kdialog native",
                note="If a dialog is missing, the next one in this list is used",
            ),
        ),
    ] = "automatic"
    favourite_folders: Annotated[
        list[str], note("Favourite folders of the window's own file dialog, in their order")
    ] = []
    same_view: Annotated[
        bool,
        note(
            "The camera stays when the next file of a folder is opened",
            Shown("Keep view between files", Group.FILES, words="camera"),
        ),
    ] = False
    files_sort: Annotated[
        FileSort,
        note(
            "Column that listed files are sorted by", Shown("Sort files by", Group.FILES, words="order wall")
        ),
    ] = "name"
    files_descending: Annotated[
        bool,
        note("Files are listed in reverse order", Shown("Reverse order", Group.FILES, words="sort wall")),
    ] = False
    files_folded: Annotated[
        bool,
        note(
            "Listed files are kept in their subfolders",
            Shown("Files in subfolders", Group.FILES, words="group wall"),
        ),
    ] = False
    picture_size: Annotated[
        float,
        note(
            "Size of the pictures on the wall, in points",
            Shown("Pictures on the wall", Group.FILES, POINTS, words="thumbnails"),
            ge=SMALLEST_PICTURE,
            le=LARGEST_PICTURE,
        ),
    ] = 128.0
    max_size: Annotated[
        Bytes | None,
        note(
            "Largest file that is opened, in bytes; null: 2 GiB",
            Shown(
                "Largest file",
                Group.FILES,
                MEBIBYTES,
                empty=DEFAULT_SIZE,
                applies=NEXT_FILES,
                words="limit memory",
                note="Larger files are not opened",
            ),
        ),
    ] = None
    resources: Annotated[
        list[str],
        note(
            "Resource folders, in which missing files are searched for",
            Shown("Resource folders", Group.RESOURCES, words="textures materials archives paths"),
        ),
    ] = []
    search: Annotated[
        SearchMode,
        note(
            "Folders that are searched for the files that a model names",
            Shown(
                "Search for the files of a model",
                Group.RESOURCES,
                labels=SEARCHES,
                applies=NEXT_FILES,
                words="textures materials missing",
            ),
        ),
    ] = "project"
    client: Annotated[
        ClientSetting,
        note(
            "Version of the World of Warcraft client, which determines the order of the archives",
            Shown(
                "World of Warcraft client",
                Group.GAMES,
                labels=CLIENT_TITLES,
                applies=NEXT_START,
                words="wow version patch mpq archives",
            ),
        ),
    ] = "automatic"
    archive_order: Annotated[
        str,
        note(
            "Path of a file with the order of a game's archives; empty: the order of the client",
            Shown(
                "Order of the archives",
                Group.GAMES,
                applies=NEXT_START,
                words="wow server patch custom mpq axp",
                note="A text file: on each line the path of an archive below the folder Data; of several "
                "archives with a file the last one counts, and archives without a line are not loaded",
                hint="The order of the client",
            ),
        ),
    ] = ""
    thumbnail_bytes: Annotated[
        Bytes,
        note(
            "Largest total size of the cached thumbnails in bytes",
            Shown(
                "Size of the cached thumbnails",
                Group.CACHE,
                MEBIBYTES,
                applies=NEXT_START,
                words="pictures disk limit",
                note="Above this size, the oldest thumbnails are deleted",
            ),
        ),
    ] = 1 << 30
    check_files: Annotated[
        bool,
        note("Opened files are checked", Shown("Check files after opening", Group.CHECKS, words="problems")),
    ] = True
    ignored_rules: Annotated[
        list[str],
        note(
            "Rules whose findings are not listed",
            Shown("Ignored rules", Group.CHECKS, words="problems hidden"),
        ),
    ] = []
    feet: Annotated[
        dict[str, list[str]],
        note("Names of the bones that are feet, by the folder of the model; an empty list: no bone is one"),
    ] = {}
    unjudged: Annotated[
        dict[str, list[str]],
        note("Names of the bones whose keys are not judged, by the folder of the model"),
    ] = {}
    window: Annotated[
        dict[str, WindowNumber],
        note(
            "Last placement of the window: `x`, `y`, `width`, `height`, `maximized` (0 or 1)", merge="whole"
        ),
    ] = {}
    pictures: Annotated[
        str,
        note(
            "Path of saved pictures; `{name}` is the model's name. Empty: ask when saving",
            Shown("Saved pictures", Group.SAVING, words="screenshots images folder", hint=ASK),
        ),
    ] = ""
    films: Annotated[
        str,
        note(
            "Path of saved films, like `pictures`",
            Shown(
                "Saved films",
                Group.SAVING,
                words="recordings videos folder",
                hint=ASK,
                note="Path without suffix; `{name}` is the model's name. Empty: ask when saving",
            ),
        ),
    ] = ""
    looks: Annotated[
        str,
        note(
            "Path of saved looks, like `pictures`",
            Shown(
                "Saved looks",
                Group.SAVING,
                words="character json folder",
                hint=ASK,
                note="Path without suffix; `{name}` is the model's name. Empty: ask when saving",
            ),
        ),
    ] = ""
    exports: Annotated[
        str,
        note(
            "Path of exported models, like `pictures`",
            Shown(
                "Exported models",
                Group.SAVING,
                words="gltf folder",
                hint=ASK,
                note="Path without suffix; `{name}` is the model's name. Empty: ask when saving",
            ),
        ),
    ] = ""

    def __post_init__(self) -> None:
        if self.window and set(self.window) != PLACEMENT:
            raise ValueError(f"window needs {', '.join(sorted(PLACEMENT))}")


SETTINGS: dict[str, FieldInfo] = {each.encode_name: each for each in msgspec.structs.fields(Preferences)}
"""The rows of the table of settings by name."""


def meta_of(name: str) -> Meta:
    """The note and the bounds of a setting."""
    meta = SETTINGS[name].type.__metadata__[-1]
    assert isinstance(meta, Meta)
    return meta


def merge_rule(name: str) -> str:
    """Return the name of the rule that merges the values of a setting from two windows, see `note`."""
    return str(_extra(name)["merge"])


def shown_as(name: str) -> Shown:
    """How the settings window shows a setting."""
    shown = _extra(name)["shown"]
    assert isinstance(shown, Shown)
    return shown


def _extra(name: str) -> dict[str, Any]:
    return meta_of(name).extra or {}
