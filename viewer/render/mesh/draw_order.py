"""The draw order of geometries: opaque geometries from near to far, then blended ones from far to near."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.render.mesh.geometry_resources import DrawItem
from viewer.scene.material import Appearance
from viewer.scene.model import Geometry, Model


class VisibleItem(Struct, frozen=True, eq=False):
    """An item and its animated appearance at one time. If the appearance is None, the constant values of the
    material are used.
    """

    item: DrawItem
    appearance: Appearance | None

    @property
    def alpha(self) -> float:
        """Alpha of the appearance or the material; an item with alpha 0 is not drawn."""
        return 1.0 if self.appearance is None else self.appearance.diffuse[3]

    @property
    def blend(self) -> str:
        """Blend mode of the material; a fading material without blending uses alpha blending."""
        blend = self.item.gpu_material.material.blend
        return "alpha" if blend == "replace" and self.alpha < 1 else blend


def ordered(
    items: Sequence[VisibleItem],
    model: Model,
    pose: Pose | None,
    with_materials: bool,
    view: Array,
    corners: Array | None = None,
) -> list[VisibleItem]:
    """Sort the items: opaque items first, then blended items from far to near. Without `with_materials` all
    items are opaque. `view` [4, 4] converts from the file's axes to eye space.

    If `corners` [G, 8, 3] of the geometries' boxes at rest are given, opaque items are sorted from near to
    far, so that hidden pixels are not shaded. The order is visible only where two surfaces coincide: there, a
    geometry whose box is inside another box is drawn later. Items that do not test or write depth keep their
    order.
    """

    def blends(each: VisibleItem) -> bool:
        return with_materials and each.blend != "replace"

    def sort_key(each: VisibleItem) -> tuple[bool, int, float, int]:
        material = each.item.gpu_material.material
        if blends(each):
            return True, material.render_order, _depth(model, each.item, pose, view), material.layer
        return False, material.render_order, 0.0 if near is None else -near[each.item.number], material.layer

    opaque = [each.item.gpu_material.material for each in items if not blends(each)]
    hiding = all(each.depth_test and each.depth_write for each in opaque if with_materials)
    near = None if corners is None or len(opaque) < 2 or not hiding else _nearest(corners, view)
    return sorted(items, key=sort_key)


def _nearest(corners: Array, view: Array) -> list[float]:
    """Return the depth of the nearest corner of each box in eye space; a higher value is nearer."""
    nearest: list[float] = np.nan_to_num((corners @ view[2, :3]).max(axis=1)).tolist()
    return nearest


def _depth(model: Model, item: DrawItem, pose: Pose | None, view: Array) -> float:
    """Return the depth of the geometry's posed centre in eye space; a lower value is farther away."""
    geometry = model.geometries[item.number]
    center = _center(model, geometry)
    if pose is not None and geometry.center_bone is not None and geometry.center_bone < len(pose.skin):
        center = pose.skin[geometry.center_bone] @ (*center, 1.0)
    return float(view[2, :3] @ np.nan_to_num(center) + view[2, 3])


def _center(model: Model, geometry: Geometry) -> Array:
    """Return the centre [3] of the geometry in the file's axes, before posing."""
    if geometry.center is not None:
        return np.array(geometry.center)
    box = geometry.bounds if geometry.bounds is not None else model.bounds
    return np.zeros(3) if box is None else np.asarray(box.mean(axis=0, dtype=np.float64))
