"""A program of shader files, linked while it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
from msgspec import Struct

from viewer.gpu.bindings import slots


class Variant(Struct, frozen=True):
    """The key of a program: files in the shader folder, defines, transform feedback varyings."""

    vertex: str
    fragment: str | None = None
    defines: tuple[str, ...] = ()
    varyings: tuple[str, ...] = ()
    geometry: str | None = None

    @classmethod
    def of(
        cls,
        vertex: str,
        fragment: str | None,
        defines: Iterable[str],
        varyings: tuple[str, ...],
        geometry: str | None,
    ) -> Variant:
        """The key for defines in any order."""
        return cls(vertex, fragment, tuple(sorted(set(defines))), varyings, geometry)

    @property
    def stages(self) -> dict[str, str]:
        """The files by moderngl's names of the stages."""
        files = {
            "vertex_shader": self.vertex,
            "geometry_shader": self.geometry,
            "fragment_shader": self.fragment,
        }
        return {stage: name for stage, name in files.items() if name}


class Program:
    """A program. `handle` changes when an edited shader is reloaded, or when the program is linked again
    after a release; vertex arrays are then rebuilt. `handle.extra` holds the `Slots` of the program.

    `use` is called before each use: it links a program that is not linked. `stamps` are the times of the last
    changes of its files, `last_frame` is the number of the frame that used it last.
    """

    def __init__(self, variant: Variant, use: Callable[[Program], None]) -> None:
        self.variant = variant
        self.stamps: dict[Path, int] = {}
        self.last_frame = 0
        self._use = use
        self._handle: moderngl.Program
        self._members: dict[str, Any] = {}
        self._last: dict[str, Any] = {}

    @property
    def handle(self) -> moderngl.Program:
        """The linked program; ShaderError if it was released and its files no longer compile."""
        self._use(self)
        return self._handle

    @property
    def members(self) -> dict[str, Any]:
        """The uniforms, blocks and attributes by name."""
        self._use(self)
        return self._members

    def adopt(self, handle: moderngl.Program, stamps: dict[Path, int]) -> None:
        """Use this newly linked program from now on."""
        self._handle, self.stamps = handle, stamps
        self._last.clear()
        self._members = {name: handle[name] for name in handle}
        handle.extra = found = slots(self._members)
        for name, unit in found.textures:
            self._members[name].value = unit
        for name, binding in found.blocks:
            self._members[name].binding = binding

    def set(self, **values: Any) -> None:
        """Set uniforms: numbers and tuples unchanged, arrays [rows, columns] as matrices.

        Names that the compiler removed are skipped, and so are numbers that are set already.
        """
        members = self.members
        for name, value in values.items():
            member = members.get(name)
            if member is None:
                continue
            if isinstance(value, np.ndarray):
                member.write(np.ascontiguousarray(value.T, np.float32))
            elif self._last.get(name) != value:
                member.value = self._last[name] = value

    def release(self) -> None:
        """Release the linked program; its next use links it again."""
        self._handle.release()
        self._members = {}
