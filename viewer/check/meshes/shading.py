"""Rules for the attributes that materials need: normals, tangents and texture coordinates."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.check.check_context import CheckContext, Surface
from viewer.check.meshes.vertices import share_text, vertex_items
from viewer.check.rule import Found, Rule, rounded
from viewer.scene.finding import Severity
from viewer.scene.items import GeometryItem
from viewer.scene.material import Material
from viewer.scene.model import TRIANGULAR

SHORTEST = 1e-3
"""A normal or tangent that is shorter than this has no direction."""
PLACED = ("diffuse", "normal", "specular", "emissive")
"""The texture units that use texture coordinates."""


def zero_normals(context: CheckContext) -> Iterator[Found]:
    """Report normals of length 0."""
    for surface in context.surfaces:
        yield from _without_length(surface, "normal")


def zero_tangents(context: CheckContext) -> Iterator[Found]:
    """Report tangents of length 0 where a normal map needs them."""
    for surface in context.surfaces:
        if uses_normal_map(surface.material):
            yield from _without_length(surface, "tangent")


def missing_normals(context: CheckContext) -> Iterator[Found]:
    """Report lit geometries without normals."""
    for surface in context.surfaces:
        lit = surface.material is None or not surface.material.unlit
        if lit and _is_drawn(surface) and surface.attribute("normal") is None:
            text = f"{surface.name} has no normals, and its material is lit"
            yield Found(text, (GeometryItem(surface.number),))


def missing_tangents(context: CheckContext) -> Iterator[Found]:
    """Report geometries with a normal map and no tangents. Old OGRE exporters store tangents as a second set
    of texture coordinates with three components.
    """
    for surface in context.surfaces:
        if not uses_normal_map(surface.material) or not _is_drawn(surface):
            continue
        second = surface.attribute("uv1")
        if surface.attribute("tangent") is None and (second is None or second.shape[1] < 3):
            text = f"{surface.name} has no tangents, and its material has a normal map"
            yield Found(text, (GeometryItem(surface.number),))


def missing_uvs(context: CheckContext) -> Iterator[Found]:
    """Report textured geometries without texture coordinates."""
    for surface in context.surfaces:
        material = surface.material
        if material is None or not _is_drawn(surface):
            continue
        units = [unit for unit in PLACED if unit in material.units]
        if units and not material.sphere and surface.attribute(f"uv{material.uv_set}") is None:
            text = f"{surface.name} has no texture coordinates of set {material.uv_set}, and its material "
            yield Found(f"{text}has a texture ({', '.join(units)})", (GeometryItem(surface.number),))


def constant_uvs(context: CheckContext) -> Iterator[Found]:
    """Report textured geometries with equal texture coordinates at all vertices."""
    for surface in context.surfaces:
        material = surface.material
        if material is None or "diffuse" not in material.units or material.sphere or not _is_drawn(surface):
            continue
        placed = surface.attribute(f"uv{material.uv_set}")
        if placed is not None and len(placed) and bool((placed == placed[0]).all()):
            where = ", ".join(map(rounded, placed[0].tolist()))
            text = f"all vertices of {surface.name} have the texture coordinates {where}"
            yield Found(text, (GeometryItem(surface.number),))


def uses_normal_map(material: Material | None) -> bool:
    """Whether a material exists and has a normal map."""
    return material is not None and "normal" in material.units


def _is_drawn(surface: Surface) -> bool:
    """Whether a surface has triangles."""
    return any(lod.primitive in TRIANGULAR and lod.count for _, lod in surface.levels)


def _without_length(surface: Surface, semantic: str) -> Iterator[Found]:
    """Report vertices whose vector of this semantic has length 0."""
    vectors = surface.attribute(semantic)
    if vectors is None:
        return
    off = np.flatnonzero(np.einsum("ij,ij->i", vectors[:, :3], vectors[:, :3]) < SHORTEST**2)
    if len(off):
        have = "has" if len(off) == 1 else "have"
        yield Found(f"{share_text(surface, off)} {have} a {semantic} of length 0", vertex_items(surface, off))


RULES = (
    Rule(
        "mesh/missing-normals",
        Severity.WARNING,
        "A lit geometry has no normals",
        missing_normals,
        {
            "Urho3D": (
                "OpenGL draws the lit parts of the geometry black; Direct3D 11 finds no input for the shader."
            ),
            "OGRE": "The geometry is drawn black, or lit as if all its triangles faced in one direction.",
            "": "The lighting shows no shape of the surface.",
        },
        "Export normals, or give the geometry a material without lighting.",
        "Body has no normals, and its material is lit",
    ),
    Rule(
        "mesh/zero-normal",
        Severity.WARNING,
        "A normal has length 0",
        zero_normals,
        {"": "Normalising the normal divides by zero: the lit surface is black or flickers."},
        "Recalculate the normals.",
        "4 of 900 vertices of Body (first #12) have a normal of length 0",
    ),
    Rule(
        "mesh/missing-tangents",
        Severity.WARNING,
        "A geometry with a normal map has no tangents",
        missing_tangents,
        {
            "Urho3D": (
                "OpenGL draws the geometry without the relief; Direct3D 11 finds no input for the shader."
            ),
            "": "The relief of the normal map is missing or lit from wrong sides.",
        },
        "Export tangents, or give the geometry a material without a normal map.",
        "Body has no tangents, and its material has a normal map",
    ),
    Rule(
        "mesh/zero-tangent",
        Severity.WARNING,
        "A tangent has length 0",
        zero_tangents,
        {"": "The normal map has no direction: the surface is black, flickers or shows no relief."},
        "Unwrap again the faces whose area in texture coordinates is 0, and calculate the tangents again.",
        "4 of 900 vertices of Body (first #12) have a tangent of length 0",
    ),
    Rule(
        "mesh/missing-uvs",
        Severity.WARNING,
        "A textured geometry has no texture coordinates",
        missing_uvs,
        {"": "All of it has the colour of one pixel of the texture."},
        "Unwrap the mesh, and export its texture coordinates.",
        "Body has no texture coordinates of set 0, and its material has a texture (diffuse)",
    ),
    Rule(
        "mesh/constant-uv",
        Severity.NOTE,
        "All texture coordinates of a geometry are the same",
        constant_uvs,
        {"": "All of it has the colour of one pixel of the texture."},
        "Unwrap the mesh, unless the whole geometry is meant to have one colour of a palette.",
        "all vertices of Body have the texture coordinates 0, 0",
    ),
)
