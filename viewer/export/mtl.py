"""The materials of an OBJ file: a material library, `.mtl`, and its pictures.

Source: Alias/Wavefront, MTL material format (Lightwave, OBJ), 4.2, October 1995; its extensions `Pr`, `Pm`
for physically based materials.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from viewer.errors import ViewerError, printable, words_of
from viewer.export.gltf.container import PictureFiles
from viewer.export.gltf.images import PixelChange, opaque, picture, unpacked_normals
from viewer.export.gltf.materials import alpha_mode, differences
from viewer.export.gltf.model import ExportSource
from viewer.scene.material import Material

SHARPEST = 1000.0
"""The largest exponent of a highlight."""
ALPHA, PLAIN, GLOSSY = "map_d", 1, 2
NO_MATERIAL = "none"
"""The name of no material in the library, which programs replace by their default."""


class MaterialLibrary:
    """The used materials of a model. `pictures` gets the pictures of their textures; with None textures are
    left out. `messages` reports what is left out or changed.
    """

    def __init__(self, source: ExportSource, pictures: PictureFiles | None) -> None:
        self._source, self._pictures = source, pictures
        self._names: dict[int, str] = {}
        self._files: dict[tuple[int, PixelChange | None], str] = {}
        self.messages: list[str] = []

    def name(self, material: int) -> str:
        """The name of a material in the library, without spaces; the material is added at the first call."""
        if material not in self._names:
            stored = self._source.model.materials[material].name
            base = "_".join(printable(stored).split()) or "material"
            chosen, number = base, 1
            while chosen in (NO_MATERIAL, *self._names.values()):
                chosen, number = f"{base}_{number}", number + 1
            self._names[material] = chosen
        return self._names[material]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the library. Pictures are read."""
        for number, name in self._names.items():
            yield f"newmtl {name}\n"
            yield from self._material(self._source.model.materials[number])

    def _material(self, material: Material) -> Iterator[str]:
        lost = differences(material)
        if lost:
            what = ", ".join(lost)
            self.messages.append(f"material {printable(material.name)}: OBJ has no counterpart of {what}")
        glossy = not material.unlit and any(material.specular[:3])
        mode, _ = alpha_mode(material)
        yield _color("Kd", material.diffuse)
        if glossy:
            yield _color("Ks", material.specular)
            yield f"Ns {np.clip(_number(material.specular[3]), 0, SHARPEST):g}\n"
        if any(material.emissive):
            yield _color("Ke", material.emissive)
        yield f"d {np.clip(_number(material.diffuse[3]), 0, 1) if mode == 'BLEND' else 1:g}\n"
        yield f"illum {0 if material.unlit else GLOSSY if glossy else PLAIN}\n"
        if material.surface is not None:
            yield f"Pr {material.surface.roughness:g}\nPm {material.surface.metalness:g}\n"
        change = opaque if material.opaque_texture and mode != "OPAQUE" else None
        maps: list[tuple[str, str, PixelChange | None]] = [("map_Kd", "diffuse", change)]
        if mode != "OPAQUE" and not material.opaque_texture:
            maps.append((ALPHA, "diffuse", change))
        maps.append(("map_Bump", "normal", unpacked_normals if material.packed_normal else None))
        maps.append(("map_Ke", "emissive", None))
        for keyword, unit, changed in maps:
            file = self._file(material.units.get(unit), changed)
            if file:
                yield f"{keyword} {file}\n"

    def _file(self, texture: int | None, change: PixelChange | None) -> str:
        """The file name of a texture's picture, with the option of clamped textures; empty without one."""
        model = self._source.model
        if texture is None or texture >= len(model.textures) or self._pictures is None:
            return ""
        key = texture, change
        if key not in self._files:
            self._files[key] = self._made(texture, change)
        clamped = all(each == "clamp" for each in model.textures[texture].address)
        return f"{'-clamp on ' if clamped and self._files[key] else ''}{self._files[key]}"

    def _made(self, number: int, change: PixelChange | None) -> str:
        """Keep the picture of a texture; empty, with a message, if it cannot be read."""
        texture = self._source.model.textures[number]
        assert self._pictures is not None
        try:
            found = picture(texture, self._source.paths.get(number), change, self._source.context)
        except (ViewerError, OSError) as error:
            name = printable(texture.name or str(number))
            self.messages.append(f"texture {name} is left out: {words_of(error)}")
            return ""
        return self._pictures.keep(texture.name or f"texture {number}", found)


def _color(keyword: str, color: tuple[float, ...]) -> str:
    return f"{keyword} {' '.join(f'{np.clip(_number(each), 0, 1):.6g}' for each in color[:3])}\n"


def _number(value: float) -> float:
    return value if math.isfinite(value) else 0.0
