"""Textures for the pictures in the list and on the wall; the most recently shown are kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection

import moderngl
import numpy as np

from viewer.arrays import Array
from viewer.view.view_info import PanelPicture

TEXTURE_BYTES = 40 << 20
"""Bytes of all textures together, as far as what is in view takes less."""


class FileTextures:
    """Textures by name; `put` releases the least recently used, but none that is in view."""

    def __init__(self, ctx: moderngl.Context, most: int = TEXTURE_BYTES) -> None:
        self._ctx, self._most = ctx, most
        self._known: OrderedDict[str, tuple[moderngl.Texture, PanelPicture]] = OrderedDict()
        self.bytes = 0

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def get(self, name: str) -> PanelPicture | None:
        """The picture of that name."""
        found = self._known.get(name)
        if found is None:
            return None
        self._known.move_to_end(name)
        return found[1]

    def side(self, name: str) -> int:
        """The longer side of the picture of that name in pixels; 0 if there is none."""
        return max(self._known[name][1].size) if name in self._known else 0

    def put(self, name: str, pixels: Array, in_view: Collection[str] = ()) -> None:
        """Make a picture of pixels [height, width, 4] u8, first row on top."""
        self.drop(name)
        height, width = pixels.shape[:2]
        texture = self._ctx.texture((width, height), 4, np.ascontiguousarray(pixels), alignment=1)
        texture.filter = moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR
        texture.build_mipmaps()
        self._known[name] = texture, PanelPicture(texture.glo, (width, height))
        self.bytes += _size(texture)
        for oldest in [*self._known] if self.bytes > self._most else ():
            if self.bytes > self._most and oldest != name and oldest not in in_view:
                self.drop(oldest)

    def drop(self, name: str) -> None:
        """Release the picture of that name, if there is one."""
        if name in self._known:
            texture, _ = self._known.pop(name)
            self.bytes -= _size(texture)
            texture.release()

    def release(self) -> None:
        """Release all pictures."""
        for name in [*self._known]:
            self.drop(name)


def _size(texture: moderngl.Texture) -> int:
    """The bytes of a texture with its smaller levels."""
    return texture.width * texture.height * 4 * 4 // 3
