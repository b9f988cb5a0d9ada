"""The lines about missing parts that belong to every output of a model."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.needs import Need, needs_of, summary, unmet


class MissingLines(NamedTuple):
    """The unmet needs of a model as lines. `required` has a line for each required need, `other` is one line
    about all other needs.
    """

    required: tuple[str, ...] = ()
    other: str = ""

    @property
    def all(self) -> tuple[str, ...]:
        """All lines."""
        return (*self.required, self.other) if self.other else self.required

    def fails(self, strict: bool | None) -> bool:
        """Whether the output counts as failed: with `strict` if any need is unmet, with None if a required
        one is, with False never.
        """
        return bool(self.all if strict else self.required) and strict is not False


def missing_lines(
    document: Document,
    clips: Iterable[Animation] = (),
    level: int | None = None,
    textures: Collection[int] = (),
) -> MissingLines:
    """The lines about a document. The user named the `clips` and the `level` of detail, whose files are
    required, and chose files for the `textures`.
    """
    named = {each.missing_file.name: each.name for each in clips if each.missing_file is not None}
    required, other = list[str](), list[Need]()
    for need in unmet(needs_of(document, textures, document.unreadable_images)):
        if need.required or need.name in named or (level is not None and need.level == level):
            required.append(_line(need, named.get(need.name, "")))
        else:
            other.append(need)
    return MissingLines(tuple(required), _line(other[0]) if len(other) == 1 else summary(other))


def _line(need: Need, clip: str = "") -> str:
    """The line about one need; `clip` is the name of the clip in the file."""
    if need.state != "missing":
        return need.text
    noun = f"{need.kind} " if need.kind in ("material", "texture") else ""
    keys = f", which has the keys of {clip}," if clip else ""
    offer = f"; {need.offered[0]} is there" if len(need.offered) == 1 else ""
    return f"{noun}{need.name}{keys} is missing{offer}"
