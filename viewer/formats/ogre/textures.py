"""The textures that texture units name: found by base name, shared by name and settings."""

from __future__ import annotations

import os

from msgspec.structs import replace

from viewer.errors import MISSING_TEXTURE, Report, counted
from viewer.formats.ogre.resources import Resources
from viewer.formats.ogre.texture_unit import TextureUnit
from viewer.scene.material import Texture
from viewer.storage.image import PICTURES, decoders
from viewer.storage.search import Missing


class OgreTextures:
    """The textures of one model, in the order in which materials name them."""

    def __init__(self, resources: Resources, report: Report) -> None:
        self._resources = resources
        self._report = report
        self._numbers: dict[tuple[object, ...], int] = {}
        self.textures: list[Texture] = []

    def number(self, file: str, unit: TextureUnit, *, color: bool = True) -> int:
        """The number of a file's texture with the unit's settings; without `color` its values are not
        colours.
        """
        key = (file, unit.address, unit.border, unit.filter, unit.anisotropy, unit.mipmaps, color)
        if key not in self._numbers:
            self._numbers[key] = len(self.textures)
            self.textures.append(self._make(file, unit, color))
        return self._numbers[key]

    def _make(self, file: str, unit: TextureUnit, color: bool) -> Texture:
        found = self._resources.find(file, PICTURES)
        texture = Texture(
            file,
            address=unit.address,
            border=unit.border,
            filter=unit.filter,
            anisotropy=unit.anisotropy,
            mipmaps=unit.mipmaps,
            srgb=color,
        )
        if isinstance(found, Missing):
            self._report.warn(
                f"texture {file} is missing; {counted(len(found.searched), 'place')} searched",
                MISSING_TEXTURE,
            )
            return replace(texture, searched=found.searched)
        if os.path.splitext(found.path)[1].lower() != os.path.splitext(file)[1].lower():
            self._report.note(f"texture {file} was found as {found.path}")
        return replace(texture, path=found.path, **decoders(found))
