"""Find the materials of a mesh from the names and texture aliases of its submeshes."""

from __future__ import annotations

import os
from functools import partial
from pathlib import PurePath

from msgspec.structs import replace

from viewer.binary import StreamTree, Struct
from viewer.errors import Report
from viewer.families.ogre.materials.library import CLASSIC_FIRST
from viewer.families.ogre.materials.resources import Resources
from viewer.families.ogre.materials.scripted import resolve_materials
from viewer.families.ogre.mesh_layout import ALIAS
from viewer.families.ogre.names import BytesName
from viewer.scene.material import MaterialSet
from viewer.scene.model import Model
from viewer.scene.reading_context import ReadingContext
from viewer.storage.resource_folders import resource_changes
from viewer.storage.versions import KeptAnswers, path_version

BYTES_OF_A_MATERIAL = 4000
"""Approximate memory in bytes of a material with its textures."""
BYTES_OF_A_MESSAGE = 500
"""Approximate memory in bytes of a message."""
BYTES_OF_A_PATH = 100
"""Approximate memory in bytes of a searched path."""
_CHOICES: KeptAnswers[tuple[object, ...], tuple[MaterialSet, Report]] = KeptAnswers(8 << 20)
"""A cache of materials and their messages. A key consists of the mesh's path, and of the material names and
texture aliases in the mesh.
"""


def with_materials(
    model: Model,
    submeshes: list[Struct],
    path: PurePath,
    context: ReadingContext,
    report: Report,
    kinds: tuple[str, ...] = CLASSIC_FIRST,
) -> Model:
    """Return the model with the materials and textures that its submeshes name. `submeshes` are the records
    of its geometries, in order. `kinds` are the kinds of blocks that define materials, see `ScriptLibrary`.
    """
    names: list[BytesName] = [submesh.material for submesh in submeshes]
    aliases = [_aliases(submesh) for submesh in submeshes]

    def choose() -> tuple[MaterialSet, Report]:
        own = Report()
        return resolve_materials(path, names, Resources(path, context, own), own, aliases, kinds), own

    named = tuple((name, name.raw, *each.items()) for name, each in zip(names, aliases, strict=True))
    key = (os.path.abspath(path), named, kinds, resource_changes(), context)
    material_set, messages = _CHOICES.get(
        key, choose, _size, partial(path_version, left_out=context.left_out)
    )
    report.adopt(messages)
    geometries = tuple(
        replace(geometry, material=number, layers=layers)
        for geometry, number, layers in zip(
            model.geometries, material_set.per_geometry, material_set.layers, strict=True
        )
    )
    return replace(
        model, geometries=geometries, materials=material_set.materials, textures=material_set.textures
    )


def _size(choice: tuple[MaterialSet, Report]) -> int:
    """Approximate memory in bytes of materials, textures and messages."""
    material_set, messages = choice
    searched = [each.searched for each in material_set.materials]
    searched += [each.searched for each in material_set.textures]
    found = BYTES_OF_A_MATERIAL * len(searched) + BYTES_OF_A_PATH * sum(map(len, searched))
    return found + BYTES_OF_A_MESSAGE * messages.count


def _aliases(submesh: Struct) -> dict[str, str]:
    entries = (submesh.get("chunks") or StreamTree()).all(ALIAS)
    return {str(entry.alias): str(entry.texture) for entry in entries if entry.get("texture")}
