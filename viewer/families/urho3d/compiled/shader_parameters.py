"""Read parameters and texture units of a compiled shader from its record; the layouts of all generations are
supported.
"""

from __future__ import annotations

from collections.abc import Iterable

from viewer.binary import Struct
from viewer.scene.shader import ShaderParameter, TextureUnitSlot, sdbm

Bound = dict[int, tuple[int, int]]
"""Register and number of registers by the hash of a name."""


def parameters_of(record: Struct, program: Struct | None = None) -> tuple[ShaderParameter, ...]:
    """Return the parameters of a shader, in file order.

    If each program of the file assigns its own registers, the registers of `program` are returned. If
    `program` is None, each parameter has its registers in the first program that uses it. An unused parameter
    has no register.
    """
    bound = _bound(record, program, "constants")
    return tuple(_parameter(each, bound) for each in _whole(record.get("parameters", ())))


def units_of(record: Struct, program: Struct | None = None) -> tuple[TextureUnitSlot, ...]:
    """Return the texture units of a shader, in file order. `program` selects their samplers in the same way
    as the registers in `parameters_of`.
    """
    bound = _bound(record, program, "samplers")
    return tuple(_unit(each, bound) for each in _whole(record.get("units", ())))


def _parameter(record: Struct, bound: Bound) -> ShaderParameter:
    buffer, register = record.get("buffer"), record.get("register")
    if buffer is not None:
        return ShaderParameter(record.name, buffer, record.offset, record.size)
    if register is not None:
        return ShaderParameter(record.name, None, register, record.get("registers", 1))
    return ShaderParameter(record.name, None, *bound.get(_hash(record.name), (0, 0)))


def _unit(record: Struct, bound: Bound) -> TextureUnitSlot:
    sampler = record.get("sampler")
    return TextureUnitSlot(
        record.name, bound.get(_hash(record.name), (-1, 0))[0] if sampler is None else sampler
    )


def _bound(record: Struct, program: Struct | None, table: str) -> Bound:
    """The registers in a table of `program`. If `program` is None, the tables of all programs are read, and
    each name has its registers in the first program that uses it.
    """
    found: Bound = {}
    for variation in record.get("variations", ()) if program is None else (program,):
        rows = variation.get(table)
        for row in () if rows is None else rows.tolist():
            found.setdefault(row[0], (row[1], row[2] if len(row) > 2 else 1))
    return found


def _hash(name: str) -> int:
    """The engine's hash of a name, ignoring case."""
    return sdbm(name.lower())


def _whole(records: Iterable[Struct]) -> Iterable[Struct]:
    """The records that were read without an error."""
    return (each for each in records if each.error is None)
