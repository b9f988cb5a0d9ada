"""Chunked models of later clients, and the skeletons that lie in files of their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests import m2_files
from tests.damage import check
from tests.m2_files import chunk, model_file, numbers, skeleton_file
from viewer.animation.pose import Layer, pose
from viewer.binary import unexplained
from viewer.scene.document import Document
from viewer.storage.documents import open_document
from viewer.storage.image import save_png


@pytest.fixture
def model(tmp_path: Path) -> Document:
    save_png(tmp_path / "1234.png", np.full((2, 2, 4), 255, np.uint8))
    (tmp_path / "1234.png").rename(tmp_path / "1234.blp")
    (tmp_path / "Made.skel").write_bytes(skeleton_file())
    (tmp_path / "Made00.skin").write_bytes(m2_files.skin())
    path = tmp_path / "Made.m2"
    extra = (chunk("TXID", numbers(1234)), chunk("SKID", numbers(99)), chunk("EXP2", b"\0" * 8))
    path.write_bytes(model_file(*extra))
    return open_document(path)


def test_bones_sequences_and_attachments_come_from_the_skeleton_beside(model: Document) -> None:
    assert model.report.errors == []
    found = model.model
    assert found is not None and found.skeleton is not None
    assert found.skeleton.parents.tolist() == [-1, 2, 0, 0]
    assert [each.name for each in model.animations[:2]] == ["Stand", "Walk"]
    assert [each.name for each in found.attachments] == ["HandRight"]
    skin = pose(found.skeleton, [Layer(model.animations[0], 0.5)]).skin
    assert skin[0][:, 3] == pytest.approx((0, 0, 0.5)), "keys count from the chunk of the bones"
    assert any(each.path.endswith("Made.skel") for each in model.attached)


def test_a_texture_is_named_by_the_number_of_its_file(model: Document) -> None:
    assert model.model is not None
    (texture,) = model.model.textures
    assert texture.name == "1234.blp"
    assert texture.path is not None and texture.path.endswith("1234.blp")


def test_only_chunks_that_are_not_read_are_named(model: Document) -> None:
    (line,) = [text for text in model.report.notes if "chunks" in text]
    assert line.endswith(": EXP2")


def test_a_missing_skeleton_is_told(tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(model_file(chunk("SKID", numbers(99))))
    (tmp_path / "Made00.skin").write_bytes(m2_files.skin())
    document = open_document(path)
    assert document.model is not None and len(document.model.geometries) == 2
    assert any(".skel" in text for text in document.report.warnings)


def test_a_lone_skeleton_is_shown_and_plays(tmp_path: Path) -> None:
    path = tmp_path / "Made.skel"
    path.write_bytes(skeleton_file() + chunk("WHAT", b"12345"))
    document = open_document(path)
    assert document.model is not None and document.model.skeleton is not None
    assert len(document.model.skeleton) == 4 and document.model.to_world[1, 2] == 1, "its Z is up"
    assert document.report.errors == []
    assert [each.name for each in document.animations[:2]] == ["Stand", "Walk"]
    assert [span.name for span in document.root.children] == ["SKL1", "SKA1", "SKB1", "SKS1", "WHAT"]
    assert unexplained(document.root) == 5


def test_a_skeleton_that_continues_another_says_so(tmp_path: Path) -> None:
    path = tmp_path / "Made.skel"
    path.write_bytes(skeleton_file() + chunk("SKPD", numbers(0, 0, 4711, 0)))
    assert any("4711" in text for text in open_document(path).report.warnings)


def test_of_chunks_with_the_same_tag_the_last_one_counts(tmp_path: Path) -> None:
    path = tmp_path / "Made.skel"
    path.write_bytes(skeleton_file() * 2)
    document = open_document(path)
    check(document, len(skeleton_file()) * 2)
    first, second = (each for each in document.root.children if each.name == "SKB1")
    assert len(list(first.children)) < len(list(second.children))


@pytest.mark.parametrize("size", [4, 8, 12, 60, 300])
def test_a_cut_skeleton_is_reported(tmp_path: Path, size: int) -> None:
    path = tmp_path / "Made.skel"
    path.write_bytes(skeleton_file()[:size])
    document = open_document(path)
    assert not document.report.complete or document.report.warnings
    assert document.root.size == size


def test_a_file_that_ends_in_its_first_chunk_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "Made.m2").write_bytes(b"MD21\4\0\0")
    (error,) = open_document(tmp_path / "Made.m2").report.errors
    assert (error.why, error.path, error.offset) == ("the file has no complete chunk", "model", 0)
