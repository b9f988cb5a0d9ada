"""A reference to another model, which particles show or carry."""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct

from viewer.scene.animation import Animation

Content = TypeVar("Content")


class ModelReference(Struct, Generic[Content], frozen=True, eq=False):
    """A model by its name in the file. `path` is the found file, `searched` lists the searched places;
    `files` are the files beside it that are read with it.

    `model` is None if it cannot be used, and `trouble` says why; `complete`: everything that was found could
    be read. `animation` is the clip that it plays (None: it stands still). References of this model in turn
    are not read.

    `Content` is `scene.model.Model`. A model holds emitters and these hold references: a reference does not
    import the class of the whole that it is a part of.
    """

    name: str
    path: str | None = None
    searched: tuple[str, ...] = ()
    model: Content | None = None
    animation: Animation | None = None
    trouble: str = ""
    files: tuple[str, ...] = ()
    complete: bool = True

    @property
    def missing(self) -> bool:
        """Whether the model was searched and not found."""
        return self.path is None and bool(self.searched)

    @property
    def bare_name(self) -> str:
        """The last part of the model's name."""
        return self.name.replace("\\", "/").rpartition("/")[2] or self.name
