"""Make the material of each geometry in a model from the files around it.

A broken or missing file is reported, and the geometry is drawn without this file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from viewer.arrays import Color, Rgb
from viewer.errors import MISSING_TEXTURE, FormatError, NeededFile, Report, counted
from viewer.families.urho3d.assignment import (
    Assignment,
    assigned_materials,
    given_materials,
    material_name,
    material_names,
    same_stem_texture,
)
from viewer.families.urho3d.material_text import MaterialText, floats, parse_material
from viewer.families.urho3d.prefab import SceneMaterials
from viewer.families.urho3d.techniques import (
    PHYSICAL,
    RBFX_NAME,
    UNIT_DEFINES,
    Technique,
    named_technique,
    parse_technique,
)
from viewer.families.urho3d.textures import UrhoTextures
from viewer.scene.material import ADDED, FoundHow, Material, MaterialCandidate, MaterialSet, tint_of
from viewer.scene.names import JOINT, file_name
from viewer.storage.markup import SHORT_TEXT_LIMIT
from viewer.storage.resource_folders import SourceIndex
from viewer.storage.search import FoundResource, Missing, SearchPath, needed

CULLS = {"ccw": "back", "cw": "front", "none": "none"}
"""The side to cull, by the winding that the file culls. Front faces are clockwise, so `ccw` culls back faces.
"""

FILLS = ("solid", "wireframe", "point")

MATTE = (0.0, 0.0, 0.0, 1.0)
"""The specular colour and power of a material that has no highlight. In physically based techniques
`MatSpecColor` gives no highlight: its colour limits the reflections, and its power may be 0.
"""

CANDIDATES = 16
"""The largest number of different materials that are offered for a model."""
STOCK_COLORS = ("MatDiffColor", "MatSpecColor", "MatEmissiveColor", "MatEnvMapColor")
"""The colours among the parameters of stock shaders."""
ALPHA_MASK = 0.5
"""Alpha below which the stock shaders discard a pixel if ALPHAMASK is defined."""


def resolve_materials(
    model_path: str | os.PathLike[str],
    geometry_count: int,
    search: SearchPath,
    report: Report,
    colored: bool = False,
) -> MaterialSet:
    """Find the materials of a model file and the textures that they name.

    A missing texture or material has the `searched` paths; a missing material has `found=None` and no units.
    If the vertices are `colored`, their colours are shown where a material or its technique is missing.
    """
    path = os.fspath(model_path).replace(JOINT, "/")  # names are searched in a package as in a folder
    table = UrhoMaterials(search, report, colored)
    assignment = assigned_materials(path, geometry_count, search, report)
    given = given_materials(path, geometry_count, search)
    candidates = table.candidates(assignment.scenes, material_names(path, geometry_count))
    if given or any(assignment.names):
        names = assignment.names or (None,) * geometry_count
        numbers = tuple(
            table.given(given[number])
            if number in given
            else table.number(name, assignment.file, assignment.how)
            for number, name in enumerate(names)
        )
        return MaterialSet(tuple(table.materials), tuple(table.textures.textures), numbers, (), candidates)
    picture = same_stem_texture(path, search)
    diffuse = table.textures.number(picture, "diffuse") if picture else None
    if diffuse is None:
        text = f"no material for {os.path.basename(path)} was found: {_reason(assignment)}"
        report.warn(text, MISSING_TEXTURE, NeededFile("material", material_name(path)))
        return MaterialSet((), (), (None,) * geometry_count, (), candidates)
    name = os.path.splitext(os.path.basename(path))[0]
    material = Material(name, by="name", how="name", units={"diffuse": diffuse}, shader_known=False)
    textures = tuple(replace(each, by="name", how="name") for each in table.textures.textures)
    return MaterialSet((material,), textures, (0,) * geometry_count, (), candidates)


def _reason(assignment: Assignment) -> str:
    """Why no material was found."""
    if not assignment.scenes:
        return "no list, prefab or name matches"
    used, total = assignment.scenes[0].uses, sum(each.uses for each in assignment.scenes)
    return f"scenes use {len(assignment.scenes)} different ones, the most used {used} of {total} times"


class UrhoMaterials:
    """The materials of a model and their textures. Each material is read once. If the vertices are `colored`,
    their colours are shown where a material or its technique is missing.
    """

    def __init__(self, search: SearchPath, report: Report, colored: bool = False) -> None:
        self._search = search
        self._report = report
        self._colored = colored
        self._numbers: dict[str, int] = {}
        self._techniques: dict[str, Technique] = {}
        self.materials: list[Material] = []
        self.textures = UrhoTextures(search, report)

    def number(self, name: str | None, from_: str = "", how: FoundHow = "stored") -> int | None:
        """Return the number of the material with this resource name, which the file at `from_` has; None for
        the default material. `how` says where the name is from.
        """
        if name is None:
            return None
        if name not in self._numbers:
            self._numbers[name] = len(self.materials)
            made = self._make(name, from_)
            if how in ("name", "only"):
                made = replace(made, by="name")
            self.materials.append(replace(made, how=how) if made.how == "stored" else made)
        return self._numbers[name]

    def given(self, found: FoundResource) -> int:
        """Return the number of the material in a file that the user or the project chose."""
        if found.path not in self._numbers:
            self._numbers[found.path] = len(self.materials)
            self.materials.append(self._read(found.name, found))
        return self._numbers[found.path]

    def candidates(
        self, scenes: Sequence[SceneMaterials], asked: Sequence[str]
    ) -> tuple[MaterialCandidate, ...]:
        """Return the first different materials of scenes, with the files that the user may choose for the
        names `asked` of the geometries; none if there is no choice.
        """
        if len(scenes) < 2:
            return ()
        made = []
        for each in scenes[:CANDIDATES]:
            found = [self._find(name, each.file, _is_material) if name else None for name in each.names]
            pairs = zip(asked, found, strict=True)
            files = tuple((name, file.path) for name, file in pairs if isinstance(file, FoundResource))
            names = dict.fromkeys(file_name(name) for name in each.names if name)
            made.append(MaterialCandidate(", ".join(names), each.uses, files))
        return tuple(made)

    def _make(self, name: str, from_: str) -> Material:
        found = self._find(name, from_, _is_material)
        if isinstance(found, Missing):
            self._report.warn(
                f"material {name} is missing; searched {counted(len(found.searched), 'path')}",
                MISSING_TEXTURE,
            )
            return Material(name, searched=found.searched, vertex_color=self._colored)
        return self._read(name, found)

    def _read(self, name: str, found: FoundResource) -> Material:
        try:
            text = parse_material(found.read(SHORT_TEXT_LIMIT), found.path)
        except FormatError as error:
            self._report.fail(error)
            self._report.need(needed("material", name, found, fault=("unreadable", error.why)))
            return Material(name, found.path, by=found.by, how=found.how)
        return self._material(name, found, text, self._technique(text.technique, found.path))

    def _find(self, name: str, from_: str, is_kind: Callable[[bytes, str], bool]) -> FoundResource | Missing:
        """Search for a resource that the file `from_` names. In a project with a marker file, a file whose
        base name is right counts too, if no other file has this base name. The content of the file must be of
        the expected kind, because materials, techniques and prefabs have the same suffix.
        """
        found = self._search.find(name, from_=from_, sole=True)
        if isinstance(found, Missing) or found.by != "project":
            return found
        if SourceIndex.matches_whole(found.stored, name):
            return found
        try:
            marked = any(each.marked and each.source is found.source for each in self._search.projects())
            if marked and is_kind(found.read(SHORT_TEXT_LIMIT), found.path):
                return found
        except FormatError:
            pass
        return self._search.find(name, near_model=False)

    def _technique(self, name: str, from_: str) -> Technique:
        """The technique with this resource name, which the file `from_` names. If the technique's file is
        missing or broken, the properties are taken from the technique's name, as in the stock techniques. The
        colours of the vertices are then shown, because rbfx shows them with any technique.

        If the vertices have no colours, projects are not searched for a stock technique, because its name
        gives the same properties as its file.
        """
        if name not in self._techniques:
            technique = replace(named_technique(name), vertex_color=self._colored and bool(name))
            known = not technique.all_units or re.search(RBFX_NAME, name) is not None
            if name and (self._colored or not known):
                found = self._find(name, from_, _is_technique)
            else:
                found = self._search.find(name, near_model=False)
            if isinstance(found, FoundResource):
                try:
                    technique = parse_technique(found.read(SHORT_TEXT_LIMIT), found.path)
                except FormatError as error:
                    self._report.fail(error)
            elif name and not known:
                self._report.warn(
                    f"technique {name} is missing and its name is unknown: every texture is drawn"
                )
            self._techniques[name] = technique
        return self._techniques[name]

    def _material(
        self, name: str, resource: FoundResource, text: MaterialText, technique: Technique
    ) -> Material:
        defines = technique.defines | text.defines
        units = self._units(text, technique, defines, resource.path)
        picture = text.textures["diffuse"] if "diffuse" in units else ""
        return Material(
            name,
            resource.path,
            by=resource.by,
            how=resource.how,
            units=units,
            unsampled={
                unit: name
                for unit, name in text.textures.items()
                if not _samples(technique, _role(unit, defines), defines)
            },
            diffuse=self._diffuse(text, technique),
            specular=MATTE if PHYSICAL in defines else self._numbers_of(text, "MatSpecColor", MATTE),
            emissive=self._numbers_of(text, "MatEmissiveColor", (0.0, 0.0, 0.0, 1.0))[:3],
            blend=technique.blend,
            alpha_mask=ALPHA_MASK if "ALPHAMASK" in defines else None,
            cull=CULLS.get(technique.cull or text.cull, "back"),
            fill=text.fill if text.fill in FILLS else "solid",
            unlit=technique.unlit,
            vertex_color=technique.vertex_color or "VERTEXCOLOR" in text.defines,
            packed_normal="PACKEDNORMAL" in defines,
            depth_test=technique.depth_test,
            depth_write=technique.depth_write,
            render_order=text.render_order,
            u_offset=self._numbers_of(text, "UOffset", (1.0, 0.0, 0.0, 0.0)),
            v_offset=self._numbers_of(text, "VOffset", (0.0, 1.0, 0.0, 0.0)),
            cube=self.textures.cube(picture, "diffuse", resource.path) if picture else (),
            parameters=text.parameters,
            technique=text.technique,
            shader=technique.shader,
            shader_defines=technique.shader_defines + text.pixel_defines,
            shader_known=bool(text.technique) and not named_technique(text.technique).all_units,
        )

    def _units(
        self, text: MaterialText, technique: Technique, defines: frozenset[str], file: str
    ) -> dict[str, int]:
        """The numbers of the textures that the technique samples, by the role of their unit."""
        units: dict[str, int] = {}
        for unit, name in text.textures.items():
            unit = _role(unit, defines)
            sampled = _samples(technique, unit, defines)
            number = self.textures.number(name, unit, file) if sampled else None
            if number is not None:
                units[unit] = number
        return units

    def _diffuse(self, text: MaterialText, technique: Technique) -> Color:
        """The base colour. If it is black and is added, nothing is seen of it: then it is the tint among the
        parameters, which the shader of a program adds.
        """
        color = self._numbers_of(text, "MatDiffColor", (1.0, 1.0, 1.0, 1.0))
        if technique.blend not in ADDED or any(color[:3]):
            return color
        colors: dict[str, Rgb] = {}
        for name, value in text.parameters.items():
            numbers = floats(value, (0.0, 0.0, 0.0))
            if name not in STOCK_COLORS and len(value.split()) > 2 and numbers is not None:
                red, green, blue = numbers
                colors[name] = red, green, blue
        tint = tint_of(colors)
        return color if tint is None else (*tint, color[3])

    def _numbers_of(
        self, text: MaterialText, name: str, default: tuple[float, float, float, float]
    ) -> tuple[float, float, float, float]:
        value = text.parameters.get(name, "")
        numbers = floats(value, default)
        if numbers is None:
            self._report.warn(
                f"parameter {name} of {text.file} has values that are not numbers: {value[:40]!r}"
            )
            return default
        x, y, z, w = numbers
        return x, y, z, w


def _is_material(data: bytes, file: str) -> bool:
    return bool(parse_material(data, file).technique)


def _is_technique(data: bytes, file: str) -> bool:
    return b"pass" in data and bool(parse_technique(data, file))


def _role(unit: str, defines: frozenset[str]) -> str:
    """The role of a texture unit. The role of the emissive unit is `occlusion` with the define AO, and
    `lightmap` with the define LIGHTMAP.
    """
    if unit != "emissive" or not defines & {"AO", "LIGHTMAP"}:
        return unit
    return "occlusion" if "AO" in defines else "lightmap"


def _samples(technique: Technique, unit: str, defines: frozenset[str]) -> bool:
    return technique.all_units or unit not in UNIT_DEFINES or UNIT_DEFINES[unit] in defines
