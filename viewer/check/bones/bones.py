"""Makes the items and the names of bones for findings."""

from __future__ import annotations

from collections.abc import Iterable

from viewer.check.rule import MOST_ITEMS, listed
from viewer.scene.items import BoneItem
from viewer.scene.skeleton import Skeleton


def bone_items(bones: Iterable[int]) -> tuple[BoneItem, ...]:
    """The items of the first `MOST_ITEMS` bones."""
    return tuple(BoneItem(int(bone)) for bone, _ in zip(bones, range(MOST_ITEMS), strict=False))


def bone_name(skeleton: Skeleton, bone: int) -> str:
    """The name of a bone, or its number if it has none."""
    return skeleton.names[bone] or f"#{bone}"


def bone_names(skeleton: Skeleton, bones: Iterable[int]) -> str:
    """The text with the names of the first bones and the number of further bones."""
    return listed([bone_name(skeleton, bone) for bone in bones])
