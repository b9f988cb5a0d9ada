"""Builds programs from shader files, with includes, defines, errors with file and line, and live reload."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import moderngl
import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.errors import ShaderError
from viewer.gpu.bindings import Bindings
from viewer.gpu.program import Program, Variant
from viewer.gpu.target import RenderTarget
from viewer.paths import folder


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl+C to the end of the block.

    moderngl calls Python functions while it builds a program, and crashes if one of these functions raises an
    exception.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupts: list[object] = []
    before = signal.signal(signal.SIGINT, lambda *caught: interrupts.append(caught))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
        if interrupts:
            signal.raise_signal(signal.SIGINT)


class VertexCapture:
    """Runs vertex shaders to read their outputs. It owns a framebuffer of one pixel, because a context
    without a window captures zeros unless a framebuffer is bound.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._target: RenderTarget | None = None

    def read(
        self, vao: moderngl.VertexArray, bindings: Bindings, row: np.dtype, vertices: int, instances: int = 1
    ) -> Array:
        """Return the packed outputs of all vertices of all instances, an array [`vertices` × `instances`] of
        the dtype `row`. `bindings` are all textures and blocks that the program reads.
        """
        count = vertices * instances
        if not count:
            return np.empty(0, row)
        if self._target is None:
            self._target = RenderTarget(self._ctx, (1, 1))
        if self._ctx.fbo is not self._target.framebuffer:
            self._target.framebuffer.use()
        vao.program.extra.bind(bindings)
        captured = self._ctx.buffer(reserve=count * row.itemsize)
        try:
            # The default mode, triangles, would drop an incomplete last triangle.
            vao.transform(captured, moderngl.POINTS, vertices=vertices, instances=instances)
            return np.frombuffer(captured.read(), row)
        finally:
            captured.release()

    def release(self) -> None:
        """Release the framebuffer of one pixel."""
        if self._target is not None:
            self._target.release()
            self._target = None


VERSION = "#version 330 core"
NAME = re.compile(r"\b[A-Z][A-Z0-9_]+\b")
INCLUDE = re.compile(r'^\s*#include\s+"([^"]+)"\s*$')
LINE_REFERENCE = re.compile(r"\b\d+(?::(\d+)(?:\(\d+\))?|\((\d+)\))")
"""A line number in a driver's log: `0:12(5): error` (Mesa), `0(12) : error` (NVIDIA), `ERROR: 0:12: ` (AMD,
Intel, Apple).
"""
FILE_LINES = 100_000
"""In `#line`, line n of file k gets the number k × FILE_LINES + n, because Mesa reports the line number of
`#line`, but not its file number.
"""
SHOWN = 12
"""At most this number of lines of a driver's log is shown. Later errors are consequences of the first errors.
"""
LINKED_PROGRAMS = 32
"""The number of programs that stay linked. With Mesa, each program takes 1.2 to 2 MB."""


class ShaderSource(Struct):
    """The source of one shader stage for the driver, and the files from which it was made."""

    text: str
    files: list[Path]


class ShaderBody(Struct, frozen=True, eq=False):
    """A shader file with its includes, before any defines. `names` are the words in it that may be names of
    constants, `stamps` the modification times of the files.
    """

    text: str
    names: frozenset[str]
    stamps: Mapping[Path, int]


def read_body(path: Path) -> ShaderBody:
    """Read a shader file with its includes. Includes are searched beside the file, then in the folder
    `include` beside it.

    Include guards make the preprocessor use each file once. ShaderError, with the including line, if a file
    is missing or includes itself.
    """
    files: list[Path] = []
    text = "\n".join(_expand(path, files, (), (path, 0)))
    return ShaderBody(text, frozenset(NAME.findall(text)), {file: _stamp(file) for file in files})


def compose(
    body: ShaderBody, defines: Iterable[str] = (), shared: Mapping[str, str] | None = None
) -> ShaderSource:
    """Prepend `#version` and the sorted `#define`s to a shader.

    A define is `NAME` or `NAME=VALUE`; `shared` constants are defined if the text uses them.
    """
    used = (f"{name}={value}" for name, value in (shared or {}).items() if name in body.names)
    head = [VERSION, *(f"#define {define.replace('=', ' ', 1)}" for define in sorted({*defines, *used}))]
    return ShaderSource("\n".join([*head, body.text]) + "\n", [*body.stamps])


def _expand(path: Path, files: list[Path], above: tuple[Path, ...], include: tuple[Path, int]) -> list[str]:
    """Return the lines of a file with its includes. `above` are the files that include this file, outermost
    first; `include` is the file and line of the `#include`.
    """
    if path in above:
        raise ShaderError(str(include[0]), include[1], f"{path.name} includes itself")
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ShaderError(str(include[0]), include[1], f"cannot read {path}: {error.strerror}") from error
    if path not in files:
        files.append(path)
    start = files.index(path) * FILE_LINES
    lines = [f"#line {start + 1}"]
    base = (*above, path)[0].parent
    for row, line in enumerate(text.splitlines(), start=1):
        found = INCLUDE.match(line)
        if found:
            inner = _expand(_find(base, found[1]), files, (*above, path), (path, row))
            lines += [*_guarded(found[1], inner), f"#line {start + row + 1}"]
        else:
            lines.append(line)
    return lines


def _find(base: Path, name: str) -> Path:
    sibling = base / name
    return sibling if sibling.exists() else base / "include" / name


def _guarded(name: str, lines: list[str]) -> list[str]:
    """Put an include guard around the lines of a file, because several `#ifdef`s may include the
    same file.
    """
    guard = "INCLUDED_" + re.sub(r"\W", "_", name)
    return [f"#ifndef {guard}", f"#define {guard}", *lines, "#endif"]


def log_error(log: str, files: list[Path]) -> ShaderError:
    """Convert the driver's log to an error at the first line that the log names. In the text, file names
    replace file numbers.
    """
    locations: list[tuple[Path, int]] = []

    def named(match: re.Match[str]) -> str:
        """The file name and line that replace a line number of the log."""
        number, line = divmod(int(match[1] or match[2]), FILE_LINES)
        if number >= len(files):
            return match[0]
        locations.append((files[number], line))
        return f"{files[number].name}:{line}"

    shown = "\n".join(LINE_REFERENCE.sub(named, log).strip().splitlines()[:SHOWN])
    file, line = locations[0] if locations else (files[0], 0)
    return ShaderError(str(file), line, shown)


class Composer:
    """Builds programs from the files of `root` (None: Rigscope's shader folder) and owns them.

    `constants` are GLSL expressions by name, defined in each shader that uses them. `capture` reads back the
    outputs of vertex shaders. Besides programs in use, at most `LINKED_PROGRAMS` programs stay linked. The
    least recently used programs are released; their next use links them again.
    """

    def __init__(
        self, ctx: moderngl.Context, root: Path | None = None, constants: Mapping[str, str] | None = None
    ) -> None:
        self.ctx = ctx
        self._constants = constants
        self.root = root or folder("shaders")
        self.capture = VertexCapture(ctx)
        self._frame = 0
        self._linked: set[Program] = set()
        self._programs: WeakValueDictionary[Variant, Program] = WeakValueDictionary()
        self._bodies: dict[str, ShaderBody] = {}

    def begin_frame(self) -> None:
        """Begin a frame. Programs used in this frame stay linked until the end of the next frame."""
        self._frame += 1

    def program(
        self,
        vertex: str,
        fragment: str | None = None,
        defines: Iterable[str] = (),
        varyings: tuple[str, ...] = (),
        geometry: str | None = None,
    ) -> Program:
        """Return the program of these files and defines. It is built at the first call. ShaderError if it
        does not compile.

        `varyings` are captured by transform feedback; such a program needs no fragment shader.
        """
        variant = Variant.of(vertex, fragment, defines, varyings, geometry)
        found = self._programs.get(variant) or Program(variant, self._use)
        self._use(found)
        self._programs[variant] = found
        return found

    def has_room(self, vertex: str, fragment: str, defines: Iterable[str], geometry: str | None) -> bool:
        """Whether this program is linked, or can be linked without exceeding the limit of programs in use."""
        found = self._programs.get(Variant.of(vertex, fragment, defines, (), geometry))
        return found in self._linked or sum(map(self._in_use, self._linked)) < LINKED_PROGRAMS

    @property
    def files(self) -> set[Path]:
        """The paths of the shader files from which the programs were built."""
        return {path for program in self._programs.values() for path in program.stamps}

    def reload(self) -> list[ShaderError]:
        """Rebuild the programs whose files were edited; a program that does not compile keeps its last
        working build.
        """
        errors = []
        for program in self._linked:
            if all(_stamp(path) == stamp for path, stamp in program.stamps.items()):
                continue
            try:
                handle, stamps = self._build(program.variant)
            except ShaderError as error:
                errors.append(error)
                program.stamps = {path: _stamp(path) for path in program.stamps}
                continue
            program.release()
            program.adopt(handle, stamps)
        return errors

    def release(self) -> None:
        """Release every program and the vertex capture."""
        self.capture.release()
        for program in self._linked:
            program.release()
        self._linked.clear()
        self._programs.clear()

    def _use(self, program: Program) -> None:
        """Record the use of a program, and link it if needed."""
        program.last_frame = self._frame
        if program not in self._linked:
            program.adopt(*self._build(program.variant))
            self._linked.add(program)
            self._release_oldest()

    def _in_use(self, program: Program) -> bool:
        return program.last_frame >= self._frame - 1

    def _release_oldest(self) -> None:
        """Release the least recently used programs, except programs in use, until at most `LINKED_PROGRAMS`
        are linked.
        """
        idle = sorted(
            (each for each in self._linked if not self._in_use(each)), key=lambda each: each.last_frame
        )
        for program in idle[: max(len(self._linked) - LINKED_PROGRAMS, 0)]:
            self._linked.remove(program)
            program.release()

    def _build(self, variant: Variant) -> tuple[moderngl.Program, dict[Path, int]]:
        bodies = {stage: self._body(name) for stage, name in variant.stages.items()}
        stamps = {path: stamp for body in bodies.values() for path, stamp in body.stamps.items()}
        stages = {stage: compose(body, variant.defines, self._constants) for stage, body in bodies.items()}
        try:
            texts: dict[str, Any] = {stage: source.text for stage, source in stages.items()}
            with uninterrupted():
                handle = self.ctx.program(**texts, varyings=variant.varyings)
        except moderngl.Error as error:
            failed = next((each for each in stages if each in str(error)), "vertex_shader")
            raise log_error(str(error), stages[failed].files) from None
        return handle, stamps

    def _body(self, name: str) -> ShaderBody:
        """Return a file of the shader folder with its includes. The files are read once, and again after one
        of them was edited.
        """
        found = self._bodies.get(name)
        if found is None or any(_stamp(path) != stamp for path, stamp in found.stamps.items()):
            found = self._bodies[name] = read_body(self.root / name)
        return found


def _stamp(path: Path) -> int:
    """The modification time of a file; 0 for a missing file. An edited file is missing for a moment while the
    editor replaces it.
    """
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
