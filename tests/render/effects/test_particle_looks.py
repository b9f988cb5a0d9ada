"""What particles look like: over their life, as numbers, and as pixels."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import BLUE, FRONT, GREEN, RED, WHITE, display_options, middle, quad, two_by_two
from viewer.gpu.target import RenderTarget
from viewer.render.effects.particle_capture import capture_particles
from viewer.render.pick import on_screen
from viewer.render.renderer import Renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.choices import Shading
from viewer.scene.display import EffectOptions, ModelDisplay
from viewer.scene.emitter import Curve, Emitter, Phases, Ramp
from viewer.scene.material import Image, Material, Texture
from viewer.scene.model import Model
from viewer.view.camera import matrices

SIZE = (16, 16)
LOCAL = ("model space",)
BOX = np.array(((-1.0, -1, -1), (1, 1, 1)))
NEAREST = Texture("four", filter="nearest", mipmaps=False)
PLAIN = Image((np.full((1, 1, 4), 255, np.uint8),))
DrawPixels = Callable[..., Any]


def ramp(times: Any, values: Any) -> Ramp:
    return Ramp(np.array(times, float), np.array(values, float).reshape(len(times), -1))


def emitter(rate: float = 40.0, lifespan: float = 1.0, speed: float = 0.0, **given: Any) -> Emitter:
    numbers = {"rate": rate, "lifespan": lifespan, "speed": speed}
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    parts = {"flags": LOCAL, "curves": lambda _: curves, "blending": "replace", "alpha_mask": 0.0, **given}
    return Emitter("plane", -1, parts.pop("position", (0.0, 0.0, 0.0)), 0, 0, **parts)


@pytest.fixture
def rows(renderer: Renderer) -> DrawPixels:
    """The captured particles of one emitter at 1 s."""

    def run(made: Emitter, seed: int = 0, time: float = 1.0) -> Any:
        mesh = renderer.upload(Model("made", emitters=(made,)))
        try:
            return capture_particles(
                mesh, EffectTime(time, effects=EffectOptions(seed=seed)), ModelDisplay()
            )[0]
        finally:
            mesh.release()

    return run


@pytest.fixture
def pixels(renderer: Renderer) -> DrawPixels:
    """[16, 16, 4] of emitters in front of, behind or without a quad, seen from the front."""

    def run(
        *made: Emitter,
        image: Image = PLAIN,
        behind: bool = False,
        time: float = 1.0,
        size: Any = SIZE,
        **how: Any,
    ) -> Any:
        options = {"samples": 0, **how}
        white = Material("white", unlit=True)
        model = replace(quad(white) if behind else Model("made"), emitters=made, textures=(NEAREST,))
        mesh = renderer.upload(model, {0: image})
        target = RenderTarget(renderer.ctx, size, 0)
        try:
            frame = frame_for(mesh, size, None, display_options(**options), FRONT, BOX, time=time)
            renderer.draw(mesh, frame, target.framebuffer)
            return target.read()
        finally:
            target.release()
            mesh.release()

    return run


def test_colours_and_sizes_follow_their_ramps(rows: DrawPixels) -> None:
    made = emitter(
        colors=ramp((0, 0.25, 1), ((1, 0, 0), (0, 1, 0), (0, 0, 1))),
        alphas=ramp((0, 0.5, 1), (0, 1, 0.5)),
        scales=ramp((0, 1), ((1, 2), (3, 4))),
    )
    found = rows(made)
    part = found["age"] / found["life"]
    for channel, values in enumerate(((1, 0, 0), (0, 1, 0), (0, 0, 1))):
        np.testing.assert_allclose(
            found["color"][:, channel], np.interp(part, (0, 0.25, 1), values), atol=1e-5
        )
    np.testing.assert_allclose(found["color"][:, 3], np.interp(part, (0, 0.5, 1), (0, 1, 0.5)), atol=1e-5)
    np.testing.assert_allclose(found["size"], 1 + 2 * part, atol=1e-5)


@pytest.mark.parametrize("middle_", [0.0, 0.4, 1.0])
def test_cells_run_through_both_phases(rows: DrawPixels, middle_: float) -> None:
    cells = ramp((0, middle_, middle_, 1), (0, 8, 8, 16))
    found = rows(emitter(rows=4, columns=4, head_cells=cells, phases=Phases(middle_, 2, 1)))
    for row in found:
        part = float(row["age"] / row["life"])
        if part < middle_:
            expected = 8 * (2 * part / middle_ % 1)
        else:
            expected = 8 + 8 * ((part - middle_) / (1 - middle_) % 1 if middle_ < 1 else 1)
        nearest = abs(expected - round(expected)) < 1e-3
        assert int(row["cell"]) == int(expected) % 16 or nearest


def test_a_random_cell_for_each_particle(rows: DrawPixels) -> None:
    found = rows(emitter(rows=2, columns=4, flags=(*LOCAL, "one cell of the particle")))
    assert len(set(found["cell"].tolist())) > 3 and found["cell"].max() < 8


def test_a_random_cell_for_the_emitter(rows: DrawPixels) -> None:
    made = emitter(rows=4, columns=4, flags=(*LOCAL, "one cell of the emitter"))
    found = [set(rows(made, seed)["cell"].tolist()) for seed in range(5)]
    assert all(len(cells) == 1 for cells in found) and len(set.union(*found)) > 1


def test_spin_counts_turns_of_a_life_or_radians(rows: DrawPixels) -> None:
    by_life = rows(emitter(lifespan=2.0, spin=(1.5, 0.0), spins_by_life=True))
    np.testing.assert_allclose(by_life["angle"], 3 * math.pi * by_life["age"] / 2, atol=1e-4)
    radians = rows(emitter(spin=(2.0, 0.0), base_spin=(0.5, 0.0)))
    np.testing.assert_allclose(radians["angle"], 0.5 + 2 * radians["age"], atol=1e-4)
    both = rows(emitter(spin=(2.0, 0.0), flags=(*LOCAL, "tumbles")))
    assert set(np.sign(both["angle"][both["age"] > 0.1]).tolist()) == {-1.0, 1.0}
    np.testing.assert_allclose(np.abs(both["angle"]), 2 * both["age"], atol=1e-4)


def test_what_twinkles_is_there_for_its_share_of_the_time(rows: DrawPixels) -> None:
    found = rows(emitter(rate=2000.0, twinkle=(30.0, 0.25, 2.0, 4.0)))
    shown = found["size"][found["size"] > 0]
    assert len(shown) / len(found) == pytest.approx(0.25, abs=0.08)
    assert shown.min() >= 2.0 and shown.max() <= 2.51


def test_tails_end_where_the_particle_was(rows: DrawPixels) -> None:
    made = emitter(speed=3.0, tail_length=0.4)
    found = rows(made)
    np.testing.assert_allclose(found["tail"][:, 2], found["position"][:, 2] - 1.2, atol=1e-5)
    grown = rows(replace(made, flags=(*LOCAL, "tail grows")))
    np.testing.assert_allclose(grown["tail"][:, 2], 3 * np.maximum(grown["age"] - 0.4, 0), atol=1e-5)


def test_sizes_vary_and_inherit(rows: DrawPixels) -> None:
    varied = rows(emitter(rate=400.0, scale_variation=(0.5, 0.0)))["size"]
    assert 0.5 <= varied.min() < 0.6 and 1.4 < varied.max() <= 1.5


def test_cells_are_upright(pixels: DrawPixels) -> None:
    one = emitter(rate=1.0, lifespan=0.999)
    seen = pixels(one, image=two_by_two(RED, GREEN, BLUE, WHITE), time=0.5)
    corners = [tuple(int(v) for v in seen[y, x]) for y, x in ((6, 6), (6, 9), (9, 6), (9, 9))]
    assert corners == [RED, GREEN, BLUE, WHITE]


@pytest.mark.parametrize(("cell", "color"), [*enumerate((RED, GREEN, BLUE, WHITE))])
def test_a_cell_is_a_part_of_the_picture(pixels: DrawPixels, cell: int, color: Any) -> None:
    one = emitter(rate=1.0, lifespan=0.999, rows=2, columns=2, head_cells=ramp((0,), (cell,)))
    assert middle(pixels(one, image=two_by_two(RED, GREEN, BLUE, WHITE), time=0.5)) == list(color)


def test_tails_are_drawn_back_along_the_way(pixels: DrawPixels) -> None:
    """Wind along the emitter's x, which is the file's y, here up: 0.45 up at 0.3 s, with a tail of 0.6."""
    thin = ramp((0,), ((0.05, 0.05),))
    one = emitter(
        rate=1.0,
        lifespan=0.999,
        head=False,
        tail=True,
        tail_length=0.2,
        scales=thin,
        wind=(10.0, 0.0, 0.0),
        wind_time=9.0,
    )
    seen = pixels(one, time=0.3, size=(64, 64))[..., 0] > 0
    lines, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    whole = matrices(FRONT, np.eye(4), (64, 64), BOX)
    top, bottom = 64 - on_screen(whole, np.array(((0, 0.45, 0), (0, -0.15, 0))), (64, 64))[:, 1]
    assert lines[0] == pytest.approx(top, abs=1) and lines[-1] == pytest.approx(bottom, abs=1)
    assert 1 <= len(columns) <= 4


def test_particles_behind_a_surface_are_hidden(pixels: DrawPixels) -> None:
    red = ramp((0,), ((1.0, 0.0, 0.0),))
    front, back = (emitter(colors=red, position=(0.0, 0.0, z)) for z in (0.5, -0.5))
    assert middle(pixels(front, behind=True)) == list(RED)
    assert middle(pixels(back, behind=True)) == list(WHITE)


@pytest.mark.parametrize(
    ("blending", "expected"),
    [
        ("replace", (128, 128, 128)),
        ("alpha", (64, 64, 64)),
        ("add", (128, 128, 128)),
        ("addalpha", (64, 64, 64)),
        ("multiply", (0, 0, 0)),
    ],
)
def test_blends(pixels: DrawPixels, blending: str, expected: tuple[int, ...]) -> None:
    half = {"colors": ramp((0,), ((0.5, 0.5, 0.5),)), "alphas": ramp((0,), (0.5,))}
    one = emitter(rate=1.0, lifespan=0.999, blending=blending, **half)
    np.testing.assert_allclose(middle(pixels(one, time=0.5))[:3], expected, atol=2)


def test_what_is_too_faint_is_not_drawn(pixels: DrawPixels) -> None:
    one = emitter(alphas=ramp((0,), (0.4,)), alpha_mask=128 / 255)
    assert middle(pixels(one)) == [0, 0, 0, 255]


def test_sorted_particles_cover_those_behind_them(pixels: DrawPixels) -> None:
    """Two particles, the young one red and the old one green, which goes towards the viewer or away."""
    colors = ramp((0, 0.5, 0.5, 1), ((1, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 0)))
    how = {"rate": 2.0, "lifespan": 0.999, "colors": colors, "blending": "alpha", "alpha_mask": 1 / 255}
    flags = (*LOCAL, "sorted")
    assert middle(pixels(emitter(speed=1.0, flags=flags, **how), time=0.25)) == list(GREEN)
    assert middle(pixels(emitter(speed=-1.0, flags=flags, **how), time=0.25)) == list(RED)


@pytest.mark.parametrize("shading", [Shading.NORMALS, Shading.SILHOUETTE, Shading.UV])
def test_shadings_of_the_surface_show_no_particles(pixels: DrawPixels, shading: Shading) -> None:
    assert pixels(emitter(), shading=shading)[..., :3].max() == 0


def test_a_higher_priority_is_drawn_later(pixels: DrawPixels) -> None:
    red, green = (ramp((0,), (color,)) for color in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    first, second = emitter(colors=red, priority=1), emitter(colors=green)
    assert middle(pixels(first, second)) == list(RED)
    assert middle(pixels(replace(first, priority=0), replace(second, priority=1))) == list(GREEN)


@pytest.mark.parametrize("blending", ["replace", "alpha", "add", "addalpha"])
@pytest.mark.parametrize("cells", [1, 4])
def test_a_missing_picture_is_a_round_spot(pixels: DrawPixels, blending: str, cells: int) -> None:
    lost = replace(emitter(rate=2.0, scales=ramp((0,), ((1.2, 1.2),))), texture=7, blending=blending)
    found = pixels(replace(lost, rows=cells, columns=cells), size=(32, 32), time=0.75)[..., 0].astype(int)
    assert found[16, 16] > 200
    inside = np.flatnonzero(found[16] > 20)
    low, high = inside.min(), inside.max()
    assert high - low > 6
    corners = found[low : high + 1, low : high + 1][(0, 0, -1, -1), (0, -1, 0, -1)]
    assert (corners < 10).all()
