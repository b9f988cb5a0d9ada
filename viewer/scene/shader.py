"""A compiled shader in neutral terms: what the engine sets by name, and the program that reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from viewer.dataclass import dataclass

if TYPE_CHECKING:
    from viewer.scene.listing import RegisterUse, ShaderProgram
    from viewer.scene.material import Material, Texture

ROW, PART = 16, 4
"""Bytes of a register, and of each of its components."""

UNITS = {
    "DiffMap": "diffuse",
    "DiffCubeMap": "diffuse",
    "NormalMap": "normal",
    "SpecMap": "specular",
    "EmissiveMap": "emissive",
    "EnvMap": "environment",
    "EnvCubeMap": "environment",
}
"""The unit of a `Material` that a texture unit of Urho3D is fed from."""


class ShaderParameter(NamedTuple):
    """A value that the engine sets by `name`: `size` registers c from `start` on, or where `buffer` is a
    number, `size` bytes at `start` of that constant buffer."""

    name: str
    buffer: int | None
    start: int
    size: int

    @property
    def register(self) -> str:
        """The register that it begins in: `c20`, `cb5[0]`; `none` where no program takes it."""
        if self.buffer is None and not self.size:
            return "none"
        return f"c{self.start}" if self.buffer is None else f"cb{self.buffer}[{self.start // ROW}]"

    @property
    def place(self) -> tuple[int, int]:
        """Where it is, in bytes from the first register: the first byte and the one behind the last."""
        unit = ROW if self.buffer is None else 1
        return self.start * unit, (self.start + self.size) * unit

    def named(self, use: RegisterUse) -> str:
        """What a register is called that lies in it: `Model[1]`; empty where it is of another."""
        if use.file != ("c" if self.buffer is None else f"cb{self.buffer}") or not self._reaches(use):
            return ""
        first, end = self.place
        row, rows = use.number - first // ROW, -(-end // ROW) - first // ROW
        return f"{self.name}[{row}…]" if use.relative else f"{self.name}[{row}]" if rows > 1 else self.name

    def _reaches(self, use: RegisterUse) -> bool:
        """Whether one of the components that are used lies in it."""
        first, end = self.place
        parts = (use.number * ROW + PART * part for part in range(ROW // PART) if use.mask >> part & 1)
        return any(at < end and first < at + PART for at in parts)


class TextureUnitSlot(NamedTuple):
    """A texture unit by name, and the sampler that it is bound to; -1: none."""

    name: str
    sampler: int

    @property
    def register(self) -> str:
        """The sampler's register: `s10`."""
        return f"s{self.sampler}" if self.sampler >= 0 else "none"


@dataclass(frozen=True, slots=True, eq=False)
class CompiledShader:
    """`stage` is `vertex` or `pixel`, `model` the shader model. `buffers` are the names of the constant
    buffers; `element_hash` is what the vertex inputs have to hash to, `expected_hash` what the inputs in the
    code do hash to (None: not told). `hash` is the hash of the defines in the file's name, None without one.
    """

    stage: str
    model: int
    parameters: tuple[ShaderParameter, ...] = ()
    units: tuple[TextureUnitSlot, ...] = ()
    programs: tuple[ShaderProgram, ...] = ()
    buffers: tuple[str, ...] = ()
    element_hash: int | None = None
    expected_hash: int | None = None
    hash: int | None = None

    def names(self, use: RegisterUse) -> str:
        """The parameters and units that a register holds, as they are called; of a declaration the units."""
        if use.file in ("s", "t"):
            return ", ".join(unit.name for unit in self.units if unit.sampler == use.number)
        if use.declares:
            return ""
        return ", ".join(filter(None, (parameter.named(use) for parameter in self.parameters)))


def given(shader: CompiledShader, material: Material, textures: Sequence[Texture]) -> dict[str, str]:
    """What a material of a model with these textures gives of what the shader asks for, by its name there:
    values as they stand in the material, names of textures."""
    values = {
        each.name: material.parameters[each.name]
        for each in shader.parameters
        if each.name in material.parameters
    }
    bound = ((each.name, material.units.get(UNITS.get(each.name, ""))) for each in shader.units)
    return values | {
        name: textures[number].name for name, number in bound if number is not None and number < len(textures)
    }
