"""The tints of geometries: of the selected, of the hovered, of those of a marked group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.render.frame import Frame
from viewer.render.mesh import Tint
from viewer.render.segments import ACCENT, GROUP
from viewer.scene.geosets import members
from viewer.scene.items import GeometryItem, GeosetItem
from viewer.scene.model import Model

if TYPE_CHECKING:
    from viewer.view.marked_parts import MarkedParts

PICKED: Tint = (*ACCENT[:3], 0.20)
HOVERED: Tint = (*ACCENT[:3], 0.09)
MARKED: Tint = (*GROUP[:3], 0.30)


def geometry_tints(model: Model, frame: Frame, group: MarkedParts | None) -> dict[int, Tint]:
    """The tint of each geometry that has one, by number. `group`: the parts of a marked group."""
    found: dict[int, Tint] = dict.fromkeys(group.geometries if group else (), MARKED)
    geometries, geosets = frame.points_at(GeometryItem), frame.points_at(GeosetItem)
    for slot, tint in ((1, HOVERED), (0, PICKED)):
        geometry, geoset = geometries[slot], geosets[slot]
        numbers = [] if geoset is None else members(model, geoset)
        found |= dict.fromkeys(numbers if geometry is None else [geometry], tint)
    return found
