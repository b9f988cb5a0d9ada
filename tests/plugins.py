"""Plugins that tests install: a folder with modules and the folder of their distribution, on the path."""

from __future__ import annotations

import struct
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from viewer.family import registry
from viewer.family.installed import GROUP

SAMPLE = Path(__file__).resolve().parent / "plugin_iqm"
"""The folder of the sample plugin."""
POINTS = '''
from viewer.plugin import (
    Array, Document, Family, Fixed, Format, Geometry, Lod, Magic, Model, Primitive, Record, Report,
    VertexBuffer, VertexElement, read_whole, root_span,
)
import numpy as np

POINT = np.dtype([("position", "<f4", 3)])
LAYOUT = Record(
    "points",
    Magic("magic", (b"PTS3",)),
    Fixed("count", np.dtype("<u4")),
    Array("points", POINT, "count", salvage=True),
)


def model_of(points, name, **changes):
    """The points as a model."""
    buffer = VertexBuffer(
        points.view(np.uint8), len(points), POINT.itemsize, (VertexElement("position", "f32", 3, 0),)
    )
    lod = Lod(0.0, (0,), None, 0, len(points), Primitive.POINTS)
    return Model(name, vertex_buffers=(buffer,), geometries=(Geometry("points", (lod,)),), **changes)


def document_of(file, model_of=model_of):
    """A document of points."""
    report = Report()
    record = read_whole(LAYOUT, file.data, file.path, report)
    points = record.get("points", np.empty(0, POINT))
    return Document(
        path=str(file.path), format="Points", version="1", data=file.data,
        root=root_span(LAYOUT, record, file.data, file.path, report),
        content=model_of(points, file.path.stem), report=report,
    )


def probe(data, suffix):
    return data.startswith(b"PTS3")


FORMAT = Format("Points", (".pts3",), probe, document_of, magics=(b"PTS3",))
FAMILY = Family("Points", (FORMAT,))
'''
"""A family of points."""


def points_bytes(count: int = 3) -> bytes:
    """A file of points."""
    values = [float(n % 7) for n in range(3 * count)]
    return b"PTS3" + struct.pack(f"<I{3 * count}f", count, *values)


def write_plugin(
    folder: Path, lines: Mapping[str, str], source: str, name: str = "made-points", version: str = "1.0"
) -> Path:
    """Write a plugin whose module is `made_points`, or the module that the first line names."""
    folder.mkdir(parents=True, exist_ok=True)
    module = next(iter(lines.values())).partition(":")[0]
    (folder / f"{module}.py").write_text(source, encoding="utf-8")
    record_of(folder, name, version, lines)
    return folder


def record_of(folder: Path, name: str, version: str, lines: Mapping[str, str]) -> None:
    """Write the record of an installed distribution, with lines of the entry point group."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    rows = "".join(f"{suffix} = {value}\n" for suffix, value in lines.items())
    (info / "entry_points.txt").write_text(
        f"[console_scripts]\nmade = made:main\n\n[{GROUP}]\n{rows}", encoding="utf-8"
    )


@contextmanager
def sample_plugin() -> Iterator[Path]:
    """Inside the `with`, the sample plugin is installed; the folder of its record."""
    project = tomllib.loads((SAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    with TemporaryDirectory() as folder, installed(Path(folder), SAMPLE):
        record_of(Path(folder), project["name"], project["version"], project["entry-points"][GROUP])
        yield Path(folder)


@contextmanager
def installed(*folders: Path) -> Iterator[None]:
    """Inside the `with`, the plugins in these folders are installed."""
    before, modules, used = [*sys.path], {*sys.modules}, registry.uses_plugins()
    sys.path[:0] = map(str, folders)
    registry.use_plugins(True)
    try:
        yield
    finally:
        sys.path[:] = before
        for name in {*sys.modules} - modules:
            where = getattr(sys.modules[name], "__file__", None) or ""
            if any(where.startswith(str(folder)) for folder in folders):
                del sys.modules[name]
        registry.use_plugins(used)
