"""Which texture and which colour of a pass are the surface: no ramp of light, and no white for a colour that
only the fragment program gets.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.ogre_media import Media
from viewer.scene.material import Material
from viewer.storage.image import save_png

STEPS = "tex_address_mode clamp\nfiltering none\n"


def unit(name: str, file: str, lines: str = "") -> str:
    return f"texture_unit {name} {{\n texture {file}\n {lines}\n }}\n"


def made(media: Media, *units: str, rows: int = 64) -> tuple[Material, dict[str, str]]:
    """The material of a pass with these units, and the files of its textures by unit. `ramp.png`, `toon.png`,
    `skin.png` and `facelower.png` exist, and have this number of rows.
    """
    for name in ("ramp", "toon", "skin", "facelower", "tooncloud64b", "skin_n"):
        save_png(media.put(f"models/{name}.png", b""), np.zeros((rows, 64, 4), np.uint8))
    program = "fragment_program_ref F {\n param_named diffuse float4 0.2 0.2 0.2 1\n }\n"
    media.put(
        "models/any.material", f"material M {{ technique {{ pass {{ {program} {''.join(units)} }} }} }}"
    )
    found = media.resolve("M")
    material = found.materials[0]
    return material, {name: found.textures[number].name for name, number in material.units.items()}


@pytest.mark.parametrize(
    ("ramp", "rows"),
    [
        (unit("ToonShades", "toon.png", STEPS), 64),
        (unit("shades", "toon.png 1d"), 64),
        (unit("", "ramp.png", STEPS), 64),
        (unit("", "ramp.png"), 8),
        (unit("", "facelower.png 1d", STEPS), 64),
    ],
)
def test_a_ramp_of_light_gives_way_to_the_skin_beside_it(media: Media, ramp: str, rows: int) -> None:
    material, files = made(media, ramp, unit("", "skin.png"), rows=rows)
    assert files["diffuse"] == "skin.png" and "ramp" in files
    assert material.diffuse == (1.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("first", "rows"),
    [
        (unit("", "facelower.png"), 2),
        (unit("", "tooncloud64b.png", STEPS), 64),
        (unit("", "facelower.png", STEPS), 64),
        (unit("palette", "facelower.png"), 1),
        (unit("ramp", "facelower.png"), 64),
    ],
)
def test_a_single_sign_is_no_ramp(media: Media, first: str, rows: int) -> None:
    _, files = made(media, first, unit("", "skin.png"), rows=rows)
    assert files["diffuse"] in first and "ramp" not in files


@pytest.mark.parametrize(
    "others",
    [(), (unit("", "missing.png"),), (unit("", "skin_n.png"),), (unit("", "toon.png 1d", STEPS),)],
)
def test_a_ramp_stays_where_no_other_picture_is_found(media: Media, others: tuple[str, ...]) -> None:
    _, files = made(media, unit("ToonShades", "ramp.png", STEPS), *others)
    assert files["diffuse"] == "ramp.png"


PROGRAM = "fragment_program_ref F {{\n{}\n }}\n"


@pytest.mark.parametrize(
    ("lines", "parameters", "color"),
    [
        ("", "param_named matAmbient float4 0 0 1 1\nparam_named matDiffuse float4 1 0 0 0.5", (1, 0, 0)),
        ("", "param_named diffuseColor float3 0 1 0", (0, 1, 0)),
        ("ambient 0.5 0.5 0.5", "param_named ambientColor float4 0 0 1 1", (0, 0, 1)),
        ("ambient 0.5 0.6 0.7", "param_named shine float 4", (0.5, 0.6, 0.7)),
        ("ambient 0.5 0.6 0.7", "param_named diffusePower float4 a b", (0.5, 0.6, 0.7)),
        ("diffuse 0.1 0.2 0.3", "param_named matDiffuse float4 1 0 0 1", (0.1, 0.2, 0.3)),
        ("lighting off", "param_named matDiffuse float4 1 0 0 1", (1, 0, 0)),
    ],
)
def test_without_a_picture_the_program_has_the_colour(
    media: Media, lines: str, parameters: str, color: tuple[float, ...]
) -> None:
    material = media.material(
        f"material M {{ technique {{ pass {{\n{lines}\n{PROGRAM.format(parameters)} }} }} }}"
    )
    assert material.diffuse == pytest.approx((*color, 1.0))


def test_without_a_program_the_ambient_colour_is_not_the_colour(media: Media) -> None:
    assert media.material("material M { technique { pass {\nambient 1 0 0\n} } }").diffuse == (1, 1, 1, 1)


def test_the_program_of_a_later_pass_has_the_colour_too(media: Media) -> None:
    later = f"pass {{\n{PROGRAM.format('param_named matDiffuse float4 1 0 0 1')} }}"
    assert media.material(f"material M {{ technique {{ pass {{ }} {later} }} }}").diffuse == (1, 0, 0, 1)


@pytest.mark.parametrize("kind", ["separateUV", "combinedUVW"])
def test_a_sky_box_is_drawn(media: Media, kind: str) -> None:
    for face in ("fr", "bk", "lf", "rt", "up", "dn"):
        media.picture(f"models/sky_{face}.png")
    sky = f"texture_unit {{\n cubic_texture sky.png {kind}\n }}"
    material = media.material(f"material M {{ technique {{ pass {{\nlighting off\n{sky} }} }} }}")
    assert media.resolve("M").textures[material.units["diffuse"]].name == "sky_fr.png"
    assert material.flipbook is None


@pytest.mark.parametrize("beside", ["env_map cubic_reflection\n} ", "}\ntexture_unit { texture a_nrm.png\n}"])
def test_a_cube_map_that_is_reflected_is_no_base(media: Media, beside: str) -> None:
    unit = f"texture_unit {{\n cubic_texture sky.png combinedUVW\n{beside}"
    material = media.material(f"material M {{ technique {{ pass {{\n{unit} }} }} }}")
    assert "diffuse" not in material.units
