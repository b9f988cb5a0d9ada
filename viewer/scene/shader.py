"""A compiled shader: its parameters, its programs with their disassembly, and the defines of its build."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from viewer.scene.material import Material, Texture


class PieceKind(Enum):
    """The kinds of pieces of a disassembled line; the kind decides the colour."""

    OPCODE = "opcode"
    FLOW = "flow"
    DECLARATION = "declaration"
    REGISTER = "register"
    SWIZZLE = "swizzle"
    MODIFIER = "modifier"
    NUMBER = "number"
    COMMENT = "comment"
    PLAIN = "plain"


class InstructionKind(Enum):
    """What an instruction is for; statistics count instructions by it."""

    ARITHMETIC = "arithmetic"
    TEXTURE = "texture"
    FLOW = "flow control"
    DECLARATION = "declaration"
    COMMENT = "comment"
    END = "end"
    UNKNOWN = "unknown"


Piece = tuple[str, PieceKind]


class RegisterUse(Struct, frozen=True):
    """A register that an instruction names: register `number` of register file `file` (`c`).

    `mask` has a bit per component, x lowest. `relative`: an address register is added to the number.
    `declares`: the instruction declares or defines the register without reading or writing it.
    """

    file: str
    number: int
    mask: int = 0xF
    relative: bool = False
    declares: bool = False


class ListingLine(Struct, frozen=True):
    """One instruction of `size` bytes at file offset `offset`, nested in `depth` blocks. `note` names the
    parameters that it uses.
    """

    offset: int
    size: int
    kind: InstructionKind
    depth: int
    pieces: tuple[Piece, ...]
    note: str = ""

    @property
    def text(self) -> str:
        """The line as plain text."""
        return "".join(text for text, _ in self.pieces)


class InstructionCounts(Struct, frozen=True):
    """The statistics of a program. `kinds` and `opcodes` count its instructions, most frequent first.
    `registers` lists the numbers of the used registers by register file, `declared` the numbers of the
    registers that the program declares or defines.
    """

    kinds: dict[InstructionKind, int] = field(default_factory=dict)
    opcodes: dict[str, int] = field(default_factory=dict)
    registers: dict[str, tuple[int, ...]] = field(default_factory=dict)
    declared: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def instructions(self) -> int:
        """The number of executed instructions, without declarations, comments and the end."""
        return sum(count for kind, count in self.kinds.items() if kind not in PASSIVE)


PASSIVE = frozenset({InstructionKind.DECLARATION, InstructionKind.COMMENT, InstructionKind.END})


class SignatureElement(Struct, frozen=True):
    """One row of a signature: `semantic` and `index` (TEXCOORD1), register, component type and components;
    `used` are the components that the program reads (input) or writes (output).
    """

    semantic: str
    index: int
    register: int
    type: str
    components: str
    used: str


class ShaderProgram(Struct, eq=False, dict=True):
    """A shader program with its `name` in the file and its `profile`, such as `vs_3_0`.

    `checksum`: the stored checksum is right (None: not checked). `make_lines` disassembles the program at the
    first use of `lines`.
    """

    name: str
    profile: str
    statistics: InstructionCounts
    make_lines: Callable[[], Sequence[ListingLine]] = tuple
    inputs: tuple[SignatureElement, ...] = ()
    outputs: tuple[SignatureElement, ...] = ()
    checksum: bool | None = None

    @cached_property
    def lines(self) -> Sequence[ListingLine]:
        """The disassembly in file order."""
        return self.make_lines()


def bits(components: str) -> int:
    """The bits of a component string such as `xz`, x lowest."""
    return sum(1 << "xyzw".index(letter) for letter in set(components))


def letters(mask: int) -> str:
    """The component string of the bits in `mask`, such as `xz`."""
    return "".join(letter for number, letter in enumerate("xyzw") if mask >> number & 1)


def ranges(numbers: Sequence[int]) -> str:
    """Return numbers as text; runs of consecutive numbers are joined: `0–3 8`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return " ".join("–".join(map(str, run)) for run in runs)


ROW, PART = 16, 4
"""The size in bytes of a register, and of one of its components."""

UNITS = {
    "DiffMap": "diffuse",
    "DiffCubeMap": "diffuse",
    "NormalMap": "normal",
    "SpecMap": "specular",
    "EmissiveMap": "emissive",
    "EnvMap": "environment",
    "EnvCubeMap": "environment",
}
"""Maps the names of Urho3D's texture units to the units of a `Material`."""


class ShaderParameter(Struct, frozen=True):
    """A value that the engine sets by `name`. If `buffer` is None, it fills `size` registers from c`start`.
    Otherwise it fills `size` bytes of the constant buffer `buffer` from the offset `start`.
    """

    name: str
    buffer: int | None
    start: int
    size: int

    @property
    def register(self) -> str:
        """The first register of the parameter: `c20`, `cb5[0]`; `none` if no program has it."""
        if self.buffer is None and not self.size:
            return "none"
        return f"c{self.start}" if self.buffer is None else f"cb{self.buffer}[{self.start // ROW}]"

    @property
    def byte_range(self) -> tuple[int, int]:
        """The range of bytes, counted from register 0: the first byte, and the byte after the range."""
        unit = ROW if self.buffer is None else 1
        return self.start * unit, (self.start + self.size) * unit

    def named(self, use: RegisterUse) -> str:
        """The name of a used register within the parameter: `Model[1]`; empty if the register lies outside
        it.
        """
        if use.file != ("c" if self.buffer is None else f"cb{self.buffer}") or not self._reaches(use):
            return ""
        first, end = self.byte_range
        row, rows = use.number - first // ROW, -(-end // ROW) - first // ROW
        return f"{self.name}[{row}…]" if use.relative else f"{self.name}[{row}]" if rows > 1 else self.name

    def _reaches(self, use: RegisterUse) -> bool:
        """Whether one of the used components lies in the parameter."""
        first, end = self.byte_range
        parts = (use.number * ROW + PART * part for part in range(ROW // PART) if use.mask >> part & 1)
        return any(at < end and first < at + PART for at in parts)


class TextureUnitSlot(Struct, frozen=True):
    """A texture unit of a shader. `sampler` is its sampler's number, -1 without a sampler."""

    name: str
    sampler: int

    @property
    def register(self) -> str:
        """The sampler's register: `s10`."""
        return f"s{self.sampler}" if self.sampler >= 0 else "none"


class CompiledShader(Struct, frozen=True, eq=False):
    """A compiled shader. `stage` is `vertex` or `pixel`, `model` the shader model. `buffers` are the names of
    the constant buffers.

    `element_hash` is the stored hash of the vertex inputs. `expected_hash` is the hash of the inputs in the
    code (None: unknown). `hash` is the hash of the defines in the file's name (None: the name has no hash).
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
        """The names of the parameters or texture units in a register, separated by commas. If the instruction
        declares the register, only texture units are named.
        """
        if use.file in ("s", "t"):
            return ", ".join(unit.name for unit in self.units if unit.sampler == use.number)
        if use.declares:
            return ""
        return ", ".join(filter(None, (parameter.named(use) for parameter in self.parameters)))


def material_values(
    shader: CompiledShader, material: Material, textures: Sequence[Texture]
) -> dict[str, str]:
    """Return the material's value for each parameter of the shader, and the name of the texture for each
    texture unit. The keys are the names of the parameters and texture units in the shader.
    """
    values = {
        each.name: material.parameters[each.name]
        for each in shader.parameters
        if each.name in material.parameters
    }
    bound = ((each.name, material.units.get(UNITS.get(each.name, ""))) for each in shader.units)
    return values | {
        name: textures[number].name for name, number in bound if number is not None and number < len(textures)
    }


class Spelling(Struct, frozen=True):
    """A normalised `text` of defines: `how` describes the normalisation, `hash` is the hash of the text."""

    how: str
    text: str
    hash: int


def sdbm(text: str) -> int:
    """The 32-bit SDBM hash of the text's UTF-8. Source: Urho3D `MathDefs.h`, `SDBMHash`."""
    value = 0
    for byte in text.encode("utf-8", "surrogateescape"):
        value = (byte + 65599 * value) & 0xFFFFFFFF
    return value


def spellings(text: str) -> tuple[Spelling, ...]:
    """Return the normalised forms of a text of defines; the engine may have hashed any of them.

    The engine sorts the defines and makes them upper-case; up to release 1.7 it then hashed them in lower
    case. Source: Urho3D `Shader::NormalizeDefines`, `StringHash::Calculate`.
    """
    sorted_ = " ".join(sorted(text.upper().split()))
    tried = {
        "as typed": text,
        "sorted, upper-case": sorted_,
        "sorted, lower-case": sorted_.lower(),
        "lower-case": text.lower(),
    }
    found: dict[str, str] = {}
    for how, spelt in tried.items():
        found.setdefault(spelt, how)
    return tuple(Spelling(how, spelt, sdbm(spelt)) for spelt, how in found.items())


def fitting(text: str, hash: int) -> Spelling | None:
    """Find the normalised form of the defines that has this hash."""
    return next((each for each in spellings(text) if each.hash == hash), None)
