"""The task that draws the thumbnail of one file."""

from __future__ import annotations

import io
import os
import pickle
import time
from functools import partial
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from msgspec.structs import replace

from tests.packages import png, write_package
from tests.synthetic import animation_bytes, model_bytes, write_pair
from viewer.arrays import Array
from viewer.commands.options.apply_options import show_first
from viewer.commands.options.given_options import Options
from viewer.errors import FormatError
from viewer.library.thumbnails.thumbnail import ThumbnailRecord, ThumbnailTask, first_sight
from viewer.scene.reading_context import reading_context
from viewer.session.state import State
from viewer.storage.versions import UNSETTLED

SIZE = (64, 48)
TASK = ThumbnailTask(SIZE)
ALONE = ThumbnailTask(SIZE, partial(show_first, options=Options(shown={"background": (0, 0, 0, 0)})))


def pixels(made: ThumbnailRecord) -> Array:
    picture = PIL.Image.open(io.BytesIO(made.png))
    assert picture.size == SIZE
    return np.asarray(picture).astype(int)


def age(folder: Path) -> None:
    """Give all files of a folder an old time of change."""
    for path in folder.iterdir():
        os.utime(path, (1e9, 1e9))


def test_a_model_fills_its_picture(tmp_path: Path) -> None:
    made = pixels(ALONE(str(write_pair(tmp_path))))
    rows, columns = np.nonzero(made[..., 3])
    assert rows.min() in range(1, 5) and rows.max() in range(43, 47)
    assert abs(columns.mean() - 31.5) < 4


def test_the_idle_clip_is_seen(tmp_path: Path) -> None:
    path, played = write_pair(tmp_path), list[str]()
    (tmp_path / "Post_Idle.ani").write_bytes((tmp_path / "Post_Bend.ani").read_bytes())

    def watched(state: State) -> None:
        first_sight(state)
        played.extend(each.animation.source for each in state.view.playlist)

    ThumbnailTask(SIZE, watched)(str(path))
    assert played == [str(tmp_path / "Post_Idle.ani")]


def test_the_same_file_gives_the_same_bytes(tmp_path: Path) -> None:
    path = str(write_pair(tmp_path))
    assert TASK(path).png == TASK(path).png


def test_a_task_can_be_sent_to_another_process() -> None:
    sent = pickle.loads(pickle.dumps(ALONE))
    assert (sent.size, sent.prepare.keywords) == (SIZE, ALONE.prepare.keywords)


def test_found_and_missing_companions_are_named_with_their_versions(tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    (tmp_path / "Post.txt").write_text("Materials/Post.xml\n")
    age(tmp_path)
    depends = dict(TASK(str(path)).depends)
    status = (tmp_path / "Post_Bend.ani").stat()
    assert depends[str(tmp_path / "Post_Bend.ani")] == (status.st_mtime_ns, status.st_size)
    assert depends[str(tmp_path / "Materials/Post.xml")] is None


def test_a_file_that_is_written_meanwhile_has_no_version(tmp_path: Path) -> None:
    path, clip = write_pair(tmp_path), tmp_path / "Post_Bend.ani"

    def write(state: State) -> None:
        os.utime(clip, ns=(time.time_ns(),) * 2)

    assert ThumbnailTask(prepare=write)(str(path)).depends[str(clip)] == UNSETTLED


def test_files_in_packages_have_thumbnails(tmp_path: Path) -> None:
    package = write_package(tmp_path)
    made = TASK(f"{package}::Models/Post.mdl")
    assert made.facts.kind == "model"
    assert str(package) in dict(made.depends)


def test_a_broken_file_has_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.mdl"
    path.write_bytes(model_bytes()[:20])
    with pytest.raises(FormatError):
        TASK(str(path))


def test_a_file_without_a_picture_has_a_card(tmp_path: Path) -> None:
    path = tmp_path / "a.ani"
    path.write_bytes(animation_bytes())
    assert len(np.unique(pixels(TASK(str(path))))) > 5


def test_options_pose_and_aim(tmp_path: Path) -> None:
    path = str(write_pair(tmp_path))
    turned = ThumbnailTask(SIZE, partial(show_first, options=Options(view="top", shown={"grid": False})))
    assert turned(path).png != TASK(path).png


def test_resource_folders_are_searched(tmp_path: Path) -> None:
    (tmp_path / "model/.git").mkdir(parents=True)  # the project ends there
    (tmp_path / "data/Textures").mkdir(parents=True)
    path = write_pair(tmp_path / "model")
    (tmp_path / "model/Post.txt").write_text("Post.xml\n")
    (tmp_path / "model/Post.xml").write_text(
        '<material><texture unit="diffuse" name="Textures/Post.png"/></material>'
    )
    (tmp_path / "data/Textures/Post.png").write_bytes(png())
    missed = TASK(str(path))
    found = replace(TASK, context=reading_context(resources=[str(tmp_path / "data")]))(str(path))
    assert (found.facts.missing, found.png == missed.png) == ((), False)
    assert missed.facts.missing


def test_a_model_without_anything_to_see_has_a_card_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "none.mdl"
    path.write_bytes(model_bytes(geometries=[], vertex_buffers=[], index_buffers=[], bones=[]))
    assert tuple(pixels(TASK(str(path)))[0, 0])[3] == 0


def test_a_preparation_may_refuse(tmp_path: Path) -> None:
    def refuse(state: State) -> None:
        raise FormatError("no such clip")

    with pytest.raises(FormatError, match="no such clip"):
        ThumbnailTask(SIZE, refuse)(str(write_pair(tmp_path)))
