"""Two looks of one model."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.character_files import write_character
from viewer.scene.characters import CharacterLook
from viewer.scene.document import Document
from viewer.scene.looks import changed_textures, differ_in_look
from viewer.scene.model import Model
from viewer.storage.documents import open_document, wearing


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Document:
    return open_document(write_character(tmp_path_factory.mktemp("character")))


def worn(document: Document, **choices: int) -> Model:
    """The model in its look with other choices."""
    assert isinstance(document.worn, CharacterLook)
    found = wearing(document, replace(document.worn, **choices)).model
    assert found is not None
    return found


def test_a_look_changes_only_textures_and_shown_geometries(document: Document) -> None:
    assert document.model is not None
    other = worn(document, skin=1, face=0, hair=1)
    assert other is not document.model and differ_in_look(document.model, other)


def test_another_model_is_no_look(document: Document) -> None:
    assert document.model is not None
    assert not differ_in_look(document.model, replace(document.model, vertex_buffers=()))
    assert not differ_in_look(document.model, replace(document.model, geometries=()))


def test_the_textures_of_other_choices_have_changed(document: Document) -> None:
    assert document.model is not None
    assert changed_textures(document.model, worn(document, skin=1, face=0)) == [0]
    assert changed_textures(document.model, worn(document, hair=1)) == [0], "the scalp; the hair has the same"


def test_the_textures_of_the_same_choices_have_not(document: Document) -> None:
    other = wearing(document, replace(_look(document), skin=1, face=0))
    back = wearing(other, _look(document))
    assert document.model is not None and back.model is not None
    assert changed_textures(document.model, back.model) == []


def _look(document: Document) -> CharacterLook:
    assert isinstance(document.worn, CharacterLook)
    return document.worn
