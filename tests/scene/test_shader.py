"""What a material gives of what a shader asks for."""

from __future__ import annotations

import pytest

from viewer.scene.material import Material, Texture
from viewer.scene.shader import (
    CompiledShader,
    RegisterUse,
    ShaderParameter,
    TextureUnitSlot,
    fitting,
    material_values,
    sdbm,
    spellings,
)


def test_parameters_and_units_are_matched_by_name() -> None:
    shader = CompiledShader(
        "pixel",
        3,
        (ShaderParameter("MatDiffColor", None, 0, 1), ShaderParameter("FogParams", None, 1, 1)),
        (TextureUnitSlot("DiffMap", 0), TextureUnitSlot("ShadowMap", 10)),
    )
    material = Material(
        "m", units={"diffuse": 4, "normal": 5}, parameters={"MatDiffColor": "1 0 0 1", "Other": "2"}
    )
    textures = [Texture(f"{number}.dds") for number in range(5)]
    assert material_values(shader, material, textures) == {"MatDiffColor": "1 0 0 1", "DiffMap": "4.dds"}
    assert material_values(shader, material, []) == {"MatDiffColor": "1 0 0 1"}


def test_registers_and_bytes_have_their_places() -> None:
    assert (
        ShaderParameter("A", None, 4, 3).byte_range == (64, 112)
        and ShaderParameter("A", None, 4, 3).register == "c4"
    )
    assert ShaderParameter("A", None, 0, 0).register == "none" and TextureUnitSlot("U", -1).register == "none"
    assert (
        ShaderParameter("B", 5, 20, 8).byte_range == (20, 28)
        and ShaderParameter("B", 5, 20, 8).register == "cb5[1]"
    )


@pytest.mark.parametrize(
    ("parameter", "use", "name"),
    [
        (ShaderParameter("Model", None, 4, 3), RegisterUse("c", 4), "Model[0]"),
        (ShaderParameter("Model", None, 4, 3), RegisterUse("c", 6), "Model[2]"),
        (ShaderParameter("Model", None, 4, 3), RegisterUse("c", 7), ""),
        (ShaderParameter("Skin", None, 4, 3), RegisterUse("c", 5, relative=True), "Skin[1…]"),
        (ShaderParameter("Fog", 5, 20, 8), RegisterUse("cb5", 1), "Fog"),
        (ShaderParameter("Fog", 5, 20, 8), RegisterUse("cb5", 1, mask=0b1001), ""),
        (ShaderParameter("Zone", 5, 16, 64), RegisterUse("cb5", 4), "Zone[3]"),
        (ShaderParameter("Zone", 5, 16, 64), RegisterUse("c", 4), ""),
    ],
)
def test_a_register_has_the_name_of_its_row_in_a_parameter(
    parameter: ShaderParameter, use: RegisterUse, name: str
) -> None:
    assert parameter.named(use) == name


@pytest.mark.parametrize(("text", "value"), [("", 0), ("a", 97), ("ab", 97 * 65599 + 98)])
def test_the_hash_is_sdbm(text: str, value: int) -> None:
    assert sdbm(text) == value


def test_the_hash_wraps_at_32_bits() -> None:
    value = 0
    for byte in b"DIRLIGHT PERPIXEL":
        value = (byte + (value << 6) + (value << 16) - value) & 0xFFFFFFFF
    assert sdbm("DIRLIGHT PERPIXEL") == value


@pytest.mark.parametrize(
    ("typed", "wanted", "how"),
    [
        ("VERTEXCOLOR DIFFMAP", 0x9A6030F6, "sorted, lower-case"),
        ("alphamask diffmap vertexcolor", 0xE5EBC920, "as typed"),
        ("DIRLIGHT  NORMALMAP PERPIXEL SHADOW", 0x08373355, "sorted, lower-case"),
        ("", 0, "as typed"),
    ],
)
def test_hashes_of_real_file_names(typed: str, wanted: int, how: str) -> None:
    found = fitting(typed, wanted)
    assert found is not None and found.how == how and sdbm(found.text) == wanted


def test_the_present_engine_hashes_upper_case() -> None:
    found = fitting("b a", sdbm("A B"))
    assert found is not None and found.how == "sorted, upper-case"


def test_what_does_not_fit_fits_nothing() -> None:
    assert fitting("DIFFMAP", 1) is None
    assert [each.text for each in spellings("A")] == ["A", "a"]
