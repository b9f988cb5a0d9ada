"""Files of other programs are named by their first bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.errors import FormatError
from viewer.storage.documents import open_document
from viewer.storage.foreign_formats import foreign_format, has_own_suffix

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
UNITY = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: Fire\n"

TGA = bytes((0, 0, 2)) + bytes(9) + b"\x40\0\x20\0" + bytes((32, 8)) + bytes(64)
OGRE_XML = "an OGRE {} in XML, which OgreXMLConverter converts to the binary format"
PATCH = "a patch (PTCH), which the game applies to the file of the same name in an older archive"
FOREIGN = [
    ("x.mesh", LFS, "a Git LFS pointer, not the file itself: `git lfs pull` fetches its 12,345 bytes"),
    ("x.anim", UNITY, "an animation clip of Unity"),
    ("x.mesh", UNITY.replace(b"AnimationClip", b"Mesh"), "a Unity asset (Mesh)"),
    ("x.mdl", b"IDST\x0a\0\0\0" + bytes(64), "a Half-Life model (.mdl, version 10)"),
    ("x.mdl", b"IDST\x30\0\0\0" + bytes(64), "a Source engine model (.mdl, version 48)"),
    ("x.mdl", b"IDSQ\x0a\0\0\0", "a sequence file of a Half-Life model"),
    ("x.mdl", b"IDPO\x06\0\0\0", "a Quake model (.mdl)"),
    ("x.mdl", b"MDL7" + bytes(80), "a 3D GameStudio model (.mdl)"),
    ("x.mdl", b'Model {\n  Name "plant"\n', "a Simulink model (.mdl)"),
    ("x.blp", TGA[:18], "a TGA picture with the name of a BLP picture"),
    ("x.blp", TGA, "a TGA picture with the name of a BLP picture"),
    ("x.blp", b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (
        "._x.mesh",
        b"\0\5\x16\7\0\2\0\0",
        "an AppleDouble file, in which a Mac keeps the attributes of another file",
    ),
    ("x.mesh", b"<?xml version='1.0'?>\n<!-- made -->\n<mesh>\n", OGRE_XML.format("mesh")),
    ("x.mesh.xml", b"\xef\xbb\xbf<mesh/>", OGRE_XML.format("mesh")),
    ("x.skeleton", b"<skeleton blendmode='average'>", OGRE_XML.format("skeleton")),
    ("x.m2", b"PTCH" + bytes(60), PATCH),
    ("x.blp", b"PTCH" + bytes(60), PATCH),
    (
        "x.skeleton",
        b"sket" + bytes(60),
        "a skeleton of an unknown engine (sket), which only its own program can open",
    ),
    (
        "x.mesh",
        b"geom" + bytes(60),
        "a geometry of an unknown engine (geom), which only its own program can open",
    ),
    ("x.mesh", b"MeshVersionFormatted 2\n", "a mesh of Medit (INRIA)"),
    ("x.mesh", b"version 2.00\n\x0c\0", "a Roblox mesh"),
    ("x.mesh", b"RSRC" + bytes(16), "a Godot resource"),
    ("x.mesh", b"MFEM mesh v1.0\n", "a mesh of MFEM"),
    ("x.ani", b"RIFF\x20\0\0\0ACON", "an animated cursor of Windows"),
    ("x.asc", b"-----BEGIN PGP SIGNATURE-----\n", "a key or signature of OpenPGP"),
    ("x.asc", b"ncols 4\nnrows 6\n", "a grid of Esri"),
]


@pytest.mark.parametrize(("name", "data", "said"), FOREIGN, ids=lambda value: str(value)[:24])
def test_a_file_of_another_program_is_named(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(FormatError) as caught:
        open_document(tmp_path / name)
    assert str(caught.value) == f"{tmp_path / name}: is {said}"


@pytest.mark.parametrize(
    ("data", "suffix"),
    [
        (b"", ".mesh"),
        (b"version 2.00\n", ".txt"),
        (b"<meshes/>", ".xml"),
        (b"<!-- <mesh> --><material/>", ".xml"),
        (b"geometry", ".txt"),
        (TGA, ".tga"),
        (TGA[:17], ".blp"),
        (bytes(64), ".blp"),
        (b"%YAML 1.1\n---\nname: x\n", ".anim"),
        (b"\0\x10[MeshSerializer_v1.100]\n", ".mesh"),
        (b"version https://example.org/\n", ".mdl"),
    ],
)
def test_other_files_are_not_named(data: bytes, suffix: str) -> None:
    assert foreign_format(data, suffix) is None


def test_a_real_clip_of_unity(corpus: Path) -> None:
    with pytest.raises(FormatError, match="is an animation clip of Unity"):
        open_document(corpus / "first-sight/other-programs/FirePoolAnim.anim")


@pytest.mark.parametrize(
    ("name", "suffix", "own"),
    [
        ("a Quake model (.mdl)", ".mdl", True),
        ("a Half-Life model (.mdl, version 10)", ".mdl", True),
        ("an animation clip of Unity", ".anim", True),
        ("an animation clip of Unity", ".mdl", False),
        ("a PNG picture", ".blp", False),
        ("a binary glTF file (.glb)", ".mdl", False),
    ],
)
def test_some_formats_have_the_suffix_by_right(name: str, suffix: str, own: bool) -> None:
    assert has_own_suffix(name, suffix) is own
