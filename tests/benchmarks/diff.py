"""Comparing two files against reading and comparing their bytes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.benchmarks.measure import Row, Rows, best
from tests.benchmarks.parse import LARGE
from tests.synthetic import ELEMENTS, VERTEX, model_bytes, model_record
from viewer.arrays import Array
from viewer.binary import Struct
from viewer.compare.diff.comparing import compare
from viewer.formats import open_document
from viewer.formats.urho3d.elements import ELEMENT

Change = Callable[[Array, Array], tuple[Array, Array]]


def rows() -> Rows:
    """Two skinned models of 100 MB: some vertices moved, all changed, and all in another order."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "base.mdl").write_bytes(large_model(lambda vertices, indices: (vertices, indices)))
        for what, change, limit in (
            ("some vertices moved", _some_moved, 40),
            ("all vertices changed", _all_changed, 60),
            ("another order of vertices", _reordered, 120),
        ):
            (folder / "other.mdl").write_bytes(large_model(change))
            yield _row(f"diff of 100 MB: {what}", folder, limit)


def large_model(change: Change) -> bytes:
    """A wavy sheet of 100 MB moved by two bones, after `change` of its vertices and indices."""
    count = LARGE * 2 // 3 // VERTEX.itemsize
    side, numbers = int(count**0.5), np.arange(count)
    vertices = np.zeros(count, VERTEX)
    vertices["position"][:, 0], vertices["position"][:, 1] = numbers % side / side, numbers // side / side
    vertices["position"][:, 2] = np.sin(numbers % side * 0.1) * 0.01
    vertices["normal"][:, 1] = 1
    vertices["uv0"] = vertices["position"][:, :2]
    vertices["weights"][:, :2] = 0.75, 0.25
    vertices["joints"][:, 1] = 1
    vertices, indices = change(vertices, (np.arange(LARGE // 3 // 12 * 3) % count).astype("<u4"))
    elements = np.array(list(ELEMENTS), ELEMENT)
    lods = model_record().geometries[0].lods[:1].copy()
    lods["count"] = len(indices)
    return model_bytes(
        vertex_buffers=[
            Struct(vertex_count=count, elements=elements, morph_start=0, morph_count=0, vertices=vertices)
        ],
        index_buffers=[Struct(index_count=len(indices), index_size=4, indices=indices)],
        geometries=[Struct(bone_map=np.array([0, 1], "<u4"), lods=lods)],
        morphs=[],
    )


def _some_moved(vertices: Array, indices: Array) -> tuple[Array, Array]:
    vertices["position"][1000:1010] += 0.1
    return vertices, indices


def _all_changed(vertices: Array, indices: Array) -> tuple[Array, Array]:
    vertices["position"] += 0.01
    vertices["normal"][:, 0] = 0.1
    vertices["weights"][:, :2] = 0.7, 0.3
    return vertices, indices


def _reordered(vertices: Array, indices: Array) -> tuple[Array, Array]:
    order = np.random.default_rng(1).permutation(len(vertices))
    return vertices[order], np.argsort(order)[indices].astype("<u4")


def _row(name: str, folder: Path, limit: float) -> Row:
    paths = folder / "base.mdl", folder / "other.mdl"

    def ours() -> None:
        compare(*(open_document(path) for path in paths))

    def floor() -> None:
        one, other = (np.fromfile(path, np.uint32) for path in paths)
        np.count_nonzero(one[: min(len(one), len(other))] != other[: min(len(one), len(other))])

    seconds = [best(run, clock=time.thread_time) for run in (ours, floor)]
    return Row(name, *seconds, limit, "reading both and comparing their numbers")
