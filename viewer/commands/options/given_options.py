"""The values of options for the pose and the picture, and the first checks of a verb's files.

This module imports nothing slow, because an incomplete command line must be refused at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from viewer.commands.options.parser import UsageError
from viewer.errors import FormatError
from viewer.scene.choices import (
    ROOM,
    SHELLS,
    CompareMode,
    Lighting,
    LightKind,
    Theme,
    TimeTie,
    UpAxis,
)
from viewer.scene.names import JOINT, NAME
from viewer.scene.picture_options import PICTURE_OPTIONS

if TYPE_CHECKING:
    from viewer.scene.reading_context import ReadingContext

Values = dict[str, Any]
"""The values of the given options by option name."""

THUMBNAIL_SIZE = (256, 256)
"""The default size of thumbnails in pixels."""


class Options(NamedTuple):
    """The values of the given options; an option that was not given is usually None.

    `shown` are the given display options by name, see `PictureTable`. Names of model parts are not looked up
    yet.
    """

    animation: tuple[str, ...] = ()
    time: float | None = None
    loop: bool = True
    in_place: bool = False
    morph: tuple[tuple[str, float], ...] = ()
    lod: int | None = None
    geoset: tuple[int, ...] = ()
    texture: tuple[tuple[int, str], ...] = ()
    display: str | None = None
    character: str | Mapping[str, int] | None = None
    item: tuple[tuple[str, int], ...] = ()
    seed: int = 0
    emitter: tuple[int, ...] = ()
    particles: bool = True
    cold: bool = False
    size: tuple[int, int] = (1280, 720)
    view: str | None = None
    yaw: float | None = None
    pitch: float | None = None
    distance: float = 1.0
    camera: str | None = None
    ortho: bool = False
    shown: Mapping[str, Any] = {}
    bone: str | None = None
    trail: tuple[str, ...] = ()
    up: UpAxis | None = None
    frames: tuple[int, int] | None = None
    fps: float = 30.0
    turntable: bool = False
    seamless: bool = False
    watch: bool = False
    ui: bool = False
    theme: Theme = "dark"
    scale: float = 1.0
    compare: CompareMode | None = None
    split: float = 0.5
    align: bool = True
    with_animation: tuple[str, ...] = ()
    with_time: float | None = None
    tie: TimeTie = TimeTie.SECONDS
    together: bool = False
    image: str | None = None
    uv: bool = False
    geometry: tuple[str, ...] = ()
    channels: str | None = None
    mip: int | None = None
    strict: bool | None = None
    reading: tuple[tuple[str, Any], ...] = ()

    @property
    def camera_file(self) -> str:
        """The path of the camera's file; empty if the camera is a number or a text."""
        camera = self.camera or ""
        return "" if camera.isdecimal() or self.gives_camera else camera

    @property
    def context(self) -> ReadingContext:
        """The context in which the options read files."""
        # imported late, because an incomplete command line is refused without msgspec
        from viewer.scene.reading_context import reading_context

        return reading_context(**dict(self.reading))

    @property
    def gives_camera(self) -> bool:
        """Whether the camera is a JSON text."""
        return (self.camera or "").lstrip().startswith("{")

    @property
    def is_first(self) -> bool:
        """Whether the options leave the clip and the time to the program."""
        return not self.animation and self.time is None

    @property
    def is_at_rest(self) -> bool:
        """Whether the options choose a time, but no clip."""
        return self.time is not None and not self.animation and not self.shows_texture

    @property
    def shows_pictures(self) -> bool:
        """Whether the options choose a texture that a picture file has too: its first."""
        return self.shows_texture and not self.uv and self.image in (None, "#0")

    @property
    def shows_texture(self) -> bool:
        """Whether the options choose a texture instead of the model."""
        return self.image is not None or self.uv or self.channels is not None or self.mip is not None


def options_of(values: Values) -> Options:
    """Return the options that matter for a single output; drop other values."""
    given = {name: value for name, value in values.items() if name in Options._fields}
    shown = {name: values[name] for name in PICTURE_OPTIONS if name in values}
    if shown.get("shading") is LightKind.UNLIT:
        shown["light"] = Lighting(shown.pop("shading"))
    for row in PICTURE_OPTIONS.values():
        if row.light is not None and row.name in shown:
            lighting = shown.setdefault("light", Lighting(row.light))
            if lighting.kind is not row.light:
                raise UsageError(f"{row.flag} is for --light {row.light.value}, not {lighting.text}")
    if shown.get("background") is not None and shown.get("environment_background") is not None:
        raise UsageError("--background and --environment-background exclude each other")
    if not os.path.lexists((path := shown.get("environment", ROOM)).partition(JOINT)[0]) and path != ROOM:
        raise UsageError(f"--environment {path}: there is no such file")
    return Options(**given, shown=shown)


DIVIDER = "--"
"""The word between files and parts of files."""
Check = Callable[[Sequence[str], Values], None]
"""The type of a function that raises UsageError for files and values that a verb does not accept. The
function runs before the verb's module is imported.
"""


def any_files(paths: Sequence[str], values: Values) -> None:
    """Accept all files, because the verb itself checks them."""


def existing_files(paths: Sequence[str], values: Values) -> None:
    """Accept files and folders that exist. FormatError for another path."""
    for path in paths:
        if not os.path.lexists(path.partition(JOINT)[0]):
            raise FormatError("cannot be read: No such file or directory", file=path)


def files(paths: Sequence[str], values: Values) -> None:
    """Accept one file or more."""
    if not paths:
        raise UsageError("needs a FILE")


def divided(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split words into files and parts of files: at `--`, or behind the first word."""
    at = words.index(DIVIDER) if DIVIDER in words else 1
    return list(words[:at]), [each for each in words[at:] if each != DIVIDER]


def file_and_paths(words: Sequence[str], values: Values) -> None:
    """Accept files and paths of nodes in them."""
    places, paths = divided(words)
    if not places or not paths:
        raise UsageError("needs a FILE and a PATH; several files end with --")


def file_and_edits(words: Sequence[str], values: Values) -> None:
    """Accept files, values for paths in them, and what to write."""
    replaces, of = values.get("replace"), values.get("of")
    places, parts = (words, []) if replaces else divided(words)
    if not places or DIVIDER in places:
        raise UsageError("needs a FILE")
    if bool(replaces) != bool(of):
        raise UsageError("--replace OLD=NEW and --of belong together")
    wrong = next((each for each in parts if not each.partition("=")[1] or each.startswith("=")), None)
    if wrong is not None:
        raise UsageError(f"{wrong!r} has to be PATH=VALUE; several files end with --")
    chosen = [name for name in ("output", "write", "dry_run") if values.get(name)]
    if not chosen:
        raise UsageError("needs -o OUT, --write, which replaces the file, or --dry-run")
    if values.get("output") and values.get("write"):
        raise UsageError("-o OUT and --write exclude each other")


def judged_files(paths: Sequence[str], values: Values) -> None:
    """Accept one file or more, and options about feet only with `--animation`."""
    files(paths, values)
    for name in ("foot", "ground_speed"):
        if name in values and not values.get("animation"):
            raise UsageError(f"--{name.replace('_', '-')} needs --animation")


def one_file(paths: Sequence[str], values: Values, called: str = "FILE") -> None:
    """Accept exactly one file. `called` is its name in the error."""
    if len(paths) != 1:
        raise UsageError(f"needs one {called}, not {len(paths) or 'none'}")


def one_package(paths: Sequence[str], values: Values) -> None:
    """Accept exactly one package."""
    one_file(paths, values, "PACKAGE")


def one_shell(paths: Sequence[str], values: Values) -> None:
    """Accept a shell, and the words that its completion script adds."""
    if not paths or paths[0] not in SHELLS:
        raise UsageError(f"needs a shell: {', '.join(SHELLS)}")


def package_and_folder(paths: Sequence[str], values: Values) -> None:
    """Accept a package, optional names of its files, and a folder to write into."""
    if not paths or not values.get("output"):
        raise UsageError("needs a PACKAGE and -o DIR")


def files_and_output(*suffixes: str) -> Check:
    """Return a function that checks the files and the output of a verb.

    The output must have one of the suffixes, or be for many models. If a folder is among the files, an output
    without a suffix is the folder for the outputs of its models.
    """

    def check(paths: Sequence[str], values: Values) -> None:
        """Raise UsageError if there is no file, or if the output is missing or wrong."""
        output = values.get("output")
        if output and not os.path.splitext(output)[1] and any(map(os.path.isdir, paths)):
            output = values["output"] = os.path.join(output, "")
        if is_for_many(output or "") and values.get("together"):
            raise UsageError("--together makes one output of several models: -o has to name one file")
        if is_for_many(output or ""):
            return
        if not paths:
            raise UsageError("needs a FILE")
        if output is None:
            raise UsageError(f"needs -o FILE, with {' or '.join(suffixes)}")
        if not output.lower().endswith(suffixes):
            raise UsageError(f"-o {output}: the name must end with {' or '.join(suffixes)}")

    return check


def is_for_many(output: str) -> bool:
    """Whether an output is for many models, because it contains `{name}` or is a folder."""
    return NAME in output or output.endswith(("/", os.sep)) or os.path.isdir(output)


def pattern_of(output: str, endings: Sequence[str]) -> str:
    """Convert the output to a path with `{name}`. For a folder, the first ending is added.

    UsageError if the output has an ending that is not allowed.
    """
    if NAME not in output:
        return os.path.join(output, f"{NAME}{endings[0]}")
    if not output.lower().endswith(tuple(endings)):
        raise UsageError(f"-o {output}: the name must end with {' or '.join(endings)}")
    return output
