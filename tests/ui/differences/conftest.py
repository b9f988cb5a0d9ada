"""A post and a second one, which are compared, with differences made by hand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from viewer.scene.choices import CompareMode
from viewer.scene.difference import Change, Difference, DifferenceGroup, Differences
from viewer.scene.items import AnimationItem, BoneItem, ByteItem, GeometryItem, MaterialItem, VertexItem
from viewer.session.comparison import find_partner
from viewer.session.comparison_result import ComparisonResult
from viewer.session.documents import OpenDocuments
from viewer.session.state import State

MOVED = Difference(
    DifferenceGroup.BONES,
    Change.CHANGED,
    "tip",
    "turned by 12°",
    12.0,
    "degrees",
    items=(BoneItem(1),),
    other_items=(BoneItem(0), BoneItem(1)),
)
ADDED = Difference(DifferenceGroup.BONES, Change.ADDED, "hat", other_items=(BoneItem(1),))
VERTICES = Difference(
    DifferenceGroup.VERTICES,
    Change.CHANGED,
    "post",
    "4 of 20 vertices moved",
    items=(VertexItem(0, 16), GeometryItem(0)),
    other_items=(VertexItem(0, 17), GeometryItem(0)),
)
CLIP = Difference(
    DifferenceGroup.ANIMATIONS,
    Change.CHANGED,
    "Bend",
    "keys",
    times=(0.25, 0.5),
    items=(AnimationItem(0),),
    other_items=(AnimationItem(0),),
)
MATERIAL = Difference(
    DifferenceGroup.MATERIALS, Change.CHANGED, "skin", "blend", items=(MaterialItem(0),), minor=True
)
VERSION = Difference(DifferenceGroup.VERSION, Change.CHANGED, "version", "UMDL → UMD2")
BYTES = Difference(
    DifferenceGroup.FIELDS,
    Change.CHANGED,
    "bones/[1]/name",
    '"tip" → "top"',
    items=(ByteItem(40),),
    other_items=(ByteItem(44),),
)
FOUND = (MOVED, ADDED, VERTICES, CLIP, VERSION)


@pytest.fixture
def pair(post: Any) -> Any:
    """The desk with both in tabs, the first in view, side by side."""
    state = post.state
    state.adopt(State(OpenDocuments([replace(state.document, path="/somewhere/Second.mdl")])))
    state.compare(CompareMode.SIDE)
    find_partner(state)
    state.comparison_result = ComparisonResult(None, Differences(FOUND, (), 60))
    return post
