"""What the window shows of files that are on their way: those being read, the folder that is browsed, and the
models that a lone animation fits.

Pure data: `viewer.app` fills it, `viewer.ui` draws it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from viewer.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FileProgress:
    """A file on its way: what is done with it now, and how much of that is done (0 to 1; None: not known)."""

    path: str
    step: str = "reading"
    share: float | None = None


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """A line of a folder. `size` in bytes."""

    name: str
    folder: bool
    size: int = 0


@dataclass(slots=True, eq=False)
class FolderListing:
    """A folder to choose from. `entries` is None while it is being listed, and empty beside an `error`.

    `folders`: a folder is to be chosen, not files. `suffixes` are those of the files that open; `every` shows
    the others too. `marked` are the names that were chosen so far, `cursor` is the line of the keyboard among
    those that `shown` gives.
    """

    folder: str
    folders: bool = False
    suffixes: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()
    entries: tuple[FolderEntry, ...] | None = None
    error: str = ""
    filter: str = ""
    every: bool = False
    marked: set[str] = field(default_factory=set)
    cursor: int = 0
    _memo: tuple[object, list[FolderEntry]] = (None, [])

    @property
    def shown(self) -> list[FolderEntry]:
        """The folders, then the files that open, as far as their names contain the filter."""
        key = (self.entries, self.filter, self.every)
        if self._memo[0] != key:
            wanted = self.filter.casefold()
            self._memo = (
                key,
                [
                    each
                    for each in self.entries or ()
                    if wanted in each.name.casefold() and (each.folder or self._offered(each))
                ],
            )
        return self._memo[1]

    def _offered(self, entry: FolderEntry) -> bool:
        return not self.folders and (self.every or entry.name.lower().endswith(self.suffixes))


@dataclass(frozen=True, slots=True)
class MatchingModel:
    """A model that an animation fits: it has `matched` of the `total` bones that the animation moves."""

    path: str
    matched: int
    total: int


@dataclass(frozen=True, slots=True)
class FolderPosition:
    """A file as the `number`th, from 1 on, of the `count` ones of its kind in its folder or package."""

    path: str
    number: int
    count: int


@dataclass(slots=True)
class PendingFiles:
    """`loading` are the files on their way, `browser` is open where it is not None.

    `companions` are the models beside the lone animation in view, by its path; None while they are looked
    for. `stepped` says which file of its folder the one last stepped to is. `suffixes()` are those of the
    files that open. `watching`: files are read again when they change. `view_focused`: the keyboard is the
    picture's, or nobody's. `unsettled`: a panel has more to do in the next frame even if nothing happens;
    panels set it and it is unset before each.
    """

    loading: tuple[FileProgress, ...] = ()
    browser: FolderListing | None = None
    companions: dict[str, tuple[MatchingModel, ...] | None] = field(default_factory=dict)
    stepped: FolderPosition | None = None
    suffixes: Callable[[], tuple[str, ...]] = tuple
    watching: bool = False
    view_focused: bool = True
    unsettled: bool = False
