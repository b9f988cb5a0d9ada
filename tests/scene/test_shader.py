"""What a material gives of what a shader asks for."""

from __future__ import annotations

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
