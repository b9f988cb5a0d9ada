"""The files being loaded, the folder being browsed, and the models that match an animation.

Pure data: `viewer.app` fills it, `viewer.ui` draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from viewer.scene.characters import Character, ItemEntry
from viewer.scene.files import FileKind
from viewer.scene.names import path_key
from viewer.session.folder_listing import BrowserColumn, FolderListing
from viewer.view.view_info import PanelPicture, Preview

CHANGED, GONE = "has changed on the disk", "is no longer there"
"""What happened to the files of an open document."""


class FileProgress(Struct, frozen=True):
    """A file being loaded: the current `step`, and its progress `share` from 0 to 1, None if unknown."""

    path: str
    step: str = "reading"
    share: float | None = None


class MatchingModel(Struct, frozen=True):
    """A model that fits an animation: it has `matched` of the `total` bones that the animation moves."""

    path: str
    matched: int
    total: int


class FolderPosition(Struct, frozen=True):
    """The position of a file in its folder or package: `number` (from 1) of `count`. The position is shown
    when the user steps to another file.

    `noun` is `model` or `file`. If there is no further file, `end` is a text such as `the last model in the
    folder`. `query` is the user's query if it hides files of the folder.
    """

    path: str
    number: int
    count: int
    noun: str = "file"
    end: str = ""
    query: str = ""


class RecentEntry(Struct, frozen=True):
    """The known facts of a recent file, folder or package. `missing` is True if it does not exist. `picture`
    is its thumbnail; None if the cache has no thumbnail. `icon` is the icon of its kind of file; empty for a
    folder.
    """

    missing: bool = False
    picture: PanelPicture | None = None
    icon: str = ""


class ItemSearch(Struct, eq=False):
    """The items of a character that fit a `slot` and a `text`. `entries` grow until the search is `done`."""

    character: Character
    slot: str
    text: str
    entries: list[ItemEntry] = field(default_factory=list)
    done: bool = False


class SavedLooks(Struct, eq=False):
    """The saved looks that a list shows. `paths` are all looks, and `visible` the paths of the visible rows.
    Pictures are `side` pixels wide. `picture(path)` is the picture of a look, the reason why it has none, or
    an empty text before it is drawn.
    """

    paths: tuple[str, ...] = ()
    visible: tuple[str, ...] = ()
    side: float = 0.0
    picture: Callable[[str], Preview] = lambda path: ""


class PendingFiles(Struct):
    """The files being loaded or searched.

    `loading` are the files being loaded; `browser` is None unless the file dialog is open, and `order` is the
    order of its entries, which the next dialog takes over. `companions` has, by the path of a lone animation,
    the models that match it. `models` has, by the path of a part file, the models to which it belongs. In
    both tables a value is None during the search. `stepped` is the position of the file to which the user
    last stepped. `changed` has the open documents whose files changed on the disk after they were read:
    CHANGED or GONE by `path_key`. `kinds()` returns the kinds of files that can be opened, by suffix. With
    `watching`, files are reloaded when they change. With `view_focused`, no panel has the keyboard focus. A
    panel sets `unsettled` if the panel needs another frame without an event; `unsettled` is reset before each
    frame. With `hovering`, files are dragged over the window. `dropped` is the path of a model that was
    dropped while two models are compared; the user chooses which of the two it replaces. The path is empty if
    there is no such model. `recent` has the facts of recent files and folders by path; a panel that shows
    these sets `recent_shown` in each frame. `items` is the list of items that the user sees, `looks` the
    list of saved looks; None if there is none.
    """

    loading: tuple[FileProgress, ...] = ()
    browser: FolderListing | None = None
    order: tuple[BrowserColumn, bool] = ("name", False)
    companions: dict[str, tuple[MatchingModel, ...] | None] = field(default_factory=dict)
    models: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    stepped: FolderPosition | None = None
    kinds: Callable[[], Mapping[str, FileKind]] = dict
    changed: dict[str, str] = field(default_factory=dict)
    watching: bool = False
    view_focused: bool = True
    unsettled: bool = False

    def change(self, path: str) -> str:
        """What happened to the files of this open document: CHANGED or GONE; empty if nothing."""
        return self.changed.get(path_key(path), "") if self.changed else ""

    @property
    def lists_folder(self) -> bool:
        """Whether the file dialog is waiting for the entries of its folder."""
        return self.browser is not None and self.browser.entries is None

    hovering: bool = False
    dropped: str = ""
    recent: dict[str, RecentEntry] = field(default_factory=dict)
    recent_shown: bool = False
    items: ItemSearch | None = None
    looks: SavedLooks | None = None
