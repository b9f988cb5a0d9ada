"""The page of a vertex: how it is stored and posed."""

from __future__ import annotations

import numpy as np

from viewer.scene.items import BoneItem, GeometryItem, VertexBufferItem, VertexItem
from viewer.scene.mesh.vertices import drawn_by, influences, posed
from viewer.scene.model import Geometry, Lod, Model
from viewer.session.state import State
from viewer.ui.kit.texts import ExactText
from viewer.ui.kit.widgets import Memo
from viewer.ui.properties.page_widgets import (
    array_text,
    field,
    heading,
    jump,
    link,
    missing,
    section,
    short,
    table,
)


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
