"""The findings of an open document."""

from __future__ import annotations

from weakref import ref

from msgspec import Struct
from msgspec.structs import replace

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

    @property
    def kept(self) -> CheckResult:
        """The same findings without their items and places, for a document that was read again and is not
        checked yet.
        """
        return CheckResult(tuple(replace(each, items=(), offset=None) for each in self.findings))
