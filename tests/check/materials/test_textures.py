"""Each rule for textures fires on a picture made to break it, and on no sound one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tests.wow  # noqa: F401
from tests.checked import findings, texts
from tests.families.wow.blp.test_load import blp2
from viewer.check.checking import check_file
from viewer.check.limits import Limits
from viewer.check.materials.textures import RULES
from viewer.errors import FormatError
from viewer.scene.items import TextureItem
from viewer.scene.material import ImageHeader, Material, Texture
from viewer.scene.model import Model

SOUND = ImageHeader("DDS DXT1", 256, 128, True, 9, 9, 4)


def textured(header: ImageHeader, name: str = "skin.dds", **fields: Any) -> Model:
    """A model with a texture whose picture has this header."""
    return shown(Texture(name, f"media/{name}", header=lambda: header, **fields))


def shown(texture: Texture) -> Model:
    """A model whose material shows a texture."""
    return Model("", materials=(Material("", units={"normal": 0}),), textures=(texture,))


def told(rule: str, family: str = "Urho3D model", **changed: Any) -> list[str]:
    return texts(f"texture/{rule}", textured(SOUND._replace(**changed)), format=family)


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
@pytest.mark.parametrize("family", ["Urho3D model", "OGRE mesh", "WoW M2 model"])
def test_a_sound_picture_has_no_findings(rule: str, family: str) -> None:
    assert texts(rule, textured(SOUND), format=family) == []
    assert texts(rule, Model("", textures=(Texture("gone.dds"),)), format=family) == []


def test_a_picture_that_cannot_be_read_is_told() -> None:
    def broken() -> ImageHeader:
        raise FormatError("the file ends in its header")

    (found,) = findings("texture/unreadable", shown(Texture("a.png", "b/a.png", header=broken)))
    assert found.text == "texture a.png cannot be read: the file ends in its header"
    assert found.items == (TextureItem(0),) and found.file == "b/a.png"


@pytest.mark.parametrize(
    ("family", "encoding", "why"),
    [
        ("Urho3D model", "TIFF", "Urho3D reads no TIFF"),
        ("Urho3D model", "GIF", ""),
        ("OGRE mesh", "PCX", "OGRE with FreeImage reads it; OGRE 1.12 and later, as usually built, does not"),
        ("OGRE mesh", "WEBP", "OGRE reads no WebP"),
        ("OGRE mesh", "PSD", ""),
        ("OGRE mesh", "BLP2 DXT1", "OGRE reads no BLP"),
        ("OGRE mesh", "DDS DXT1", "OGRE takes it for XXX by its suffix, but it is DDS"),
        ("Urho3D model", "DDS DXT1", ""),
        ("Urho3D model", "BLP2 DXT1", "Urho3D reads no BLP"),
        ("WoW M2 model", "BLP2 DXT1", ""),
    ],
)
def test_a_picture_that_the_engine_does_not_read_is_told(family: str, encoding: str, why: str) -> None:
    model = textured(ImageHeader(encoding, 256, 128, False), name="skin.xxx")
    told = f"texture skin.xxx is read by Rigscope, but perhaps not by the engine: {why}"
    assert texts("texture/unreadable", model, format=family) == ([told] if why else [])


def test_a_picture_that_only_the_engine_reads_is_told() -> None:
    def foreign() -> ImageHeader:
        raise FormatError("is a KTX picture, which holds pixels as graphics cards store them")

    model = shown(Texture("a.ktx", "a.ktx", header=foreign))
    for family, read in (
        ("Urho3D model", "Urho3D reads its ETC and PVRTC pixels"),
        ("OGRE mesh", "OGRE reads its ETC pixels"),
    ):
        (told,) = texts("texture/unreadable", model, format=family)
        assert told.endswith(f"store them; Rigscope does not read it, {read}")


def test_a_file_that_is_called_blp_and_is_none_is_told() -> None:
    png = ImageHeader("PNG", 256, 128, False)
    (told,) = texts("texture/unreadable", textured(png, name="skin.blp"), format="WoW M2 model")
    assert told.endswith("World of Warcraft reads only BLP, but it is PNG")
    assert texts("texture/unreadable", textured(png, name="skin.png"), format="WoW M2 model") == []


def test_a_side_beyond_the_limit_is_told() -> None:
    rule, model = "texture/too-large", textured(SOUND)
    assert texts(rule, model) == texts(rule, model, limits=Limits(texture_size=256)) == []
    text = "texture skin.dds has 256 × 128 pixels; the limit is 255"
    assert texts(rule, model, limits=Limits(texture_size=255)) == [text]


def test_sides_are_powers_of_two() -> None:
    text = "texture skin.dds has 300 × 128 pixels"
    assert told("power-of-two", width=300) == told("client-size", "WoW M2 model", width=300) == [text]
    assert told("power-of-two", "WoW M2 model", width=300) == told("client-size", width=300) == []
    once = textured(SOUND._replace(width=300), address=("clamp", "clamp"), mipmaps=False)
    assert texts("texture/power-of-two", once) == []


def test_sides_are_multiples_of_blocks() -> None:
    text = "texture skin.dds has 130 × 128 pixels in blocks of 4 × 4"
    assert told("block-size", width=130) == [text]
    assert (
        told("block-size", width=130, block=1) == told("block-size", "WoW M2 model", width=2, height=1) == []
    )


def test_levels_that_are_cut_off_are_told() -> None:
    damage = "3 of 9 levels are in the file"
    assert told("mip-chain", damage=damage) == [f"texture skin.dds (DDS DXT1): {damage}"]
    assert told("missing-mips", damage=damage, levels=3) == []


def test_compressed_pictures_need_all_levels() -> None:
    text = "texture skin.dds has 1 of 9 levels (256 × 128 pixels, DDS DXT1)"
    assert told("missing-mips", levels=1) == [text]
    assert told("missing-mips", levels=1, block=1) == []
    assert texts("texture/missing-mips", textured(SOUND._replace(levels=1), mipmaps=False)) == []


def test_a_picture_alone_is_checked_too(tmp_path: Path) -> None:
    path = tmp_path / "odd.blp"
    path.write_bytes(blp2(2, 0, 0, [bytes(16)], width=6, height=4))
    found = {each.rule: each for each in check_file(str(path), limits=Limits(texture_size=4))}
    assert found.keys() == {
        f"texture/{name}" for name in ("too-large", "client-size", "block-size", "missing-mips")
    }
    assert found["texture/client-size"].text == "texture odd.blp has 6 × 4 pixels"
    assert found["texture/client-size"].file == str(path)
