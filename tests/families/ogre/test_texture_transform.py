"""Where texture units put their texture, against the engine's own rules."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.families.ogre.materials.texture_transform import WAVES, TextureTransform, Wave


def placed(transform: TextureTransform, uv: tuple[float, float], time: float = 0.0) -> list[float]:
    return [float(row[0] * uv[0] + row[1] * uv[1] + row[3]) for row in transform(time)]


def test_a_scale_makes_larger_around_the_middle() -> None:
    transform = TextureTransform(scale=(0.2, 2.0))
    assert placed(transform, (0.5, 0.5)) == pytest.approx([0.5, 0.5])
    assert placed(transform, (1.0, 1.0)) == pytest.approx([0.5 + 2.5, 0.5 + 0.25])


def test_a_scroll_is_added() -> None:
    assert placed(TextureTransform(scroll=(0.25, -0.5)), (0.0, 0.0)) == [0.25, -0.5]


def test_a_rotation_turns_around_the_middle_after_all_else() -> None:
    transform = TextureTransform(scroll=(0.5, 0.0), rotation=0.25)
    assert placed(transform, (0.5, 0.5)) == pytest.approx([0.5, 1.0])


def test_what_moves_goes_against_the_coordinates_and_wraps() -> None:
    transform = TextureTransform(scroll=(0.75, 0.125), scroll_speed=(0.25, 0.0))
    assert [placed(transform, (0.0, 0.0), time) for time in (1.0, 3.0, 5.0)] == [
        [0.75, 0.125],
        [0.25, 0.125],
        [0.75, 0.125],
    ]
    turning = TextureTransform(rotation_speed=0.25)
    assert placed(turning, (1.0, 0.5), 1.0) == pytest.approx([0.5, 0.0])


def test_days_later_it_still_stands_where_it_should() -> None:
    transform = TextureTransform(scroll_speed=(0.1, 0.0), rotation_speed=0.3)
    day = 86_400.0
    assert np.allclose(transform(day + 1.3), transform(1.3), atol=1e-9)


@pytest.mark.parametrize(
    ("shape", "values"),
    [
        ("sine", [0, 1, 0, -1]),
        ("triangle", [0, 1, 0, -1]),
        ("square", [1, 1, 1, -1]),
        ("sawtooth", [-1, -0.5, 0, 0.5]),
        ("inverse_sawtooth", [1, 0.5, 0, -0.5]),
    ],
)
def test_shapes_of_waves(shape: str, values: list[float]) -> None:
    assert [WAVES[shape](at) for at in (0.0, 0.25, 0.5, 0.75)] == pytest.approx(values)


def test_a_wave_goes_from_base_to_base_and_amplitude() -> None:
    wave = Wave("scroll_x", "sine", base=2.0, frequency=0.5, phase=0.25, amplitude=3.0)
    assert [wave.at(time) for time in (0.0, 1.0, 2.0)] == pytest.approx([5.0, 2.0, 5.0])


@pytest.mark.parametrize(("value", "scale"), [(0.0, 1.0), (1.0, 2.0), (-2.0, 0.5)])
def test_a_wave_scales_by_one_and_its_value(value: float, scale: float) -> None:
    transform = TextureTransform(waves=(Wave("scale_x", "square", value, 1.0, 0.0, 0.0),))
    assert transform.moves
    assert transform(0.0)[0][0] == pytest.approx(1 / scale)
