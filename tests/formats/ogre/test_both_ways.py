"""Tables of chunks change nothing but the time: every sample, intact and damaged, is read the same."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.both_ways import animation_lines, assert_read_alike, span_lines
from tests.damage import damaged
from tests.ogre_files import rich_mesh
from tests.ogre_shapes import animated, both_key_sizes, many_tracks
from tests.ogre_skeletons import rich_skeleton
from viewer.binary import read_layout
from viewer.formats import registry
from viewer.formats.ogre.load import load_mesh, load_skeleton
from viewer.formats.ogre.mesh_layout import MESH_FILE
from viewer.formats.ogre.skeleton_layout import SKELETON_FILE
from viewer.formats.ogre.versions import MeshVersion, byte_order
from viewer.scene.document import Document

CORPUS = Path(__file__).resolve().parents[4] / "shared" / "corpus" / "ogre"
FILES = sorted(path for path in CORPUS.rglob("*") if path.suffix in {".mesh", ".skeleton"})
SEEDS = {
    "tracks.skeleton": animated(bones=3, clips=2, keys=24, scaled=3, mixed=4),
    "big.skeleton": animated(bones=3, clips=2, keys=24, scaled=3, mixed=4, order=">"),
    "rich.skeleton": rich_skeleton(),
    "rich.mesh": rich_mesh(MeshVersion.V1_100),
}


def compared(name: str, data: bytes) -> None:
    layout = MESH_FILE if name.endswith("mesh") else SKELETON_FILE
    assert_read_alike(layout, data, byte_order(data))


@given(damaged(SEEDS))
@settings(max_examples=400)
def test_a_damaged_file_is_read_the_same(case: tuple[str, bytes]) -> None:
    compared(*case)


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_a_cut_file_is_read_the_same(name: str) -> None:
    for length in range(0, len(SEEDS[name]), 7):
        compared(name, SEEDS[name][:length])


@pytest.mark.parametrize("make", [many_tracks, both_key_sizes])
@pytest.mark.parametrize("order", ["<", ">"])
def test_a_skeleton_as_games_have_it_is_read_the_same(make: Any, order: str) -> None:
    assert_same_documents(Path("/nowhere/a.skeleton"), make(order))


@pytest.mark.skipif(not FILES, reason="there is no corpus beside the checkout")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_of_the_corpus_is_read_the_same(path: Path) -> None:
    assert_same_documents(path, path.read_bytes())


def assert_same_documents(path: Path, data: bytes) -> None:
    """The same tree, messages and keys, also of the documents that are found beside the file."""
    with pytest.MonkeyPatch.context() as patch:
        known = _lines(path, data)
        patch.setattr(registry, "read_layout", partial(read_layout, attempts=0))
        assert _lines(path, data) == known


def _lines(path: Path, data: bytes) -> list[Any]:
    document = (load_mesh if path.suffix == ".mesh" else load_skeleton)(path, data)
    return [line for each in (document, *document.attached) for line in _document_lines(each)]


def _document_lines(document: Document) -> list[Any]:
    lines: list[Any] = [each[:2] for each in document.report.messages]
    lines += [(error.path, error.offset) for error in document.report.errors]
    lines += span_lines(document.root)
    lines += [line for each in document.animations for line in animation_lines(each)]
    lines += [(item, span.offset, span.size) for item, span in document.origin.tables.items()]
    return [*lines, document.origin.tracks]
