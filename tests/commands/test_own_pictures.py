"""Views that Rigscope wrote are no textures: they are marked, and no command takes its own outputs for
one.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

from tests import m2_files
from tests.conftest import ROOT
from tests.ogre_files import rich_mesh
from tests.ogre_skeletons import rich_skeleton
from tests.synthetic import model_bytes
from viewer.commands import batches
from viewer.commands.cli import main
from viewer.families.ogre.versions import MeshVersion
from viewer.library.workers.batches import SameProcess
from viewer.storage.documents import open_document
from viewer.storage.image import save_png
from viewer.storage.own_picture import MARK

SIZE = ("--size", "48x40")
RED = np.full((4, 4, 4), (255, 0, 0, 255), np.uint8)
NEEDS = ROOT.parent / "shared/corpus/needs/own-picture"


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker processes, and a cache of its own."""
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(batches, "runner_of", lambda *given: SameProcess())


def put(folder: Path, name: str) -> Path:
    """A model without a texture; its family would guess a picture of its name."""
    made: dict[str, Callable[[], bytes]] = {
        ".mdl": model_bytes,
        ".mesh": lambda: rich_mesh(MeshVersion.V1_100),
        ".m2": lambda: m2_files.model(textures=[{"type": 11}]),
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".git").mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(made[path.suffix]())
    (folder / "bones.skeleton").write_bytes(rich_skeleton())
    return path


def pixels(path: Path) -> np.ndarray[Any, Any]:
    with PIL.Image.open(path) as picture:
        return np.asarray(picture.convert("RGBA"))


def texture_of(model: Path) -> str:
    """The name of the file that the first texture of a model is; empty without one."""
    found = open_document(model).model
    assert found is not None
    return next((Path(each.path).name for each in found.textures if each.path), "")


def strip(path: Path) -> None:
    """Write a picture again, as another program does, without its metadata."""
    save_png(path, pixels(path))
    assert MARK not in path.read_bytes()


@pytest.mark.parametrize("name", ["Post.mdl", "Post.mesh", "Post.m2"])
def test_a_second_picture_of_a_model_equals_the_first(tmp_path: Path, name: str) -> None:
    model, output = put(tmp_path / "m", name), tmp_path / "m/Post.png"
    command = ["render", str(model), "-o", str(output), *SIZE]
    assert main(command) == 0
    first = output.read_bytes()
    assert main(command) == 0 and output.read_bytes() == first
    strip(output)
    assert main(command) == 0 and output.read_bytes() == first


@pytest.mark.parametrize("name", ["Post.mdl", "Post.mesh", "Post.m2"])
def test_a_view_beside_a_model_is_no_texture_but_a_saved_texture_is(tmp_path: Path, name: str) -> None:
    model, output = put(tmp_path / "m", name), tmp_path / "m/Post.png"
    save_png(output, RED)
    assert texture_of(model) == "Post.png"
    other = put(tmp_path / "m/n", name)
    assert main(["render", str(model), "--image", "#0", "-o", str(other.with_suffix(".png"))]) == 0
    assert texture_of(other) == "Post.png"
    assert main(["render", str(model), "-o", str(other.with_suffix(".png")), *SIZE]) == 0
    assert texture_of(other) == ""


@pytest.mark.parametrize("name", ["Post.mdl", "Post.mesh", "Post.m2"])
def test_thumbnails_beside_their_models_stay_the_same(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "m"
    put(folder, name), put(folder, f"Other{name[4:]}")
    command = ["thumbs", str(folder), "-o", f"{folder}/", *SIZE]
    assert main(command) == 0
    first = {each: each.read_bytes() for each in folder.glob("*.png")}
    assert len(first) == 2 and all(MARK in each for each in first.values())
    for words in ((), ("--force",)):
        assert main([*command, *words]) == 0
        assert {each: each.read_bytes() for each in folder.glob("*.png")} == first
    strip(folder / "Post.png")
    (folder / "Post.png").rename(folder / "Other.png")
    shutil.rmtree(tmp_path / "cache")
    assert main(command) == 2
    assert (folder / "Post.png").read_bytes() == first[folder / "Post.png"]


@pytest.mark.parametrize("verb", ["thumbs", "render"])
def test_a_batch_replaces_only_pictures_that_rigscope_drew(tmp_path: Path, verb: str, capsys: Any) -> None:
    folder, out = tmp_path / "m", tmp_path / "out"
    for name in ("Kept.mdl", "Drawn.mdl"):
        put(folder, name)
    command = [verb, str(folder), "-o", f"{out}/", *SIZE]
    assert main(command) == 0
    drawn = (out / "Drawn.png").read_bytes()
    save_png(out / "Kept.png", RED)
    capsys.readouterr()
    assert main([*command, "--view", "back", "--force"]) == 1
    assert (pixels(out / "Kept.png") == RED).all()
    assert (out / "Drawn.png").read_bytes() != drawn
    assert f"{out}/Kept.png is no picture that Rigscope drew and stays" in capsys.readouterr().err


def test_a_batch_replaces_films_and_frames_that_it_drew(tmp_path: Path) -> None:
    folder, out = tmp_path / "m", tmp_path / "out"
    put(folder, "Post.mdl")
    for pattern, first in (("{name}.gif", "Post.gif"), ("{name}_{frame}.png", "Post_1.png")):
        command = ["render", str(folder), "-o", f"{out}/{pattern}", *SIZE, "--frames", "0:2"]
        assert main(command) == 0
        assert main([*command, "--force"]) == 0
        save_png(out / first, RED)
        assert main([*command, "--fps", "20", "--force"]) == 1
        assert (pixels(out / first) == RED).all()


def test_whatever_lies_in_the_folder_of_a_gallery_is_replaced(tmp_path: Path) -> None:
    folder, page = tmp_path / "m", tmp_path / "page.html"
    put(folder, "Post.mdl")
    assert main(["thumbs", str(folder), "-o", str(page), *SIZE]) == 0
    save_png(tmp_path / "page_files/Post.png", RED)
    assert main(["thumbs", str(folder), "-o", f"{tmp_path}/page_files/", *SIZE, "--force"]) == 0
    assert MARK in (tmp_path / "page_files/Post.png").read_bytes()


@pytest.mark.parametrize("suffix", [".png", ".gif", ".webp", ".apng"])
def test_films_and_pictures_are_marked(tmp_path: Path, suffix: str) -> None:
    output = tmp_path / f"Post{suffix}"
    frames = () if suffix == ".png" else ("--frames", "0:2")
    assert main(["render", str(put(tmp_path, "Post.mdl")), "-o", str(output), *SIZE, *frames]) == 0
    assert MARK in output.read_bytes()
    assert pixels(output).shape == (40, 48, 4)


@pytest.mark.parametrize("name", ["sheet.png", "window.png"])
def test_sheets_and_pictures_of_the_window_are_marked(tmp_path: Path, name: str) -> None:
    model, output = put(tmp_path / "m", "Post.mdl"), tmp_path / name
    words = (
        ["thumbs", str(tmp_path / "m"), str(model)] if name == "sheet.png" else ["render", str(model), "--ui"]
    )
    assert main([*words, "-o", str(output)]) == 0
    assert MARK in output.read_bytes()


@pytest.mark.skipif(not NEEDS.is_dir(), reason="the corpus is not here")
@pytest.mark.parametrize("model", ["ogre/orc.mesh", "urho/box.mdl"])
def test_the_example_of_the_corpus(tmp_path: Path, model: str) -> None:
    copied = tmp_path / "copy"
    shutil.copytree(NEEDS, copied)
    (copied / ".git").mkdir()
    output = (copied / model).with_suffix(".png")
    for command in (["render", str(copied / model)], ["thumbs", str(copied / model), "--size", "64x64"]):
        assert main([*command, "-o", str(output)]) == 0
        first = output.read_bytes()
        assert main([*command, "-o", str(output)]) == 0 and output.read_bytes() == first
