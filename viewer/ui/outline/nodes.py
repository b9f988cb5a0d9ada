"""The rows of the outline: geometries by variant group, and the other parts of a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from viewer.scene.geosets import variants
from viewer.scene.items import (
    AttachmentItem,
    CameraItem,
    EmitterItem,
    EventItem,
    GeometryItem,
    GeosetItem,
    Item,
    LightItem,
    LodItem,
    MarkerItem,
    ModelItem,
    ParameterItem,
    RibbonItem,
    UnitItem,
)
from viewer.scene.markers import Marker, markers_of
from viewer.scene.model import TRIANGULAR, Lod, Model, triangle_count
from viewer.scene.shader import CompiledShader

GEOMETRY, LOD, BONE, MATERIAL, TEXTURE, MORPH, ANIMATION = (
    "\uf1b2",
    "\uf5fd",
    "\uf5d7",
    "\uf53f",
    "\uf03e",
    "\uf118",
    "\uf008",
)
CAMERA, VALUE, MODEL = "\uf03d", "\uf1de", "\uf1b3"
MARKER_KINDS: dict[type[MarkerItem], tuple[str, str]] = {
    AttachmentItem: ("Attachments", "\uf0c1"),
    EventItem: ("Events", "\uf0e7"),
    LightItem: ("Lights", "\uf0eb"),
    EmitterItem: ("Emitters", "\uf06d"),
    RibbonItem: ("Ribbons", "\uf72e"),
}
"""Title and icon of each kind of marker."""


class OutlineNode(Struct, eq=False):
    """A row: its item, the detail at its right end, and its children.

    `missing`: the file was not found. A section has no item.
    """

    label: str
    item: Item | None = None
    icon: str = ""
    detail: str = ""
    missing: bool = False
    below: list[OutlineNode] = field(default_factory=list)


def geometry_nodes(model: Model) -> list[OutlineNode]:
    """A row for each geometry.

    With geosets, the body's geometries, then a row for each group with variants.
    """
    found = variants(model)
    if not found.keys() - {-1}:
        return [_geometry(model, number) for number in range(len(model.geometries))]
    nodes = [_geometry(model, number) for number in found.get(-1, {}).get(0, [])]
    for group, geosets in found.items():
        if group >= 0:
            title = model.geoset_groups.get(group, f"group {group}")
            below = [_variant(model, geoset, numbers) for geoset, numbers in geosets.items()]
            detail = f"{len(below)} variant{'' if len(below) == 1 else 's'}"
            nodes.append(OutlineNode(title, None, GEOMETRY, detail, below=below))
    return nodes


def _variant(model: Model, geoset: int, numbers: Sequence[int]) -> OutlineNode:
    below = [_geometry(model, number) for number in numbers]
    detail = counted(*(lod for number in numbers for lod in model.geometries[number].lods[:1]))
    return OutlineNode(f"geoset {geoset}", GeosetItem(geoset), GEOMETRY, detail, below=below)


def _geometry(model: Model, number: int) -> OutlineNode:
    """A row with the name of the geometry; a geoset has no name but its number and its material."""
    geometry = model.geometries[number]
    levels = [
        OutlineNode(f"level {n}", LodItem(number, n), LOD, counted(lod))
        for n, lod in enumerate(geometry.lods)
    ]
    detail = counted(geometry.lods[0]) if geometry.lods else ""
    name = geometry.name or f"geometry {number}"
    if geometry.geoset is not None and geometry.material is not None:
        name = model.materials[geometry.material].name or name
    return OutlineNode(name, GeometryItem(number), GEOMETRY, detail, below=levels if len(levels) > 1 else [])


def counted(*lods: Lod) -> str:
    """`3 780 tris`, or the number of indices if they are not triangles."""
    sums: Counter[str] = Counter()
    for lod in lods:
        triangular = lod.primitive in TRIANGULAR
        count = triangle_count(lod.primitive, lod.count) if triangular else lod.count
        sums["tris" if triangular else lod.primitive.value] += count
    return ", ".join(f"{count:,} {kind}".replace(",", " ") for kind, count in sums.items())


def parts(model: Model) -> Iterator[OutlineNode]:
    """Sections for cameras, markers and named models."""
    cameras = [
        OutlineNode(each.name, CameraItem(n), CAMERA, "moves" if each.motion else "")
        for n, each in enumerate(model.cameras)
    ]
    yield OutlineNode("Cameras", None, CAMERA, str(len(cameras)), below=cameras)
    known: dict[type[MarkerItem], list[Marker]] = {}
    for marker in markers_of(model):
        known.setdefault(type(marker.item), []).append(marker)
    for kind, some in known.items():
        title, icon = MARKER_KINDS[kind]
        below = [OutlineNode(marker.name, marker.item, icon) for marker in some]
        yield OutlineNode(title, None, icon, str(len(below)), below=below)
    named = [
        OutlineNode(each.bare_name, ModelItem(n), MODEL, missing=each.model is None)
        for n, each in enumerate(model.references)
    ]
    if named:
        yield OutlineNode("Models of particles", None, MODEL, str(len(named)), below=named)


def shader_parts(shader: CompiledShader) -> Iterator[OutlineNode]:
    """The engine parameters of a compiled shader."""
    values = [
        OutlineNode(each.name, ParameterItem(n), VALUE, each.register)
        for n, each in enumerate(shader.parameters)
    ]
    yield OutlineNode("Parameters", None, VALUE, str(len(values)), below=values)
    units = [
        OutlineNode(each.name, UnitItem(n), TEXTURE, each.register) for n, each in enumerate(shader.units)
    ]
    yield OutlineNode("Texture units", None, TEXTURE, str(len(units)), below=units)
