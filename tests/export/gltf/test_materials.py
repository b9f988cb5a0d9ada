"""Materials and pictures as glTF has them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import PIL.Image
import pytest

from tests import synthetic
from tests.gltf_files import GltfFile
from viewer.export.gltf.buffer import GltfBuffer
from viewer.export.gltf.container import PictureFiles
from viewer.export.gltf.export import export_gltf
from viewer.export.gltf.images import PictureFile, unpacked_normals
from viewer.export.gltf.materials import MaterialTable
from viewer.export.gltf.model import ExportSource
from viewer.export.gltf.options import ExportOptions
from viewer.library.extraction import refusal
from viewer.paths import folder
from viewer.scene.material import Detail, Image, Material, PhysicalSurface, Texture
from viewer.scene.model import Model
from viewer.scene.reading_context import DEFAULT
from viewer.storage.documents import open_document


def made(material: Material, *textures: Texture) -> tuple[Any, GltfBuffer, list[str]]:
    """The object of a material, the tables, and the messages."""
    buffer, messages, files = GltfBuffer(), [], []

    def place(name: str, picture: PictureFile) -> Any:
        files.append(picture)
        return {"name": name}

    model = Model("", materials=(material,), textures=textures)
    MaterialTable(buffer, model, place, {}, DEFAULT, messages.append).number(0, ("uv0",))
    return buffer.json["materials"][0], buffer, messages


def picture(alpha: int = 255) -> Image:
    return Image((np.full((2, 2, 4), (200, 100, 50, alpha), np.uint8),))


@pytest.mark.parametrize(
    ("changes", "mode"),
    [
        ({}, None),
        ({"alpha_mask": 0.5}, "MASK"),
        ({"blend": "alpha"}, "BLEND"),
        ({"diffuse": (1.0, 1.0, 1.0, 0.5)}, "BLEND"),
    ],
)
def test_alpha_modes(changes: Any, mode: str | None) -> None:
    found, _, _ = made(Material("m", **changes))
    assert found.get("alphaMode") == mode
    assert found.get("alphaCutoff") == (0.5 if mode == "MASK" else None)


def test_colours_are_linear() -> None:
    found, _, _ = made(Material("m", diffuse=(0.5, 0.0, 1.0, 1.0)))
    assert found["pbrMetallicRoughness"]["baseColorFactor"] == pytest.approx([0.2140411, 0, 1, 1])


@pytest.mark.parametrize("blend", ["add", "multiply"])
def test_properties_without_a_counterpart_are_reported_and_kept(blend: str) -> None:
    found, _, messages = made(Material("m", blend=blend, sphere=True))
    assert found["extras"]["blend"] == blend and found["alphaMode"] == "BLEND"
    assert f"blend mode {blend} (exported as alpha)" in messages[0] and "sphere map" in messages[0]


def test_extensions_are_named() -> None:
    material = Material("m", unlit=True, u_offset=(2.0, 0.0, 0.0, 0.25), units={"diffuse": 0})
    found, buffer, _ = made(material, Texture("t", decode=picture))
    assert buffer.json["extensionsUsed"] == ["KHR_materials_unlit", "KHR_texture_transform"]
    placed = found["pbrMetallicRoughness"]["baseColorTexture"]["extensions"]["KHR_texture_transform"]
    assert placed == {"offset": [0.25, 0.0], "scale": [2.0, 1.0]}


def test_a_missing_texture_is_told_and_costs_nothing_else() -> None:
    found, _, messages = made(Material("m", units={"diffuse": 0}), Texture("gone.png"))
    assert "baseColorTexture" not in found["pbrMetallicRoughness"]
    assert "gone.png is left out: was not found" in messages[0]


def test_samplers_wrap_as_in_the_file() -> None:
    texture = Texture("t", decode=picture, address=("mirror", "border"), filter="nearest", mipmaps=False)
    _, buffer, _ = made(Material("m", units={"diffuse": 0}), texture)
    assert buffer.json["samplers"] == [{"magFilter": 9728, "minFilter": 9728, "wrapS": 33648, "wrapT": 33071}]


def test_packed_normals_become_x_y_z() -> None:
    stored = np.array([[[0, 128, 0, 255]]], np.uint8)
    x, y, z = (unpacked_normals(stored)[0, 0] / 127.5 - 1).tolist()
    assert (x, y, z) == pytest.approx((1, 0, 0), abs=0.1)


def test_textures_lie_in_the_file_or_beside_it(tmp_path: Path) -> None:
    document = open_document(folder("assets") / "urho3d/Models/Beacon.mdl")
    assert document.model is not None
    source = ExportSource(document.model)
    export_gltf(source, ExportOptions(), str(tmp_path / "in.glb"))
    export_gltf(source, ExportOptions(textures="files"), str(tmp_path / "beside.gltf"))
    export_gltf(source, ExportOptions(textures="none"), str(tmp_path / "none.glb"))
    inside, beside = GltfFile(tmp_path / "in.glb"), GltfFile(tmp_path / "beside.gltf")
    for image, other in zip(inside.json["images"], beside.json["images"], strict=True):
        assert inside.view(image["bufferView"]) == (tmp_path / other["uri"]).read_bytes()
    assert "images" not in GltfFile(tmp_path / "none.glb").json


@pytest.mark.parametrize("name", ["a/b\n?.png", "\udcff", "..", "con:", "é" * 300 + ".dds"])
def test_names_of_pictures_are_safe_on_every_system_and_changes_are_told(name: str, tmp_path: Path) -> None:
    files = PictureFiles(str(tmp_path / "out.gltf"))
    made = [files.add(name, PictureFile(b"", "image/png")) for _ in range(2)]
    assert [refusal(each) for each in files.pictures] == ["", ""] and len(files.messages) == 2
    assert all("\n" not in each for each in files.messages)
    files.write()
    assert all((tmp_path / unquote(each["uri"])).is_file() for each in made)


def test_a_picture_does_not_replace_a_texture_that_is_read(tmp_path: Path) -> None:
    own = tmp_path / "out_skin.png"
    own.write_bytes(b"own")
    files = PictureFiles(str(tmp_path / "out.gltf"), [str(own)])
    files.add("skin.png", PictureFile(b"new", "image/png"))
    files.write()
    assert own.read_bytes() == b"own" and (tmp_path / "out_skin_1.png").read_bytes() == b"new"
    assert files.messages == []


def test_only_shown_vertex_colours_multiply(tmp_path: Path) -> None:
    positions = np.eye(4, 3, dtype=np.float32)
    colors = np.full((4, 4), 128, np.uint8)
    buffer = synthetic.vertex_buffer(("color0",), position=positions, color0=colors)
    for shown, name in ((True, "COLOR_0"), (False, "_COLOR_0")):
        model = synthetic.model_of(
            buffer, geometry={"material": 0}, materials=(Material("m", vertex_color=shown),)
        )
        export_gltf(ExportSource(model), ExportOptions(), str(tmp_path / "out.glb"))
        assert name in GltfFile(tmp_path / "out.glb").json["meshes"][0]["primitives"][0]["attributes"]


def test_roughness_and_metalness_are_exported_as_they_are() -> None:
    found, buffer, _ = made(Material("m", specular=(0.2, 0.2, 0.2, 9.0), surface=PhysicalSurface(0.5, 0.25)))
    surface = found["pbrMetallicRoughness"]
    assert (surface["metallicFactor"], surface["roughnessFactor"]) == (0.25, 0.5)
    assert "extensions" not in found
    assert "extensionsUsed" not in buffer.json


def test_the_reflection_of_a_non_metal_is_relative_to_that_of_gltf() -> None:
    bright = 0.21586050011389926  # 0.0382 in linear light
    found, _, _ = made(Material("m", specular=(bright,) * 3 + (9.0,), surface=PhysicalSurface(0.5)))
    color = found["extensions"]["KHR_materials_specular"]["specularColorFactor"]
    assert color == pytest.approx([0.0382 / 0.04] * 3, rel=1e-2)


@pytest.mark.parametrize(("unit", "texel"), [("roughness", (255, 200, 255)), ("metalness", (255, 255, 200))])
def test_one_map_becomes_one_channel(unit: str, texel: tuple[int, ...]) -> None:
    material = Material("m", units={unit: 0}, surface=PhysicalSurface())
    assert packed(material, Texture("a", decode=picture)) == [texel] * 4


def test_two_maps_become_two_channels_of_one_picture() -> None:
    small = Image((np.full((1, 1, 4), (7, 0, 0, 255), np.uint8),))
    material = Material("m", units={"roughness": 0, "metalness": 1}, surface=PhysicalSurface())
    textures = Texture("a", decode=picture), Texture("b", decode=lambda: small)
    assert packed(material, *textures) == [(255, 200, 7)] * 4


def test_two_units_may_share_a_map() -> None:
    material = Material("m", units={"roughness": 0, "metalness": 0}, surface=PhysicalSurface())
    assert packed(material, Texture("a", decode=picture)) == [(255, 200, 200)] * 4


def packed(material: Material, *textures: Texture) -> list[tuple[int, ...]]:
    """The pixels of the only picture, which has metalness and roughness."""
    files: list[PictureFile] = []
    model = Model("", materials=(material,), textures=textures)
    buffer = GltfBuffer()

    def place(name: str, picture: PictureFile) -> Any:
        files.append(picture)
        return {"name": name}

    MaterialTable(buffer, model, place, {}, DEFAULT, [].append).number(0, ("uv0",))
    (made,) = buffer.json["materials"]
    assert made["pbrMetallicRoughness"]["metallicRoughnessTexture"] == {"index": 0}
    (file,) = files
    pixels = np.asarray(PIL.Image.open(io.BytesIO(file.data)).convert("RGB"))
    return [tuple(pixel) for pixel in pixels.reshape(-1, 3).tolist()]


def test_detail_textures_are_reported() -> None:
    _, _, messages = made(Material("m", surface=PhysicalSurface(details=(Detail(), Detail()))))
    assert messages == ["material m: glTF has no counterpart of detail textures"]
