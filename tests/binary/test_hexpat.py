"""The ImHex patterns that layouts make, run over files: every leaf is where the span tree has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import ogre_files, ogre_skeletons, packages, synthetic
from tests.conftest import ROOT
from tests.hexpat_evaluator import Pattern, Run
from viewer.binary import Chunk, ChunkStream, Fixed, Record, Repeat, Rows, Span, VariableRows
from viewer.binary.hexpat import pattern
from viewer.formats import open_document
from viewer.formats.ogre.versions import MeshVersion
from viewer.formats.specifications import page

HEADER = "chunk header"
WRONG_LENGTHS = {"A6M.mesh"}
"""Files whose levels of detail declare wrong lengths, by which alone the pattern finds their end."""
TRANSLATED = ("urho3d-model", "urho3d-animation", "urho3d-package", "ogre-mesh", "ogre-skeleton")
PATTERNS = {name: Pattern("\n".join(pattern(page(name).roots[0], page(name).source))) for name in TRANSLATED}


def leaves(span: Span) -> list[Any]:
    """Arrays [N, 2] of offset and size of what is not divided further; a run of plain numbers is not."""
    children = span.children
    if span.type == "chunk 0x5210":  # vertices of an OGRE buffer, whose pattern has them whole
        rows = children[2].children
        steps = np.arange(len(rows))[:, None] * np.array([rows.stride, 0])
        head = leaves(children[0]) + leaves(children[1])
        return [*head, np.array([(children[2].offset, rows.stride)]) + steps]
    if span.type == HEADER:
        return [np.array([(span.offset, 2), (span.offset + 2, 4)])]
    if isinstance(children, Rows) and not isinstance(children, VariableRows):
        if not len(children):
            return []
        if children.items is None or (children.items.ndim == 1 and children.items.dtype.names is None):
            return [np.array([(span.offset, span.size)])]
        row = np.concatenate(leaves(children[0]))
        steps = np.arange(len(children))[:, None, None] * np.array([children.stride, 0])
        return [(row[None] + steps).reshape(-1, 2)]
    if not len(children):
        return [np.array([(span.offset, span.size)])]
    return [each for child in children for each in leaves(child)]


def assert_alike(name: str, path: Path) -> None:
    document = open_document(path)
    run = Run(PATTERNS[name], bytes(document.data))
    every = np.concatenate(leaves(document.root))
    every = every[(every[:, 1] > 0) & (every[:, 0] < run.at)]
    expected = every[np.argsort(every[:, 0], kind="stable")]
    assert run.spans.tolist() == expected.tolist()


@pytest.mark.parametrize("magic", ["UMD2", "UMD3"])
def test_urho3d_models(magic: str, tmp_path: Path) -> None:
    (tmp_path / "post.mdl").write_bytes(synthetic.model_bytes(magic))
    assert_alike("urho3d-model", tmp_path / "post.mdl")


@pytest.mark.parametrize("version", list(MeshVersion), ids=lambda version: version.name)
@pytest.mark.parametrize("order", ["<", ">"])
def test_ogre_meshes(version: MeshVersion, order: Any, tmp_path: Path) -> None:
    (tmp_path / "rich.mesh").write_bytes(ogre_files.rich_mesh(version, order))
    assert_alike("ogre-mesh", tmp_path / "rich.mesh")


@pytest.mark.parametrize("order", ["<", ">"])
def test_ogre_skeletons(order: Any, tmp_path: Path) -> None:
    (tmp_path / "rich.skeleton").write_bytes(ogre_skeletons.rich_skeleton(order))
    assert_alike("ogre-skeleton", tmp_path / "rich.skeleton")


@pytest.mark.parametrize("magic", ["UPAK", "ULZ4", "RPAK", "RLZ4"])
def test_urho3d_packages(magic: str, tmp_path: Path) -> None:
    assert_alike("urho3d-package", packages.write_package(tmp_path, magic))


SAMPLES = sorted(
    path
    for pages in (("urho3d", ".mdl"), ("urho3d", ".ani"), ("ogre", ".mesh"), ("ogre", ".skeleton"))
    for path in (ROOT / "assets" / pages[0]).rglob(f"*{pages[1]}")
)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_sample_models(path: Path) -> None:
    assert_alike(page(path.suffix).name, path)


@pytest.mark.parametrize("suffix", [".mdl", ".ani", ".mesh", ".skeleton"])
def test_real_files(suffix: str, corpus: Path) -> None:
    for path in sorted(corpus.rglob(f"*{suffix}")):
        if path.name not in WRONG_LENGTHS:
            assert_alike(page(suffix).name, path)


@pytest.mark.parametrize(("most", "line"), [(1, "if ("), (None, "things[while(")])
def test_a_stream_of_one_chunk_ends_after_it(most: int | None, line: str) -> None:
    layout = Record("file", ChunkStream("things", (Chunk(0x1, "thing"),), most=most))
    assert line in "\n".join(pattern(layout, "")).partition("struct File {")[2]


@pytest.mark.parametrize("name", TRANSLATED)
def test_lines_are_indented_by_fours(name: str) -> None:
    lines = "\n".join(pattern(page(name).roots[0], "")).splitlines()
    assert {(len(line) - len(line.lstrip())) % 4 for line in lines if not line.startswith(" *")} == {0}


def test_structs_of_one_name_are_numbered_from_two() -> None:
    layout = Record("item", *(Repeat(name, Record("item", Fixed("x", np.dtype("u1"))), 1) for name in "ab"))
    text = "\n".join(pattern(layout, ""))
    assert [line.split()[1] for line in text.splitlines() if line.startswith("struct Item")] == [
        *("Item", "Item2", "Item3"),
    ]
