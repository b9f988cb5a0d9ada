"""Makes a model of an image: a flat quad that faces the viewer."""

from __future__ import annotations

import numpy as np

from viewer.scene.material import Image, Material, Texture
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, Primitive, VertexBuffer, VertexElement

CORNERS = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], np.float32)
TRIANGLES = np.array([0, 3, 2, 0, 2, 1], np.uint16)
ELEMENTS = (VertexElement("position", "f32", 3, 0), VertexElement("uv0", "f32", 2, 12))
STRIDE = 20
NAME = "picture"
PIXELS = 256
"""The number of pixels of the image in one viewer unit of the quad."""


def quad_model(image: Image) -> Model:
    """Make a model of an image: a quad with the image as its only texture."""
    half = np.array(image.size, np.float32) / (2 * PIXELS)
    rows = np.zeros((4, 5), np.float32)
    rows[:, :2] = CORNERS * half
    rows[:, 3:] = (CORNERS * (1, -1) + 1) / 2
    lod = Lod(0.0, (0,), 0, 0, len(TRIANGLES), Primitive.TRIANGLES)
    texture = Texture(NAME, NAME, decode=lambda: image, address=("clamp", "clamp"))
    material = Material(NAME, NAME, units={"diffuse": 0}, blend="alpha", cull="none", unlit=True)
    return Model(
        NAME,
        vertex_buffers=(VertexBuffer(rows.view(np.uint8).reshape(-1), 4, STRIDE, ELEMENTS),),
        index_buffers=(IndexBuffer(TRIANGLES),),
        geometries=(Geometry(NAME, (lod,), material=0),),
        materials=(material,),
        textures=(texture,),
        bounds=np.array(((*-half, 0.0), (*half, 0.0))),
    )
