"""Pictures of files that are not drawn as models: images, and files that have no picture."""

from __future__ import annotations

import numpy as np
import PIL.Image
from PIL import ImageDraw

from viewer.arrays import Array, Size
from viewer.errors import counted
from viewer.library.lettering import fitting_font, font_for, shortened, wrapped
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.material import Image
from viewer.scene.package import Package
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader

SQUARE = 8
"""Pixels per square of the checker behind translucent images."""
DARK, BRIGHT = 92, 140
VISIBLE = 16
"""An image whose alpha is nowhere above this is shown without its alpha."""
CARD, INK, DIM = (40, 44, 50), (222, 226, 232), (150, 157, 168)
MARGIN = 0.08
"""The margin of a card, as a share of its width."""
SMALLEST, LINE, GAP = 8.0, 1.35, 0.2
"""The smallest letters in pixels, the height of a line in letters, and the gap below the title in lines."""
MOST_ENLARGED = 8
"""Small images are shown larger by a whole number of times, at most so many."""


def image_picture(image: Image, size: Size) -> Array:
    """[height, width, 4] u8: the whole image in a picture of `size`, on a checker where it is translucent.

    The pixels of a small image are enlarged. What the image leaves free is transparent.
    """
    level = next((each for each in reversed(image.levels) if _covers(each, size)), image.levels[0])
    height, width = level.shape[:2]
    share = min(size[0] / width, size[1] / height)
    share = float(min(int(share), MOST_ENLARGED)) if share >= 1 else share
    fitted = max(round(width * share), 1), max(round(height * share), 1)
    pixels = np.asarray(PIL.Image.fromarray(level[..., :3].copy()).resize(fitted, PIL.Image.Resampling.BOX))
    alpha = np.asarray(PIL.Image.fromarray(level[..., 3].copy()).resize(fitted, PIL.Image.Resampling.BOX))
    out = np.zeros((size[1], size[0], 4), np.uint8)
    left, top = (size[0] - fitted[0]) // 2, (size[1] - fitted[1]) // 2
    out[top : top + fitted[1], left : left + fitted[0], :3] = _on_checker(pixels, alpha)
    out[top : top + fitted[1], left : left + fitted[0], 3] = 255
    return out


def _covers(level: Array, size: Size) -> bool:
    return bool(level.shape[1] >= size[0] or level.shape[0] >= size[1])


def _on_checker(pixels: Array, alpha: Array) -> Array:
    """[height, width, 3] u8 of colours [height, width, 3] over the checker."""
    if alpha.max() <= VISIBLE or alpha.min() == 255:
        return pixels
    rows, columns = (np.arange(count) // SQUARE for count in alpha.shape)
    ground = np.where((rows[:, None] + columns) % 2, DARK, BRIGHT)[..., None]
    share = alpha[..., None].astype(np.uint16)
    return ((pixels * share + ground * (255 - share)) // 255).astype(np.uint8)


def kind_picture(document: Document, size: Size, reason: str = "") -> Array:
    """[height, width, 3] u8: a card with the format of a file, and the `reason` why nothing else is shown, or
    what the file holds."""
    return card(document.format, reason or contents(document), size)


def card(title: str, text: str, size: Size) -> Array:
    """[height, width, 3] u8: a title in one line, and below it the lines of a text, as many as fit."""
    picture = PIL.Image.new("RGB", size, CARD)
    pen = ImageDraw.Draw(picture)
    room = size[0] * (1 - 2 * MARGIN)
    small = max(min(size) / 18, SMALLEST)
    large = fitting_font(title, room, min(size) / 9, small)
    step = small * LINE
    most = max(int((size[1] * (1 - 2 * MARGIN) - large.size) / step), 0)
    lines = wrapped(text, small, room)[:most]
    top = (size[1] - step * len(lines)) / 2
    pen.text((size[0] / 2, top), title, INK, large, "mm")
    for number, line in enumerate(lines):
        font = font_for(line, small)
        at = size[0] / 2, top + large.size + step * (number + GAP)
        pen.text(at, shortened(line, font, room), DIM, font, "mm")
    return np.asarray(picture)


def contents(document: Document) -> str:
    """What a file without a picture holds, in a few words."""
    match document.content:
        case Animation() as animation:
            tracks = counted(len(animation.targets), "moved bone") if animation.targets else ""
            return ", ".join(filter(None, (f"{animation.duration:.2f} s", tracks)))
        case Package() as package:
            return counted(len(package), "file")
        case CompiledShader() as shader:
            return f"{shader.stage} shader, model {shader.model}"
        case CompiledScript(classes=classes) if classes:
            return counted(len(classes), "class", "classes")
    return ""
