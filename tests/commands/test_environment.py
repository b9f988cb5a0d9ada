"""`--environment` and the other options of the light around the model, at the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.hdr import hdr
from tests.synthetic import write_pair
from viewer.arrays import Array
from viewer.commands.cli import main

SIZE = ("--size", "48x32", "--no-grid")


def picture(width: int = 64, height: int = 32, left: float = 0.05, right: float = 0.8) -> Array:
    """A picture of all directions whose halves differ."""
    made = np.full((height, width, 3), left)
    made[:, width // 2 :] = right
    return made


def rendered(output: Path, *words: str) -> Array:
    """[height, width, channels] of a picture that went well."""
    assert main(["render", *words, *SIZE, "-o", str(output)]) == 0
    with Image.open(output) as drawn:
        return np.asarray(drawn).astype(int)


@pytest.fixture
def post(tmp_path: Path) -> str:
    return str(write_pair(tmp_path))


@pytest.fixture
def sky(tmp_path: Path) -> str:
    path = tmp_path / "sky.hdr"
    path.write_bytes(hdr(picture(), "new"))
    return str(path)


def test_the_built_in_environment_is_a_light(post: str, tmp_path: Path) -> None:
    studio, room = (rendered(tmp_path / "a.png", post, *more) for more in ((), ("--light", "environment")))
    named = rendered(tmp_path / "a.png", post, "--environment", "room")
    assert (room == named).all() and not (room == studio).all()


def test_a_picture_lights_the_model_and_turns(post: str, sky: str, tmp_path: Path) -> None:
    straight = rendered(tmp_path / "a.png", post, "--environment", sky, "--view", "front")
    turned = rendered(
        tmp_path / "a.png", post, "--environment", sky, "--view", "front", "--environment-turn", "180"
    )
    strong = rendered(
        tmp_path / "a.png", post, "--environment", sky, "--view", "front", "--environment-strength", "2"
    )
    assert not (straight == turned).all()
    assert strong.sum() > straight.sum()


def test_the_environment_is_drawn_behind_the_model(post: str, sky: str, tmp_path: Path) -> None:
    behind = rendered(
        tmp_path / "a.png", post, "--environment", sky, "--environment-background", "0", "--view", "front"
    )
    assert behind[16, 2, 0] < 100 < behind[16, 46, 0]


def test_occlusion_tone_and_exposure_change_the_picture(post: str, tmp_path: Path) -> None:
    plain = rendered(tmp_path / "a.png", post)
    for more in (("--tone", "filmic"), ("--exposure", "1"), ("--exposure=-1",)):
        assert not (rendered(tmp_path / "a.png", post, *more) == plain).all()
    for more in (("--no-occlusion",), ("--tone", "none"), ("--exposure", "0")):
        assert (rendered(tmp_path / "a.png", post, *more) == plain).all()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ("--environment", "{sky}", "--light", "studio"),
            "--environment is for --light environment, not studio",
        ),
        (("--environment-turn", "9", "--light", "unlit"), "--environment-turn is for --light environment"),
        (("--environment", "{sky}.missing.hdr"), "there is no such file"),
        (("--environment", "sky.exr"), "neither room nor a file .hdr"),
        (("--environment-strength", "-1"), "not between 0 and 1000"),
        (("--environment-background", "2"), "not between 0 and 1"),
        (("--environment-background", "0", "--background", "navy"), "exclude each other"),
        (("--exposure", "99"), "not between -16 and 16"),
        (("--tone", "soft"), "not none|filmic"),
        (("--light", "environment:10,20"), "environment has no direction"),
    ],
)
def test_bad_usage_is_refused(post: str, sky: str, capsys: Any, words: tuple[str, ...], why: str) -> None:
    assert main(["render", post, *(each.format(sky=sky) for each in words), "-o", "a.png"]) == 2
    assert why in capsys.readouterr().err


BROKEN = {
    "cut": hdr(picture(), "new")[:300],
    "no hdr": b"\x89PNG\r\n",
    "not twice as wide as high": hdr(picture(60, 32)),
    "huge": hdr(picture(), size=b"-Y 8192 +X 16384"),
    "not finite": hdr(picture(), lines=b"EXPOSURE=nan\n"),
    "too bright": hdr(picture())[: -64 * 32 * 4] + b"\1\2\3\xff" * 64 * 32,
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_environment_is_one_line_with_its_name_and_no_picture(
    post: str, tmp_path: Path, capsys: Any, name: str
) -> None:
    path = tmp_path / "broken.hdr"
    path.write_bytes(BROKEN[name])
    output = tmp_path / "a.png"
    assert main(["render", post, *SIZE, "--environment", str(path), "-o", str(output)]) == 1
    lines = [line for line in capsys.readouterr().err.splitlines() if "frame" not in line]
    assert len(lines) == 1 and str(path) in lines[0]
    assert not output.exists()


def test_thumbnails_are_drawn_again_when_the_environment_changes(tmp_path: Path, sky: str) -> None:
    models = tmp_path / "models"
    models.mkdir()
    write_pair(models)
    words = ["thumbs", str(models), "-o", str(tmp_path / "out") + "/", "--size", "32x32"]
    light = ["--environment", sky, "--force"]

    def shown() -> bytes:
        assert main([*words, *light]) == 0
        return b"".join(path.read_bytes() for path in sorted((tmp_path / "out").glob("*.png")))

    first = shown()
    Path(sky).write_bytes(hdr(picture(left=0.9, right=0.0)))
    assert first and shown() != first


def test_a_turntable_shows_the_model_from_its_lit_and_from_its_dark_side(
    post: str, sky: str, tmp_path: Path
) -> None:
    words = ["--environment", sky, "--turntable", "--frames", "0:1", "--yaw", "90"]
    assert main(["render", post, *SIZE, *words, "-o", str(tmp_path / "f_{frame}.png")]) == 0
    first, second = (np.asarray(Image.open(tmp_path / f"f_{n}.png")).astype(int) for n in (0, 1))
    assert abs(first[16, 24] - second[16, 24]).max() > 40
