"""Damaged materials, techniques, prefabs, sidecars and pictures: the report says so, the model stays."""

from __future__ import annotations

import io
import json
import struct
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.damage import SCALE, allowed, peak
from tests.families.urho3d.test_assignment import RBFX_XML, rbfx_json
from tests.resource_tree import Tree
from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.storage import markup
from viewer.storage.image import decode_image
from viewer.storage.markup import parse_json, parse_xml

MATERIAL = b"""<material><technique name="Techniques/Mine.xml" quality="1"/>
<texture unit="diffuse" name="Textures/a.png"/><parameter name="MatDiffColor" value="1 0 0 1"/>
<cull value="none"/><renderorder value="12"/></material>"""
TECHNIQUE = b'<technique ps="LitSolid" psdefines="DIFFMAP"><pass name="alpha" blend="alpha"/></technique>'
PREFAB = b"""<node><component type="StaticModel"><attribute name="Model" value="Model;Models/Sub/Hero.mdl"/>
<attribute name="Material" value="Material;Materials/Hero.xml"/></component></node>"""
JSON_PREFAB = {"Model": "Model;Models/Sub/Hero.mdl", "Material": "Material;Materials/Hero.json"}
JSON_MATERIAL = {
    "techniques": [{"name": "Techniques/Mine.xml", "quality": 1}],
    "textures": {"diffuse": "Textures/a.png"},
    "shaderParameters": {"MatDiffColor": {"type": "Vector4", "value": "1 0 0 1"}},
    "renderorder": 3,
}

PREFABS = {
    "Objects/Any.xml": PREFAB,
    "Objects/Any.json": json.dumps({"type": "StaticModel", "attributes": JSON_PREFAB}).encode(),
    "Objects/Any.prefab": RBFX_XML.format(
        type="StaticModel", model="Models/Sub/Hero.mdl", materials="Materials/Hero.xml"
    ).encode(),
    "Models/Sub/Any.prefab": rbfx_json("StaticModel", "Models/Sub/Hero.mdl", "Materials/Hero.xml").encode(),
}
FILES = PREFABS | {
    "Materials/Hero.xml": MATERIAL,
    "Materials/Hero.json": json.dumps(JSON_MATERIAL).encode(),
    "Techniques/Mine.xml": TECHNIQUE,
    "Textures/a.xml": b'<texture><address coord="u" mode="clamp"/><border color="1 0 0 1"/></texture>',
    "Models/Sub/Hero.txt": b"Materials/Hero.xml\r\nMaterials/Hero.json\r\n",
}


def picture(form: str, mode: str = "RGBA", **options: str) -> bytes:
    file = io.BytesIO()
    pixels = np.random.default_rng(7).integers(0, 255, (16, 16, 4), np.uint8)
    PIL.Image.fromarray(pixels).convert(mode).save(file, form, **options)
    return file.getvalue()


PICTURES = {
    "a.png": picture("PNG"),
    "b.png": picture("PNG", "P"),
    "a.jpg": picture("JPEG", "RGB"),
    "a.tga": picture("TGA", compression="tga_rle"),
    "b.tga": picture("TGA", "P"),
    "a.bmp": picture("BMP", "RGB"),
    "b.bmp": picture("BMP", "P"),
    "a.dds": picture("DDS"),
    "b.dds": picture("DDS", pixel_format="DXT5"),
    "c.dds": picture("DDS", "L"),
    "a.webp": picture("WEBP"),
}
PIECES = (
    b"\0",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"<",
    b'"',
    b"[",
    b"{}",
    b"\xd8",
    b"1e999",
    b"../",
    b"&#0;",
)


@st.composite
def damaged(draw: st.DrawFn, files: dict[str, bytes]) -> tuple[str, bytes]:
    """A good file cut, with bits flipped, bytes replaced or pieces moved."""
    name = draw(st.sampled_from(sorted(files)))
    data = bytearray(files[name])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        match draw(st.sampled_from(("cut", "flip", "replace", "splice"))):
            case "cut":
                del data[at:]
            case "flip" if data:
                data[at] ^= 1 << draw(st.integers(0, 7))
            case "replace":
                piece = draw(st.sampled_from(PIECES))
                data[at : at + len(piece)] = piece
            case "splice":
                size = draw(st.integers(0, 64))
                data[at:at] = data[at : at + size]
    return name, bytes(data)


@given(damaged(FILES), st.booleans())
@settings(max_examples=300)
def test_damaged_texts_end_in_the_report(case: tuple[str, bytes], listed: bool) -> None:
    name, data = case
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder))
        for other, text in FILES.items():
            hidden = name in PREFABS and (other in PREFABS or other.endswith(".txt"))
            if not hidden and (listed or not other.endswith(".txt")):
                tree.put_bytes(other, text)
        tree.put_bytes(name, data)
        material_set = tree.resolve(3)
    assert len(material_set.per_geometry) == 3
    for material in material_set.materials:
        assert all(0 <= number < len(material_set.textures) for number in material.units.values())
    for error in tree.report.errors:
        assert error.file.startswith(folder)
        assert error.offset >= 0
    " ".join([*tree.report.warnings, *map(str, tree.report.errors)]).encode()


@given(damaged(PICTURES))
@settings(max_examples=600)
def test_damaged_pictures_decode_or_raise_format_errors(case: tuple[str, bytes]) -> None:
    name, data = case
    try:
        levels = decode_image(data, name).levels
    except FormatError as error:
        assert error.file == name
        return
    assert all(level.dtype == np.uint8 and level.shape[2] == 4 for level in levels)


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_every_cut_of_a_picture_is_survived(name: str) -> None:
    for length in range(0, len(PICTURES[name]), 3):
        try:
            decode_image(PICTURES[name][:length], name)
        except FormatError:
            continue


LONGEST = markup.TEXT_LIMIT // SCALE
HOSTILE_TEXTS = {
    "empty elements": b"<a>" + b"<b/>" * (LONGEST // 4 - 3) + b"</a>",
    "nested elements": b"<a>" * (LONGEST // 3),
    "attributes": b"<a " + b" ".join(b'a%x=""' % n for n in range(240_000 // SCALE)) + b"/>",
    "names": b"<a>" + b"".join(b"<a%x/>" % n for n in range(LONGEST // 10)) + b"</a>",
    "empty lists": b"[" + b"[]," * (LONGEST // 3 - 3) + b"0]",
    "members": b"{" + b",".join(b'"%d":{}' % n for n in range(120_000 // SCALE)) + b"}",
    "nested lists": b"[" * (240_000 // SCALE),
}


@pytest.mark.parametrize("case", sorted(HOSTILE_TEXTS))
def test_memory_for_hostile_texts(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup, "TEXT_LIMIT", markup.TEXT_LIMIT // SCALE)
    elements, parts = BUDGET.markup_elements // SCALE, BUDGET.markup_parts // SCALE
    monkeypatch.setattr(markup, "BUDGET", replace(BUDGET, markup_elements=elements, markup_parts=parts))
    data = HOSTILE_TEXTS[case]

    def parse() -> None:
        with suppress(FormatError):
            (parse_xml if data.startswith(b"<") else parse_json)(data, "hostile")

    assert peak(parse) < allowed(data)


BMP_HEADER = struct.pack("<2sIHHIIiiHHIIiiII", b"BM", 100, 0, 0, 54, 40, 8000, 8000, 1, 32, 0, 0, 0, 0, 0, 0)
DDS_HEADER = struct.pack(
    "<4s7I44x2I4s5I20x", b"DDS ", 124, 0, 8000, 8000, 0, 0, 1, 32, 4, b"DXT1", 0, 0, 0, 0, 0
)
PROMISES = {
    "a.bmp": BMP_HEADER + bytes(1000),
    "a.dds": DDS_HEADER + bytes(1000),
    "b.dds": picture("DDS")[:12] + struct.pack("<2I", 8000, 8000) + picture("DDS")[20:],
    "a.tga": struct.pack("<3B5x2H2H2B", 0, 0, 10, 0, 0, 8000, 8000, 32, 8) + bytes(1000),
}


@pytest.mark.parametrize("name", sorted(PROMISES))
def test_pictures_that_promise_too_much_are_refused_by_their_size(name: str) -> None:
    with pytest.raises(FormatError, match="too short"):
        decode_image(PROMISES[name], name)
