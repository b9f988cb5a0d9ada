"""The materials, pictures, texture coordinates and colours of OBJ and PLY."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.synthetic import QUAD, model_of, vertex_buffer
from viewer.export.gltf.model import ExportSource
from viewer.export.gltf.options import ExportOptions
from viewer.export.posed_mesh import write_mesh
from viewer.scene.material import Material, Texture
from viewer.scene.model import Model
from viewer.storage import writing
from viewer.storage.image import save_png

UV = np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32)
COLORS = np.array(((255, 0, 0, 255), (0, 255, 0, 128), (0, 0, 255, 255), (9, 9, 9, 0)), np.uint8)


@pytest.fixture
def model(tmp_path: Path) -> Model:
    """Quads with a red and a clear material, and one without; the second shows half of its picture."""
    stone = tmp_path / "tex" / "stone.png"
    stone.parent.mkdir()
    save_png(stone, np.full((2, 2, 4), (200, 100, 50, 128), np.uint8))
    made = model_of(
        vertex_buffer(("color0",), position=QUAD, uv0=UV, color0=COLORS),
        geometry={"material": 0},
        materials=(
            Material("Red stone", diffuse=(1, 0, 0, 1), specular=(0.5, 0.5, 0.5, 20)),
            Material("Red stone", units={"diffuse": 0}, blend="alpha"),
        ),
        textures=(Texture("stone.png", str(stone), address=("clamp", "clamp")),),
    )
    half = replace(made.materials[1], u_offset=(0.5, 0, 0, 0.25))
    first = made.geometries[0]
    others = replace(first, name="second", material=1), replace(first, name="bare", material=None)
    return replace(made, materials=(made.materials[0], half), geometries=(first, *others))


def written(model: Model, path: Path, **options: object) -> tuple[list[str], list[list[str]]]:
    """The messages, and the words of each line of an OBJ or a library."""
    lines = write_mesh(ExportSource(model), ExportOptions(**options), str(path))  # type: ignore[arg-type]
    return lines, [line.split() for line in path.read_text("utf-8").splitlines()]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_file())


def test_an_obj_names_the_material_of_each_geometry(model: Model, tmp_path: Path) -> None:
    lines, words = written(model, tmp_path / "x.obj", textures="files")
    assert words[0] == ["mtllib", "x.mtl"]
    assert [each for each in words if each[0] in ("o", "usemtl")] == [
        *(["o", "only"], ["usemtl", "Red_stone"]),
        *(["o", "second"], ["usemtl", "Red_stone_1"]),
        *(["o", "bare"], ["usemtl", "none"]),
    ]
    assert names(tmp_path) == ["x.mtl", "x.obj", "x_stone.png"]
    assert (tmp_path / "x_stone.png").read_bytes() == (tmp_path / "tex/stone.png").read_bytes()
    assert lines == ["OBJ cannot hold vertex colours"]


def test_a_library_has_colours_and_pictures(model: Model, tmp_path: Path) -> None:
    written(model, tmp_path / "x.obj", textures="files")
    library = (tmp_path / "x.mtl").read_text().splitlines()
    assert library[:7] == [
        *("newmtl Red_stone", "Kd 1 0 0", "Ks 0.5 0.5 0.5", "Ns 20", "d 1", "illum 2"),
        "newmtl Red_stone_1",
    ]
    assert library[7:] == [
        *("Kd 1 1 1", "d 1", "illum 1"),
        *("map_Kd -clamp on x_stone.png", "map_d -clamp on x_stone.png"),
    ]


def test_coordinates_are_those_at_which_the_texture_is_seen(model: Model, tmp_path: Path) -> None:
    _, words = written(model, tmp_path / "x.obj")
    found = np.array([each[1:] for each in words if each[0] == "vt"], float)
    np.testing.assert_allclose(found[:4], UV * (1, -1) + (0, 1))
    np.testing.assert_allclose(found[4:8], UV * (0.5, -1) + (0.25, 1))


def test_embedded_textures_are_told_and_none_are_not(model: Model, tmp_path: Path) -> None:
    embedded, _ = written(model, tmp_path / "x.obj")
    assert "OBJ cannot hold textures: they can be written as files beside it" in embedded
    left_out, _ = written(model, tmp_path / "y.obj", textures="none")
    assert left_out == ["OBJ cannot hold vertex colours"]
    assert "map_" not in (tmp_path / "y.mtl").read_text()
    assert names(tmp_path) == ["x.mtl", "x.obj", "y.mtl", "y.obj"]


def test_without_materials_an_obj_stands_alone(model: Model, tmp_path: Path) -> None:
    _, words = written(model, tmp_path / "x.obj", materials=False, textures="files")
    assert names(tmp_path) == ["x.obj"]
    assert not [each for each in words if each[0] in ("mtllib", "usemtl")]


@pytest.mark.parametrize("name", ["x.mtl", "x_stone.png"])
def test_a_file_that_the_user_did_not_name_is_replaced_only_with_force(
    name: str, model: Model, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(b"mine")
    with pytest.raises(FileExistsError, match=f"exists already: .*{name}"):
        written(model, tmp_path / "x.obj", textures="files", force=False)
    assert names(tmp_path) == [name] and (tmp_path / name).read_bytes() == b"mine"
    written(model, tmp_path / "x.obj", textures="files")
    assert (tmp_path / name).read_bytes() != b"mine"


def test_the_files_of_an_obj_are_whole_or_absent(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writing.os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        written(model, tmp_path / "x.obj", textures="files")
    assert names(tmp_path) == [] and os.listdir(tmp_path) == ["tex"]


def test_a_missing_picture_is_a_line_and_the_rest_is_written(model: Model, tmp_path: Path) -> None:
    (tmp_path / "tex/stone.png").unlink()
    lines, _ = written(model, tmp_path / "x.obj", textures="files")
    assert [line for line in lines if line.startswith("texture stone.png is left out: ")]
    assert names(tmp_path) == ["x.mtl", "x.obj"]


def test_a_ply_has_coordinates_and_colours(model: Model, tmp_path: Path) -> None:
    lines = write_mesh(ExportSource(model), ExportOptions(), str(tmp_path / "x.ply"))
    head, _, data = (tmp_path / "x.ply").read_bytes().partition(b"end_header\n")
    assert [line.split()[-1] for line in head.decode().splitlines() if line.startswith("property")] == [
        *("x", "y", "z", "nx", "ny", "nz", "s", "t", "red", "green", "blue", "alpha", "vertex_indices")
    ]
    kind = np.dtype([("place", "<f4", 6), ("st", "<f4", 2), ("color", "u1", 4)])
    rows = np.frombuffer(data, kind, 12)
    np.testing.assert_allclose(rows["st"][:4], UV * (1, -1) + (0, 1))
    assert (rows["color"][:4] == COLORS).all()
    assert lines == ["PLY cannot hold materials, textures"]


def test_a_plain_mesh_has_no_more_than_places_and_normals(tmp_path: Path) -> None:
    plain = model_of(vertex_buffer(position=QUAD))
    assert write_mesh(ExportSource(plain), ExportOptions(), str(tmp_path / "x.ply")) == []
    assert b"property float s" not in (tmp_path / "x.ply").read_bytes()
