"""The needs of a document: its files, materials and textures, found or missing."""

from __future__ import annotations

from typing import Any

import pytest

from viewer.binary.span import Span
from viewer.errors import MISSING_PART, NeededFile, Report
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.emitter import Emitter, ModelReference
from viewer.scene.engine import EngineSearch
from viewer.scene.items import AnimationItem, EmitterItem, GeometryItem, MaterialItem, ModelItem, TextureItem
from viewer.scene.material import NAMELESS, Flipbook, Image, Material, Texture
from viewer.scene.model import Geometry, Model
from viewer.scene.needs import Need, needs_of, summary, unmet


def nothing() -> Image:
    raise AssertionError("no image is decoded")


HERE = Texture("here.png", "/here.png", how="stored", decode=nothing)
GONE = Texture("gone.png", searched=("/a/gone.png", "/b/gone.png"))


def model(*textures: Texture, **units: int) -> Model:
    """A model of one material with these texture units."""
    return Model("m", materials=(Material("m", units=units),), textures=textures)


def document(content: Model, report: Report | None = None, **more: Any) -> Document:
    span = Span("a", 0, 0, "", None, "")
    return Document("a", "", "", b"", span, content, report or Report(), **more)


def lost(content: Model, **more: Any) -> tuple[Need, ...]:
    """The unmet needs of a model."""
    return unmet(needs_of(document(content), **more))


def test_a_texture_that_was_not_found_is_missing() -> None:
    (need,) = lost(model(HERE, GONE, diffuse=0, normal=1))
    assert (need.kind, need.name, need.state, need.items) == (
        "texture",
        "gone.png",
        "missing",
        (TextureItem(1),),
    )
    assert need.searched == GONE.searched and need.rule == "texture/missing"


def test_a_found_texture_is_a_need_too() -> None:
    (need,) = needs_of(document(model(HERE, diffuse=0)))
    assert (need.is_met, need.found, need.how, need.rule, need.help) == (True, "/here.png", "stored", "", "")


def test_a_texture_that_nothing_shows_is_no_need() -> None:
    assert lost(model(HERE, GONE, diffuse=0)) == ()


def test_an_empty_name_is_no_need() -> None:
    assert needs_of(document(model(Texture(NAMELESS, kind=0), diffuse=0))) == ()


def test_an_image_without_a_file_is_no_need() -> None:
    assert needs_of(document(model(Texture("", decode=nothing), diffuse=0))) == ()


def test_a_page_of_a_flipbook_counts() -> None:
    book = Material("m", units={"diffuse": 0}, flipbook=Flipbook((0, 1), 1.0))
    found = lost(Model("m", materials=(book,), textures=(HERE, GONE)))
    assert [need.name for need in found] == ["gone.png"]


def test_what_the_user_gave_is_found() -> None:
    (need,) = needs_of(document(model(GONE, diffuse=0)), chosen={0})
    assert (need.state, need.by, need.how) == ("found", "given", "given")


def test_an_image_that_cannot_be_decoded_is_unreadable_with_its_reason() -> None:
    (need,) = lost(model(HERE, diffuse=0), errors={0: "is no image"})
    assert (need.state, need.error, need.found) == ("unreadable", "is no image", "/here.png")
    assert (
        need.text == "texture here.png cannot be read: it is no image" and need.rule == "texture/unreadable"
    )


def test_names_are_listed_once_with_all_items() -> None:
    gone = Material("Lost.xml", searched=("/Lost.xml",))
    base = model(GONE, GONE, diffuse=0, normal=1)
    found = lost(Model("m", materials=(*base.materials, gone, gone), textures=base.textures))
    assert [(need.kind, need.items) for need in found] == [
        ("material", (MaterialItem(1), MaterialItem(2))),
        ("texture", (TextureItem(0), TextureItem(1))),
    ]
    assert summary(found) == "1 material and 1 texture missing"


def test_a_further_pass_is_no_material_of_its_own() -> None:
    passes = (Material("A", "/a.material", how="stored"), Material("A, pass 2", "/a.material", layer=1))
    (need,) = needs_of(document(Model("m", materials=passes)))
    assert (need.name, need.items) == ("A", (MaterialItem(0), MaterialItem(1)))


def test_needs_of_named_models_lead_to_the_reference() -> None:
    inner = model(GONE, HERE, diffuse=0, normal=1)
    shape = ModelReference("inner.m2", "/inner.m2", model=inner)
    emitter = Emitter("plane", -1, (0.0, 0.0, 0.0), 0, 0, shape=shape)
    report = Report()
    report.need(NeededFile("model", "inner.m2", found="/inner.m2", state="found"))
    outer = document(Model("m", textures=(HERE,), emitters=(emitter,)), report)
    found = needs_of(outer, errors={2: "is no image"})
    assert [(need.name, need.items, need.error) for need in found] == [
        ("inner.m2", (ModelItem(0), EmitterItem(0)), ""),
        ("gone.png", (ModelItem(0),), ""),
        ("here.png", (ModelItem(0),), "is no image"),
    ]


def test_files_of_attached_documents_come_first() -> None:
    report, inner = Report(), Report()
    bones = NeededFile("skeleton", "a.skeleton", ("/a.skeleton",), required=True)
    report.warn("a.skeleton is missing", MISSING_PART, bones)
    inner.warn("a.skeleton is missing", MISSING_PART, bones)
    inner.need(NeededFile("script", "b.material", found="/b.material", state="found"))
    attached = Document("b", "", "", b"", Span("b", 0, 0, "", None, ""), None, inner)
    outer = document(model(GONE, diffuse=0), report, attached=(attached,))
    assert [(need.kind, need.name, need.required, need.state) for need in needs_of(outer)] == [
        ("skeleton", "a.skeleton", True, "missing"),
        ("script", "b.material", False, "found"),
        ("texture", "gone.png", False, "missing"),
    ]


def test_clips_lead_to_their_file() -> None:
    report = Report()
    gone = NeededFile("animation", "A0097-00.anim")
    report.warn("a clip", MISSING_PART, gone)
    report.need(NeededFile("animation", "A0004-00.anim", found="/A0004-00.anim", state="found"))
    clips = (
        Animation("Stand", 1.0, ()),
        Animation("Walk", 1.0, (), source="/A0004-00.anim"),
        Animation("Sit", 1.0, (), missing_file=gone),
    )
    found = needs_of(document(Model("m"), report, animations=clips))
    assert [(need.name, need.items) for need in found] == [
        ("A0097-00.anim", (AnimationItem(2),)),
        ("A0004-00.anim", (AnimationItem(1),)),
    ]


def test_a_model_without_materials_leads_to_its_geometries() -> None:
    report = Report()
    report.need(NeededFile("material", "a.xml"))
    (need,) = needs_of(document(Model("m", geometries=(Geometry("a", ()), Geometry("b", ()))), report))
    assert need.items == (GeometryItem(0), GeometryItem(1))


ANYWHERE = EngineSearch(one_system=True)
CLIENT = EngineSearch(EngineSearch().own | {"case"}, {".tga": ".blp"})


@pytest.mark.parametrize(
    ("engine", "name", "file", "how", "rule", "word"),
    [
        (ANYWHERE, "a.png", "/a.png", "stored", "", ""),
        (ANYWHERE, "A.png", "/a.png", "case", "name/case", "lenient"),
        (ANYWHERE, "C:\\a.png", "/a.png", "tail", "name/absolute", "lenient"),
        (ANYWHERE, "/x/A.png", "/a.png", "tail", "name/absolute", "lenient"),
        (ANYWHERE, "x/a.png", "/a.png", "tail", "texture/missing", "lenient"),
        (ANYWHERE, "a.png", "/a.dds", "suffix", "texture/missing", "lenient"),
        (ANYWHERE, "a.png", "/ab.png", "name", "texture/missing", "guessed"),
        (ANYWHERE, "a.png", "/b.png", "only", "texture/missing", "guessed"),
        (CLIENT, "A.blp", "/a.blp", "case", "", ""),
        (CLIENT, "a.TGA", "/a.blp", "suffix", "", ""),
        (CLIENT, "a.png", "/a.blp", "suffix", "texture/missing", "lenient"),
    ],
)
def test_what_the_engine_does_not_find_has_a_rule(
    engine: EngineSearch, name: str, file: str, how: Any, rule: str, word: str
) -> None:
    texture = Texture(name, file, how=how, decode=nothing)
    (need,) = needs_of(document(model(texture, diffuse=0), engine=engine))
    assert (need.is_met, need.rule, need.help) == (True, rule, word)


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
    assert summary([Need(kind, str(number)) for number, kind in enumerate(kinds)]) == text


def test_a_text_lists_the_nearest_searched_paths_and_what_is_offered() -> None:
    need = Need("skeleton", "a", searched=("/1", "/2", "/3", "/4"))
    assert need.text == "skeleton a is missing; searched: /1, /2, /3 and 1 more"
    assert Need("skeleton", "a", offered=("b",)).text == "skeleton a is missing; b is there"
