"""Materials and textures that are different."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.compared_files import NEAR, lines
from tests.conftest import ROOT
from tests.packages import MATERIAL, png, post_files
from viewer.compare.diff.comparing import compare
from viewer.scene.difference import Differences
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.storage.documents import open_document

XML, PICTURE = "Materials/Post.xml", "Textures/P.png"


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A model with its material and its texture, twice."""
    for name, data in post_files():
        path = tmp_path / "one" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    return tmp_path / "one", tmp_path / "other"


def compared(folders: tuple[Path, Path], context: ReadingContext = DEFAULT) -> Differences:
    """The differences of the two models."""
    one, other = (open_document(str(folder / "Models/Post.mdl"), context) for folder in folders)
    return compare(one, other)


def test_equal_files_in_other_folders_are_the_same(folders: tuple[Path, Path]) -> None:
    assert compared(folders).summary == "same bytes"


def test_a_material_differs(folders: tuple[Path, Path]) -> None:
    (folders[1] / XML).write_text(MATERIAL.replace("<texture", '<cull value="none"/><texture'))
    assert lines(compared(folders)) == ["materials changed Materials/Post.xml: cull: back → none"]


def test_a_material_has_another_texture(folders: tuple[Path, Path]) -> None:
    (folders[1] / XML).write_text(MATERIAL.replace("P.png", "Q.png"))
    found = lines(compared(folders))
    assert found == ["materials changed Materials/Post.xml: texture diffuse: Textures/P.png → Textures/Q.png"]


def test_a_texture_shows_another_picture(folders: tuple[Path, Path]) -> None:
    (folders[1] / PICTURE).write_bytes(png((210, 40, 40)))
    assert lines(compared(folders)) == [
        "textures changed Textures/P.png: 100 % of the pixels differ, by up to 10 of 255"
    ]


def test_the_same_picture_in_other_bytes_is_no_difference(folders: tuple[Path, Path]) -> None:
    (folders[1] / PICTURE).write_bytes(png() + b"\0")
    assert compared(folders).same


@pytest.mark.parametrize("side", [0, 1])
def test_files_that_are_missing_on_one_side_are_no_difference(side: int, folders: tuple[Path, Path]) -> None:
    shutil.rmtree(folders[side] / "Textures")
    found = compared(folders, NEAR)
    assert found.same and any("Textures/P.png" in note for note in found.notes)
    shutil.rmtree(folders[side] / "Materials")
    assert compared(folders, NEAR).same


def test_a_picture_that_cannot_be_read_is_a_note(folders: tuple[Path, Path]) -> None:
    (folders[1] / PICTURE).write_bytes(png()[:40])
    found = compared(folders)
    assert found.same and "is not compared: " in found.notes[0]


def test_models_of_equal_bytes_may_have_other_pictures(folders: tuple[Path, Path]) -> None:
    for folder in folders:
        (folder / "Models/Post_Bend.ani").unlink()
    (folders[1] / PICTURE).write_bytes(png((210, 40, 40)))
    assert compared(folders).summary == "different: 1 texture"


def test_materials_that_only_one_file_has_are_not_compared(folders: tuple[Path, Path]) -> None:
    shutil.rmtree(folders[1] / "Materials")
    note = "materials are not compared: none were found for the second file"
    assert compared(folders).notes == (note,)
    assert compared((folders[1], folders[0])).notes == (note.replace("second", "first"),)


def test_materials_of_two_engines_are_not_compared(folders: tuple[Path, Path]) -> None:
    paths = folders[0] / "Models/Post.mdl", ROOT / "assets/ogre/models/Linglong.mesh"
    found = compare(*(open_document(str(path)) for path in paths))
    assert "materials are not compared: the files are of two engines" in found.notes
