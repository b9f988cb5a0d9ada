"""`rigscope thumbs`: into a folder, on a sheet, into a gallery, and the plain picture of one file."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

from tests import m2_files
from tests.ogre_files import rich_mesh
from tests.program import PROGRAM
from tests.synthetic import model_bytes, write_pair
from viewer.arrays import Array
from viewer.commands import batches
from viewer.commands.cli import main
from viewer.commands.options.given_options import Options
from viewer.commands.thumbs import task_of
from viewer.errors import GraphicsError
from viewer.families.ogre.versions import MeshVersion
from viewer.library.thumbnails.thumbnail import first_sight
from viewer.library.workers.batches import SameProcess

SIZE = ("--size", "48x40")


def pixels(path: Path | str) -> Array:
    with PIL.Image.open(path, formats=["PNG"]) as picture:
        return np.asarray(picture)


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker processes, and a cache of its own."""
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(batches, "runner_of", lambda values: SameProcess())


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    (folder / "deep").mkdir(parents=True)
    write_pair(folder)
    (folder / "deep/Post.mdl").write_bytes(model_bytes())
    return folder


def test_a_folder_gets_a_picture_of_each_model(models: Path, tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "out"
    assert main(["thumbs", str(models), "-o", f"{out}/", *SIZE]) == 0
    assert sorted(each.relative_to(out).as_posix() for each in out.rglob("*.png")) == [
        "Post.png",
        "deep/Post.png",
    ]
    assert pixels(out / "Post.png").shape == (40, 48, 3)
    assert capsys.readouterr().out == f"2 pictures written to {out}\n"


def test_thumbnails_have_the_light_and_the_shadow_of_the_options(models: Path, tmp_path: Path) -> None:
    pictures = []
    for words in ((), ("--light", "unlit"), ("--shading", "unlit"), ("--background", "white", "--shadow")):
        out = tmp_path / "one.png"
        assert main(["thumbs", str(models / "Post.mdl"), "-o", str(out), *SIZE, *words]) == 0
        pictures.append(pixels(out))
    assert (pictures[1] == pictures[2]).all() and (pictures[0] != pictures[1]).any()
    assert len(np.unique(pictures[3].reshape(-1, 3), axis=0)) > 10


def test_the_same_command_goes_on_and_replaces_nothing(models: Path, tmp_path: Path, capsys: Any) -> None:
    command = ["thumbs", str(models), "-o", f"{tmp_path}/out/", *SIZE]
    main(command)
    (tmp_path / "out/deep/Post.png").unlink()
    assert main(command) == 0
    (tmp_path / "out/Post.png").write_bytes(b"mine")
    assert main(command) == 2
    assert "exists already; --force replaces it" in capsys.readouterr().err
    assert (tmp_path / "out/Post.png").read_bytes() == b"mine"
    assert main([*command, "--force"]) == 1
    assert "Post.png is no picture that Rigscope drew and stays" in capsys.readouterr().err
    assert (tmp_path / "out/Post.png").read_bytes() == b"mine"
    (tmp_path / "out/Post.png").unlink()
    assert main([*command, "--force"]) == 0
    assert pixels(tmp_path / "out/Post.png").shape == (40, 48, 3)


def test_a_sheet_shows_failures_and_exits_with_1(models: Path, tmp_path: Path, capsys: Any) -> None:
    (models / "broken.mdl").write_bytes(model_bytes()[:30])
    assert main(["thumbs", str(models), "-o", str(tmp_path / "sheet.png"), *SIZE]) == 1
    printed = capsys.readouterr()
    assert "broken.mdl: " in printed.err and "1 of 3 files failed" in printed.err
    assert printed.out == f"a sheet with 3 pictures written to {tmp_path}/sheet.png\n"
    assert pixels(tmp_path / "sheet.png").shape[1] > 2 * 48


def test_a_gallery_has_all_files(models: Path, tmp_path: Path, capsys: Any) -> None:
    assert main(["thumbs", str(models), "-o", str(tmp_path / "all.html"), *SIZE]) == 0
    assert capsys.readouterr().out == f"a gallery of 2 files written to {tmp_path}/all.html\n"
    assert (tmp_path / "all.html").stat().st_size > 1000
    assert "deep/Post.mdl" in (tmp_path / "all_files/entries.js").read_text()


def test_a_gallery_has_the_same_bytes_in_every_run(models: Path, tmp_path: Path) -> None:
    """Whatever worker is first, and in whatever order sets are."""
    (models / "Rich.mesh").write_bytes(rich_mesh(MeshVersion.V1_100))
    (models / "Made.m2").write_bytes(m2_files.model())
    command = [*PROGRAM, "thumbs", str(models), "-o", str(tmp_path / "all.html")]
    written = []
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        words = (*SIZE, "--jobs", "2", "--no-strict")  # a skeleton and a view are missing
        subprocess.run([*command, *words], env=environment, check=True, capture_output=True)
        files = [tmp_path / "all.html", *(tmp_path / "all_files").iterdir()]
        written.append({each.name: each.read_bytes() for each in files})
        for place in ("cache", "all_files"):
            shutil.rmtree(tmp_path / place)
    assert written[0] == written[1] and "entries.js" in written[0]


@pytest.mark.parametrize("name", ["sheet.png", "all.html"])
def test_an_earlier_sheet_or_page_is_replaced_and_told(
    models: Path, tmp_path: Path, capsys: Any, name: str
) -> None:
    (tmp_path / name).write_bytes(b"mine")
    assert main(["thumbs", str(models), "-o", str(tmp_path / name), *SIZE]) == 0
    assert f"{name}: an earlier file is replaced" in capsys.readouterr().err
    assert (tmp_path / name).read_bytes() != b"mine"


def test_too_many_for_a_sheet_are_refused_at_once(models: Path, tmp_path: Path, capsys: Any) -> None:
    assert main(["thumbs", str(models), "-o", str(tmp_path / "a.png"), "--size", "9000x9000"]) == 2
    assert "too many for a sheet" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["plain", "v1.2", "Data.Old"])
def test_a_name_without_the_suffix_of_a_picture_is_a_folder(models: Path, tmp_path: Path, name: str) -> None:
    assert main(["thumbs", str(models), "-o", str(tmp_path / name), *SIZE]) == 0
    assert (tmp_path / name / "deep/Post.png").is_file()


def test_other_pictures_than_png_are_refused(models: Path, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "v1.2").write_bytes(b"mine")
    for name in ("a.jpg", "a.PDF", "v1.2", "{name}.webp"):
        assert main(["thumbs", str(models), "-o", str(tmp_path / name)]) == 2
        assert "ends with .png" in capsys.readouterr().err.replace("must end", "ends")


@pytest.mark.parametrize("name", ["one.png", "thumbnail-XY12"])
def test_a_single_file_has_its_plain_picture_without_a_cache(
    models: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIGSCOPE_CACHE", "/nowhere")
    out = tmp_path / name
    out.write_bytes(b"")  # as file managers make it
    assert main(["thumbs", str(models / "Post.mdl"), "-o", str(out), *SIZE]) == 0
    assert pixels(out).shape == (40, 48, 3)


def test_a_single_broken_file_has_none(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "a.mdl").write_bytes(model_bytes()[:30])
    assert main(["thumbs", str(tmp_path / "a.mdl"), "-o", str(tmp_path / "a.png")]) == 1
    assert "a.mdl: " in capsys.readouterr().err
    assert not (tmp_path / "a.png").exists()


def test_a_file_is_never_replaced_by_its_picture(models: Path, capsys: Any) -> None:
    path = models / "Post.mdl"
    before = path.read_bytes()
    assert main(["thumbs", str(path), "-o", str(path), *SIZE]) == 2
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [([], "needs a PLACE"), (["."], "-o OUT"), ([".", "-o", "a.png"], "there is no model in .")],
)
def test_what_is_missing_is_said(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["thumbs", *words]) == 2
    assert said in capsys.readouterr().err


def test_without_opengl_one_line_says_so(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def none(*given: object) -> None:
        raise GraphicsError("no OpenGL 3.3")

    monkeypatch.setattr("viewer.library.thumbnails.thumbnail.draw_thumbnail", none)
    assert main(["thumbs", str(models), "-o", f"{tmp_path}/out/"]) == 3
    assert capsys.readouterr().err == "rigscope: no OpenGL 3.3\n"


def test_options_of_pose_and_picture_count(models: Path, tmp_path: Path) -> None:
    path, out = str(models / "Post.mdl"), str(tmp_path / "a.png")
    main(
        [
            "thumbs",
            path,
            "-o",
            out,
            *SIZE,
            "--animation",
            "Bend",
            "--time",
            "0.5",
            "--background",
            "transparent",
        ]
    )
    drawn = pixels(out)
    assert drawn[0, 0].tolist() == [0, 0, 0, 0]
    main(["thumbs", path, "-o", out, *SIZE, "--background", "transparent"])
    assert (pixels(out) != drawn).any()


def test_without_options_the_thumbnails_are_those_of_the_window() -> None:
    assert task_of(Options(size=(256, 256))).prepare is first_sight


def test_files_that_options_name_are_companions(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(models)
    task = task_of(Options(animation=("Post_Bend.ani@0.5", "Walk"), camera="2"))
    assert task.files == (os.path.abspath("Post_Bend.ani"),)
