"""The page of a geometry and its levels of detail: how they are stored and drawn."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.scene.items import IndexBufferItem, Item, LodItem, MaterialItem, VertexBufferItem
from viewer.scene.model import LOD_UNITS, Geometry, Lod, Model, VertexElement
from viewer.session.state import State
from viewer.ui.kit.texts import ExactText
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
    table,
)
from viewer.view.view_info import ViewInfo


def geometry_page(state: State, item: Item) -> None:
    """Draw the page of a geometry or of one of its levels of detail."""
    model, view_info = state.model, state.view_info
    number = item.numbers[0]
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
        matrix(f"Corners of the bounds, {model.unit}", geometry.bounds)
    with section("Levels of detail") as shown:
        if shown:
            _levels(state, geometry, view_info, number, LOD_UNITS[model.lod_strategy])
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


def _levels(state: State, geometry: Geometry, view_info: ViewInfo, number: int, unit: str) -> None:
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
    table("levels", ("level", f"from {unit}", "count", "primitive", ""), rows)
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
