"""Pictures of files that are no models: images, and cards for other files."""

from __future__ import annotations

import numpy as np
import PIL.Image

from viewer.arrays import Array, Size
from viewer.errors import counted
from viewer.library.thumbnails.cards import card
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.files import kind_of
from viewer.scene.material import Image
from viewer.scene.package import Package
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.scene.table import Table
from viewer.scene.texture_images import on_checker

VISIBLE = 16
"""An image is shown opaque if no pixel has a larger alpha than this, because it would otherwise be
invisible.
"""
ENLARGEMENT = 8
"""Largest factor by which small images are enlarged."""


def image_picture(image: Image, size: Size) -> Array:
    """Fit an image into a picture of `size`, [height, width, 4] u8. A translucent image is drawn over a
    checker. Small images are enlarged by whole factors. The rest of the picture is transparent.
    """
    level = next((each for each in reversed(image.levels) if _covers(each, size)), image.levels[0])
    height, width = level.shape[:2]
    share = min(size[0] / width, size[1] / height)
    share = float(min(int(share), ENLARGEMENT)) if share >= 1 else share
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
    """Draw colours [height, width, 3] u8 over a checker if they are translucent."""
    return pixels if alpha.max() <= VISIBLE or alpha.min() == 255 else on_checker(pixels, alpha)


def kind_picture(document: Document, size: Size, reason: str = "") -> Array:
    """Draw a card [height, width, 4] u8 with a file's format and the `reason` why it has no picture.

    Without a reason the card lists the contents.
    """
    return card(document.format, reason or contents(document), size, kind_of(document.content))


def contents(document: Document) -> str:
    """Describe the contents of a file without a picture in a few words."""
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
        case Table() as table:
            return f"{counted(len(table), 'row')}, {counted(len(table.columns), 'column')}"
    return ""
