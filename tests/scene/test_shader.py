"""What a material gives of what a shader asks for."""

from __future__ import annotations

import pytest

from viewer.scene.disassembly import RegisterUse
from viewer.scene.material import Material, Texture
from viewer.scene.shader import CompiledShader, ShaderParameter, TextureUnitSlot, given


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
    assert given(shader, material, textures) == {"MatDiffColor": "1 0 0 1", "DiffMap": "4.dds"}
    assert given(shader, material, []) == {"MatDiffColor": "1 0 0 1"}


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
