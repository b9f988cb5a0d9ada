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
"""The least length in pixels of the longer side of a picture with layouts. In a smaller picture, the lines
would merge.
"""
BARE = (READABLE, READABLE)
"""The size of a picture of layouts if the texture has no image."""


def layout_size(size: Size) -> Size:
    """Return the size of the picture that shows an image of `size` with its layouts. The picture is a whole
    multiple of the image and large enough for clear lines.
    """
    times = max(-(-READABLE // max(size)), 1)
    return size[0] * times, size[1] * times


def texture_picture(renderer: Renderer, model: Model, image: Image | None, shot: TextureShot) -> Array:
    """[height, width, 4] u8: an opaque picture of a shot; `image` is the decoded image of the texture (None:
    missing).
    """
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
