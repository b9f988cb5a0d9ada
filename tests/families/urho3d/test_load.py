"""From a path to a document: recognising, attaching what lies beside, and the places things came from."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.synthetic import animation_bytes, model_bytes, track, write_pair
from viewer.binary import unexplained
from viewer.errors import FormatError
from viewer.families.urho3d.probe import is_model
from viewer.scene.animation import Animation
from viewer.scene.items import (
    BoneItem,
    CameraItem,
    IndexItem,
    KeyItem,
    LodItem,
    TrackItem,
    VertexBufferItem,
    VertexItem,
)
from viewer.scene.model import Primitive
from viewer.storage.documents import open_document


def test_models_of_a_folder_share_its_animations_until_these_change(tmp_path: Path) -> None:
    def clips(name: str) -> list[tuple[str, int]]:
        return [(each.name, len(each.events)) for each in open_document(tmp_path / name).animations]

    def put(name: str, data: bytes, age: int) -> None:
        (tmp_path / name).write_bytes(data)
        for path in (tmp_path / name, tmp_path):
            os.utime(path, (age, age))

    write_pair(tmp_path)
    put("Other.mdl", model_bytes(), 1000)
    put("Post_Bend.ani", animation_bytes("Bend"), 2000)
    first, other = (open_document(tmp_path / name) for name in ("Post.mdl", "Other.mdl"))
    assert first.attached[0] is other.attached[0]
    put("Post_Bend.ani", animation_bytes("Wave"), 3000)
    assert clips("Post.mdl") == clips("Other.mdl") == [("Wave", 0)]
    assert open_document(tmp_path / "Post.mdl").attached[0] is not first.attached[0]
    put("Post_Bend.xml", b'<animation><trigger time="0.5" string="step"/></animation>', 4000)
    assert [count for _, count in clips("Post.mdl")] == [1]
    (tmp_path / "Post_Bend.ani").unlink()
    assert clips("Post.mdl") == []


def test_a_model_opens_with_the_animations_beside_it(tmp_path: Path) -> None:
    document = open_document(write_pair(tmp_path))
    assert document.report.complete
    assert [animation.name for animation in document.animations] == ["Bend"]
    assert [attached.path for attached in document.attached] == [str(tmp_path / "Post_Bend.ani")]


def test_an_animation_that_moves_none_of_the_bones_is_not_offered(tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    (tmp_path / "Other.ani").write_bytes(
        animation_bytes("Other", tracks=[track("wing", [0.0], scale=[[1, 1, 1]])])
    )
    assert [animation.name for animation in open_document(path).animations] == ["Bend"]


def test_an_animation_whose_names_differ_in_case_is_offered(tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    (tmp_path / "Post_Case.ani").write_bytes(
        animation_bytes("Case", tracks=[track("TIP", [0.0], scale=[[1, 1, 1]])])
    )
    assert "Case" in [animation.name for animation in open_document(path).animations]


def test_a_lone_animation_opens(tmp_path: Path) -> None:
    write_pair(tmp_path)
    document = open_document(tmp_path / "Post_Bend.ani")
    assert isinstance(document.content, Animation)
    assert document.content.source.endswith("Post_Bend.ani")


@pytest.mark.parametrize(("magic", "version"), [("UMD2", "UMD2"), ("UMD3", "UMD3 version 2")])
def test_versions_are_named(tmp_path: Path, magic: str, version: str) -> None:
    (tmp_path / "x.mdl").write_bytes(model_bytes(magic))
    assert open_document(tmp_path / "x.mdl").version == version


def test_the_magic_decides_whatever_the_suffix(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(model_bytes())
    assert open_document(tmp_path / "x.bin").format == "Urho3D model"


@pytest.mark.parametrize("data", [b"UM", b"\0" * 80, b"\x01\0\0\0" + b"\xff" * 80])
def test_other_files_called_mdl_are_not_taken(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.mdl").write_bytes(data)
    with pytest.raises(FormatError, match="the format is unknown") as caught:
        open_document(tmp_path / "x.mdl")
    assert caught.value.file == str(tmp_path / "x.mdl")


@pytest.mark.parametrize(
    ("buffers", "mask", "taken"),
    [(1, 1, True), (255, 0x3FFF, True), (0, 1, False), (256, 1, False), (1, 0, False), (1, 0x4000, False)],
)
def test_a_headerless_model_begins_with_few_buffers_and_a_known_mask(
    buffers: int, mask: int, taken: bool
) -> None:
    data = struct.pack("<3I", buffers, 99, mask)
    assert is_model(data, ".mdl") is taken
    assert not is_model(data[:-1], ".mdl") and not is_model(data, ".bin")


def test_a_model_of_another_program_is_named_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "x.mdl").write_bytes(b"IDPO" + bytes(80))
    with pytest.raises(FormatError, match="is a Quake model"):
        open_document(tmp_path / "x.mdl")


def test_a_missing_file_is_a_format_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read") as caught:
        open_document(tmp_path / "x.mdl")
    assert caught.value.file.endswith("x.mdl")


def test_a_cut_model_keeps_what_came_before(tmp_path: Path) -> None:
    data = model_bytes()
    (tmp_path / "x.mdl").write_bytes(data[:-120])
    document = open_document(tmp_path / "x.mdl")
    (error,) = document.report.errors
    assert (error.file, error.path) == (str(tmp_path / "x.mdl"), "model/bones[1]/pose")
    assert 0 < error.offset < len(data)
    assert document.model is not None
    assert document.model.geometries[0].lods[0].count
    assert document.model.skeleton is not None and len(document.model.skeleton) == 1


def test_bytes_behind_the_end_are_unexplained(tmp_path: Path) -> None:
    (tmp_path / "x.mdl").write_bytes(model_bytes() + b"extra")
    document = open_document(tmp_path / "x.mdl")
    assert unexplained(document.root) == 5
    assert "5 bytes" in document.report.notes[0]


def test_items_know_their_bytes_and_bytes_their_items(tmp_path: Path) -> None:
    origin = open_document(write_pair(tmp_path)).origin
    for item in (BoneItem(1), VertexItem(0, 7), IndexItem(0, 3), LodItem(0, 1), VertexBufferItem(0)):
        span = origin.span(item)
        assert span is not None
        first = origin.item(span.offset)
        assert isinstance(first, type(item) | VertexItem | IndexItem)
    assert origin.span(BoneItem(2)) is None
    assert origin.span(CameraItem(0)) is None


def test_keys_know_their_bytes(tmp_path: Path) -> None:
    write_pair(tmp_path)
    document = open_document(tmp_path / "Post_Bend.ani")
    span = document.origin.span(KeyItem(TrackItem(None, 0), 2))
    assert span is not None
    assert span.children[0].value == 1.0
    assert document.origin.item(span.offset + 5) == KeyItem(TrackItem(None, 0), 2)


def test_opening_needs_no_graphics_library() -> None:
    heavy = "{'moderngl', 'pyglet', 'imgui_bundle', 'PIL', 'pyrr'}"
    code = f"import sys, viewer.storage.documents; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_of_a_file_that_ends_in_its_indices_the_vertices_are_points(tmp_path: Path) -> None:
    whole = tmp_path / "x.mdl"
    whole.write_bytes(model_bytes())
    document = open_document(whole)
    indices = document.root.child("index_buffers")
    cut = tmp_path / "cut.mdl"
    cut.write_bytes(whole.read_bytes()[: indices.end - 2])
    model, report = open_document(cut).model, open_document(cut).report
    assert model is not None and document.model is not None
    (lod,) = model.geometries[0].lods
    count = document.model.vertex_buffers[0].count
    assert (lod.primitive, lod.indices, lod.count) == (Primitive.POINTS, None, count)
    assert not report.complete and "shown as points" in report.warnings[-1]
