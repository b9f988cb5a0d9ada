"""Find the textures that materials name, and read the settings in their `.xml` sidecars."""

from __future__ import annotations

from typing import Any

from viewer.errors import MISSING_TEXTURE, FormatError, Report, counted
from viewer.families.urho3d.material_text import floats
from viewer.scene.material import Texture
from viewer.storage.dds import FACES
from viewer.storage.image import PICTURES, decoders
from viewer.storage.markup import SHORT_TEXT_LIMIT, MarkupElement, parse_xml
from viewer.storage.search import FoundResource, Missing, SearchPath

SRGB_UNITS = frozenset(("diffuse", "emissive", "environment", "lightmap"))
"""Units with colours (sRGB). Other units have linear numbers."""

ADDRESS_MODES = ("wrap", "mirror", "clamp", "border")
SHAPES = {"cubemap": "a cube map", "texture3d": "a 3D texture", "texturearray": "a texture array"}


class UrhoTextures:
    """The textures of a model, shared by name, in the order in which materials name them."""

    def __init__(self, search: SearchPath, report: Report) -> None:
        self._search = search
        self._report = report
        self._numbers: dict[tuple[str, bool], int] = {}
        self._cubes: dict[str, tuple[str, ...]] = {}
        self.textures: list[Texture] = []

    def number(self, name: str, unit: str, from_: str = "") -> int | None:
        """Return the number of the texture that the material file `from_` names, or None if the file was
        found but cannot be drawn. A missing texture is drawn as a checker.
        """
        key = name, unit in SRGB_UNITS
        if key not in self._numbers:
            self._numbers[key] = len(self.textures)
            self.textures.append(self._make(name, from_, srgb=key[1]))
        number = self._numbers[key]
        texture = self.textures[number]
        return number if texture.decode is not None or texture.path is None else None

    def cube(self, name: str, unit: str, from_: str = "") -> tuple[int, ...]:
        """Return the numbers of the textures of the faces, if a texture is a cube map, in the order of its
        description: +X, -X, +Y, -Y, +Z, -Z.
        """
        faces = (name, *self._cubes[name][1:]) if name in self._cubes else ()
        numbers = [self.number(each, unit, from_) for each in faces]
        known = tuple(each for each in numbers if each is not None)
        return known if len(known) == FACES else ()

    def _make(self, name: str, from_: str, srgb: bool) -> Texture:
        found = self._find(name, from_)
        if isinstance(found, FoundResource) and found.path.lower().endswith(".xml"):
            picture = self._described(found, name)
            if picture is None:
                return Texture(name, found.path, by=found.by, how=found.how, srgb=srgb)
            found = picture
        if isinstance(found, Missing):
            return Texture(name, searched=found.searched, srgb=srgb)
        fields = decoders(found) | {"srgb": srgb} | self._sidecar(found)
        return Texture(name, found.path, by=found.by, how=found.how, rivals=found.rivals, **fields)

    def _find(self, name: str, from_: str) -> FoundResource | Missing:
        suffixes = () if name.lower().endswith(".xml") else PICTURES
        found = self._search.find(name, from_=from_, suffixes=suffixes)
        if isinstance(found, Missing):
            self._report.warn(
                f"texture {name} is missing; searched {counted(len(found.searched), 'path')}",
                MISSING_TEXTURE,
            )
        return found

    def _described(self, description: FoundResource, wanted: str) -> FoundResource | Missing | None:
        """Find the image that the texture description `wanted` names: of a 2D texture with one image, or the
        first of the six faces of a cube map. For any other description report this and return None.
        """
        root = self._parse(description)
        if root is None:
            return None
        names = [child.get("name") for child in root.children if child.get("name")]
        if root.tag == "cubemap" and len(names) == FACES:
            self._cubes[wanted] = tuple(self._beside(description, name) for name in names)
        elif root.tag not in ("texture", "texturearray") or len(names) != 1:
            shape = SHAPES.get(root.tag, "another kind of texture")
            self._report.warn(f"texture {description.name} describes {shape}, which is not drawn")
            return None
        return self._find(self._beside(description, names[0]), description.path)

    def _beside(self, description: FoundResource, name: str) -> str:
        """The name of a picture that a texture description names."""
        folder = description.name.replace("\\", "/").rpartition("/")[0]
        return name if "/" in name or not folder else f"{folder}/{name}"

    def _sidecar(self, picture: FoundResource) -> dict[str, Any]:
        """The fields of `Texture` from the `.xml` beside an image."""
        found = picture.sibling(".xml")
        root = self._parse(found) if found else None
        return _settings(root) if root is not None and root.tag == "texture" else {}

    def _parse(self, resource: FoundResource) -> MarkupElement | None:
        try:
            return parse_xml(resource.read(SHORT_TEXT_LIMIT), resource.path)
        except FormatError as error:
            self._report.fail(error)
            return None


def _settings(root: MarkupElement) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    modes = {element.get("coord").lower(): element.get("mode").lower() for element in root.all("address")}
    if modes:
        u, v = (modes.get(axis, "wrap") for axis in "uv")
        fields["address"] = tuple(mode if mode in ADDRESS_MODES else "wrap" for mode in (u, v))
    mode = _attribute(root, "filter", "mode")
    if mode and mode != "default":
        fields["filter"] = mode
    for tag, name in (("mipmap", "mipmaps"), ("srgb", "srgb")):
        switch = _attribute(root, tag, "enable")
        if switch:
            fields[name] = switch not in ("false", "0")
    border = floats(_attribute(root, "border", "color"), (0.0, 0.0, 0.0, 0.0))
    return fields | ({"border": border} if border else {})


def _attribute(root: MarkupElement, tag: str, name: str) -> str:
    element = root.first(tag)
    return element.get(name).lower() if element else ""
