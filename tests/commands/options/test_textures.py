"""`--texture TYPE=FILE`, and lone pictures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests import m2_files
from viewer.commands.cli import main
from viewer.storage.image import save_png


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(textures=[{"type": 6}], materials=[{"flags": 5}]))
    return str(path)


@pytest.fixture
def red(tmp_path: Path) -> str:
    path = tmp_path / "red.png"
    save_png(path, np.full((2, 4, 4), (255, 0, 0, 255), np.uint8))
    return str(path)


def test_a_texture_takes_its_place_by_type(model: str, red: str, tmp_path: Path) -> None:
    output = tmp_path / "out.png"
    words = ["render", model, "-o", str(output), "--texture", f"6={red}", "--no-grid", "--size", "32x32"]
    assert main([*words, "--shading", "unlit", "--samples", "0"]) == 0
    with Image.open(output) as picture:
        drawn = np.asarray(picture)
    assert ((drawn[..., 0] > 250) & (drawn[..., 1] < 5)).any()


def test_the_window_wears_it_too(model: str, red: str, tmp_path: Path) -> None:
    output = tmp_path / "out.png"
    words = ["render", model, "-o", str(output), "--texture", f"6={red}", "--no-grid", "--size", "640x400"]
    assert main([*words, "--shading", "unlit", "--ui"]) == 0
    with Image.open(output) as picture:
        drawn = np.asarray(picture)
    assert ((drawn[..., 0] > 250) & (drawn[..., 1] < 5) & (drawn[..., 2] < 5)).sum() > 20


@pytest.mark.parametrize(
    ("value", "said"), [("7=x.png", "type 7"), ("6=none.png", "cannot be read"), ("x", "11=Skin.blp")]
)
def test_what_cannot_be_worn_is_told(
    model: str, red: str, value: str, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    value = value.replace("x.png", red)
    assert main(["render", model, "-o", str(tmp_path / "out.png"), "--texture", value]) in (1, 2)
    assert said in capsys.readouterr().err


def test_a_lone_picture_is_a_card_from_edge_to_edge(sample: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.png"
    assert main(["render", str(sample), "-o", str(output), "--size", "64x64"]) == 0
    with Image.open(output) as picture:
        drawn = np.asarray(picture.convert("RGB")).astype(int)
    assert (drawn[4:7, 6:58] > 150).all(), "porcelain"
    assert drawn[22, 20:44].min() < 120 < drawn[22, 4:16].min(), "the eyes are in the middle"


def test_info_tells_what_a_picture_is(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(sample), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    encoding = "BLP2 palette, 0 bit alpha"
    assert found["image"] == {"width": 512, "height": 512, "mips": 10, "encoding": encoding}
    assert (found["geometries"], found["unexplained_bytes"]) == ([], 0)


@pytest.fixture
def sample() -> Path:
    return Path(__file__).parents[3] / "assets/m2/Creature/Puff/PuffSkin.blp"
