"""Textures of a model for the panels: thumbnails for lists, and one large picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import moderngl
import numpy as np

from viewer.app.tasks import Task, Tasks
from viewer.arrays import Array
from viewer.gpu.texture import checker
from viewer.scene.material import Image
from viewer.scene.texture_images import TextureImages, on_checker
from viewer.storage.image import read_small_image
from viewer.storage.search import lone
from viewer.view.view_info import PanelPicture, Preview

CHANNELS = {"R": 0, "G": 1, "B": 2, "A": 3}


class PanelTextures:
    """Creates GL textures of decoded `images`, by texture number, when a panel shows them."""

    def __init__(self, ctx: moderngl.Context, images: Mapping[int, Image], tasks: Tasks) -> None:
        self._ctx = ctx
        self._images = TextureImages.of(images)
        self._latest: tuple[int | None, Image | None] = (None, None)
        self._small: dict[int, PanelPicture] = {}
        self._large: tuple[tuple[int, int, str], PanelPicture] | None = None
        self._textures: dict[int, moderngl.Texture] = {}
        self._previews = FilePreviews(tasks, lambda pixels: self._made(pixels, None), self._release)

    def small(self, number: int) -> PanelPicture:
        """A thumbnail of at most `SMALL` pixels; a checker pattern if the texture has no image."""
        if number not in self._small:
            image = self._image(number)
            pixels = checker().levels[0] if image is None else shrunk(image)
            self._small[number] = self._made(pixels, image)
        return self._small[number]

    def large(self, number: int, level: int, channels: str) -> PanelPicture | None:
        """One mip level of a texture: `RGB`, `RGBA` over a checker pattern, or one channel as grey.

        Only the last requested picture is cached. None if the texture has no image.
        """
        image = self._image(number)
        if image is None:
            return None
        level = min(level, len(image.levels) - 1)
        key = (number, level, channels)
        if self._large is None or self._large[0] != key:
            if self._large is not None:
                self._release(self._large[1])
            self._large = key, self._made(channel(image.levels[level], channels), image)
        return self._large[1]

    def replace_texture(self, number: int, image: Image | None) -> None:
        """Replace the image of a texture; None removes it."""
        self._images.replace(number, image)
        self._latest = (None, None)
        shown = [self._small.pop(number)] if number in self._small else []
        if self._large is not None and self._large[0][0] == number:
            shown.append(self._large[1])
            self._large = None
        for picture in shown:
            self._release(picture)

    def preview(self, path: str) -> Preview:
        """The thumbnail of an image file, see `FilePreviews.get`."""
        return self._previews.get(path)

    def release(self) -> None:
        """Release all textures."""
        self._previews.close()
        for texture in self._textures.values():
            texture.release()
        self._textures.clear()

    def _image(self, number: int) -> Image | None:
        """Return the decoded image of a texture.

        The latest image is cached, because an image that was freed must be decoded again.
        """
        if self._latest[0] != number:
            self._latest = number, self._images.get(number)
        return self._latest[1]

    def _release(self, picture: PanelPicture) -> None:
        self._textures.pop(picture.glo).release()

    def _made(self, pixels: Array, image: Image | None) -> PanelPicture:
        height, width = pixels.shape[:2]
        texture = self._ctx.texture((width, height), 4, np.ascontiguousarray(pixels), alignment=1)
        texture.filter = moderngl.LINEAR, moderngl.NEAREST
        self._textures[texture.glo] = texture
        levels = tuple((each.shape[1], each.shape[0]) for each in image.levels) if image else ()
        return PanelPicture(texture.glo, (width, height), levels, image.encoding if image else "")


def shrunk(image: Image) -> Array:
    """Return an image reduced to thumbnail size as [h, w, 4] u8 over a checker pattern.

    The pixels are every n-th pixel of the smallest mip level that is at least `SMALL` pixels wide or high.
    """
    fitting = [level for level in image.levels if max(level.shape[:2]) >= SMALL]
    level = fitting[-1] if fitting else image.levels[0]
    step = max(1, -(-max(level.shape[:2]) // SMALL))
    return channel(level[::step, ::step], "RGBA")


def channel(pixels: Array, channels: str) -> Array:
    """[h, w, 4] u8, opaque: `RGB`, `RGBA` over a checker pattern, or one of `CHANNELS` as grey."""
    out = np.full(pixels.shape, 255, np.uint8)
    if channels in CHANNELS:
        out[..., :3] = pixels[..., CHANNELS[channels], None]
    elif channels == "RGB":
        out[..., :3] = pixels[..., :3]
    else:
        out[..., :3] = on_checker(pixels[..., :3], pixels[..., 3])
    return out


SMALL = 96
"""Pixels of the longer side of a thumbnail."""
KEPT_THUMBNAILS = 256
"""The largest number of cached thumbnails, which take 9 MiB. No model offers more files."""
WAITING = ""


class FilePreviews:
    """Thumbnails of image files that panels offer. Files are decoded one at a time; the latest thumbnails are
    cached.

    `make` creates the texture of a thumbnail, `drop` releases it.
    """

    def __init__(
        self,
        tasks: Tasks,
        make: Callable[[Array], PanelPicture],
        drop: Callable[[PanelPicture], None],
    ) -> None:
        self._make, self._drop = make, drop
        self._tasks = tasks
        self._task: Task | None = None
        self._known: dict[str, Preview] = {}

    def get(self, path: str) -> Preview:
        """Return the thumbnail of a file, `WAITING` while it is decoded, or the reason why it cannot be
        decoded.

        Panels request all visible files in every frame. One file is decoded at a time, in the order of the
        requests.
        """
        if path in self._known:
            self._known[path] = self._known.pop(path)
            return self._known[path]
        if self._task is None:
            self._task = self._tasks.submit(
                ("preview", id(self)), partial(self._pixels, path), partial(self._take, path)
            )
        return WAITING

    def close(self) -> None:
        """Cancel the decoding."""
        if self._task is not None:
            self._tasks.cancel(self._task)

    def _pixels(self, path: str, task: Task) -> Array:
        return shrunk(read_small_image(lone(path), SMALL))

    def _take(self, path: str, task: Task) -> None:
        self._task = None
        pixels: Array | None = task.value
        self._known[path] = task.error or "cannot be read" if pixels is None else self._make(pixels)
        if len(self._known) > KEPT_THUMBNAILS:
            oldest = self._known.pop(next(iter(self._known)))
            if isinstance(oldest, PanelPicture):
                self._drop(oldest)
