"""The figure is drawn: upright, from the front, and moving."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.plugin_iqm import samples
from tests.plugin_iqm.conftest import ROOT
from tests.plugin_iqm.samples import alone, data, model, opened
from viewer.animation.pose import Layer, pose
from viewer.arrays import Array
from viewer.commands.cli import main
from viewer.render.bake import bake
from viewer.render.renderer import Renderer
from viewer.scene.display import ModelDisplay

FRONT = ("--view", "front", "--size", "96x96", "--background", "#000000", "--no-grid", "--shading", "lit")


@pytest.fixture
def figure(tmp_path: Path) -> Path:
    (tmp_path / "figure.iqm").write_bytes(data())
    return tmp_path / "figure.iqm"


def shot(*words: Any) -> Array:
    """[H, W, 3]: a picture from the front."""
    output = Path(words[0]).with_suffix(".png")
    assert main(["render", *map(str, words), *FRONT, "-o", str(output)]) == 0
    with Image.open(output) as picture:
        return np.asarray(picture.convert("RGB")).astype(int)


def rows_of(picture: Array, channel: int) -> Array:
    """The rows [N] and columns [N] of pixels in which one colour is by far the strongest."""
    others = np.delete(picture, channel, axis=2).max(axis=2)
    return np.argwhere(picture[..., channel] > 2 * others + 20)


def test_the_figure_stands_and_faces_the_viewer(figure: Path) -> None:
    picture = shot(figure)
    nose, body, legs = (rows_of(picture, channel) for channel in range(3))
    assert len(nose) and len(body) and len(legs)
    assert nose[:, 0].max() < body[:, 0].min() < body[:, 0].max() < legs[:, 0].max()
    yellow = np.argwhere((picture[..., :2] > 60).all(axis=2) & (picture[..., 2] < 60))
    assert yellow[:, 1].mean() < nose[:, 1].mean(), "the right arm is on the viewer's left"


def test_it_moves(figure: Path) -> None:
    first, second = (shot(figure, "--animation", "wave", "--time", time) for time in ("0", "0.16"))
    assert first.max() > 60 and (abs(first - second).max(axis=2) > 40).mean() > 0.01


def test_a_file_of_animations_moves_the_model_that_is_named_before_it(figure: Path) -> None:
    clips = figure.with_name("moves.iqm")
    clips.write_bytes(alone())
    still = figure.with_name("still.iqm")
    still.write_bytes(data(clips=()))
    own = shot(figure, "--animation", "wave", "--time", "0.16")
    given = shot(still, clips, "--animation", "wave", "--time", "0.16")
    assert (own == given).all() and (own != shot(still)).any()


ARRAYS = (
    ("position", 0, "f2"),
    ("position", 0, "f8"),
    ("joints", 3, "i4"),
    ("weights", 4, "u2"),
    ("weights", 4, "f2"),
)


@pytest.mark.parametrize(("name", "place", "type"), [*ARRAYS, ("as it is", 0, "f4")])
def test_the_graphics_card_skins_as_numpy_does(
    name: str, place: int, type: str, ctx: Any, tmp_path: Path
) -> None:
    arrays = list(samples.figure().arrays)
    values = arrays[place].values.astype(float) / (255 if name == "weights" else 1)
    values = values * 65535 if type == "u2" else values
    arrays[place] = arrays[place]._replace(values=values.astype(type))
    document = opened(tmp_path, data(arrays=arrays))
    content = model(document)
    assert content.skeleton is not None
    posed = pose(content.skeleton, [Layer(document.animations[0], 0.13)])
    renderer = Renderer(ctx)
    mesh = renderer.upload(content)
    baked = bake(mesh, posed, ModelDisplay())
    mesh.release()
    renderer.release()
    points = content.vertex_buffers[0].column("position")
    bones = content.vertex_buffers[3].column("joints")
    assert points is not None and bones is not None
    skin = posed.skin[bones[:, 0]]
    expected = np.einsum("vij,vj->vi", skin[:, :, :3], points) + skin[:, :, 3]
    for number, part in enumerate(baked):
        drawn = slice(24 * number, 24 * number + 24)
        assert np.allclose(part.positions[drawn], expected[drawn], atol=2e-3 if type == "f2" else 1e-5)


def test_a_program_of_its_own_finds_the_plugin(figure: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "viewer", "render", str(figure), "-o", "out.png", "--size", "32x32"]
    done = subprocess.run(
        command, cwd=figure.parent, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert (figure.parent / "out.png").stat().st_size
    without = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=figure.parent, env=without, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1 and "the format is unknown" in done.stderr
