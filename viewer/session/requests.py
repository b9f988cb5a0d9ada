"""Requests for work on files or the GPU: small frozen records that are passed to a `Post`.

The window carries out a request at the start of the next frame, because widgets and GL are not in use then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from viewer.scene.choices import CLIPS, FILM_FORMATS, LOOK, SCENES, ExportChoices

PADDING = 1.5
"""The default of `FitView.padding`."""
PictureContent = Literal["view", "window", "model"]
"""The content of a saved picture: the view without panels, the window with its panels, or only the model."""


class Open(Struct, frozen=True):
    """Open these files. Without paths, ask the user for files."""

    paths: tuple[str, ...] = ()


class AddToView(Struct, frozen=True):
    """Join the models of these files to the model in view. Without paths, ask the user for files."""

    paths: tuple[str, ...] = ()


class CompareFiles(Struct, frozen=True):
    """Open two files, and compare them side by side as soon as both are open. `other` comes into view."""

    one: str
    other: str


class Drop(Struct, frozen=True):
    """Open files that were dropped on the window.

    If a third model is dropped during a comparison, the user chooses which compared model it replaces.
    """

    paths: tuple[str, ...]


class Exchange(Struct, frozen=True):
    """Open a file in place of an open document, and close that document. `old` is its path."""

    path: str
    old: str


class OpenRow(Struct, frozen=True):
    """Open a table and select a row. The table has the name `table` and lies beside the file `path`; the row
    has the number `id` in its first column.

    If `referring` is the name of a table, no row is selected: the page lists only the rows that refer to row
    `id` of that table.
    """

    path: str
    table: str
    id: int
    referring: str = ""


class OpenRowModel(Struct, frozen=True):
    """Open the model that a row of a table is about. `path` is the file of the table, `row` the index of the
    row.
    """

    path: str
    row: int


class OpenFolder(Struct, frozen=True):
    """Open the first model of a folder; None to ask the user for a folder."""

    path: str | None = None


class OpenListed(Struct, frozen=True):
    """Open a file from the Files panel or the wall.

    The file replaces the document in view if that document is in the list too. An animation plays on the
    model in view and replaces no document.
    """

    path: str


class ListFiles(Struct, frozen=True):
    """List the files of a folder or package; None for the folder or package of the document in view."""

    root: str | None = None


class SaveFilePictures(Struct, frozen=True):
    """Save the thumbnails of listed files: single pictures to the folder `path`, or one `sheet` to the file
    `path`.

    Without a path, ask the user.
    """

    paths: tuple[str, ...]
    sheet: bool = False
    path: str | None = None


class CheckFiles(Struct, frozen=True):
    """Check listed files."""

    paths: tuple[str, ...]


class StopFileBatch(Struct, frozen=True):
    """Cancel a task on listed files; `number` is its index in `FileList.batches`."""

    number: int


class ContinueFileBatch(Struct, frozen=True):
    """Continue a task on listed files that ended early; `number` is its index in `FileList.batches`."""

    number: int


class RemoveFileBatch(Struct, frozen=True):
    """Remove an ended task on listed files from `FileList.batches`; it can no longer be continued."""

    number: int


class MarkFiles(Struct, frozen=True):
    """Give listed files a rating of 0 to 5 stars, or make them favourites or not. None leaves the rating or
    the favourite as it is.
    """

    paths: tuple[str, ...]
    rating: int | None = None
    favourite: bool | None = None


class Browse(Struct, frozen=True):
    """Show this folder in the window's own file dialog; None to close the dialog.

    `text` is the text that the user is typing, if the typed path leads to the folder. The dialog keeps this
    text.
    """

    folder: str | None = None
    text: str | None = None


class MakeFolder(Struct, frozen=True):
    """Make a folder, and show it in the window's own file dialog."""

    path: str


class GiveFile(Struct, frozen=True):
    """Use the file `path` for the missing resource `name`. Without a path, ask the user for the file.

    For a texture, `texture` is its number in the document with the path `document`. For any other resource,
    `texture` is None and the open files are read again.
    """

    name: str
    texture: int | None = None
    path: str | None = None
    document: str | None = None


class AddResourceFolder(Struct, frozen=True):
    """Search for missing files in a folder too. Without a path, ask the user for the folder.

    With `archive`, ask for an archive or a `resources.cfg` instead of a folder.
    """

    archive: bool = False
    path: str | None = None


class RemoveResourceFolder(Struct, frozen=True):
    """Stop searching for missing files in this folder."""

    path: str


class OpenNeighbour(Struct, frozen=True):
    """Replace the document in view by a neighbour in its folder. `by` is the number of files from the
    document to the neighbour, negative for earlier files.

    With `keep_camera`, the camera stays.
    """

    by: int = 1
    keep_camera: bool = False


class CancelLoading(Struct, frozen=True):
    """Stop loading files."""


class Watch(Struct, frozen=True):
    """Start or stop reloading files when they change."""


class Reload(Struct, frozen=True):
    """Reload the open file with this path; None for the document in view. With `everything`, reload all open
    files. Camera and time stay.
    """

    path: str | None = None
    everything: bool = False


class CloseDocument(Struct, frozen=True):
    """Close a document by its index; None for the document in view."""

    number: int | None = None


class ReopenTab(Struct, frozen=True):
    """Open the file of the last closed tab again, at the tab's earlier position."""


class FitView(Struct, frozen=True):
    """Fit the whole posed model, or only the `selected` part, into the view.

    For a part, the camera is at most `padding` times as far away as the nearest distance at which the whole
    part is visible.
    """

    selected: bool = False
    padding: float = PADDING


class Screenshot(Struct, frozen=True):
    """Save a picture.

    Without a path, the path in the settings is used; if the settings have no path, the user is asked. A
    picture of the model has a transparent background. `size` is (width, height) in pixels; None for the size
    of the view. A picture of the window always has the size of the window.
    """

    path: str | None = None
    content: PictureContent = "view"
    size: tuple[int, int] | None = None


class CopyText(Struct, frozen=True):
    """Copy a text to the clipboard."""

    text: str


class ShowFiles(Struct, frozen=True):
    """Select files in the file manager of the desktop; open folders there."""

    paths: tuple[str, ...]


class CopyPicture(Struct, frozen=True):
    """Put the picture on the clipboard. The panels are left out."""


class CopyCommand(Struct, frozen=True):
    """Put on the clipboard the command that draws the picture again. The picture has no panels and no
    background.
    """


class RecordFilm(Struct, frozen=True):
    """Record one loop of the playing animation, or a turn of the camera, as the view shows it.

    `suffix` chooses the format, see `export.film`; `.png` writes numbered pictures. Without a path, the path
    in the settings is used; if the settings have no path, the user is asked. `frames` are the numbers of the
    first and the last frame; None for all frames. `size` is (width, height) in pixels; None for the size of
    the view. With `transparent`, the film shows only the model, without a background. With `seamless`,
    particles repeat with the loop.
    """

    suffix: str = FILM_FORMATS[0].suffix
    turntable: bool = False
    fps: float = 30.0
    path: str | None = None
    frames: tuple[int, int] | None = None
    size: tuple[int, int] | None = None
    transparent: bool = False
    seamless: bool = False


class ExportModel(Struct, frozen=True):
    """Export the model as the view shows it, in the background.

    Without a path, the path in the settings is used; if the settings have no path, the user is asked.
    `suffix` chooses the format, and `clips` is one of CLIPS. `lod` is the level of detail; None for the level
    of the view.
    """

    suffix: str = SCENES[0]
    clips: str = CLIPS[0]
    lod: int | None = None
    choices: ExportChoices = ExportChoices()
    path: str | None = None


class ExportFiles(Struct, frozen=True):
    """Export listed models to a folder with the choices of the export dialog.

    Without a path, ask the user for the folder.
    """

    paths: tuple[str, ...]
    choices: ExportModel = ExportModel()
    path: str | None = None


class SaveTexture(Struct, frozen=True):
    """Save a mip level of a texture as a picture, with the chosen channels. Without a path, ask the user.

    With `layouts`, the layouts that the Texture panel shows are drawn over it. `number` is the number of the
    texture in view.
    """

    number: int
    level: int = 0
    channels: str = "RGBA"
    layouts: bool = False
    path: str | None = None


class SaveLook(Struct, frozen=True):
    """Write the look of the character in view to a JSON file."""

    suffix: str = LOOK
    path: str | None = None


class SaveMotion(Struct, frozen=True):
    """Save the keys that pop, or the contacts of the feet, of the clip in the timeline as CSV."""

    what: Literal["keys", "contacts"] = "keys"
    suffix: str = ".csv"
    path: str | None = None


class OpenLook(Struct, frozen=True):
    """Let the character in view wear the look of a JSON file. Without a path, ask the user."""

    path: str | None = None


SavedFile = Screenshot | RecordFilm | ExportModel | SaveTexture | SaveLook | SaveMotion
"""The requests that write a file for the user."""


class SaveAs(Struct, frozen=True):
    """Carry out `request` with the path that the user chose, and store the path in the settings. Without a
    path, ask the user.

    `document` is the path of the document that is saved.
    """

    request: SavedFile
    path: str | None = None
    document: str | None = None


class StopRecording(Struct, frozen=True):
    """Stop the recording and delete its files."""


class StopExport(Struct, frozen=True):
    """Stop the export; nothing is written."""


class ShowAbout(Struct, frozen=True):
    """Show the dialog with the version, the graphics driver and the libraries."""


class Quit(Struct, frozen=True):
    """Quit the program. `unfinished` says what happens to files that are being written: ask the user, wait
    until they are complete, or stop and remove them.
    """

    unfinished: Literal["ask", "wait", "stop"] = "ask"


class OpenEnvironment(Struct, frozen=True):
    """Light the models with the environment in this picture. Without a path, ask the user for the file."""

    path: str | None = None


Question = (
    Open
    | AddToView
    | OpenFolder
    | OpenLook
    | OpenEnvironment
    | GiveFile
    | AddResourceFolder
    | SaveAs
    | SaveFilePictures
    | ExportFiles
)
"""The requests that ask the user for a path if they have none."""
Files = (
    Question
    | CompareFiles
    | Drop
    | Exchange
    | OpenListed
    | OpenRow
    | OpenRowModel
    | ListFiles
    | RemoveResourceFolder
    | Browse
    | MakeFolder
    | OpenNeighbour
    | CancelLoading
    | Watch
    | Reload
    | CloseDocument
    | ReopenTab
    | MarkFiles
    | CheckFiles
    | StopFileBatch
    | ContinueFileBatch
    | RemoveFileBatch
)
"""The requests for work on files."""
Request = (
    Files
    | FitView
    | CopyPicture
    | CopyCommand
    | CopyText
    | ShowFiles
    | SavedFile
    | StopRecording
    | StopExport
    | ShowAbout
    | Quit
)
Post = Callable[[Request], None]


def with_document(question: Question, document: str | None) -> Question:
    """Add to a question about a document the path of the document in view, because other files can come into
    view before the user answers.
    """
    match question:
        case SaveAs() | GiveFile(texture=int()):
            return replace(question, document=document)
        case _:
            return question


def wants_folder(question: Question) -> bool:
    """Whether a request asks the user for a folder, not for files."""
    match question:
        case OpenFolder() | ExportFiles() | SaveFilePictures(sheet=False) | AddResourceFolder(archive=False):
            return True
        case _:
            return False


def answered(question: Question, paths: tuple[str, ...]) -> Question:
    """Return the request `question` with the paths that the user chose."""
    match question:
        case Open():
            return Open(paths)
        case AddToView():
            return AddToView(paths)
        case _:
            return replace(question, path=paths[0])
