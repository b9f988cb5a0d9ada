"""A folder in the window's own file dialog: its entries, their order, and the path that the user types.

Pure data: `viewer.app` lists the folders, `viewer.ui` draws them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal
from urllib.parse import unquote

from msgspec import Struct, field

from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.session.requests import AddToView, Open, Question, SaveAs, SaveFilePictures
from viewer.session.save_names import FIRST, NUMBERED, final_name
from viewer.storage.package_path import split

BrowserColumn = Literal["name", "date", "size"]
COLUMNS: tuple[BrowserColumn, ...] = ("name", "date", "size")
"""The columns of the dialog, in their order."""
SEPARATORS = tuple(filter(None, (os.sep, os.altsep)))
QUOTES = "'\""
FILE_SCHEME = "file://"


class FolderEntry(Struct, frozen=True):
    """An entry of a folder: `size` in bytes, `modified` in seconds since 1970."""

    name: str
    folder: bool
    size: int = 0
    modified: float = 0.0


class FolderListing(Struct, eq=False):
    """A folder in the file dialog.

    `entries` is None while the folder is being listed, and empty if listing fails with an `error`. `question`
    is the request that gets the chosen path. With `folders`, the user chooses a folder instead of files.
    `suffixes` are the suffixes of files that can be opened; with `every`, all files are shown. `marked` are
    the chosen names. `cursor` is the keyboard's index into `shown`, -1 for no entry. `order` is the column
    that sorts the entries, and whether the largest comes first.

    If the user chooses existing files or a folder, the typed text is `filter`, and `name` is None. If the
    user names a file to write, the typed text is `name`, and `suggested` is its first value. A typed text
    with a separator is a path: `folder` is then the folder of that path, and `base` is the folder in which a
    relative path begins. With `awaits_entries`, the user has pressed Enter before `folder` was listed. With
    `focus`, the text field must get the keyboard focus. `problem` says why a folder could not be made.
    """

    folder: str
    folders: bool = False
    suffixes: tuple[str, ...] = ()
    question: Question = Open()
    recent: tuple[str, ...] = ()
    entries: tuple[FolderEntry, ...] | None = None
    error: str = ""
    filter: str = ""
    every: bool = False
    marked: set[str] = field(default_factory=set)
    cursor: int = 0
    name: str | None = None
    suggested: str = ""
    base: str = ""
    order: tuple[BrowserColumn, bool] = ("name", False)
    awaits_entries: bool = False
    focus: bool = True
    problem: str = ""
    new_folder: str = "New folder"
    _memo: tuple[object, list[FolderEntry]] = (None, [])

    @property
    def text(self) -> str:
        """The typed text."""
        return self.filter if self.name is None else self.name

    @text.setter
    def text(self, text: str) -> None:
        if self.name is None:
            self.filter = text
        else:
            self.name = text

    @property
    def path_typed(self) -> bool:
        """Whether the typed text is a path, not only a part of a name."""
        return split_path(self.text, self.base or self.folder) is not None

    @property
    def packed_path(self) -> str:
        """The typed path of a file inside a package or game, such as `Data.pak::Models/Jack.mdl`. It is empty
        if the text is no such path, or if the user does not choose files to open.
        """
        if self.name is not None or not isinstance(self.question, Open | AddToView):
            return ""
        path = os.path.join(self.base or self.folder, os.path.expanduser(unquoted(self.text)))
        return os.path.abspath(path) if split(path) is not None else ""

    @property
    def typed(self) -> tuple[str, str]:
        """The folder of the typed path, and the text after its last separator."""
        base = self.base or self.folder
        return split_path(self.text, base) or (base, self.text)

    @property
    def up_to_date(self) -> bool:
        """Whether `entries` lists the folder of the typed path."""
        return self.entries is not None and self.typed[0] == self.folder

    @property
    def kept_name(self) -> str | None:
        """The name of the file to write, without a typed folder. The dialog keeps this name when it shows
        another folder. None if no file is to be written.
        """
        return None if self.name is None else self.typed[1] or self.suggested

    @property
    def shown(self) -> list[FolderEntry]:
        """The entries that match the typed text, in the chosen order, folders first.

        A name matches if it contains all words of the typed text; of a path, those after the last separator.
        All entries are shown if the user names a file to write. Hidden
        entries are shown if the text begins with a full stop.
        """
        key = (self.entries, self.filter, self.every, self.order)
        if self._memo[0] != key:
            self._memo = key, self._sorted(self._matching())
        return self._memo[1]

    @property
    def saved(self) -> str:
        """The name of the file that is written for the entered `name`; see `final_name`."""
        name = self.typed[1].strip()
        match self.question:
            case SaveAs(request) | (SaveFilePictures() as request) if name:
                return final_name(request, name)
            case _:
                return name

    @property
    def replaces(self) -> bool:
        """Whether the folder already has the file that is written for the entered `name`."""
        name = self.saved.replace(NUMBERED, FIRST)
        return any(each.name == name and not each.folder for each in self.entries or ())

    @property
    def enters(self) -> bool:
        """Whether the entered `name` is the name of a folder."""
        name = self.typed[1]
        return self.name is not None and any(each.name == name and each.folder for each in self.entries or ())

    def place_cursor(self) -> None:
        """Move the cursor to the best match of the typed text. If no entry matches, the cursor is on no
        entry.
        """
        typed = self.typed[1]
        if self.name is not None or (not typed and (self.folders or self.path_typed)):
            self.cursor = -1
            return
        names = [each.name for each in self.shown]
        begun = [number for number, name in enumerate(names) if self.path_typed and _begins(name, typed)]
        self.cursor = names.index(typed) if typed in names else next(iter(begun), 0)

    def completed(self) -> str:
        """Return the typed text, completed as far as the names of the entries allow.

        The name of a folder gets a separator. If no name begins with the text, the text stays, unless exactly
        one entry contains the text.
        """
        rest = self.typed[1]
        if not self.up_to_date:
            return self.text
        begun = [each for each in self.shown if _begins(each.name, rest)]
        found = begun or (self.shown if len(self.shown) == 1 and self.name is None else [])
        if not found:
            return self.text
        name = _common([each.name for each in found], rest)
        if len(found) == 1 and found[0].folder:
            name += os.sep
        return self.text[: len(self.text) - len(rest)] + name if self.text.endswith(rest) else self.text

    def _matching(self) -> list[FolderEntry]:
        """The entries that can be chosen and match the typed text."""
        wanted, path_typed, found = self.wanted, self.path_typed, []
        for each in self.entries or ():
            exact = path_typed and each.name == wanted.text
            listed = wanted.text.startswith(".") or each.name[0] != "."
            if (
                listed
                and wanted.fits(each.name)
                and (each.folder or exact or self._offered(each.name.casefold()))
            ):
                found.append(each)
        return [each for each in found if each.folder] if self.folders else found

    @property
    def wanted(self) -> TextFilter:
        """The filter of the entries: the typed text after its last separator."""
        return TextFilter(self.typed[1]) if self.name is None else EVERYTHING

    def _offered(self, name: str) -> bool:
        """Whether a file with this name in lower case can be opened, or all files are shown."""
        return self.every or name.endswith(self.suffixes)

    def _sorted(self, found: list[FolderEntry]) -> list[FolderEntry]:
        """Sort entries that are already in the order of their names."""
        column, down = self.order
        if column == "date":
            found.sort(key=lambda each: each.modified, reverse=down)
        elif column == "size":
            found.sort(key=lambda each: each.size, reverse=down)
        elif down:
            found.reverse()
        return sorted(found, key=lambda each: not each.folder)


def split_path(text: str, base: str) -> tuple[str, str] | None:
    """Split a typed path into its absolute folder and the text after the last separator.

    A relative path begins in the folder `base`, `~` is the user's folder, and `file://` and quotes around the
    path are left out. Return None if the text is only a name.
    """
    text = unquoted(text)
    end = max(map(text.rfind, SEPARATORS)) + 1
    if text == "~":
        text, end = text + os.sep, 2
    if not end:
        return None
    folder = os.path.join(base, os.path.expanduser(text[:end]))
    return os.path.abspath(folder), text[end:]


def unquoted(text: str) -> str:
    """Remove what other programs copy around a path: spaces, quotes and `file://`."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in QUOTES:
        text = text[1:-1]
    if not text.startswith(FILE_SCHEME):
        return text
    path = unquote(text[len(FILE_SCHEME) :])
    return path.lstrip("/") if os.name == "nt" else path


def _begins(name: str, typed: str) -> bool:
    """Whether a name begins with a text, ignoring case."""
    return name.casefold().startswith(typed.casefold())


def _common(names: Sequence[str], typed: str) -> str:
    """The longest text that all names begin with, spelled in upper and lower case as in the first name. The
    result is at least as long as `typed`.
    """
    if len(names) == 1:
        return names[0]
    first, *others = names
    end = len(first)
    while end > len(typed) and any(first[:end].casefold() != each[:end].casefold() for each in others):
        end -= 1
    return first[:end] if end > len(typed) else typed
