"""`rigscope render` of several frames."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.program import PROGRAM
from tests.synthetic import write_pair
from tests.video import decoded
from viewer.arrays import Array
from viewer.commands.cli import main

BEND = ("--animation", "Bend")


@pytest.fixture
def post(tmp_path: Path) -> str:
    (tmp_path / "model").mkdir()
    return str(write_pair(tmp_path / "model"))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


@pytest.fixture
def render(post: str, out: Path) -> Any:
    """Render the post small, to `out`; the exit status."""

    def run(name: str, *words: str) -> int:
        return main(["render", post, "--size", "48x32", "-o", str(out / name), *words])

    return run


def pixels(path: Path) -> Array:
    with Image.open(path) as picture:
        return np.asarray(picture).copy()


def durations(path: Path) -> list[float]:
    with Image.open(path) as picture:
        found = []
        for number in range(picture.n_frames):  # type: ignore[attr-defined]
            picture.seek(number)
            found.append(picture.info["duration"])
        return found


def test_one_loop_is_the_default(render: Any, out: Path) -> None:
    assert render("x.gif", *BEND, "--fps", "10") == 0
    assert durations(out / "x.gif") == [100] * 10


def test_an_mp4_has_the_frames_and_the_rate(render: Any, out: Path) -> None:
    assert render("x.mp4", *BEND) == 0
    seen = decoded(out / "x.mp4")
    assert seen.frames.shape == (30, 32, 48, 3) and seen.fps == 30.0


def test_both_ends_of_frames_are_drawn(render: Any, out: Path) -> None:
    assert render("{frame:03}.png", *BEND, "--frames", "8:11") == 0
    assert sorted(os.listdir(out)) == ["008.png", "009.png", "010.png", "011.png"]


def test_frame_n_is_n_frames_after_time(render: Any, out: Path) -> None:
    words = ("--distance", "4", "--view", "front")
    assert render("f{frame}.png", *BEND, *words, "--fps", "20", "--time", "0.1", "--frames", "8") == 0
    assert render("one.png", *BEND, *words, "--time", "0.5") == 0
    assert (pixels(out / "f8.png") == pixels(out / "one.png")).all()


def test_the_loop_closes(render: Any, out: Path) -> None:
    assert render("f{frame}.png", *BEND, "--fps", "10", "--frames", "0:10") == 0
    assert (pixels(out / "f0.png") == pixels(out / "f10.png")).all()
    assert (pixels(out / "f0.png") != pixels(out / "f5.png")).any()


def test_a_turntable_closes_its_circle(render: Any, out: Path) -> None:
    """Frame 0 is where the camera was; the last one is as far before it as the second is behind."""
    assert render("t{frame}.png", "--turntable", "--frames", "0:3", "--view", "front") == 0
    turned = [pixels(out / f"t{number}.png") for number in range(4)]
    views = ("front", "left", "back", "right")
    for view in views:
        assert render(f"{view}.png", "--view", view) == 0
    for number, own in enumerate(views):
        alike = {view: (turned[number] == pixels(out / f"{view}.png")).mean() for view in views}
        assert max(alike, key=lambda view: alike[view]) == own
    assert (turned[0] != turned[1]).any()


def test_a_turntable_takes_four_seconds(render: Any, out: Path) -> None:
    assert render("x.apng", "--turntable", "--fps", "5") == 0
    assert durations(out / "x.apng") == pytest.approx([200] * 20)


def test_the_model_never_leaves_the_picture(render: Any, out: Path) -> None:
    words = ("--shading", "silhouette", "--samples", "0", "--view", "front")
    assert render("f{frame}.png", *BEND, *words, "--fps", "10") == 0
    seen = np.stack([pixels(out / f"f{number}.png")[..., 0] > 200 for number in range(10)]).any(axis=0)
    assert seen.any()
    assert not (seen[0].any() or seen[-1].any() or seen[:, 0].any() or seen[:, -1].any())


def test_a_transparent_gif(render: Any, out: Path) -> None:
    assert render("x.gif", *BEND, "--background", "transparent", "--fps", "5") == 0
    with Image.open(out / "x.gif") as picture:
        picture.seek(3)
        alpha = np.asarray(picture.convert("RGBA"))[..., 3]
    assert not alpha[0, 0] and set(np.unique(alpha)) == {0, 255}


def test_odd_sizes_grow_for_mp4(render: Any, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert render("x.mp4", *BEND, "--fps", "5", "--size", "47x31") == 0
    assert decoded(out / "x.mp4").frames.shape == (5, 32, 48, 3)
    line, missing = capsys.readouterr().err.splitlines()
    assert "48x32" in line and "material" in missing


@pytest.mark.parametrize(
    ("name", "words", "why"),
    [
        ("x.gif", (), "nothing moves"),
        ("x.gif", ("--frames", "3:1"), "ends before it begins"),
        ("x.gif", ("--frames", "1:x"), "is not a range of frames such as 0:29"),
        ("x.gif", ("--frames", "0:999999999"), "more than 100000"),
        ("x.gif", (*BEND, "--fps", "60"), "more than 50 frames"),
        ("x.gif", (*BEND, "--fps", "0"), "more than 0"),
        ("x.mp4", (*BEND, "--background", "transparent"), "cannot be transparent"),
        ("x.png", ("--turntable",), "{frame:04}"),
        ("x.png", ("--frames", "0:1"), "{frame:04}"),
        ("x.gif", ("--turntable", "--camera", "c.json"), "exclude each other"),
        ("no/x.gif", BEND, "its folder does not exist"),
        ("x.avi", BEND, "must end with"),
    ],
)
def test_what_cannot_be_is_status_2(
    name: str, words: tuple[str, ...], why: str, render: Any, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert render(name, *words) == 2
    err = capsys.readouterr().err
    assert why in err and len(err.splitlines()) == 1
    assert os.listdir(out) == []


@pytest.mark.parametrize("name", ["x.gif", "x.mp4", "{frame}.png"])
def test_ctrl_c_leaves_nothing(name: str, post: str, out: Path) -> None:
    words = ["render", post, "--turntable", "--frames", "0:5000", "--size", "64x64", "-o", str(out / name)]
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # tests in the background do not hear it
    command = [*PROGRAM, *words]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=heard)
    patience = time.monotonic() + 120
    while not any(out.rglob("*")) and time.monotonic() < patience:
        time.sleep(0.01)
    time.sleep(0.2)
    assert process.poll() is None and any(out.rglob("*"))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130 and b"Traceback" not in err
    assert os.listdir(out) == []


def test_pictures_that_are_replaced_are_counted(render: Any, out: Path, capsys: Any) -> None:
    assert render("f{frame}.png", *BEND, "--frames", "0:2") == 0
    assert "earlier" not in capsys.readouterr().err
    assert render("f{frame}.png", *BEND, "--frames", "1:4") == 0
    assert "rigscope: 2 earlier pictures replaced\n" in capsys.readouterr().err
    assert len(os.listdir(out)) == 5


def test_a_film_replaces_the_file_that_a_link_leads_to(render: Any, out: Path, tmp_path: Path) -> None:
    target = tmp_path / "film.gif"
    target.write_bytes(b"earlier")
    (out / "a.gif").symlink_to(target)
    assert render("a.gif", *BEND, "--frames", "0:2") == 0
    assert (out / "a.gif").is_symlink() and target.read_bytes().startswith(b"GIF8")
    assert os.listdir(out) == ["a.gif"]


@pytest.mark.parametrize("name", ["f_1.png", "f_{frame}.png"])
def test_a_file_that_is_read_is_not_written(name: str, post: str, tmp_path: Path, capsys: Any) -> None:
    model = (tmp_path / "model" / "f_1.png").absolute()
    model.write_bytes(Path(post).read_bytes())
    assert main(["render", str(model), "--turntable", "-o", str(model.with_name(name))]) == 2
    assert f"would replace {model}, which is an input file" in capsys.readouterr().err
    assert model.read_bytes() == Path(post).read_bytes()
