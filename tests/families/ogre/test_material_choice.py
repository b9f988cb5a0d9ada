"""The materials of a mesh, kept from opening to opening while the files around it stay the same."""

from __future__ import annotations

import os
import time
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from tests.ogre_files import NEWEST, geometry_of, mesh_bytes, submesh
from tests.ogre_media import SIMPLE, Media
from viewer.families.ogre import mesh_layout as mesh
from viewer.families.ogre.materials import material_choice
from viewer.scene.document import Document
from viewer.scene.reading_context import DEFAULT, ReadingContext, name_key, reading_context
from viewer.storage.documents import open_document

START = time.time()


@pytest.fixture
def hero(media: Media) -> Media:
    """A mesh that names the material `skin`, whose script names the missing texture `skin.png`."""
    own = submesh(geometry_of(NEWEST), material="skin")
    media.mesh.parent.mkdir(parents=True)
    (media.root.parent / ".git").mkdir()
    media.mesh.write_bytes(mesh_bytes(NEWEST, (mesh.SUBMESH, own)))
    media.put("models/hero.material", SIMPLE.format(name="skin", file="skin.png"))
    return media


def opened(media: Media, seconds: float = 100.0, context: ReadingContext = DEFAULT) -> Document:
    """The mesh, when nothing changed for so many seconds."""
    moment = START - seconds
    for path in (media.root.parent, *media.root.parent.rglob("*")):
        os.utime(path, (moment, moment))
    return open_document(media.mesh, context)


def texture(document: Document) -> str | None:
    """The path of the only texture."""
    assert document.model is not None
    (found,) = document.model.textures
    return found.path


def test_materials_are_found_once_while_no_file_changes(hero: Media, monkeypatch: pytest.MonkeyPatch) -> None:
    first = opened(hero)
    monkeypatch.setattr(material_choice, "resolve_materials", None)
    again = opened(hero)
    assert again.model is not None and first.model is not None
    assert again.model.materials == first.model.materials and again.model.geometries[0].material == 0
    assert again.report.messages == first.report.messages and "skin.png" in again.report.warnings[0]


def test_a_texture_that_appears_is_found(hero: Media) -> None:
    assert texture(opened(hero)) is None
    hero.picture("models/skin.png")
    assert texture(opened(hero, 50)) == str(hero.root / "models/skin.png")


def test_a_script_that_changes_is_read_again(hero: Media) -> None:
    hero.picture("models/coat.png")
    assert texture(opened(hero)) is None
    hero.put("models/hero.material", SIMPLE.format(name="skin", file="coat.png"))
    assert texture(opened(hero, 50)) == str(hero.root / "models/coat.png")


def test_an_archive_that_changes_is_read_again(hero: Media) -> None:
    for number, name in enumerate(("skin.txt", "skin.png")):
        out = BytesIO()
        with ZipFile(out, "w") as archive:
            archive.writestr(name, b"")
        path = hero.put("models/pack.zip", out.getvalue())
        assert (texture(opened(hero, 50 - number)) is not None) == (name == "skin.png")
        assert path.is_file()


def test_a_texture_in_a_folder_above_that_appears_is_found(hero: Media) -> None:
    hero.put("models/hero.material", SIMPLE.format(name="skin", file="Textures/skin.png"))
    assert texture(opened(hero)) is None
    hero.picture("textures/skin.png")
    assert texture(opened(hero, 50)) == str(hero.root / "textures/skin.png")


def test_given_folders_and_chosen_files_count_at_once(hero: Media, tmp_path: Path) -> None:
    assert texture(opened(hero)) is None
    given, chosen = tmp_path / "given/skin.png", tmp_path / "other.png"
    for path in (given, chosen):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    context = reading_context(resources=[str(given.parent)])
    assert texture(opened(hero, context=context)) == str(given)
    context = replace(context, chosen=((name_key("skin.png"), str(chosen)),))
    assert texture(opened(hero, context=context)) == str(chosen)
    assert texture(opened(hero)) is None


def test_the_errors_of_a_script_are_told_by_each_document(hero: Media) -> None:
    hero.put("models/hero.material", SIMPLE.format(name="skin", file="skin.png") + "material open {")
    first, again = opened(hero), opened(hero)
    assert [str(each) for each in first.report.errors] == [str(each) for each in again.report.errors] != []
