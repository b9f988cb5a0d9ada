"""The findings of an open document."""

from __future__ import annotations

from weakref import ref

from msgspec import Struct

from viewer.scene.animation import Animation
from viewer.scene.finding import Finding
from viewer.scene.items import Item


class CheckResult(Struct, frozen=True, eq=False):
    """The findings of a document and of its attached documents, the most severe first.

    `clips` are weak references to the animations. The number of a finding's `AnimationItem` is an index in
    `clips`.
    """

    findings: tuple[Finding, ...] = ()
    clips: tuple[ref[Animation], ...] = ()

    def clip(self, item: Item) -> Animation | None:
        """The animation that a finding's `AnimationItem` refers to; None if it is closed."""
        return self.clips[item.number]() if 0 <= item.number < len(self.clips) else None
