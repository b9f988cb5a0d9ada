"""Make the materials of a mesh from the scripts around it.

A broken or missing file is reported, and the submesh is drawn without it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, islice

from msgspec.structs import replace

from viewer.binary.code_pages import spellings
from viewer.budget import BUDGET
from viewer.errors import MISSING_TEXTURE, FormatError, Report, Topic, counted
from viewer.families.ogre.materials.datablock import read_datablock
from viewer.families.ogre.materials.datablock_material import datablock_material
from viewer.families.ogre.materials.library import CLASSIC_FIRST, FoundMaterial, ScriptLibrary
from viewer.families.ogre.materials.render_pass import PROGRAM, Pass, drawn_passes
from viewer.families.ogre.materials.resources import Resources
from viewer.families.ogre.materials.scene import SceneEntity, entities_in, material_of
from viewer.families.ogre.materials.script import DATABLOCK, ScriptLine
from viewer.families.ogre.materials.texture_unit import ComplainOfLine, TextureUnit
from viewer.scene.material import Flipbook, FoundBy, FoundHow, Material, MaterialSet, Texture, ambiguity
from viewer.scene.names import file_name
from viewer.storage.image import PICTURES, decoders, read_cube, read_header
from viewer.storage.search import FoundResource, Missing

DEFAULTS = ("", "BaseWhite", "BaseWhiteNoLighting")
"""Names of the engine's built-in white material."""

GAME_FRONTS = ("jpg", "tga")
"""Beginnings of the names of pictures in a client of 天龙八部: `jpg_NAME.dds` for the material `NAME`."""
PICTURE_NAMES = re.compile(rf"[^/\\:]*?(?:{'|'.join(map(re.escape, PICTURES))})(?![a-z0-9])", re.IGNORECASE)
"""File names of pictures in the name of a material."""
RAMP_ROWS = 16
"""The largest height in pixels that is a sign of a ramp of light."""
NUMBERS = ("normal", "specular", "metal_roughness")
"""Roles of textures whose values are not colours."""

Aliases = Sequence[Mapping[str, str]]


def resolve_materials(
    mesh_path: str | os.PathLike[str],
    names: Sequence[str],
    resources: Resources,
    report: Report,
    aliases: Aliases = (),
    kinds: tuple[str, ...] = CLASSIC_FIRST,
) -> MaterialSet:
    """Find the materials that submeshes name, and their textures. `kinds` are the kinds of blocks that define
    materials, see `ScriptLibrary`.

    `aliases` are the texture files of each submesh by alias. A missing texture or material has the `searched`
    paths; a missing material has `found=None` and no units.
    """
    table = OgreMaterials(os.fspath(mesh_path), resources, report, kinds)
    numbers = tuple(
        table.number(name, aliases[number] if number < len(aliases) else {}, number)
        for number, name in enumerate(names)
    )
    layers = tuple(() if number is None else table.layers.get(number, ()) for number in numbers)
    return MaterialSet(tuple(table.materials), tuple(table.textures.textures), numbers, layers)


class OgreMaterials:
    """The materials of a mesh and their textures. Each material is made once. `layers` maps the number of a
    material to the numbers of its further passes.
    """

    def __init__(
        self, mesh_path: str, resources: Resources, report: Report, kinds: tuple[str, ...] = CLASSIC_FIRST
    ) -> None:
        self._stem = os.path.splitext(os.path.basename(mesh_path))[0]
        self._resources = resources
        self._report = report
        self._library = ScriptLibrary(resources, report, kinds)
        self._found: dict[str, FoundMaterial | None] = {}
        self._numbers: dict[tuple[object, ...], int | None] = {}
        self.materials: list[Material] = []
        self.layers: dict[int, tuple[int, ...]] = {}
        self.textures = OgreTextures(resources, report)

    def number(self, name: str, aliases: Mapping[str, str], submesh: int) -> int | None:
        """Return the number of a submesh's material with these aliases; None for the engine's white
        material.
        """
        if name not in self._found:
            self._found[name] = self._library.find(name) if name else None
        missing = self._found[name] is None and name not in DEFAULTS
        in_scene = material_of(submesh, self._entities) if missing else ""
        key = (name, in_scene, *aliases.items())
        if key not in self._numbers:
            passes, first = self._make(name, in_scene, aliases), len(self.materials)
            self._numbers[key] = first if passes else None
            self.layers[first] = tuple(range(first + 1, first + len(passes)))
            self.materials += passes
        return self._numbers[key]

    def _make(self, name: str, in_scene: str, aliases: Mapping[str, str]) -> list[Material]:
        """Make a material and its further passes; none for the engine's white material. Scenes give the
        submesh the material `in_scene` if the mesh's own material is missing.
        """
        found, stand_in = self._found[name], None
        if found is None and name in DEFAULTS:
            return []
        if found is None:
            found, stand_in = self._stand_in(name, in_scene)
        picture = None if found else self._picture(name)
        if picture is not None:
            return [picture]
        if found is None:
            self._report.warn(
                f"material {name} is missing; searched the scripts of "
                f"{counted(len(self._places), 'location')}",
                MISSING_TEXTURE,
            )
            return [Material(str(name), searched=self._places)]
        script, block, rivals, given = found
        source = self.textures.script = self._library.source(script)
        how: FoundHow = stand_in or given or source.how
        by: FoundBy = "given" if given else "name" if how in ("name", "only") else source.by
        complain: ComplainOfLine = lambda why, line: self._library.complain(script, why, line)  # noqa: E731
        if block.kind == DATABLOCK:
            datablock = read_datablock(block, complain)
            return [
                replace(
                    datablock_material(str(name), script.file, datablock, self.textures.number, self._report),
                    by=by,
                    how=how,
                    rivals=rivals,
                )
            ]
        own = tuple(ScriptLine("set_texture_alias", pair, block.position) for pair in aliases.items())
        block = replace(block, lines=block.lines + own)
        passes = [self.textures.without_ramps(each) for each in drawn_passes(block, complain)]
        names = (str(name), *(f"{name}, pass {number}" for number in range(2, len(passes) + 1)))
        # A second pass draws what the alpha test of the first pass rejects, also in the small mip levels.
        tested = len(passes) == 1 and passes[0].alpha_function in ("greater", "greater_equal")
        reference = passes[0].alpha_mask if tested else None
        made = (
            self._material(each, script.file, drawn, reference)
            for each, drawn in zip(names, passes, strict=True)
        )
        return [
            replace(material, layer=layer, by=by, how=how, rivals=() if layer else rivals)
            for layer, material in enumerate(made)
        ]

    def _stand_in(self, name: str, in_scene: str) -> tuple[FoundMaterial | None, FoundHow | None]:
        """The material that is drawn for a missing material, and how it fits: the material `in_scene`; a
        material beside the mesh whose name is the missing name without its prefix; the only material of the
        script that has the mesh's name.
        """
        found = self._library.find(in_scene) if in_scene else None
        if found is not None:
            return found, "scene"
        bare = file_name(name)
        found = self._library.beside(bare) if bare and bare != name else None
        if found is not None:
            return found, "name"
        self._library.report_errors()
        only = self._library.only_one(f"{self._stem}.material")
        return (self._library.find(only), "only") if only is not None else (None, None)

    def _picture(self, name: str) -> Material | None:
        """The material of a submesh without a script. It shows the picture in the mesh's folder that has the
        name of the material or of the mesh. If there are no scripts at all, the only picture in the folder is
        shown. Else it shows the picture of the game, or the picture whose file name is part of the material's
        name. None if there is no such picture.
        """
        shown = self._pictures
        own = file_name(name)
        own = os.path.splitext(own)[0] if own.lower().endswith(PICTURES) else own
        stems = {os.path.splitext(file)[0].casefold(): file for file in reversed(shown)}
        alike = stems.get(own.casefold()) or stems.get(self._stem.casefold())
        only = shown[0] if len(shown) == 1 and not self._library.has_scripts else None
        file = alike or only or self._picture_of_game(own) or self._picture_in(name)
        if file is None:
            return None
        how: FoundHow = "only" if only and not alike else "name"
        return Material(str(name), by="name", how=how, units={"diffuse": self.textures.guessed(file, how)})

    def _picture_in(self, name: str) -> str | None:
        """The file name of a picture in a material's name, if there is such a picture; else None."""
        named = (found[0] for found in PICTURE_NAMES.finditer(file_name(name)))
        return next((each for each in named if isinstance(self._resources.find(each), FoundResource)), None)

    def _picture_of_game(self, name: str) -> str | None:
        """The picture for a material without a script, from the archives of a client of 天龙八部: it has the
        material's name. None if there is no such picture.
        """
        fronts = GAME_FRONTS if self._resources.has_game else ()
        for file in (f"{front}_{name}.dds" for front in fronts):
            found = self._resources.find(file)
            if isinstance(found, FoundResource) and found.by == "game":
                return file
        return None

    @cached_property
    def _pictures(self) -> tuple[str, ...]:
        """The pictures with colours in the mesh's folder."""
        files = self._resources.beside(PICTURES)
        return tuple(file for file in files if TextureUnit(files=(file,)).role == "diffuse")

    @cached_property
    def _entities(self) -> list[SceneEntity]:
        """The entities of scenes that show the mesh."""
        scenes = islice(self._resources.scenes(), BUDGET.prefabs)
        return entities_in(scenes, os.path.basename(self._resources.mesh), self._report)

    @cached_property
    def _places(self) -> tuple[str, ...]:
        """The patterns of the files among which scripts were searched."""
        return tuple(
            chain.from_iterable(each.searched("*.material") for each in self._resources.script_locations)
        )

    def _material(self, name: str, path: str, drawn: Pass, reference: float | None) -> Material:
        base = drawn.base or TextureUnit()
        u_offset, v_offset = base.transform(0.0)
        glows = drawn.lighting and any(drawn.emissive)
        units = self._units(drawn, glows, reference)
        images = base.files if len(base.files) > 1 and not base.cubic else ()
        pages = tuple(self.textures.number(file, base, alpha=reference) for file in images)
        return Material(
            name,
            path,
            units=units,
            diffuse=drawn.color,
            specular=drawn.specular,
            emissive=drawn.emissive if glows else (0.0, 0.0, 0.0),
            blend=drawn.blend,
            alpha_mask=None if drawn.alpha_function == "always_pass" else drawn.alpha_mask,
            alpha_function=drawn.alpha_function,
            cull=drawn.cull,
            fill=drawn.fill,
            unlit=not drawn.lighting or (bool(base.files) and base.operation == "replace"),
            vertex_color=drawn.vertex_color or not drawn.lighting,
            depth_test=drawn.depth_test,
            depth_write=drawn.depth_write,
            u_offset=u_offset,
            v_offset=v_offset,
            uv_motion=base.transform if base.transform.moves else None,
            uv_set=base.uv_set,
            flipbook=Flipbook(pages, base.duration) if pages else None,
            cube=tuple(self.textures.number(file, base, alpha=reference) for file in base.cube),
            parameters=drawn.attributes,
            shader_known=PROGRAM not in drawn.attributes,
        )

    def _units(self, drawn: Pass, glows: bool, reference: float | None) -> dict[str, int]:
        """Return the texture numbers by role. If `glows` is True, the base texture also multiplies emitted
        light, unless the pass has an emissive texture. `reference` is the reference value of the alpha test.
        """
        base = drawn.base
        units = {"diffuse": self.textures.number(base.files[0], base, alpha=reference)} if base else {}
        for unit in drawn.units:
            role = "environment" if unit.environment or unit.cubic else unit.role
            if unit.files and unit is not base and unit.content == "named" and role not in units:
                faces = [self.textures.number(file, unit, color=role not in NUMBERS) for file in unit.files]
                units[role] = faces[0]
        for role, file in drawn.maps.items():
            units[role] = self.textures.number(file, TextureUnit(), color=role not in NUMBERS)
        if glows and base:
            units.setdefault("emissive", units["diffuse"])
        return units


class OgreTextures:
    """The textures of a model, in the order in which materials name them. `script` is the script that names
    the next textures.
    """

    def __init__(self, resources: Resources, report: Report) -> None:
        self.script: FoundResource | None = None
        self._resources = resources
        self._report = report
        self._numbers: dict[tuple[object, ...], int] = {}
        self.textures: list[Texture] = []

    def number(self, file: str, unit: TextureUnit, *, color: bool = True, alpha: float | None = None) -> int:
        """Return the number of a file's texture with the unit's settings. `color`: the values are colours
        (sRGB). `alpha` is the reference value of the alpha test; None if there is no test.
        """
        far = self.script is not None and self.script.by == "project"
        near = os.path.dirname(self.script.path) if self.script and far else ""
        settings = (unit.address, unit.border, unit.filter, unit.anisotropy, unit.mipmaps, color, alpha)
        key = (file, near, *settings)
        if key not in self._numbers:
            self._numbers[key] = len(self.textures)
            self.textures.append(replace(self._make(file, unit, color), alpha_reference=alpha))
        return self._numbers[key]

    def without_ramps(self, drawn: Pass) -> Pass:
        """Return the pass with ramps of light marked, so that they are not its base. At least two signs have
        to agree, one of which may be a picture of few rows. A ramp stays the base if the pass has no other
        picture that can be found.
        """
        images = [unit for unit in drawn.units if unit.is_image]
        ramps = [unit for unit in images if unit.ramp_signs and unit.ramp_signs + self._is_low(unit) > 1]
        others = [unit for unit in images if unit not in ramps and unit.role != "normal"]
        if not ramps or not any(isinstance(self._find(unit.files[0]), FoundResource) for unit in others):
            return drawn
        units = (replace(unit, ramp=True) if unit in ramps else unit for unit in drawn.units)
        return replace(drawn, units=tuple(units))

    def _is_low(self, unit: TextureUnit) -> bool:
        """Whether the picture of a unit has few rows."""
        found = self._find(unit.files[0])
        try:
            header = read_header(found) if isinstance(found, FoundResource) else None
        except (FormatError, OSError):
            return False
        return header is not None and header.height <= RAMP_ROWS

    def _find(self, file: str) -> FoundResource | Missing:
        return self._resources.find(file, PICTURES, self.script)

    def guessed(self, file: str, how: FoundHow) -> int:
        """Return the number of the texture of a file that no script names."""
        self.script = None
        number = self.number(file, TextureUnit())
        self.textures[number] = replace(self.textures[number], by="name", how=how)
        return number

    def _make(self, file: str, unit: TextureUnit, color: bool) -> Texture:
        found = self._find(file)
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
                f"texture {file} is missing; searched {counted(len(found.searched), 'path')}",
                MISSING_TEXTURE,
            )
            return replace(texture, searched=found.searched)
        if found.rivals:
            self._report.note(ambiguity("texture", file, found.path, found.rivals), Topic.AMBIGUOUS)
        own = file_name(found.stored).casefold()
        name = next((each for each in spellings(file) if file_name(each).casefold() == own), file)
        place = {"name": name, "path": found.path, "by": found.by, "how": found.how, "rivals": found.rivals}
        read = decoders(found)
        if unit.cubic and len(unit.files) == 1:
            read |= {"decode": partial(read_cube, found), "decode_small": None}
        return replace(texture, **place, **read)
