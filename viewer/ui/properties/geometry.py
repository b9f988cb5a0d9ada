"""The pages of a geometry, a level of detail and a vertex: how they are stored and posed."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from viewer.scene.items import (
    BoneItem,
    GeometryItem,
    IndexBufferItem,
    LodItem,
    MaterialItem,
    VertexBufferItem,
    VertexItem,
)
from viewer.scene.mesh.vertices import drawn_by, influences, posed
from viewer.scene.model import Geometry, Lod, Model, VertexElement
from viewer.session.state import State
from viewer.ui.kit.texts import ExactText
from viewer.ui.kit.widgets import Memo
from viewer.ui.outline.tree import counted
from viewer.ui.properties.page_widgets import (
    array_text,
    field,
    heading,
    jump,
    link,
    matrix,
    missing,
    section,
    short,
    table,
)
from viewer.view.view_info import ViewInfo


def geometry_page(state: State, item: GeometryItem | LodItem) -> None:
    """Draw the page of a geometry or of one of its levels of detail."""
    model, view_info = state.model, state.view_info
    number = item.geometry if isinstance(item, LodItem) else item.number
    if model is None or number >= len(model.geometries):
        return
    geometry = model.geometries[number]
    heading(state, item)
    hidden = number in state.view.hidden
    if imgui.checkbox("Shown", not hidden)[0]:
        (state.view.hidden.discard if hidden else state.view.hidden.add)(number)
    material = geometry.material
    link(state, "Material", None if material is None else MaterialItem(material))
    if geometry.center is not None:
        field("Centre", array_text(geometry.center), "Blended geometries are sorted by their centres")
    if geometry.bounds is not None:
        matrix("Corners of the bounds", geometry.bounds)
    with section("Levels of detail") as shown:
        if shown:
            _levels(state, number, geometry, view_info)
    level = (
        item.number
        if isinstance(item, LodItem)
        else view_info.levels[number]
        if number < len(view_info.levels)
        else 0
    )
    if 0 <= level < len(geometry.lods):
        _stored(state, model, geometry.lods[level], level)
    with section("Bone map", opened=False) as shown:
        if shown:
            _bone_map(state, geometry)


def _levels(state: State, number: int, geometry: Geometry, view_info: ViewInfo) -> None:
    drawn = view_info.levels[number] if number < len(view_info.levels) else -1
    rows = [
        (
            str(level),
            array_text(lod.distance),
            counted(lod),
            lod.primitive.value,
            "drawn" if level == drawn else "",
        )
        for level, lod in enumerate(geometry.lods)
    ]
    if view_info.distance is not None:
        distance = ExactText.of(f"{view_info.distance:.2f}", view_info.distance)
        field("Distance now", distance, "Distance in multiples of the size of the model's bounding box")
    table("levels", ("level", "from", "count", "primitive", ""), rows)
    if len(geometry.lods) > 1:
        _forced(state, len(geometry.lods))


def _forced(state: State, count: int) -> None:
    """Draw the choice of the level of detail: by distance, or one of `count` fixed levels."""
    names = ["By distance", *(f"Always level {level}" for level in range(count))]
    now = 0 if state.view.lod is None else min(state.view.lod, count - 1) + 1
    imgui.set_next_item_width(-1)
    changed, chosen = imgui.combo("##forced", now, names)
    if changed:
        state.view.lod = chosen - 1 if chosen else None


def _stored(state: State, model: Model, lod: Lod, level: int) -> None:
    with section(f"Vertices of level {level}") as shown:
        if not shown:
            return
        for stream in lod.streams:
            buffer = model.vertex_buffers[stream]
            jump(state, VertexBufferItem(stream), f"vertex buffer {stream}")
            field("Vertices", f"{buffer.count}")
            field("Stride", f"{buffer.stride} bytes")
            rows = [(each.semantic, _type(each), f"+{each.offset}") for each in buffer.elements]
            table(f"attributes {stream}", ("attribute", "type", "offset"), rows)
        if lod.indices is not None:
            jump(state, IndexBufferItem(lod.indices), f"index buffer {lod.indices}")
            field("Indices", f"{lod.start} … {lod.start + lod.count - 1}" if lod.count else "none")


def _type(element: VertexElement) -> str:
    return f"{element.type} × {element.components}{' normalised' if element.normalized else ''}"


def _bone_map(state: State, geometry: Geometry) -> None:
    if geometry.bone_map is None or not len(geometry.bone_map):
        missing("No bone map, so joint k is bone k.")
        return
    names = state.skeleton.names if state.skeleton else ()
    bones = [int(bone) for bone in geometry.bone_map]
    rows = [
        (str(joint), str(bone), names[bone] if 0 <= bone < len(names) else "does not exist")
        for joint, bone in enumerate(bones)
    ]
    table("bone map", ("joint", "bone", "name"), rows)


class VertexPage:
    """The page of a vertex. The geometry of the vertex is cached, because finding it visits all indices."""

    def __init__(self) -> None:
        self._owner = Memo()

    def __call__(self, state: State, item: VertexItem) -> None:
        """Draw the page of the vertex."""
        model, stream, vertex = state.model, item.buffer, item.number
        if model is None or stream >= len(model.vertex_buffers):
            return
        heading(state, item)
        owner = self._owner.get((model, item), lambda: (drawn_by(model, stream, vertex),))[0]
        link(state, "Geometry", None if owner is None else GeometryItem(owner[0]))
        jump(state, VertexBufferItem(stream), f"vertex buffer {stream}")
        geometry = None if owner is None else model.geometries[owner[0]]
        lod = geometry.lods[owner[1]] if geometry and owner else None
        with section("Attributes") as shown:
            if shown:
                table("attributes", ("attribute", "stored"), _attributes(model, lod, stream, vertex))
        if geometry is None or lod is None:
            return
        with section("Posed") as shown:
            if shown:
                _posed(state, model, geometry, lod, vertex)
        with section("Bones") as shown:
            if shown:
                _bones(state, model, geometry, lod, vertex)


def _attributes(model: Model, lod: Lod | None, stream: int, vertex: int) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for number in lod.streams if lod else (stream,):
        buffer = model.vertex_buffers[number]
        for element in buffer.elements:
            column = buffer.column(element.semantic)
            if column is not None and vertex < buffer.count:
                rows.append((element.semantic, array_text(column[vertex])))
    return rows


def _posed(state: State, model: Model, geometry: Geometry, lod: Lod, vertex: int) -> None:
    for semantic in ("position", "normal"):
        moved = posed(model, geometry, lod, np.array([vertex]), state.playback.moves, semantic)
        if len(moved):
            field(semantic, short(moved[0]), "Morphed and skinned, in the file's axes")


def _bones(state: State, model: Model, geometry: Geometry, lod: Lod, vertex: int) -> None:
    bones = len(model.skeleton) if model.skeleton else 0
    bound = influences(model, geometry, lod, np.array([vertex]), bones)
    if bound is None or model.skeleton is None:
        missing("No bone moves this vertex.")
        return
    for bone, weight in zip(bound[0][0].tolist(), bound[1][0].tolist(), strict=True):
        if weight and bone < bones:
            link(state, f"{weight:.4f}", BoneItem(bone), model.skeleton.names[bone] or f"#{bone}")
        elif weight:
            field(f"{weight:.4f}", "a joint without a bone")
    total = float(bound[1].sum())
    if abs(total - 1) > 0.01:
        field("Sum", ExactText.of(f"{total:.4f}", total), "Weights should add up to 1")
