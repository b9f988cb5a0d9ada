"""Textures of a model for the panels: thumbnails for lists, and one large picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import moderngl
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.app.tasks import Task, Tasks
from viewer.arrays import Array
from viewer.gpu.mip_levels import draws_in_software
from viewer.gpu.shader import Composer
from viewer.gpu.target import RenderTarget
from viewer.gpu.texture import checker, level_texture
from viewer.render.texture_picture import SAMPLES, TexturePicture
from viewer.scene.material import Image
from viewer.scene.mesh.surface_points import SurfacePoint
from viewer.scene.model import Model
from viewer.scene.reading_context import ReadingContext
from viewer.scene.texture_images import TextureImages, on_checker
from viewer.storage.image import read_small_image
from viewer.storage.search import lone
from viewer.view.texture_shot import TextureShot, UvLayer
from viewer.view.uv_meshes import UvMeshes
from viewer.view.view_info import PanelPicture, Preview

KEPT = 2
"""How many decoded images, and how many uploaded mip levels, are kept: one for the Texture panel and one for
the Properties panel.
"""
FINE = 20_000
"""The largest number of lines that a software renderer smooths."""


class _Shown(Struct):
    """The last shot for one widget, and the render target with its picture."""

    shot: TextureShot
    target: RenderTarget
    picture: PanelPicture


class PanelTextures:
    """Creates GL textures of decoded `images`, by texture number of `model`, when a panel shows them."""

    def __init__(self, composer: Composer, model: Model, images: Mapping[int, Image], tasks: Tasks) -> None:
        self._ctx, self._composer = composer.ctx, composer
        self._images = TextureImages.of(images)
        self._latest: dict[int, Image | None] = {}
        self._small: dict[int, PanelPicture] = {}
        self._textures: dict[int, moderngl.Texture] = {}
        self._levels: dict[tuple[int, int], moderngl.Texture] = {}
        self._shown: dict[str, _Shown] = {}
        self._meshes = UvMeshes(model)
        self._picture: TexturePicture | None = None
        self._previews = FilePreviews(tasks, lambda pixels: self._made(pixels, None), self._release)

    def small(self, number: int) -> PanelPicture:
        """A thumbnail of at most `SMALL` pixels; a checker pattern if the texture has no image."""
        if number not in self._small:
            image = self._image(number)
            pixels = checker().levels[0] if image is None else shrunk(image)
            self._small[number] = self._made(pixels, image)
        return self._small[number]

    def view(self, place: str, shot: TextureShot) -> PanelPicture:
        """Draw a texture as a shot describes it; the bottom row of the picture comes first. `place` names the
        widget that shows the picture. The picture is drawn again if the shot for this widget changes.

        The picture has no `levels` if the texture of the shot has no image.
        """
        image = self._image(shot.number)
        levels = sizes(image)
        shot = replace(shot, level=min(shot.level, max(len(levels) - 1, 0)))
        known = self._shown.get(place)
        if known is not None and known.shot == shot:
            return known.picture
        if self._picture is None:
            self._picture = TexturePicture(self._composer, self._meshes)
        target = self._target(None if known is None else known.target, shot)
        self._picture.draw(shot, self._level(shot.number, shot.level, image), target.framebuffer)
        glo = target.resolve().glo
        picture = PanelPicture(glo, shot.size, levels, image.encoding if image else "")
        self._shown[place] = _Shown(shot, target, picture)
        return picture

    def image(self, number: int) -> Image | None:
        """The decoded image of a texture; None if it has none."""
        return self._image(number)

    def bounds(self, layers: Iterable[UvLayer]) -> Array | None:
        """The box [2, 2] around a texture and the texture coordinates of `layers`, see `UvMeshes.bounds`."""
        return self._meshes.bounds(layers)

    def points(
        self, layers: Iterable[UvLayer], uv: tuple[float, float], repeats: bool
    ) -> tuple[SurfacePoint, ...]:
        """The points of the mesh that show the point `uv` of the texture, see `UvMeshes.points`."""
        return self._meshes.points(layers, uv, repeats)

    def replace_texture(self, number: int, image: Image | None) -> None:
        """Replace the image of a texture; None removes it."""
        self._images.replace(number, image)
        self._latest.clear()
        if number in self._small:
            self._release(self._small.pop(number))
        for key in [key for key in self._levels if key[0] == number]:
            self._levels.pop(key).release()
        for place in [place for place, each in self._shown.items() if each.shot.number == number]:
            self._shown.pop(place).target.release()

    def preview(self, path: str, context: ReadingContext) -> Preview:
        """The thumbnail of an image file, see `FilePreviews.get`."""
        return self._previews.get(path, context)

    def release(self) -> None:
        """Release all textures."""
        self._previews.close()
        for texture in (*self._textures.values(), *self._levels.values()):
            texture.release()
        for each in self._shown.values():
            each.target.release()
        for known in (self._textures, self._levels, self._shown):
            known.clear()
        if self._picture is not None:
            self._picture.release()
            self._picture = None

    def _target(self, known: RenderTarget | None, shot: TextureShot) -> RenderTarget:
        """The target for a shot: the widget's `known` target if it fits the shot, otherwise a new target."""
        samples = SAMPLES if shot.layers else 0
        if samples and draws_in_software(self._ctx) and self._meshes.lines(shot.layers) > FINE:
            samples = 0
        if known is not None:
            if known.size == shot.size and (known.samples > 0) == (samples > 0):
                return known
            known.release()
        return RenderTarget(self._ctx, shot.size, samples)

    def _level(self, number: int, level: int, image: Image | None) -> moderngl.Texture | None:
        """The mip level of a texture on the GPU; the latest `KEPT` levels are kept."""
        if image is None:
            return None
        key = number, level
        found = self._levels.pop(key, None)
        self._levels[key] = level_texture(self._ctx, image.levels[level]) if found is None else found
        while len(self._levels) > KEPT:
            self._levels.pop(next(iter(self._levels))).release()
        return self._levels[key]

    def _image(self, number: int) -> Image | None:
        """The decoded image of a texture. The latest `KEPT` images are cached, because freed images have to
        be decoded again.
        """
        if number not in self._latest:
            self._latest[number] = self._images.get(number)
        while len(self._latest) > KEPT:
            self._latest.pop(next(each for each in self._latest if each != number))
        return self._latest[number]

    def _release(self, picture: PanelPicture) -> None:
        self._textures.pop(picture.glo).release()

    def _made(self, pixels: Array, image: Image | None) -> PanelPicture:
        height, width = pixels.shape[:2]
        texture = self._ctx.texture((width, height), 4, np.ascontiguousarray(pixels), alignment=1)
        texture.filter = moderngl.LINEAR, moderngl.NEAREST
        self._textures[texture.glo] = texture
        return PanelPicture(texture.glo, (width, height), sizes(image), image.encoding if image else "")


def sizes(image: Image | None) -> tuple[tuple[int, int], ...]:
    """The sizes (width, height) of the mip levels of an image; empty without an image."""
    return tuple((each.shape[1], each.shape[0]) for each in image.levels) if image else ()


def shrunk(image: Image) -> Array:
    """[h, w, 4] u8 over a checker pattern: every n-th pixel of the smallest sufficient mip level."""
    fitting = [level for level in image.levels if max(level.shape[:2]) >= SMALL]
    level = fitting[-1] if fitting else image.levels[0]
    step = max(1, -(-max(level.shape[:2]) // SMALL))
    pixels = level[::step, ::step]
    out = np.full(pixels.shape, 255, np.uint8)
    out[..., :3] = on_checker(pixels[..., :3], pixels[..., 3])
    return out


SMALL = 96
"""The length of the longer side of a thumbnail in pixels."""
KEPT_THUMBNAILS = 256
"""The largest number of cached thumbnails, which take 9 MiB. No model offers more files."""
WAITING = ""


class FilePreviews:
    """Thumbnails of image files that panels offer. Files are decoded one at a time; the latest thumbnails are
    cached.

    `make` creates the texture of a thumbnail; `drop` releases it.
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

    def get(self, path: str, context: ReadingContext) -> Preview:
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
                ("preview", id(self)), partial(self._pixels, path, context), partial(self._take, path)
            )
        return WAITING

    def close(self) -> None:
        """Cancel the decoding."""
        if self._task is not None:
            self._tasks.cancel(self._task)

    def _pixels(self, path: str, context: ReadingContext, task: Task) -> Array:
        return shrunk(read_small_image(lone(path, context), SMALL))

    def _take(self, path: str, task: Task) -> None:
        self._task = None
        pixels: Array | None = task.value
        self._known[path] = task.error or "cannot be read" if pixels is None else self._make(pixels)
        if len(self._known) > KEPT_THUMBNAILS:
            oldest = self._known.pop(next(iter(self._known)))
            if isinstance(oldest, PanelPicture):
                self._drop(oldest)
