"""Models packed by hand from the specification, byte for byte, and our own writer's round trip."""

from __future__ import annotations

import struct

import pytest

from tests.synthetic import model_bytes
from viewer.binary import Cursor, Struct
from viewer.errors import FormatError
from viewer.families.urho3d.model_layout import MODEL


def u32(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)


def f32(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


TRIANGLE = f32(0, 0, 0, 1, 0, 0, 0, 1, 0)
INDICES = u32(1) + u32(3, 2) + struct.pack("<3H", 0, 1, 2)
GEOMETRY = u32(1) + u32(0) + u32(1) + f32(5) + u32(0, 0, 0, 0, 3)
BONE = (
    b"hip\0" + u32(0) + f32(1, 2, 3) + f32(1, 0, 0, 0) + f32(1, 1, 1)
    + f32(1, 0, 0, -1, 0, 1, 0, -2, 0, 0, 1, -3) + b"\x03" + f32(0.5) + f32(-1, -1, -1, 1, 1, 1)
)  # fmt: skip
BOX = f32(0, 0, 0, 1, 1, 0)
CENTER = f32(0.25, 0.5, 0)
MORPH_RECORDS = u32(2) + f32(0, 0, 1) + f32(0, 0, 2) + f32(0, 0, 3)

UMDL = (
    b"UMDL" + u32(1) + u32(3, 1, 0, 3) + TRIANGLE + INDICES + GEOMETRY + u32(0) + u32(1) + BONE + BOX + CENTER
)
UMD2 = b"UMD2" + u32(1) + u32(3, 1, 0x99000003, 0, 3) + TRIANGLE + INDICES + GEOMETRY + u32(0) + u32(0) + BOX
UMD3 = (
    b"UMD3" + u32(2) + u32(1) + u32(3, 1, 3, 0, 3) + TRIANGLE + INDICES + GEOMETRY
    + u32(1) + b"puff\0" + f32(0.75) + u32(1) + u32(0, 0x83, 1) + MORPH_RECORDS + u32(0) + BOX + CENTER
)  # fmt: skip
HEADERLESS = u32(1) + u32(3, 1, 0, 3) + TRIANGLE + INDICES + GEOMETRY + u32(0) + u32(1) + BONE + BOX


def read(data: bytes) -> Struct:
    cursor = Cursor(data)
    record = MODEL.read(cursor)
    assert cursor.left == 0
    return record


@pytest.mark.parametrize("data", [UMDL, UMD2, UMD3, HEADERLESS, HEADERLESS + CENTER])
def test_every_generation_reads_whole_and_is_written_back(data: bytes) -> None:
    assert MODEL.pack(read(data)) == data


def test_a_headerless_model_may_end_with_its_centers() -> None:
    assert read(HEADERLESS + CENTER).centers.tolist() == [[0.25, 0.5, 0]]
    assert len(read(HEADERLESS).get("centers", ())) == 0


def test_buffers() -> None:
    (buffer,) = read(UMDL).vertex_buffers
    assert (buffer.vertex_count, buffer.mask, buffer.morph_start, buffer.morph_count) == (3, 1, 0, 3)
    assert buffer.vertices["position"].tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert read(UMDL).index_buffers[0].indices.tolist() == [0, 1, 2]


def test_bits_24_to_31_of_an_element_mean_nothing() -> None:
    assert read(UMD2).vertex_buffers[0].vertices.dtype.names == ("position",)


def test_bones() -> None:
    (bone,) = read(UMDL).bones
    assert (bone.name, bone.parent, bone.collision, bone.radius) == ("hip", 0, 3, 0.5)
    assert bone.pose["rotation"].tolist() == [1, 0, 0, 0]
    assert bone.pose["offset"][:, 3].tolist() == [-1, -2, -3]
    assert bone.box["max"].tolist() == [1, 1, 1]


def test_umd3_morphs_have_a_default_weight() -> None:
    (morph,) = read(UMD3).morphs
    assert (morph.name, morph.weight) == ("puff", 0.75)
    record = morph.targets[0].records[0]
    assert record["vertex"] == 2
    assert [record[part].tolist()[2] for part in ("position", "normal", "tangent")] == [1, 2, 3]


def test_umd3_version_1_morphs_have_none() -> None:
    data = UMD3.replace(b"UMD3" + u32(2), b"UMD3" + u32(1)).replace(b"puff\0" + f32(0.75), b"puff\0")
    assert read(data).morphs[0].get("weight") is None


def test_mask_bits_without_meaning_add_no_bytes_to_a_morph() -> None:
    assert (
        read(UMD3.replace(u32(0, 0x83, 1), u32(0, 0x7FFFFF83, 1))).morphs[0].targets[0].records.dtype.itemsize
        == 40
    )


def test_the_centres_may_be_missing() -> None:
    assert read(UMD2).get("centers") is None
    assert read(UMDL).centers.tolist() == [[0.25, 0.5, 0]]


def test_everything_behind_the_morphs_may_be_missing() -> None:
    cut = UMDL[: -len(BONE + BOX + CENTER) - 4]
    record = read(cut)
    assert (record.get("bones"), record.get("bounds"), record.get("centers")) == (None, None, None)


def test_indices_of_three_bytes_are_refused() -> None:
    with pytest.raises(FormatError, match="3 bytes") as caught:
        MODEL.read(Cursor(UMD2.replace(u32(3, 2), u32(3, 3))))
    assert caught.value.path == "index_buffers[0]/indices"


@pytest.mark.parametrize("magic", ["UMD2", "UMD3"])
def test_what_the_writer_makes_is_read_back(magic: str) -> None:
    data = model_bytes(magic)
    assert MODEL.pack(read(data)) == data
