"""The draw order of geometries: opaque geometries first, then blended geometries from far to near."""

from __future__ import annotations

from collections.abc import Iterable

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
    items: Iterable[VisibleItem], model: Model, pose: Pose | None, with_materials: bool, view: Array
) -> list[VisibleItem]:
    """Sort the items: opaque items first, then blended items from far to near. Without `with_materials` all
    items are opaque. `view` [4, 4] converts from the file's axes to eye space.
    """

    def sort_key(each: VisibleItem) -> tuple[bool, int, float, int]:
        """Return the sort key of an item."""
        material = each.item.gpu_material.material
        blends = with_materials and each.blend != "replace"
        depth = _depth(model, each.item, pose, view) if blends else 0.0
        return blends, material.render_order, depth, material.layer

    return sorted(items, key=sort_key)


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
