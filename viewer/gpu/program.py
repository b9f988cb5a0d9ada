"""A shader program made from files. It stays linked while it is in use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
from msgspec import Struct

from viewer.gpu.bindings import slots


class Variant(Struct, frozen=True):
    """The key of a program: its files in the shader folder, its defines, and its transform feedback
    varyings.
    """

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
        """Make the key. The order of `defines` does not matter."""
        return cls(vertex, fragment, tuple(sorted(set(defines))), varyings, geometry)

    @property
    def stages(self) -> dict[str, str]:
        """The shader files, by moderngl's names of the shader stages."""
        files = {
            "vertex_shader": self.vertex,
            "geometry_shader": self.geometry,
            "fragment_shader": self.fragment,
        }
        return {stage: name for stage, name in files.items() if name}


class Program:
    """A program of a `Variant`. `handle` changes when an edited shader is reloaded, or when the program is
    linked again after a release; vertex arrays must then be rebuilt. `handle.extra` has the `Slots` of the
    program.

    `use` is called before each use; it links the program if needed. `stamps` are the modification times of
    the program's files; `last_frame` is the number of the last frame that used the program.
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
        """The linked program; ShaderError if the program was released and its files no longer compile."""
        self._use(self)
        return self._handle

    @property
    def members(self) -> dict[str, Any]:
        """The uniforms, blocks and attributes by name."""
        self._use(self)
        return self._members

    def adopt(self, handle: moderngl.Program, stamps: dict[Path, int]) -> None:
        """Replace the linked program by a new one and set its texture units and block bindings."""
        self._handle, self.stamps = handle, stamps
        self._last.clear()
        self._members = {name: handle[name] for name in handle}
        handle.extra = found = slots(self._members)
        for name, unit in found.textures:
            self._members[name].value = unit
        for name, binding in found.blocks:
            self._members[name].binding = binding

    def set(self, **values: Any) -> None:
        """Set uniforms. Numbers and tuples are passed as they are, arrays [rows, columns] as matrices. Names
        that the compiler removed are skipped, and so are numbers that have not changed.
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
        """Release the linked program; the next use links it again."""
        self._handle.release()
        self._members = {}
