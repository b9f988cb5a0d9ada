"""What only looks like an OGRE file is refused by name; what breaks costs only itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ogre_files import (
    NEWEST,
    declared_geometry,
    mesh_bytes,
    model_of,
    opened,
    simple,
    submesh,
)
from viewer.binary import StreamTree, Struct
from viewer.errors import FormatError
from viewer.families.ogre import extras_layout as extras
from viewer.families.ogre import mesh_layout as mesh


@pytest.mark.parametrize(
    ("name", "data", "word"),
    [
        ("a.mesh", b"<?xml version='1.0'?>\n<mesh><submeshes/></mesh>", "XML"),
        ("a.mesh.xml", b"\xef\xbb\xbf<mesh/>", "XML"),
        ("a.skeleton", b"<!-- made by -->\n<skeleton/>", "XML"),
        ("a.mesh", b"\x7f\x93\x01 locked away", "encrypted"),
        ("a.skeleton", b"\x7f\x93\x01 locked away", "encrypted"),
        ("a.mesh", b"", "is empty"),
    ],
)
def test_what_only_looks_like_one_is_refused_by_name(
    tmp_path: Path, name: str, data: bytes, word: str
) -> None:
    with pytest.raises(FormatError, match=word) as caught:
        opened(tmp_path, data, name)
    assert caught.value.file == str(tmp_path / name)
    assert "\n" not in str(caught.value)


def test_other_xml_is_not_ours(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="the format is unknown"):
        opened(tmp_path, b"<material/>", "a.xml")


@pytest.mark.parametrize(
    ("name", "text", "rest", "word"),
    [
        ("a.mesh", "[MeshSerializer_v1.100]", b"", "no mesh"),
        ("a.mesh", "[MeshSerializer_v1.100]", b"\x00\x70\x06\0\0\0", "no mesh"),
        ("a.skeleton", "[Serializer_v1.80]", b"", "no bone"),
    ],
)
def test_a_version_and_nothing_to_see_is_an_error(
    tmp_path: Path, name: str, text: str, rest: bytes, word: str
) -> None:
    document = opened(tmp_path, b"\x00\x10" + text.encode() + b"\n" + rest, name)
    assert not document.report.complete
    assert word in document.report.errors[0].why
    assert document.report.errors[0].file


@pytest.mark.parametrize(("name", "data"), [("a.mesh", b"\x00\x10[Mesh"), ("a.skeleton", b"\x10\x00[Ser")])
def test_one_cut_off_in_its_version_is_known_by_what_is_left(tmp_path: Path, name: str, data: bytes) -> None:
    document = opened(tmp_path, data, name)
    assert document.format == f"OGRE {name.partition('.')[2]}"
    assert "line feed" in document.report.errors[0].why


def test_an_unknown_version_is_read_as_the_newest(tmp_path: Path) -> None:
    data = mesh_bytes(NEWEST, (mesh.SUBMESH, submesh(declared_geometry())), text="[MeshSerializer_v1.200]")
    document = opened(tmp_path, data)
    assert len(model_of(document).geometries) == 1
    assert any("v1.200" in text for text in document.report.warnings)


def test_an_optional_part_that_breaks_costs_only_itself(tmp_path: Path) -> None:
    broken = (extras.POSES, Struct(chunks=StreamTree(), declared=6 + 12))
    data = bytearray(simple(broken, (mesh.BOUNDS, Struct(min=(0, 0, 0), max=(1, 1, 1), radius=1))))
    at = data.index(b"\x00\xc0")
    data[at + 6 : at + 6] = b"\x00\xc1\xff\xff\xff\x7fno end"
    document = opened(tmp_path, bytes(data))
    assert not document.report.complete
    assert model_of(document).bounds is not None
    assert len(model_of(document).geometries[0].lods) == 1
