"""Pictures of a model's textures: the pixels of a mip level, or the texture with its layouts."""

from __future__ import annotations

from viewer.arrays import Array, Size
from viewer.gpu.target import RenderTarget
from viewer.gpu.texture import level_texture
from viewer.render.renderer import Renderer
from viewer.render.texture_picture import SAMPLES, TexturePicture
from viewer.scene.material import Image
from viewer.scene.model import Model
from viewer.view.texture_shot import TextureShot
from viewer.view.uv_meshes import UvMeshes

READABLE = 1024
"""The least length in pixels of the longer side of a picture with layouts, for readable lines."""
BARE = (READABLE, READABLE)
"""The size of a picture of layouts without an image."""


def layout_size(size: Size) -> Size:
    """Return the size of a picture with layouts of an image of `size`: a multiple of it that is readable."""
    times = max(-(-READABLE // max(size)), 1)
    return size[0] * times, size[1] * times


def texture_picture(renderer: Renderer, model: Model, image: Image | None, shot: TextureShot) -> Array:
    """[height, width, 4] u8: an opaque picture of a shot; `image` is that of its texture (None: missing)."""
    picture = TexturePicture(renderer.composer, UvMeshes(model))
    target = RenderTarget(renderer.ctx, shot.size, SAMPLES if shot.layers else 0)
    texture = None if image is None else level_texture(renderer.ctx, image.levels[shot.level])
    try:
        renderer.composer.begin_frame()
        picture.draw(shot, texture, target.framebuffer)
        return target.read().copy()
    finally:
        if texture is not None:
            texture.release()
        target.release()
        picture.release()
