"""Whether every number of a model that names another of its parts names a part that exists."""

from __future__ import annotations

from viewer.scene.document import Document
from viewer.scene.model import Lod, Model


def assert_references(document: Document) -> None:
    """Assert that nothing of the document's model names a part that the model does not have."""
    model = document.model
    if model is None:
        return
    for geometry in model.geometries:
        for lod in geometry.lods:
            _assert_lod(model, lod)
        for material in (geometry.material, *geometry.layers):
            assert material is None or 0 <= material < len(model.materials)
        bones = len(model.skeleton) if model.skeleton else 0
        assert geometry.center_bone is None or 0 <= geometry.center_bone < bones
    for one in model.materials:
        textures = (*one.units.values(), *(one.flipbook.textures if one.flipbook else ()))
        assert all(0 <= texture < len(model.textures) for texture in textures)
    for morph in model.morphs:
        for target in morph.targets:
            assert 0 <= target.buffer < len(model.vertex_buffers)
            assert not len(target.vertices) or (
                int(target.vertices.max()) < model.vertex_buffers[target.buffer].count
            )
    for shape in model.shapes:
        assert 0 <= shape.buffer < len(model.vertex_buffers)
    skeleton = model.skeleton
    if skeleton is not None and len(skeleton):
        assert int(skeleton.parents.min()) >= -1 and int(skeleton.parents.max()) < len(skeleton)
        assert skeleton.root is None or 0 <= skeleton.root < len(skeleton)


def _assert_lod(model: Model, lod: Lod) -> None:
    """Assert that the buffers of a level exist, and that its indices and vertices lie inside them."""
    assert all(0 <= stream < len(model.vertex_buffers) for stream in lod.streams)
    for stream in lod.streams:
        buffer = model.vertex_buffers[stream]
        for element in buffer.elements:
            column = buffer.column(element.semantic)
            assert column is not None and len(column) == buffer.count
    assert lod.start >= 0 and lod.count >= 0
    if lod.indices is None:
        return
    assert 0 <= lod.indices < len(model.index_buffers)
    indices = model.index_buffers[lod.indices].data
    assert lod.start + lod.count <= len(indices)
    used = indices[lod.start : lod.start + lod.count]
    counts = [model.vertex_buffers[stream].count for stream in lod.streams]
    assert not len(used) or int(used.max()) < min(counts, default=0)
