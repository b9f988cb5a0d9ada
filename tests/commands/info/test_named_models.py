"""`info`, `render` and `bake` of models whose particles are models, or carry emitters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.named_models import RED, alone, emitter, put, shard
from viewer.commands.cli import main

SMALL = ["--size", "64x64", "--samples", "0", "--no-grid"]


def picture(path: Path, *words: str) -> np.ndarray:
    """[64, 64, 3] what `render` draws."""
    output = path.with_suffix(".png")
    assert main(["render", str(path), *SMALL, *words, "-o", str(output)]) == 0
    return np.asarray(Image.open(output).convert("RGB")).astype(int)


@pytest.fixture
def stones(tmp_path: Path) -> Path:
    """Red stones, one large one after another at the origin."""
    made = emitter(geometry_model="Shard.mdx", colors=RED, numbers={"speed": 0, "rate": 1.2})
    return put(tmp_path, stones=alone(made), Shard=shard())


def test_pictures_show_the_models(stones: Path) -> None:
    shown, hidden = picture(stones, "--time", "0.5"), picture(stones, "--time", "0.5", "--no-particles")
    red = (shown[..., 0] > 200) & (shown[..., 1:] < 30).all(axis=2)
    assert red.sum() > 100
    assert not ((hidden[..., 0] > 200) & (hidden[..., 1] < 30)).any()


def test_a_cold_start_and_a_seed_hold_for_models(tmp_path: Path) -> None:
    wild = emitter(geometry_model="Shard.mdx", colors=RED, tumble=(0, 0, 0, 9, 9, 9))
    path = put(tmp_path, wild=alone(wild), Shard=shard())
    first, again, other = (picture(path, "--time", "0.7", "--seed", seed) for seed in "112")
    assert (first == again).all() and (first != other).any()
    assert (picture(path, "--cold", "--time", "0.2") != picture(path, "--time", "0.2")).any()


def test_info_names_them(stones: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stones.write_bytes(alone(emitter(geometry_model="Shard.mdx", recursion_model="Gone.mdx")))
    assert main(["info", str(stones), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    shape, gone = found["models"]
    assert shape == {
        "name": "Shard.mdx",
        "found": str(stones.with_name("Shard.m2")),
        "searched": [],
        "why": "",
    }
    assert gone["found"] is None and str(stones.with_name("Gone.m2")) in gone["searched"]
    assert found["emitters"][0]["shape"] == "Shard.mdx" and found["emitters"][0]["carries"] == "Gone.mdx"


def test_info_says_where_a_missing_one_was_searched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path, stones=alone(emitter(recursion_model="Gone.mdx")))
    assert main(["info", str(path)]) == 0
    out = capsys.readouterr().out
    assert f"Gone.mdx: searched\n    {tmp_path / 'Gone.m2'}\n" in out
    assert "emitter 0: each particle carries the emitters of Gone.mdx, which is missing" in out


def baked(path: Path, *words: str) -> Any:
    output = path.with_suffix(".npz")
    assert main(["bake", str(path), *words, "-o", str(output)]) == 0
    return np.load(output)


def test_bake_writes_the_same_particles_whatever_they_are(stones: Path) -> None:
    with_model = baked(stones, "--time", "0.5")["emitter_0"]
    stones.with_name("Shard.m2").unlink()
    np.testing.assert_array_equal(with_model, baked(stones, "--time", "0.5")["emitter_0"])


def test_bake_writes_what_is_carried(tmp_path: Path) -> None:
    path = put(tmp_path, comets=alone(emitter(recursion_model="Sparks.mdx")), Sparks=alone(emitter()))
    found = baked(path, "--time", "1.05")
    assert sorted(each for each in found if "_" in each) == ["carried_0", "emitter_0"]
    rows = found["carried_0"]
    assert len(rows) > 50 and set(rows["carrier"].tolist()) >= set(found["emitter_0"]["number"].tolist()[:5])


@pytest.mark.parametrize("flags", [0x1, 0x3, 0x11, 0x1001], ids=("world", "sorted", "local", "flat"))
def test_pictures_show_what_is_carried(tmp_path: Path, flags: int) -> None:
    comets = emitter(recursion_model="Sparks.mdx", scales=(0.0, 0.0, 0.0))
    sparks = emitter(flags=flags, blend=2, colors=RED, scales=(0.3, 0.3, 0.3))
    path = put(tmp_path, comets=alone(comets), Sparks=alone(sparks))
    shown, hidden = picture(path, "--time", "0.5"), picture(path, "--time", "0.5", "--no-particles")
    assert (shown[..., 0] > hidden[..., 0] + 30).sum() > 20
