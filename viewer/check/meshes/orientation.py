"""Rules for the sides of triangles: front and back, and mirrored textures."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext, Surface
from viewer.check.meshes.shading import uses_normal_map
from viewer.check.meshes.vertices import triangle_items
from viewer.check.rule import Found, Rule, rounded
from viewer.scene.finding import Severity

SAMPLED = 2048
"""How many triangles of a geometry are examined."""
OPPOSED = -0.25
"""A triangle faces away from its normals if the cosine between the triangle's own normal and these normals is
below this.
"""
TURNED = 0.1
"""The rule reports a surface if more than this share of its triangles faces away from their normals."""
MIRRORED = 0.05
"""The rule reports a surface if more than this share of its triangles has the rarer handedness."""


def winding(context: CheckContext) -> Iterator[Found]:
    """Report one-sided surfaces with many triangles whose front faces away from the normals. In all formats
    the stored front is counter-clockwise about the normal.
    """
    for surface in context.finest:
        material = surface.material
        if material is not None and (material.cull != "back" or material.unlit):
            continue
        numbers, corners = surface.faces.spread(SAMPLED)
        off = numbers[_facing(surface, corners) < OPPOSED]
        # leaves of plants have triangles for both sides, but normals for only one of them
        if len(off) > TURNED * len(corners):
            off = off[~surface.faces.has_back(off)]
        if len(off) > TURNED * len(corners):
            share = rounded(100 * len(off) / len(corners))
            text = f"{share} % of the triangles of {surface.name} face away from their normals"
            yield Found(f"{text} (first #{off[0]})", triangle_items(surface, off))


def mirrored_uvs(context: CheckContext) -> Iterator[Found]:
    """Report surfaces that show a part of the texture mirrored, but whose tangents lack the handedness."""
    for surface in context.finest:
        tangents, placed = surface.attribute("tangent"), surface.attribute("uv0")
        unused = surface.material is not None and not uses_normal_map(surface.material)
        if tangents is None or placed is None or placed.shape[1] < 2 or unused:
            continue
        numbers, corners = surface.faces.spread(SAMPLED)
        hand = _uv_side(placed, corners) * np.sign(_facing(surface, corners))
        signs = tangents[:, 3][corners].sum(axis=1) if tangents.shape[1] > 3 else np.zeros(len(corners))
        constant = bool((signs == 0).all() or (signs > 0).all() or (signs < 0).all())
        known = hand != 0
        wrong = known & ((hand if constant else hand * np.sign(signs)) < 0)
        wrong = wrong if 2 * np.count_nonzero(wrong) <= np.count_nonzero(known) else known & ~wrong
        if np.count_nonzero(wrong) > MIRRORED * np.count_nonzero(known):
            share = rounded(100 * np.count_nonzero(wrong) / np.count_nonzero(known))
            text = f"{share} % of the triangles of {surface.name} show the texture mirrored"
            what = "have no handedness" if (signs == 0).all() else "all have the same handedness"
            yield Found(f"{text}, and their tangents {what}", triangle_items(surface, numbers[wrong]))


def _facing(surface: Surface, corners: Array) -> Array:
    """[T]: the cosine between the face normal of each triangle `corners` [T, 3] and the mean of its vertex
    normals; 0 if there are no vertex normals.
    """
    positions, normals = surface.positions, surface.vectors("normal")
    if positions is None or normals is None:
        return np.zeros(len(corners))
    first, second, third = (positions[corner] for corner in corners.T)
    (ax, ay, az), (bx, by, bz) = (second - first).T, (third - first).T
    across = np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)).astype(np.float64)
    mean = normals[corners].sum(axis=1, dtype=np.float64).T
    lengths = np.sqrt((across**2).sum(axis=0) * (mean**2).sum(axis=0))
    return np.nan_to_num((across * mean).sum(axis=0) / lengths)


def _uv_side(placed: Array, corners: Array) -> Array:
    """[T]: the winding of each triangle in texture space, as -1, 0 or 1."""
    first, second, third = (placed[corner] for corner in corners.T)
    one, other = second - first, third - first
    return np.sign(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])


RULES = (
    Rule(
        "mesh/winding",
        Severity.WARNING,
        "Triangles face away from their normals",
        winding,
        {
            "": (
                "The backs of the triangles are drawn and the fronts are culled, or the triangles are lit "
                "from behind."
            )
        },
        "Make all normals point outwards, and apply mirrored scales before exporting.",
        "50 % of the triangles of Body face away from their normals (first #600)",
    ),
    Rule(
        "mesh/mirrored-uv",
        Severity.WARNING,
        "A texture is mirrored, and the tangents lack the handedness",
        mirrored_uvs,
        {"": "On the mirrored part the relief of the normal map is inverted: bumps look like dents."},
        "Export tangents with four components; the fourth component is the handedness.",
        "48 % of the triangles of Body show the texture mirrored, and their tangents have no handedness",
    ),
)
