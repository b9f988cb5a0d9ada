"""Textures by name: found or missing, their sidecars, descriptions of other shapes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from viewer.errors import FormatError, Report
from viewer.families.urho3d.textures import UrhoTextures
from viewer.scene.reading_context import DEFAULT
from viewer.storage.image import save_png
from viewer.storage.search import SearchPath

RED = np.tile(np.array([255, 0, 0, 255], np.uint8), (2, 3, 1))
Put = Callable[[str, str], None]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "Data/Textures").mkdir(parents=True)
    (tmp_path / "Data/Models").mkdir()
    save_png(tmp_path / "Data/Textures/red.png", RED)
    return tmp_path / "Data"


@pytest.fixture
def put(root: Path) -> Put:
    def write(name: str, text: str) -> None:
        (root / name).write_text(text)

    return write


@pytest.fixture
def report() -> Report:
    return Report()


@pytest.fixture
def table(root: Path, report: Report) -> UrhoTextures:
    return UrhoTextures(SearchPath.around(root / "Models/x.mdl", DEFAULT), report)


def test_found_and_decoded_when_asked(table: UrhoTextures, root: Path) -> None:
    assert table.number("Textures/red.png", "diffuse") == 0
    texture = table.textures[0]
    assert texture.path == str(root / "Textures/red.png")
    assert texture.decode is not None
    np.testing.assert_array_equal(texture.decode().levels[0], RED)


def test_shared_by_name(table: UrhoTextures) -> None:
    assert [table.number("Textures/red.png", unit) for unit in ("diffuse", "emissive", "normal")] == [0, 0, 1]
    assert [texture.srgb for texture in table.textures] == [True, False]


def test_missing_is_drawable_and_reported(table: UrhoTextures, report: Report) -> None:
    assert table.number("Textures/no.png", "diffuse") == 0
    texture = table.textures[0]
    assert (texture.path, texture.decode) == (None, None)
    assert len(texture.searched) > 2
    assert ["Textures/no.png" in warning for warning in report.warnings] == [True]


def test_refused_name_is_missing(table: UrhoTextures, report: Report) -> None:
    assert table.number("/etc/no-such-thing", "diffuse") == 0
    assert table.textures[0].path is None
    assert report.warnings


def test_defaults(table: UrhoTextures) -> None:
    table.number("Textures/red.png", "diffuse")
    texture = table.textures[0]
    assert (texture.address, texture.filter, texture.mipmaps) == (("wrap", "wrap"), "trilinear", True)


def test_sidecar(table: UrhoTextures, put: Put) -> None:
    put(
        "Textures/red.xml",
        '<texture><address coord="u" mode="clamp"/><address coord="v" mode="border"/>'
        '<border color="1 0 0.5 1"/>'
        '<filter mode="nearest"/><mipmap enable="false"/><srgb enable="false"/></texture>',
    )
    table.number("Textures/red.png", "diffuse")
    texture = table.textures[0]
    assert (texture.address, texture.border) == (("clamp", "border"), (1.0, 0.0, 0.5, 1.0))
    assert (texture.filter, texture.mipmaps, texture.srgb) == ("nearest", False, False)


def test_odd_sidecar_values_leave_the_defaults(table: UrhoTextures, put: Put) -> None:
    put("Textures/red.xml", '<texture><address coord="u" mode="x"/><border color="a b"/><filter/></texture>')
    table.number("Textures/red.png", "diffuse")
    texture = table.textures[0]
    assert (texture.address, texture.border) == (("wrap", "wrap"), (0.0, 0.0, 0.0, 0.0))


def test_broken_sidecar_is_reported_and_the_picture_stays(
    table: UrhoTextures, put: Put, report: Report
) -> None:
    put("Textures/red.xml", "<texture>\n<address")
    table.number("Textures/red.png", "diffuse")
    assert table.textures[0].decode is not None
    assert [(error.path, error.offset) for error in report.errors] == [("line 2, column 1", 10)]
    assert report.errors[0].file.endswith("red.xml")


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ('<cubemap><face name="red.png"/><face name="red.png"/></cubemap>', "cube map"),
        ('<texture3d><volume name="red.png"/></texture3d>', "3D"),
        ('<texturearray><layer name="a.png"/><layer name="b.png"/></texturearray>', "array"),
    ],
)
def test_other_shapes_are_not_drawable(
    table: UrhoTextures, put: Put, report: Report, text: str, shape: str
) -> None:
    put("Textures/sky.xml", text)
    assert table.number("Textures/sky.xml", "diffuse") is None
    assert table.textures[0].path is not None
    assert [shape in warning for warning in report.warnings] == [True]


def test_a_cube_map_has_the_textures_of_its_faces(table: UrhoTextures, put: Put, report: Report) -> None:
    faces = '<face name="red.png"/><face name="absent.png"/>' + '<face name="red.png"/>' * 4
    put("Textures/sky.xml", f"<cubemap>{faces}</cubemap>")
    assert table.number("Textures/sky.xml", "diffuse") == 0
    assert table.textures[0].path is not None and table.textures[0].path.endswith("red.png")
    assert table.cube("Textures/sky.xml", "diffuse") == (0, 1, 2, 2, 2, 2)
    assert [each.name for each in table.textures[1:]] == ["Textures/absent.png", "Textures/red.png"]
    assert ["absent.png is missing" in each for each in report.warnings] == [True]


def test_a_plain_picture_is_no_cube_map(table: UrhoTextures, put: Put) -> None:
    assert table.cube("Textures/red.png", "diffuse") == ()


@pytest.mark.parametrize(
    ("description", "name", "path"),
    [
        ("Textures/one.xml", "red.png", "Textures/red.png"),
        ("Textures/one.xml", "Textures/red.png", "Textures/red.png"),
        ("one.xml", "white.png", "white.png"),
    ],
)
def test_description_of_a_single_picture(
    table: UrhoTextures, put: Put, root: Path, report: Report, description: str, name: str, path: str
) -> None:
    """A bare name is the name of a file beside the description, a name with folders one of the whole game."""
    save_png(root / "white.png", RED)
    put(description, f'<texturearray><layer name="{name}"/></texturearray>')
    assert table.number(description, "diffuse") == 0
    assert table.textures[0].path == str(root / path) and report.messages == []


def test_broken_picture_raises_only_in_decode(table: UrhoTextures, put: Put) -> None:
    put("Textures/bad.png", "not a picture")
    assert table.number("Textures/bad.png", "diffuse") == 0
    decode = table.textures[0].decode
    assert decode is not None
    with pytest.raises(FormatError) as caught:
        decode()
    assert caught.value.file.endswith("bad.png")
