"""The materials of the submeshes of a mesh: the names and texture aliases in the file, resolved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

from viewer.binary import StreamTree, Struct
from viewer.errors import Report
from viewer.formats.ogre.materials import resolve_materials
from viewer.formats.ogre.mesh_layout import ALIAS
from viewer.formats.ogre.resources import Resources
from viewer.scene.model import Model


def with_materials(model: Model, submeshes: list[Struct], path: PurePath, report: Report) -> Model:
    """The model with the materials and textures that its submeshes name; `submeshes` are the records of its
    geometries, in order.
    """
    names = [submesh.material for submesh in submeshes]
    aliases = [_aliases(submesh) for submesh in submeshes]
    material_set = resolve_materials(path, names, Resources.around(path, report), report, aliases)
    geometries = tuple(
        replace(geometry, material=number)
        for geometry, number in zip(model.geometries, material_set.per_geometry, strict=True)
    )
    return replace(
        model, geometries=geometries, materials=material_set.materials, textures=material_set.textures
    )


def _aliases(submesh: Struct) -> dict[str, str]:
    entries = (submesh.get("chunks") or StreamTree()).all(ALIAS)
    return {str(entry.alias): str(entry.texture) for entry in entries if entry.get("texture")}
