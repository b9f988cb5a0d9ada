"""The bones, drawn over the mesh: octahedra from parent to child with a sphere at every joint."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product

import moderngl
import numpy as np

from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.scene.model import Primitive
from viewer.scene.skeleton import Skeleton
from viewer.scene.vertex_distances import share_colors
from viewer.view.bone_lines import bone_vectors, rest_stubs
from viewer.view.camera import Matrices

BONE = np.dtype(
    [
        ("head", "f4", 3),
        ("tail", "f4", 3),
        ("side", "f4", 3),
        ("radius", "f4"),
        ("chosen", "f4"),
        ("color", "f4", 3),
    ]
)
"""One drawn bone in the file's axes. `side` is a unit vector perpendicular to the bone; `radius` is half the
width of its waist.
"""
PLAIN = (0.86, 0.87, 0.90)
"""The colour of bones that show no difference, rgb 0..1."""
CORNER = np.dtype([("corner", "f4", 3), ("joint", "f4"), ("edge", "f4", 3)])

WAIST = 0.12
"""Position of the waist along the bone, in bone lengths from its head."""
SLIM = 0.11
"""Half the width of the waist, as a share of the bone's length. It is limited to between `THINNEST` and
`THICKEST` times the typical bone length of the skeleton.
"""
THICKEST, THINNEST = 0.3, 0.02
HOVERED = 0.45
"""The share of the selection colour that is mixed into the colour of a hovered bone."""


class SkeletonOverlay:
    """Draws a posed skeleton. Owns its buffers and vertex array; the program belongs to the composer."""

    def __init__(self, composer: Composer) -> None:
        self._bones = Drawable(
            composer,
            ("skeleton.vert", "skeleton.frag"),
            mesh=np.concatenate((octahedron(), joint_sphere())),
            layout=("3f4 f4 3f4", "in_corner", "in_joint", "in_edge"),
            instances=(
                "3f4 3f4 3f4 f4 f4 3f4/i",
                *("in_head", "in_tail", "in_side", "in_radius", "in_chosen", "in_color"),
            ),
        )

    def draw(
        self,
        skeleton: Skeleton,
        pose: Pose,
        matrices: Matrices,
        selected: int | None,
        framebuffer: moderngl.Framebuffer,
        size: tuple[int, int],
        hovered: int | None = None,
        everything: bool = True,
        group: Collection[int] = (),
        shares: Array | None = None,
    ) -> None:
        """Draw on top of the framebuffer of `size` (width, height), in the nearest tenth of the depth range.

        Without `everything` only the selected bone, the hovered bone and the bones of the `group` are drawn.
        `shares` [B] colour the bones, see `share_colors`.
        """
        bones = bone_shapes(
            skeleton.parents, pose.world, selected, hovered, group, shares, rest_stubs(skeleton)
        )
        bones = bones if everything else bones[bones["chosen"] != 0]
        if not len(bones):
            return
        self._bones.write(bones)
        self._bones.program.set(
            view=matrices.view,
            projection=matrices.projection,
            pixel=_pixel(matrices, size),
            parallel=float(matrices.projection[3, 3] != 0),
        )
        Pipeline(self._bones.array, framebuffer, cull="none").draw(Primitive.TRIANGLES, instances=len(bones))

    def release(self) -> None:
        """Release the buffers and the vertex array."""
        self._bones.release()


def bone_shapes(
    parents: Array,
    world: Array,
    selected: int | None = None,
    hovered: int | None = None,
    group: Collection[int] = (),
    shares: Array | None = None,
    stubs: Array | None = None,
) -> Array:
    """Make the drawn bones, [N] of `BONE`, from the lines of `bone_lines`.

    `chosen` is 1 for the selected bone, `HOVERED` for the hovered bone, -1 for bones of the `group`, else 0.
    The colour is `PLAIN`, or with `shares` [B] that of `share_colors`. See `bone_vectors` for `stubs`.
    Lines without length or with ends that are not finite are left out.
    """
    owners, along, typical = bone_vectors(parents, world, stubs)
    worlds = world[owners]
    length = np.sqrt((along * along).sum(axis=1))
    out = np.empty(len(along), BONE)
    out["head"] = worlds[:, :, 3]
    out["tail"] = out["head"] + along
    out["side"] = _across(worlds, along)
    out["radius"] = np.clip(length * SLIM, typical * THINNEST, typical * THICKEST)
    out["chosen"] = -np.isin(owners, [*group]).astype(np.float32) if group else 0.0
    out["color"] = PLAIN if shares is None else share_colors(shares)[owners]
    if hovered is not None:
        out["chosen"][owners == hovered] = HOVERED
    if selected is not None:
        out["chosen"][owners == selected] = 1.0
    return out[np.isfinite(out["tail"]).all(axis=1) & (length > 0)]


def _across(worlds: Array, along: Array) -> Array:
    """Choose for each bone the axis of its matrix that is most nearly perpendicular to the bone's direction;
    return the axes as unit vectors [N, 3]. While a bone keeps its shape, its chosen axis stays the same and
    turns with the bone.
    """
    axes = worlds[:, :, :3]
    slant = np.abs(np.einsum("nij,ni->nj", axes, along)) / np.maximum(np.linalg.norm(axes, axis=1), 1e-30)
    chosen = np.take_along_axis(axes, slant.argmin(axis=1)[:, None, None], axis=2)[:, :, 0]
    return np.asarray(chosen / np.maximum(np.linalg.norm(chosen, axis=1, keepdims=True), 1e-30))


def _pixel(matrices: Matrices, size: tuple[int, int]) -> float:
    """Return the height of a pixel in units of the file, for a point with w = 1 in clip space."""
    scale = abs(np.linalg.det(matrices.view[:3, :3])) ** (1 / 3)
    return float(2 / (abs(matrices.projection[1, 1]) * max(size[1], 1) * scale))


def octahedron() -> Array:
    """Make an octahedron, [24] of `CORNER`: eight faces around a waist."""
    ring = [(1, WAIST, 0), (0, WAIST, 1), (-1, WAIST, 0), (0, WAIST, -1)]
    ends = [(0, 0, 0), (0, 1, 0)]
    faces = [(end, ring[i], ring[(i + 1) % 4]) for end, i in product(ends, range(4))]
    return _corners(np.array(faces, np.float32), 0.0)


def joint_sphere() -> Array:
    """Make a unit sphere, [96] of `CORNER`: 32 faces, because each octant is divided into four."""
    faces = np.array([np.diag(signs) for signs in product((1.0, -1.0), repeat=3)], np.float32)
    a, b, c = faces[:, 0], faces[:, 1], faces[:, 2]
    ab, bc, ca = ((p + q) / np.sqrt(2) for p, q in ((a, b), (b, c), (c, a)))
    split = [np.stack(corners, axis=1) for corners in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
    return _corners(np.concatenate(split), 1.0)


def _corners(faces: Array, joint: float) -> Array:
    """Convert faces [F, 3, 3] to [3F] of `CORNER`; `joint` is 1 for a joint and 0 for a bone."""
    out = np.empty(len(faces) * 3, CORNER)
    out["corner"] = faces.reshape(-1, 3)
    out["joint"] = joint
    out["edge"] = np.tile(np.eye(3), (len(faces), 1))
    return out
