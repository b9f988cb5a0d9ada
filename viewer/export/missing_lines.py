"""The lines about missing parts that belong to every output of a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from viewer.errors import counted
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.needs import Need, NeedState, needs_of

UNMET: Mapping[NeedState, str] = MappingProxyType(
    {
        "missing": "missing",
        "unreadable": "unreadable",
        "pointer": "only a pointer of Git LFS",
        "unsupported": "not supported",
    }
)
"""What a needed part is that cannot be used."""


class MissingLines(NamedTuple):
    """The unmet needs of a model as lines. `required` has a line for each required need, `other` is one line
    about all other needs.
    """

    required: tuple[str, ...] = ()
    other: str = ""

    @property
    def all(self) -> tuple[str, ...]:
        """All lines."""
        return (*self.required, *filter(None, (self.other,)))

    def fails(self, strict: bool | None) -> bool:
        """Whether the output counts as failed: with `strict` if any need is unmet, with None if a required
        one is, with False never.
        """
        return bool(self.all if strict else self.required) and strict is not False


def missing_lines(
    document: Document, clips: Iterable[Animation] = (), textures: Collection[int] = ()
) -> MissingLines:
    """The lines about a document. The user named the `clips`, whose files are required, and chose files for
    the `textures`.
    """
    named = {each.missing_file[:2]: each.name for each in clips if each.missing_file is not None}
    required, other = list[str](), list[Need]()
    for need in needs_of(document, textures, document.unreadable_images):
        clip = named.get((need.kind, need.name), "")
        if need.is_met:
            continue
        if need.required or clip:
            required.append(_line(need, clip))
        else:
            other.append(need)
    return MissingLines(tuple(required), _line(other[0]) if len(other) == 1 else _counts(other))


def _line(need: Need, clip: str = "") -> str:
    """The line about one need; `clip` is the name of the clip in the file."""
    noun = need.kind if need.kind in ("material", "texture") else ""
    keys = f", which has the keys of {clip}," if clip else ""
    error = f": {need.error}" if need.error else ""
    offer = f"; {need.offered[0]} is there" if len(need.offered) == 1 else ""
    return f"{noun} {need.name}{keys} is {UNMET[need.state]}{error}{offer}".lstrip()


def _counts(needs: Iterable[Need]) -> str:
    """Count needs: `2 .anim files and 1 texture missing; 1 texture unreadable`."""
    states: dict[str, Counter[str]] = {}
    for need in needs:
        states.setdefault(UNMET[need.state], Counter())[need.kind] += 1
    return "; ".join(
        f"{' and '.join(counted(number, kind) for kind, number in kinds.items())} {word}"
        for word, kinds in states.items()
    )
