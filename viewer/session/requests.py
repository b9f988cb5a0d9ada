"""What touches files or the GPU is asked for: small frozen dataclasses, given to a `Post`.

They are applied at the start of the next frame, never while widgets or GL are half-way.
"""

from __future__ import annotations

from collections.abc import Callable

from viewer.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Open:
    """Open these files; none: ask for them."""

    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """Open the first model of a folder; None: ask which."""

    path: str | None = None


@dataclass(frozen=True, slots=True)
class Browse:
    """Show this folder in the window's own dialog; None: close the dialog."""

    folder: str | None = None


@dataclass(frozen=True, slots=True)
class OpenNeighbour:
    """Open the file `by` places further in the folder of the document in view, in its place.

    `keep_camera`: it is seen from where the camera is.
    """

    by: int = 1
    keep_camera: bool = False


@dataclass(frozen=True, slots=True)
class CancelLoading:
    """Give up what is being read."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Begin or end to read files again when they change."""


@dataclass(frozen=True, slots=True)
class Reload:
    """Read the files again; camera and time stay."""


@dataclass(frozen=True, slots=True)
class CloseDocument:
    """Close a document, None: the one in view."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class FitView:
    """Bring the whole posed model, or only what is `selected`, into view, from where the camera looks."""

    selected: bool = False


@dataclass(frozen=True, slots=True)
class Screenshot:
    """Write a PNG; without a path a name beside the model is made up.

    `clean`: no panels, no background; `size` (width, height) in pixels is for that, None: as in the window.
    """

    path: str | None = None
    clean: bool = False
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class CopyPicture:
    """Put the picture, without panels, on the clipboard."""


@dataclass(frozen=True, slots=True)
class RecordFilm:
    """Record one loop of what plays, or a turn of the camera, as the picture shows it.

    `suffix` says the format, of `storage.film` (`.png`: numbered pictures); without a path a name beside the
    model is made up. `frames` are the first and the last number, None: all; `size` is (width, height) in
    pixels, None: as in the window. `transparent`: the model alone, on nothing. `seamless`: particles repeat
    with the loop.
    """

    suffix: str = ".gif"
    turntable: bool = False
    fps: float = 30.0
    path: str | None = None
    frames: tuple[int, int] | None = None
    size: tuple[int, int] | None = None
    transparent: bool = False
    seamless: bool = False


@dataclass(frozen=True, slots=True)
class StopRecording:
    """Give the recording up, and leave nothing of it."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the program."""


Files = Open | OpenFolder | Browse | OpenNeighbour | CancelLoading | Watch | Reload | CloseDocument
"""What has to do with files being opened."""
Request = Files | FitView | Screenshot | CopyPicture | RecordFilm | StopRecording | Quit
Post = Callable[[Request], None]
