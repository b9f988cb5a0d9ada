"""The materials and textures that are missing."""

from __future__ import annotations

import pytest

from viewer.binary.span import Span
from viewer.errors import MISSING_PART, MissingFile, Report
from viewer.scene.document import Document
from viewer.scene.emitter import Emitter, ModelReference
from viewer.scene.items import MaterialItem, TextureItem
from viewer.scene.material import Flipbook, Image, Material, Texture
from viewer.scene.missing_parts import MissingPart, missing_in, missing_parts, nearest, summary
from viewer.scene.model import Model


def nothing() -> Image:
    raise AssertionError("no image is decoded")


HERE = Texture("here.png", "/here.png", decode=nothing)
GONE = Texture("gone.png", searched=("/a/gone.png", "/b/gone.png"))


def model(*textures: Texture, **units: int) -> Model:
    """A model of one material with these texture units."""
    return Model("m", materials=(Material("m", units=units),), textures=textures)


def test_a_texture_that_was_not_found_is_missing() -> None:
    found = missing_parts(model(HERE, GONE, diffuse=0, normal=1))
    assert found == (MissingPart("texture", "gone.png", GONE.searched, TextureItem(1)),)


def test_a_texture_that_nothing_shows_is_not_missing() -> None:
    assert missing_parts(model(HERE, GONE, diffuse=0)) == ()


def test_a_page_of_a_flipbook_counts() -> None:
    book = Material("m", units={"diffuse": 0}, flipbook=Flipbook((0, 1), 1.0))
    found = missing_parts(Model("m", materials=(book,), textures=(HERE, GONE)))
    assert [part.name for part in found] == ["gone.png"]


def test_what_the_user_gave_is_not_missing() -> None:
    assert missing_parts(model(GONE, diffuse=0), user_textures={0}) == ()


def test_an_image_that_cannot_be_read_is_missing_with_its_reason() -> None:
    found = missing_parts(model(HERE, diffuse=0), errors={0: "is no image"})
    assert found == (MissingPart("texture", "here.png", (), TextureItem(0), "is no image"),)


def test_materials_come_first_and_names_once() -> None:
    lost = Material("Lost.xml", searched=("/Lost.xml",))
    base = model(GONE, GONE, diffuse=0, normal=1)
    found = missing_parts(Model("m", materials=(*base.materials, lost, lost), textures=base.textures))
    assert [(part.kind, part.item) for part in found] == [
        ("material", MaterialItem(1)),
        ("texture", TextureItem(0)),
    ]
    assert summary(found) == "1 material and 1 texture missing"


def test_textures_of_named_models_count_with_their_own_numbers() -> None:
    inner = model(GONE, HERE, diffuse=0, normal=1)
    shape = ModelReference("inner.m2", model=inner)
    outer = Model("m", textures=(HERE,), emitters=(Emitter("plane", -1, (0.0, 0.0, 0.0), 0, 0, shape=shape),))
    found = missing_parts(outer, errors={2: "is no image"})
    assert [(part.name, part.item, part.error) for part in found] == [
        ("gone.png", None, ""),
        ("here.png", None, "is no image"),
    ]


def test_missing_files_of_attached_documents_come_first() -> None:
    report, inner = Report(), Report()
    bones = MissingFile("skeleton", "a.skeleton", ("/a.skeleton",))
    report.warn("a.skeleton is missing", MISSING_PART, bones)
    inner.warn("a.skeleton is missing", MISSING_PART, bones)
    inner.warn("b.anim is missing", MISSING_PART, MissingFile(".anim file", "b.anim"))
    attached = Document("b", "", "", b"", Span("b", 0, 0, "", None, ""), None, inner)
    base = model(GONE, diffuse=0)
    outer = Document("a", "", "", b"", Span("a", 0, 0, "", None, ""), base, report, attached=(attached,))
    assert [(part.kind, part.name, part.searched, part.item) for part in missing_in(outer)] == [
        ("skeleton", "a.skeleton", ("/a.skeleton",), None),
        (".anim file", "b.anim", (), None),
        ("texture", "gone.png", GONE.searched, TextureItem(0)),
    ]


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        ((), ""),
        (("texture",), "1 texture missing"),
        (("texture",) * 3, "3 textures missing"),
        (("material",) * 2, "2 materials missing"),
        (("skeleton", "material", "texture", "texture"), "1 skeleton, 1 material and 2 textures missing"),
    ],
)
def test_the_summary_counts_kinds(kinds: tuple[str, ...], text: str) -> None:
    assert summary([MissingPart(kind, str(number)) for number, kind in enumerate(kinds)]) == text


def test_the_nearest_searched_paths_are_listed() -> None:
    assert nearest(("/a", "/b", "/c"), 2) == "/a, /b and 1 more"
    assert nearest(("/a", "/b"), 2) == "/a, /b"
