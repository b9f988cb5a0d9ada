"""A model that another one names: what its particles are, or carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.dataclass import dataclass
from viewer.scene.animation import Animation

if TYPE_CHECKING:
    from viewer.scene.model import Model


@dataclass(frozen=True, slots=True, eq=False)
class ModelReference:
    """A model by its name in the file. `path` is where it was found, `searched` where it was looked for;
    `files` are those beside it that it is read from as well.

    `model` is None where there is none to use, and `trouble` says why; `complete`: all of what was found
    could be read. `animation` is what it plays, None: it keeps still. Models that it names in turn are not
    read.
    """

    name: str
    path: str | None = None
    searched: tuple[str, ...] = ()
    model: Model | None = None
    animation: Animation | None = None
    trouble: str = ""
    files: tuple[str, ...] = ()
    complete: bool = True

    @property
    def missing(self) -> bool:
        """Whether it was looked for and is nowhere."""
        return self.path is None and bool(self.searched)

    @property
    def bare_name(self) -> str:
        """The last part of its name."""
        return self.name.replace("\\", "/").rpartition("/")[2] or self.name
