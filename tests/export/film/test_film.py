"""Films as files: what a player finds in them, and that nothing half-made is ever seen."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.video import decoded
from viewer.arrays import Array
from viewer.errors import ResourceError
from viewer.export.film import codecs, passes
from viewer.export.film.encoder import writable
from viewer.export.film.film import Film, is_sequence, usable_size
from viewer.scene.choices import FILM_FORMATS, PICTURE_SUFFIXES

SIZE = (32, 24)
MOVING = (".mp4", ".webm", ".gif", ".webp", ".apng")
RED = (200, 30, 40, 255)


def frames(count: int = 6, background: tuple[int, ...] = RED) -> list[Array]:
    """A white square that moves from the left to the right."""
    made = np.empty((count, SIZE[1], SIZE[0], 4), np.uint8)
    made[:] = background
    for number, frame in enumerate(made):
        frame[8:16, 4 * number : 4 * number + 8] = 255
    return list(made)


def shot(path: Path, pictures: list[Array], fps: float = 25.0, **more: Any) -> Path:
    with Film(str(path), SIZE, fps, **more) as film:
        for picture in pictures:
            film.add(picture)
    return path


def animated(path: Path) -> tuple[Any, list[Array], list[float]]:
    """The header's facts, frames [height, width, 4] and milliseconds of a GIF or APNG."""
    with Image.open(path) as picture:
        seen, durations = [], []
        for number in range(picture.n_frames):  # type: ignore[attr-defined]
            picture.seek(number)
            seen.append(np.asarray(picture.convert("RGBA")).copy())
            durations.append(picture.info["duration"])
        return dict(picture.info), seen, durations


@pytest.mark.parametrize("name", ["x.mp4", "x.webm"])
def test_a_video_has_every_frame_at_its_time_and_colour(name: str, tmp_path: Path) -> None:
    seen = decoded(shot(tmp_path / name, frames()))
    assert seen.frames.shape == (6, 24, 32, 3) and seen.fps == 25.0
    for number, frame in enumerate(seen.frames):
        assert np.abs(frame[2, 2].astype(int) - RED[:3]).max() <= 12
        assert frame[12, 4 * number + 4].min() > 230


def test_an_mp4_is_what_browsers_play(tmp_path: Path) -> None:
    path = shot(tmp_path / "x.mp4", frames())
    seen = decoded(path)
    assert (seen.codec, seen.pixels) == ("h264", "yuv420p")
    assert seen.colours == (1, 1, 1), "bt709, bt709, limited range"
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat"), "a browser would load all of it first"


def test_rates_that_are_no_whole_number_are_kept(tmp_path: Path) -> None:
    assert decoded(shot(tmp_path / "x.mp4", frames(), fps=30000 / 1001)).fps == 30000 / 1001


@pytest.mark.parametrize("name", ["x.gif", "x.webp", "x.apng"])
def test_a_loop_has_every_frame_and_its_length_and_goes_on_for_ever(name: str, tmp_path: Path) -> None:
    info, seen, durations = animated(shot(tmp_path / name, frames(), fps=30))
    assert info["loop"] == 0 and len(seen) == 6
    assert sum(durations) == pytest.approx(200, abs=10)
    for number, frame in enumerate(seen):
        assert np.abs(frame[2, 2].astype(int) - RED).max() <= 8
        assert frame[12, 4 * number + 4].min() > 230


@pytest.mark.parametrize("name", ["x.gif", "x.apng", "x_{frame}.png"])
def test_what_is_transparent_stays_so(name: str, tmp_path: Path) -> None:
    made = shot(tmp_path / name, frames(2, (0, 0, 0, 0)), alpha=True)
    seen = animated(made)[1] if made.exists() else [np.asarray(Image.open(tmp_path / "x_1.png"))]
    alpha = seen[-1][..., 3]
    assert alpha[12, 8] == 255 and alpha[12, 5] == 255, "the square"
    assert alpha[12, 2] == 0, "where it was in the frame before"
    assert alpha[0, 0] == 0


def test_without_alpha_the_fourth_channel_does_not_count(tmp_path: Path) -> None:
    _, seen, _ = animated(shot(tmp_path / "x.gif", frames(2, (200, 30, 40, 0))))
    assert (seen[0][..., 3] == 255).all()
    shot(tmp_path / "x.png", frames(1))
    with Image.open(tmp_path / "x.png") as picture:
        assert picture.mode == "RGB"


def test_a_gradient_in_a_gif_has_no_bands(tmp_path: Path) -> None:
    """Dithering: the mean of a patch is right though the palette has few of these colours."""
    rng = np.random.default_rng(1)
    picture = np.full((24, 32, 4), 255, np.uint8)
    picture[..., :3] = rng.integers(0, 256, (24, 32, 3))
    picture[:, 16:, :3] = np.linspace(60, 90, 24).astype(np.uint8)[:, None, None]
    _, seen, _ = animated(shot(tmp_path / "x.gif", [picture] * 2))
    error = (seen[1].astype(float) - picture)[:, 16:, :3]
    assert abs(error.mean()) < 3


def test_pictures_are_numbered_from_the_first(tmp_path: Path) -> None:
    shot(tmp_path / "walk_{frame:04}.png", frames(3), first=9)
    assert sorted(os.listdir(tmp_path)) == ["walk_0009.png", "walk_0010.png", "walk_0011.png"]


def test_one_picture_takes_one_frame(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="single picture"):
        shot(tmp_path / "x.png", frames(2))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "several"),
    [
        ("x.png", False),
        ("x{frame}.png", True),
        ("x{frame:04}.PNG", True),
        ("x.gif", True),
        ("{frame}/x.png", False),
        ("x{frames}.png", False),
    ],
)
def test_which_names_stand_for_several_frames(name: str, several: bool) -> None:
    assert is_sequence(name) is several


def test_only_some_formats_need_even_sizes() -> None:
    assert usable_size("x.mp4", (31, 24)) == (32, 24)
    assert [usable_size(f"x{suffix}", (31, 23)) for suffix in PICTURE_SUFFIXES].count((31, 23)) == 5


@pytest.mark.parametrize("name", [f"x{suffix}" for suffix in MOVING] + ["x{frame}.png"])
def test_an_exception_leaves_nothing(name: str, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), Film(str(tmp_path / name), SIZE, 25.0) as film:
        film.add(frames()[0])
        raise KeyboardInterrupt
    assert os.listdir(tmp_path) == []


def test_what_was_there_stays_until_all_is_done(tmp_path: Path) -> None:
    path = tmp_path / "x.gif"
    path.write_bytes(b"before")
    film = Film(str(path), SIZE, 25.0)
    film.add(frames()[0])
    assert path.read_bytes() == b"before"
    film.abandon()
    assert path.read_bytes() == b"before" and os.listdir(tmp_path) == ["x.gif"]
    shot(path, frames())
    assert path.read_bytes()[:6] == b"GIF89a" and os.listdir(tmp_path) == ["x.gif"]


def test_it_can_be_ended_without_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go, encode = threading.Event(), passes.encode

    def held(*arguments: Any) -> None:
        assert go.wait(60)
        encode(*arguments)

    monkeypatch.setattr(passes, "encode", held)
    film = Film(str(tmp_path / "x.gif"), SIZE, 25.0)
    for frame in frames()[:2]:
        film.add(frame)
    assert not film.finished() and not film.finished() and not go.is_set()
    go.set()
    film.close()
    assert film.finished() and (tmp_path / "x.gif").exists()


def test_an_abandoned_encoder_has_ended(tmp_path: Path) -> None:
    film = Film(str(tmp_path / "x.webm"), SIZE, 25.0)
    for frame in frames():
        film.add(frame)
    film.abandon()
    film.abandon()
    assert "film" not in [thread.name for thread in threading.enumerate()]


@pytest.mark.parametrize("name", ["x.gif", "x.webp"])
def test_a_second_pass_is_ended_too(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = threading.Event(), []
    write = passes.write

    def slow(path: Path, stream: Any, pictures: Iterable[Any]) -> None:
        """Nothing is written in the second pass but the work of one frame after the other."""
        if path.name == passes.FRAMES:
            return write(path, stream, pictures)
        for _ in pictures:
            begun.set()
            time.sleep(0.02)
        ended.append(path)

    monkeypatch.setattr(passes, "write", slow)
    monkeypatch.setattr(
        passes, "_write_webp", lambda path, stream, pictures, count: slow(path, stream, pictures)
    )
    film = Film(str(tmp_path / name), SIZE, 25.0)
    for frame in frames(60):
        film.add(frame)
    while not begun.is_set():
        assert not film.finished()
    film.abandon()
    assert not ended and os.listdir(tmp_path) == []


def test_a_webp_of_one_frame_shows_it(tmp_path: Path) -> None:
    with Image.open(shot(tmp_path / "x.webp", frames(1))) as picture:
        assert np.abs(np.asarray(picture.convert("RGBA"))[2, 2].astype(int) - RED).max() <= 8


def test_slow_changes_do_not_add_up_in_a_webp(tmp_path: Path) -> None:
    ramp = np.tile(np.linspace(0, 200, 32).astype(np.uint8), (24, 1))
    pictures = [np.dstack([ramp + 2 * n, ramp, ramp, np.full_like(ramp, 255)]) for n in range(12)]
    _, seen, durations = animated(shot(tmp_path / "x.webp", pictures))
    shown = np.repeat(np.stack(seen), np.round(np.array(durations) / 40).astype(int), axis=0)
    assert shown.shape == (12, 24, 32, 4)
    assert np.abs(shown.astype(int) - np.stack(pictures)).mean((1, 2, 3)).max() < 3


def test_a_frame_of_another_size_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="does not fit"), Film(str(tmp_path / "x.gif"), (24, 24)) as film:
        film.add(frames()[0])


@pytest.mark.parametrize(
    ("name", "size"), [("x.avi", SIZE), ("x", SIZE), (".mp4", (3, 3)), ("x.mp4", (3, 4))]
)
def test_what_cannot_be_written_is_refused_at_once(name: str, size: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        Film(str(tmp_path / name), size)
    assert os.listdir(tmp_path) == []


def no_folder(path: Path) -> Path:
    return path / "no" / "x.gif"


def a_folder(path: Path) -> Path:
    (path / "x.gif").mkdir()
    return path / "x.gif"


@pytest.mark.parametrize("place", [no_folder, a_folder])
def test_an_output_that_cannot_be_names_itself(place: Callable[[Path], Path], tmp_path: Path) -> None:
    path = place(tmp_path)
    with pytest.raises(OSError, match=r"x\.gif") as caught:
        Film(str(path), SIZE)
    assert caught.value.filename == str(path)


def test_an_encoder_that_dies_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = codecs.Codec("libx264", "mp4", "yuv420p", (("scale", "out_color_matrix=none-of-that-name"),))
    monkeypatch.setitem(codecs.CODECS, ".mp4", broken)
    with pytest.raises(OSError, match=r"x\.mp4") as caught:
        shot(tmp_path / "x.mp4", frames() * 400)
    assert caught.value.strerror and "nvalid" in caught.value.strerror
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("name", [f"x{suffix}" for suffix in MOVING])
def test_a_full_disk_is_told(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for each in ("MADE", "ENCODED"):
        monkeypatch.setattr(passes, each, "../../full")
    (tmp_path.parent / "full").unlink(missing_ok=True)
    (tmp_path.parent / "full").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space"):
        shot(tmp_path / name, frames())
    assert os.listdir(tmp_path) == []


def test_without_an_encoder_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "viewer.export.film.encoding", raising=False)
    monkeypatch.delitem(sys.modules, "viewer.export.film.passes", raising=False)
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(ResourceError, match="pip install av"):
        Film(str(tmp_path / "x.mp4"), SIZE)
    assert os.listdir(tmp_path) == []


def test_the_names_are_known_without_the_encoder() -> None:
    code = "import viewer.export.film.film, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"av", "PIL"} & set(done.stdout.split())


def test_the_formats_that_can_be_written_are_those_whose_encoders_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import av

    assert writable() == tuple(each.suffix for each in FILM_FORMATS)
    monkeypatch.setattr(av, "codecs_available", av.codecs_available - {"libx264"})
    assert ".mp4" not in writable() and ".gif" in writable()
    monkeypatch.setitem(sys.modules, "av", None)
    assert writable() == (".png",)
