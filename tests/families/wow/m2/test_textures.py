"""Where textures are found, and which are taken for those that a model leaves to the program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.m2_files import model
from viewer.paths import folder
from viewer.scene.document import Document
from viewer.scene.material import Texture
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.storage.documents import open_document
from viewer.storage.image import save_png

RED = np.full((1, 1, 4), (255, 0, 0, 255), np.uint8)


def opened(
    folder: Path, textures: list[dict[str, object]], *files: str, context: ReadingContext = DEFAULT
) -> tuple[Document, tuple[Texture, ...]]:
    """A model in `folder`/Creature/Made with such textures, and pictures at these places below `folder`."""
    place = folder / "Creature" / "Made" / "Made.m2"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(model(textures=textures))
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        save_png(folder / name, RED)
    found = open_document(place, context)
    assert found.model is not None
    return found, found.model.textures


def test_a_named_texture_is_found_above_the_model_in_any_case(tmp_path: Path) -> None:
    _, (texture,) = opened(tmp_path, [{"type": 0, "name": "WORLD\\Trees\\BARK.BLP"}], "World/trees/Bark.blp")
    assert texture.path == str(tmp_path / "World" / "trees" / "Bark.blp")
    assert (texture.name, texture.kind) == ("WORLD\\Trees\\BARK.BLP", 0)


@pytest.mark.parametrize(
    ("flags", "address"),
    [(0, ("clamp", "clamp")), (1, ("wrap", "clamp")), (2, ("clamp", "wrap")), (3, ("wrap", "wrap"))],
)
def test_flags_wrap(tmp_path: Path, flags: int, address: tuple[str, str]) -> None:
    _, (texture,) = opened(tmp_path, [{"type": 0, "flags": flags, "name": "x.blp"}])
    assert texture.address == address


def test_a_missing_texture_says_where_it_was_looked_for(tmp_path: Path) -> None:
    document, (texture,) = opened(tmp_path, [{"type": 0, "name": "World\\Bark.blp"}])
    assert texture.path is None
    assert str(tmp_path / "World" / "Bark.blp") in texture.searched
    assert any("Bark.blp is missing" in warning for warning in document.report.warnings)


def test_a_monster_wears_the_files_that_are_named_like_it(tmp_path: Path) -> None:
    files = ("Creature/Made/MADE1.blp", "Creature/Made/made2.blp", "Creature/Made/Aardvark.blp")
    _, textures = opened(tmp_path, [{"type": 12}, {"type": 11}, {"type": 13}], *files)
    assert [Path(each.path or "").name for each in textures] == ["made2.blp", "MADE1.blp", "made2.blp"]
    assert {Path(name).name for name in textures[0].choices} == {"MADE1.blp", "made2.blp"}


def test_pictures_of_the_name_family_are_offered(tmp_path: Path) -> None:
    names = (
        "Aardvark.blp",
        "Aardvark.png",
        "MadeSkin.png",
        "MadeSkin2.blp",
        "MadeUpSkin.blp",
        "madeskin1.BLP",
    )
    (tmp_path / "Creature/Made").mkdir(parents=True)
    (tmp_path / "Creature/Made/MadeUp.m2").write_bytes(model())
    _, (texture,) = opened(tmp_path, [{"type": 11}], *(f"Creature/Made/{name}" for name in names))
    assert [Path(name).name for name in texture.choices] == [
        "madeskin1.BLP",
        "MadeSkin2.blp",
        "MadeSkin.png",
    ]
    assert (texture.fitting, texture.path) == (3, texture.choices[0])


@pytest.mark.parametrize(("other", "offered"), [("Beast.blp", 1), ("Beast.m2", 0)])
def test_the_skin_of_another_name_belongs_to_a_model_that_is_alone(
    tmp_path: Path, other: str, offered: int
) -> None:
    """Beside a second model it may be that model's."""
    (tmp_path / "Creature/Made").mkdir(parents=True)
    (tmp_path / "Creature/Made" / other).write_bytes(model())
    files = ("Creature/Made/BeastSkin.blp", "Creature/Made/Cup.blp")
    _, (texture,) = opened(tmp_path, [{"type": 11}], *files)
    assert [Path(name).name for name in texture.choices] == ["BeastSkin.blp"] * offered
    assert (texture.fitting, texture.path) == (0, next(iter(texture.choices), None))


PROJECT = ("art/Dungeons/Trees/Bark.blp", "art/World/Trees/Leaf.blp", "other/Leaf.blp", "far/below/Moss.blp")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("World\\Dungeons\\Trees\\Bark.blp", PROJECT[0]),  # the longest tail
        ("World\\Trees\\Leaf.blp", PROJECT[1]),
        ("Kalimdor\\Trees\\Leaf.blp", PROJECT[1]),
        ("Item\\Leaf.blp", None),  # two pictures of this base name, neither in such a folder
        ("Item\\Moss.blp", PROJECT[3]),  # the only one of this base name
        ("Item\\Rock.blp", None),
    ],
)
def test_a_texture_is_found_in_the_project_by_the_longest_tail_of_its_path(
    tmp_path: Path, name: str, found: str | None
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "other").mkdir()
    save_png(tmp_path / PROJECT[2], np.zeros_like(RED))
    _, (texture,) = opened(tmp_path, [{"type": 0, "name": name}], *PROJECT[:2], PROJECT[3])
    assert texture.path == (str(tmp_path / found) if found else None)
    assert texture.by == ("project" if found else None)


def test_copies_of_equal_bytes_are_one_picture(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    _, (texture,) = opened(tmp_path, [{"type": 0, "name": "Item\\Leaf.blp"}], *PROJECT)
    assert texture.path == str(tmp_path / PROJECT[2]) and texture.rivals == ()


def test_fitting_pictures_of_a_resource_folder_are_offered_with_those_beside_the_model(
    tmp_path: Path,
) -> None:
    for name in ("data/Creature/MadeSkin.blp", "data/Creature/Other.blp"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        save_png(tmp_path / name, RED)
    given = reading_context(resources=[str(tmp_path / "data")])
    _, (texture,) = opened(tmp_path / "x", [{"type": 11}], "Creature/Made/Other.blp", context=given)
    assert texture.choices == (str(tmp_path / "data/Creature/MadeSkin.blp"),)
    assert (texture.fitting, texture.path) == (1, texture.choices[0])


def test_other_kinds_are_left_open_and_offered(tmp_path: Path) -> None:
    document, (texture,) = opened(tmp_path, [{"type": 6}], "Creature/Made/Made.blp")
    assert (texture.name, texture.path, len(texture.choices)) == ("hair", None, 1)
    assert any("(type 6) is not in the file; choose" in warning for warning in document.report.warnings)


def test_a_program_that_opens_nothing_but_a_model_reads_its_pictures() -> None:
    """Families are imported when they are needed: a model's needs that of its pictures."""
    sample = folder("assets") / "m2" / "Creature" / "Puff" / "Puff.m2"
    code = (
        "from viewer import open_document; from viewer.scene.texture_images import decode_textures; "
        f"print(len(decode_textures(open_document({str(sample)!r}))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert int(done.stdout) == 8


def test_a_name_that_is_longer_than_its_count_goes_to_its_zero_byte(tmp_path: Path) -> None:
    name = b"Creature\\Made\\Fur.blp\0"
    data = model(textures=[{"type": 0, "name": name[:-1].decode()}])
    stored, short = (np.array((size, data.find(name)), "<u4").tobytes() for size in (len(name), 9))
    assert data.count(stored) == 1
    path = tmp_path / "Creature/Made/Made.m2"
    path.parent.mkdir(parents=True)
    path.write_bytes(data.replace(stored, short))
    save_png(path.with_name("Fur.blp"), RED)
    found = open_document(path).model
    assert found is not None
    assert [(each.name, each.path) for each in found.textures] == [
        (name[:-1].decode(), str(path.with_name("Fur.blp")))
    ]
