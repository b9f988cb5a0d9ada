"""`rigscope render --image` and `--uv`: a texture of a model instead of the model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests import m2_files
from tests.fuzzing.picture_files import blp_pictures
from tests.packages import write_package
from tests.synthetic import write_pair
from viewer.arrays import Array
from viewer.commands.cli import main
from viewer.storage.image import save_png

PIXELS = np.random.default_rng(1).integers(0, 256, (6, 4, 4), np.uint8)


@pytest.fixture
def model(tmp_path: Path) -> str:
    """A WoW model whose texture is a picture beside it."""
    save_png(tmp_path / "skin.png", PIXELS)
    (tmp_path / "Made.m2").write_bytes(m2_files.model(textures=[{"type": 6}]))
    return str(tmp_path / "Made.m2")


def rendered(output: Path, *words: str) -> Array:
    assert main(["render", *words, "-o", str(output)]) == 0
    with Image.open(output) as picture:
        return np.asarray(picture).copy()


def chosen(model: str) -> tuple[str, ...]:
    return model, "--texture", f"6={Path(model).with_name('skin.png')}"


def test_a_texture_is_written_with_its_own_pixels_and_alpha(model: str, tmp_path: Path) -> None:
    assert (rendered(tmp_path / "x.png", *chosen(model), "--image", "#0") == PIXELS).all()


def test_one_channel_is_grey(model: str, tmp_path: Path) -> None:
    found = rendered(tmp_path / "x.png", *chosen(model), "--channels", "A")
    assert (found == PIXELS[..., 3:].repeat(3, axis=2)).all()


def test_a_layout_is_drawn_over_a_readable_multiple_of_the_texture(model: str, tmp_path: Path) -> None:
    plain = rendered(tmp_path / "a.png", *chosen(model), "--image", "#0", "--size", "684x1026")
    lined = rendered(tmp_path / "b.png", *chosen(model), "--uv")
    assert lined.shape == (1026, 684, 3) and (lined != plain[..., :3]).any()


def test_the_layout_of_a_model_without_textures_is_drawn_alone(tmp_path: Path) -> None:
    post = str(write_pair(tmp_path))
    found = rendered(tmp_path / "x.png", post, "--uv", "--size", "64x64")
    assert len(np.unique(found.reshape(-1, 3), axis=0)) > 2


def test_a_picture_is_its_own_texture_with_its_levels(tmp_path: Path) -> None:
    (tmp_path / "plain.blp").write_bytes(blp_pictures()["plain.blp"])
    found = rendered(tmp_path / "x.png", str(tmp_path / "plain.blp"), "--mip", "1")
    assert found.shape == (4, 4, 4) and not found.any()


@pytest.mark.parametrize("output", ["png/{name}.png", "png/"])
@pytest.mark.parametrize("packed", [False, True])
def test_all_pictures_of_a_place_are_written_below_their_folders(
    packed: bool, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    data = dict.fromkeys(("Interface/A/x.blp", "Interface/B/x.blp"), blp_pictures()["plain.blp"])
    place = tmp_path / "in"
    if packed:
        place = write_package(tmp_path, files=[*data.items()])
    else:
        for name, each in data.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(each)
    words = ["render", str(place), "--image", "#0", "-o", f"{tmp_path}/{output}"]
    assert main(words) == 0
    written = sorted(str(each.relative_to(tmp_path / "png")) for each in (tmp_path / "png").rglob("*.png"))
    assert written == ["Interface/A/x.png", "Interface/B/x.png"]
    first = f"{place}{'::' if packed else '/'}Interface/A/x.blp"
    single = rendered(tmp_path / "x.png", first, "--image", "#0")
    with Image.open(tmp_path / "png/Interface/A/x.png") as picture:
        assert (np.asarray(picture) == single).all()
    assert main([*words, "--force"]) == 0


def test_without_an_image_a_place_of_pictures_has_no_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_png(tmp_path / "x.png", PIXELS)
    for words in ((), ("--uv",), ("--image", "skin")):
        assert main(["render", str(tmp_path), *words, "-o", f"{tmp_path}/{{name}}.png"]) == 2
        assert "there is no model in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--image", "nothing"), "no texture 'nothing'"),
        (("--image", "#0"), "has no image; --uv draws its layout alone"),
        (("--uv", "--mip", "3"), "no mip level 3; it has 1"),
        (("--uv", "--geometry", "#7"), "no geometry '#7'"),
        (("--image", "#0", "--geometry", "#0"), "--geometry chooses layouts: it needs --uv"),
        (("--uv", "--ui"), "draw only a texture"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(
    words: tuple[str, ...], said: str, model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", model, *words, "-o", str(tmp_path / "x.png")]) != 0
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert said in line and not (tmp_path / "x.png").exists()


def test_a_texture_is_no_film(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", model, "--uv", "-o", str(tmp_path / "x.gif")]) != 0
    assert "a texture is one picture" in capsys.readouterr().err
