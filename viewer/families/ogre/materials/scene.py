"""The materials that scenes give a mesh: `.scene` files in the dotScene format.

Source: OGRE `DotSceneLoader` and the exporters of Blender and 3ds Max, which name the material of an entity
in one of three attributes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from viewer.binary.code_pages import ENCODINGS
from viewer.errors import FormatError, Report
from viewer.scene.material import is_undecided
from viewer.scene.names import file_name
from viewer.scene.reading_context import ReadingContext
from viewer.storage.contents import ANY, Scanner
from viewer.storage.markup import TEXT_LIMIT, MarkupElement, parse_xml
from viewer.storage.search import FoundResource
from viewer.storage.versions import KeptAnswers

LARGEST = 16 << 20
"""Size in bytes of the largest scene that is scanned for the names of meshes."""
ALL_SCENES = 16 << 20
"""Size in bytes of the scenes that are read for one model; a broken scene counts as `TEXT_LIMIT`."""
MESH_FILES = re.compile(rb"""\bmeshFile\s*+=\s*+(?:"([^"<]*+)"|'([^'<]*+)')""")
"""The attribute of an entity that names its mesh."""
MATERIALS = ("materialName", "material", "materialFile")
"""The attributes that name the material of an entity or of a part of it."""
WIDE = (b"\xff\xfe", b"\xfe\xff")
"""The first bytes of a text in UTF-16."""
DIGITS = 9
"""The number of digits of the largest number of a submesh."""
BYTES_OF_AN_ENTITY = 500
BYTES_OF_A_NAME = 150
"""Approximate memory in bytes of an entity without its parts, and of the material of a part."""


class SceneEntity(NamedTuple):
    """An entity of a scene: the material of all submeshes (empty: none), and the materials by submesh."""

    material: str
    parts: dict[int, str]


Entities = dict[str, list[SceneEntity]]
"""The entities of a scene by the base name of the mesh, folded."""
_SCENES: KeptAnswers[tuple[str, ReadingContext], tuple[Entities, int]] = KeptAnswers(4 << 20)
"""The entities and sizes of scenes by path."""


def meshes_in(data: bytes) -> Iterator[str]:
    """Yield the base names of the meshes in a scene in lower case, their bytes as Latin-1."""
    text = data.decode("utf-16", "ignore").encode("utf-8", "ignore") if data.startswith(WIDE) else data
    for found in MESH_FILES.finditer(text):
        name = found[1] or found[2] or b""
        yield ANY if b"&" in name else file_name(name.lower().decode("latin-1"))


def words_of(base: str) -> set[str]:
    """The base name of a mesh as `meshes_in` finds it in each encoding."""
    return {base.encode(each, "ignore").lower().decode("latin-1") for each in ENCODINGS}


def entities_in(scenes: Iterable[FoundResource], base: str, report: Report) -> list[SceneEntity]:
    """The entities of scenes that show the mesh with the base name `base`. A broken scene is reported, and so
    is the scene at which `ALL_SCENES` is reached.
    """
    found: list[SceneEntity] = []
    left = ALL_SCENES
    for scene in scenes:
        if left <= 0:
            report.note(f"too many scenes show {base}: the search stops at {scene.path}")
            break
        key = scene.path, scene.source.context
        try:
            entities, size = _SCENES.get(key, partial(_read, scene), _memory)
        except FormatError as error:
            report.note(str(error), offset=error.offset, file=error.file)
            left -= TEXT_LIMIT
            continue
        left -= size
        found += entities.get(base.casefold(), ())
    return found


def material_of(submesh: int, entities: Iterable[SceneEntity]) -> str:
    """The material that most entities give a submesh; empty if they name none, or if they are undecided."""
    named = (each.parts.get(submesh, each.material) for each in entities)
    uses = Counter(filter(None, named)).most_common()
    return "" if not uses or is_undecided([number for _, number in uses]) else uses[0][0]


def _read(scene: FoundResource) -> tuple[Entities, int]:
    """The entities of a scene, and its size in bytes."""
    found: Entities = {}
    data = scene.read(TEXT_LIMIT)
    for element in parse_xml(data, scene.path).walk():
        if element.tag == "entity":
            holders = (element, *element.all("subentities"))
            parts = [each for holder in holders for each in holder.all("subentity")]
            named = {_index(each): name for each in parts if (name := _material(each))}
            entity = SceneEntity(_material(element), named)
            found.setdefault(file_name(element.get("meshFile")).casefold(), []).append(entity)
    return found, len(data)


def _index(part: MarkupElement) -> int:
    """The number of a submesh; -1 if it is no number."""
    text = part.get("index")
    return int(text) if text.isdecimal() and len(text) <= DIGITS else -1


def _material(element: MarkupElement) -> str:
    return next(filter(None, map(element.get, MATERIALS)), "")


def _memory(scene: tuple[Entities, int]) -> int:
    """Approximate memory in bytes of the entities of a scene."""
    entities = [*chain.from_iterable(scene[0].values())]
    return BYTES_OF_AN_ENTITY * len(entities) + BYTES_OF_A_NAME * sum(len(each.parts) for each in entities)


SCANNER = Scanner("ogre scenes 1", (".scene",), meshes_in, LARGEST)
