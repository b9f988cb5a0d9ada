"""The uniform blocks of materials that hold any number."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.render.mesh.material_block import material_block, moving_block, to_linear
from viewer.scene.material import Appearance, Detail, Material, PhysicalSurface, TextureStage

HOSTILE = (float("nan"), float("inf"), 3e38, -1e300)


@pytest.mark.parametrize("number", HOSTILE)
def test_the_numbers_of_a_material_are_finite_in_its_block(number: float) -> None:
    row = (number,) * 4
    material = Material(
        "hostile",
        diffuse=row,
        specular=row,
        emissive=(number,) * 3,
        alpha_mask=number,
        u_offset=row,
        v_offset=row,
        second=TextureStage(u_offset=row, v_offset=row),
        surface=PhysicalSurface(number, number, number, (Detail("add", number, row[:2], row[:2]),)),
    )
    block = material_block(material, {}, False)
    for name in block.dtype.names or ():
        assert np.isfinite(block[name]).all()
    color, rows = moving_block(Appearance(row, row, row, row, row))
    assert np.isfinite(color).all() and np.isfinite(rows).all()


def test_colours_above_one_stay_above_one() -> None:
    assert to_linear(np.array((0.0, 1.0, 2.0))).tolist() == pytest.approx([0, 1, 4.954], abs=1e-3)
