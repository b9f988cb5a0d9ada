"""Makes a model of an image: a flat quad that faces the viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from viewer.scene.material import Image, Material, Texture
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, Primitive, VertexBuffer, VertexElement

CORNERS = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], np.float32)
TRIANGLES = np.array([0, 3, 2, 0, 2, 1], np.uint16)
ELEMENTS = (VertexElement("position", "f32", 3, 0), VertexElement("uv0", "f32", 2, 12))
STRIDE = 20
CHANNELS = ("red", "green", "blue", "alpha")
PIXELS = 256
"""Pixels per viewer unit."""


def quad_model(image: Image) -> Model:
    """Make a model of an image.

    The shown geometry is a quad with the first level. Hidden geometries have the smaller levels, and each
    channel in grey.
    """
    half = np.array(image.size, np.float32) / (2 * PIXELS)
    rows = np.zeros((4, 5), np.float32)
    rows[:, :2] = CORNERS * half
    rows[:, 3:] = (CORNERS * (1, -1) + 1) / 2
    faces = dict(_faces(image))
    lod = Lod(0.0, (0,), 0, 0, len(TRIANGLES), Primitive.TRIANGLES)
    return Model(
        "picture",
        vertex_buffers=(VertexBuffer(rows.view(np.uint8).reshape(-1), 4, STRIDE, ELEMENTS),),
        index_buffers=(IndexBuffer(TRIANGLES),),
        geometries=tuple(
            Geometry(name, (lod,), material=number, shown=number == 0) for number, name in enumerate(faces)
        ),
        materials=tuple(
            Material(name, name, units={"diffuse": number}, blend="alpha", cull="none", unlit=True)
            for number, name in enumerate(faces)
        ),
        textures=tuple(
            Texture(name, name, decode=decode, address=("clamp", "clamp")) for name, decode in faces.items()
        ),
        bounds=np.array(((*-half, 0.0), (*half, 0.0))),
    )


def _faces(image: Image) -> Iterator[tuple[str, Callable[[], Image]]]:
    """Yield the names and images of the quads: the image itself, its smaller levels, its channels."""
    yield "picture", lambda: image
    for number, level in enumerate(image.levels[1:], start=1):
        yield f"level {number}: {level.shape[1]} × {level.shape[0]}", partial(Image, (level,))
    for channel, name in enumerate(CHANNELS):
        yield name, partial(_grey, image, channel)


def _grey(image: Image, channel: int) -> Image:
    """One channel as an opaque grey image."""
    values = image.levels[0][..., channel, None]
    grey = np.broadcast_to(values, (*values.shape[:2], 3))
    return Image((np.concatenate((grey, np.full_like(values, 255)), axis=-1),))
