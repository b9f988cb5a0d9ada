"""The materials that scenes give a mesh: `.scene` files in the dotScene format.

Source: OGRE `DotSceneLoader` and the exporters of Blender and 3ds Max, which name the material of an entity
in one of three attributes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from viewer.errors import FormatError, Report
from viewer.scene.names import file_name
from viewer.scene.reading_context import ReadingContext
from viewer.storage.contents import ANY, Scanner
from viewer.storage.markup import TEXT_LIMIT, MarkupElement, parse_xml
from viewer.storage.search import FoundResource
from viewer.storage.versions import KeptAnswers

LARGEST = 16 << 20
"""Size in bytes of the largest scene that is scanned for the names of meshes."""
MESH_FILES = re.compile(rb"""\bmeshFile\s*+=\s*+(?:"([^"<]*+)"|'([^'<]*+)')""")
"""The attribute of an entity that names its mesh."""
MATERIALS = ("materialName", "material", "materialFile")
"""The attributes that name the material of an entity or of a part of it."""
WIDE = (b"\xff\xfe", b"\xfe\xff")
"""The first bytes of a text in UTF-16."""
VARIETY = 3
"""If scenes give a submesh more materials than this, one of them has to have half of the uses."""
BYTES_OF_AN_ENTITY = 500
BYTES_OF_A_NAME = 150
"""Approximate memory in bytes of an entity without its parts, and of the material of a part."""


class SceneEntity(NamedTuple):
    """An entity of a scene: the material of all submeshes (empty: none), and the materials by submesh."""

    material: str
    parts: dict[int, str]


Entities = dict[str, list[SceneEntity]]
"""The entities of a scene by the base name of the mesh, folded."""
_SCENES: KeptAnswers[tuple[str, ReadingContext], Entities] = KeptAnswers(4 << 20)
"""The entities of scenes by path."""


def meshes_in(data: bytes) -> Iterator[str]:
    """Yield the base names of the meshes in a scene in lower case, their bytes as Latin-1."""
    text = data.decode("utf-16", "ignore").encode("utf-8", "ignore") if data.startswith(WIDE) else data
    for found in MESH_FILES.finditer(text):
        name = found[1] or found[2] or b""
        yield ANY if b"&" in name else file_name(name.lower().decode("latin-1"))


def words_of(base: str) -> set[str]:
    """The base name of a mesh as `meshes_in` finds it in each encoding."""
    return {base.encode(each, "ignore").lower().decode("latin-1") for each in ("utf-8", "latin-1")}


def entities_in(scene: FoundResource, base: str, report: Report) -> list[SceneEntity]:
    """The entities of a scene that show the mesh with the base name `base`; none if the scene is broken,
    which is reported.
    """
    try:
        entities = _SCENES.get(
            (scene.path, scene.source.context),
            lambda: _read(scene),
            lambda found: sum(map(_size, found.values())),
        )
    except FormatError as error:
        report.note(str(error), offset=error.offset, file=error.file)
        return []
    return entities.get(base.casefold(), [])


def material_of(submesh: int, entities: Iterable[SceneEntity]) -> str:
    """The material that most entities give a submesh; empty if they name none, or if they name more than
    `VARIETY` and none has half of the uses.
    """
    uses = Counter(name for each in entities if (name := each.parts.get(submesh, each.material)))
    (name, most), *rest = uses.most_common() or [("", 0)]
    return name if len(rest) < VARIETY or 2 * most >= uses.total() else ""


def _read(scene: FoundResource) -> Entities:
    found: Entities = {}
    for element in parse_xml(scene.read(TEXT_LIMIT), scene.path).walk():
        if element.tag == "entity":
            parts = (each for each in element.walk() if each.tag == "subentity")
            named = {
                int(each.get("index")): _material(each) for each in parts if each.get("index").isdecimal()
            }
            entity = SceneEntity(_material(element), {number: name for number, name in named.items() if name})
            found.setdefault(file_name(element.get("meshFile")).casefold(), []).append(entity)
    return found


def _material(element: MarkupElement) -> str:
    return next(filter(None, map(element.get, MATERIALS)), "")


def _size(entities: list[SceneEntity]) -> int:
    return sum(BYTES_OF_AN_ENTITY + BYTES_OF_A_NAME * len(each.parts) for each in entities)


SCANNER = Scanner("ogre scenes 1", (".scene",), meshes_in, LARGEST)
