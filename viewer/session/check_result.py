"""The findings of an opened document."""

from __future__ import annotations

from weakref import ref

from msgspec import Struct

from viewer.scene.animation import Animation
from viewer.scene.finding import Finding
from viewer.scene.items import Item


class CheckResult(Struct, frozen=True, eq=False):
    """The findings of a document and of its attached documents, the most severe first. `clips` are the
    animations that the findings' `AnimationItem`s count, as long as they are open.
    """

    findings: tuple[Finding, ...] = ()
    clips: tuple[ref[Animation], ...] = ()

    def clip(self, item: Item) -> Animation | None:
        """The animation that an `AnimationItem` of a finding means; None if it is no longer open."""
        return self.clips[item.number]() if 0 <= item.number < len(self.clips) else None
