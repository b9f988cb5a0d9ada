"""Requests for work on files or the GPU: small frozen dataclasses, passed to a `Post`.

The requests are carried out at the start of the next frame, never while widgets or GL are in use.
"""

from __future__ import annotations

from collections.abc import Callable

from viewer.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Open:
    """Open these files; without paths, ask the user for files."""

    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenFolder:
    """Open the first model of a folder; None: ask the user for a folder."""

    path: str | None = None


@dataclass(frozen=True, slots=True)
class Browse:
    """Show this folder in the window's own dialog; None: close the dialog."""

    folder: str | None = None


@dataclass(frozen=True, slots=True)
class OpenNeighbour:
    """Replace the document in view with the file `by` positions further in its folder.

    `keep_camera`: the camera stays where it is.
    """

    by: int = 1
    keep_camera: bool = False


@dataclass(frozen=True, slots=True)
class CancelLoading:
    """Stop loading files."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Start or stop reloading files when they change."""


@dataclass(frozen=True, slots=True)
class Reload:
    """Reload the files; camera and time stay."""


@dataclass(frozen=True, slots=True)
class CloseDocument:
    """Close a document; None: the document in view."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class FitView:
    """Fit the whole posed model, or only the `selected` part, into the view."""

    selected: bool = False


@dataclass(frozen=True, slots=True)
class Screenshot:
    """Write a PNG; without a path it gets a name beside the model.

    `clean`: no panels, no background; `size` (width, height) in pixels applies to clean pictures, None: the
    size of the view.
    """

    path: str | None = None
    clean: bool = False
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class CopyPicture:
    """Copy the picture, without panels, to the clipboard."""


@dataclass(frozen=True, slots=True)
class RecordFilm:
    """Record one loop of the playing animation, or a turn of the camera, as the view shows it.

    `suffix` chooses the format, see `export.film` (`.png`: numbered pictures); without a path the film gets a
    name beside the model. `frames` are the first and the last frame, None: all; `size` is (width, height) in
    pixels, None: that of the view. `transparent`: only the model, without background. `seamless`: particles
    repeat with the loop.
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
    """Stop the recording and delete its files."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Quit the program."""


Files = Open | OpenFolder | Browse | OpenNeighbour | CancelLoading | Watch | Reload | CloseDocument
"""The requests about opening files."""
Request = Files | FitView | Screenshot | CopyPicture | RecordFilm | StopRecording | Quit
Post = Callable[[Request], None]
