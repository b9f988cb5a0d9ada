"""The registers of a compiled shader: the owner of each component, and whether the program reads them."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.scene.shader import ROW, CompiledShader, ShaderProgram

PARTS = 4
NOBODY, PROGRAM = -1, -2
"""Owners of a component that are not parameters: no owner, or the program itself, which defines a constant
value.
"""


class Bank(Struct, frozen=True, eq=False):
    """R registers: the constant registers (`file` is `c`) or one constant buffer (`file` is `cb5`).

    `title` is the file with the buffer's name. `owners` [R, 4] is the index of the parameter to which each
    component belongs, or NOBODY or PROGRAM. `read` [R] is True for the registers that the program reads.
    """

    file: str
    title: str
    owners: Array
    read: Array

    def register(self, number: int) -> str:
        """The name of a register: `c20`, `cb5[2]`."""
        return f"c{number}" if self.file == "c" else f"{self.file}[{number}]"


def banks(shader: CompiledShader, program: ShaderProgram | None) -> tuple[Bank, ...]:
    """Return the banks that have parameters or that the program uses, sorted by buffer number."""
    counts = program.statistics if program else None
    used = counts.registers if counts else {}
    declared = counts.declared if counts else {}
    named = {_file(each.buffer) for each in shader.parameters}
    files = {file for file in used if file == "c" or _number(file) is not None} | named
    return tuple(
        _bank(shader, file, used.get(file, ()), declared.get(file, ()) if file == "c" else ())
        for file in sorted(files, key=lambda file: _number(file) or 0)
    )


def _bank(shader: CompiledShader, file: str, used: tuple[int, ...], defined: tuple[int, ...]) -> Bank:
    owners = np.full((BUDGET.registers, PARTS), NOBODY, np.int32)
    flat = owners.reshape(-1)
    read = np.zeros(BUDGET.registers, bool)
    for number, each in enumerate(shader.parameters):
        if _file(each.buffer) == file:
            first, end = each.byte_range
            flat[first * PARTS // ROW : -(-end * PARTS // ROW)] = number
    owners[[number for number in defined if number < BUDGET.registers]] = PROGRAM
    read[[number for number in used if number < BUDGET.registers]] = True
    last = np.flatnonzero(read | (owners != NOBODY).any(axis=1))
    count = int(last[-1]) + 1 if len(last) else 0
    buffer = _number(file)
    known = buffer is not None and buffer < len(shader.buffers)
    title = f"{file} {shader.buffers[buffer]}" if known and buffer is not None else file
    return Bank(file, title, owners[:count], read[:count])


def _file(buffer: int | None) -> str:
    return "c" if buffer is None else f"cb{buffer}"


def _number(file: str) -> int | None:
    """The number of a constant buffer (`cb5` → 5); None for another register file."""
    digits = file.removeprefix("cb")
    return int(digits) if file.startswith("cb") and digits.isdecimal() else None
