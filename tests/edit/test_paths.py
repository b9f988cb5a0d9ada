"""Paths of nodes: each node has one, and it leads back to the node."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT, SHARED
from tests.edit.edited_files import IN_PLACE, WRITTEN_ANEW, nodes, opened, sample_name, samples
from tests.fuzzing.samples import Sample
from tests.synthetic import model_bytes
from viewer.binary import Span
from viewer.edit.paths import Node, node_at, node_of
from viewer.errors import ResourceError, ViewerError
from viewer.scene.document import Document
from viewer.storage.documents import open_undressed

ALL = (*WRITTEN_ANEW, *IN_PLACE, "pak", "mpq", "axp", "script")
REAL = [
    each
    for folder in (ROOT / "assets", SHARED / "corpus")
    for each in sorted(folder.rglob("*"))
    if each.suffix.lower() in (".mdl", ".ani", ".mesh", ".skeleton", ".m2", ".skin", ".dbc", ".vs4", ".asc")
]


@pytest.fixture
def model(tmp_path: Path) -> Document:
    (tmp_path / "A.mdl").write_bytes(model_bytes())
    return open_undressed(tmp_path / "A.mdl")


def same(one: Span, other: Span) -> bool:
    return (one.name, one.offset, one.size) == (other.name, other.offset, other.size)


def lost(document: Document, most: int | None = None) -> list[str]:
    """The paths that lead to another node than the one that has them."""
    found = [each for each in nodes(Node(document.root, "")) if each.path][:: most or 1]
    return [each.path for each in found if not same(node_at(document.root, each.path).span, each.span)]


@pytest.mark.parametrize("sample", samples(*ALL), ids=sample_name)
def test_the_path_of_each_node_leads_to_it(sample: Sample, tmp_path: Path) -> None:
    assert lost(opened(tmp_path, sample)) == []


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_the_path_of_each_node_of_a_real_file_leads_to_it(path: Path) -> None:
    try:
        document = open_undressed(path)
    except ViewerError:
        pytest.skip("is a file to refuse")
    assert lost(document, 97) == []


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("bones/[1]/name", "bones[1]/name"),
        ("bones[1]/name", "bones[1]/name"),
        ("model/bones[1]/parent", "bones[1]/parent"),
        ("A.mdl/bones[1]/parent", "bones[1]/parent"),
        ("geometries[0]/lods[0]/count", "geometries[0]/lods/lods[0]/count"),
    ],
)
def test_paths_of_errors_are_understood(path: str, found: str, model: Document) -> None:
    assert node_at(model.root, path).path == found


def test_a_path_without_a_node_names_near_ones(model: Document) -> None:
    with pytest.raises(ResourceError, match=r"no path 'bones\[1\]/parnt'; near: bones\[1\]/parent"):
        node_at(model.root, "bones[1]/parnt")


def test_a_number_behind_the_last_row_is_no_path(model: Document) -> None:
    with pytest.raises(ResourceError, match="bones"):
        node_at(model.root, "bones[99]")


def test_a_name_that_repeats_has_its_number() -> None:
    spans = [Span("a", 0, 1), Span("b", 1, 1), Span("a", 2, 1)]
    root = Span("root", 0, 3, children=spans)
    assert [each.path for each in nodes(Node(root, ""))] == ["", "a[0]", "b", "a[1]"]
    with pytest.raises(ResourceError, match=r"'a' names 2 nodes: a\[0\], a\[1\]"):
        node_at(root, "a")


def test_a_row_and_a_name_that_looks_like_it_have_two_paths() -> None:
    row = Span("[0]", 0, 1)
    root = Span("root", 0, 2, children=[Span("times", 0, 1, children=[row]), Span("times[0]", 1, 1)])
    assert [each.path for each in nodes(Node(root, ""))] == ["", "times", "times/[0]", "times[0]"]
    assert node_at(root, "times/[0]").span is row
    assert node_at(root, "times[0]").span.offset == 1


def test_the_node_of_bytes_is_the_outermost_with_just_these(model: Document) -> None:
    name = node_at(model.root, "bones[1]/name").span
    assert node_of(model.root, name.offset, name.size).path == "bones[1]/name"
    assert node_of(model.root, name.offset + 1, 1).path == "bones[1]/name"
