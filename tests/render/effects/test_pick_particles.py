"""Picking particles: which emitter and which birth is under a pixel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import FRONT, quad
from viewer.render.effects.particle_capture import capture_particles
from viewer.render.pick import EffectHit, Hit, Picker, on_screen
from viewer.render.renderer import Renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.choices import Shading
from viewer.scene.display import DisplayOptions, EffectOptions, ModelDisplay
from viewer.scene.emitter import Curve, Emitter, ModelReference, Ramp
from viewer.scene.items import ParticleItem
from viewer.scene.model import Model
from viewer.view.camera import matrices

SIZE = (64, 48)
BOX = np.array(((-1.0, -1, -1), (1, 1, 1)))
LIT, AS_IN_FILE = DisplayOptions(), ModelDisplay()
Ask = Callable[..., tuple[Hit | None, EffectHit | None]]


def still(depth: float, **given: Any) -> Emitter:
    """One particle after another at the same place, a second each."""
    numbers = {"rate": 1.0, "lifespan": 0.999}
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    return Emitter("plane", -1, (0.25, 0.5, depth), 0, 2, blending="alpha", curves=lambda _: curves, **given)


def model(*emitters: Emitter) -> Model:
    return replace(quad(), emitters=emitters)


@pytest.fixture
def ask(ctx: Any) -> Iterator[Ask]:
    renderer = Renderer(ctx)
    picker = Picker(renderer.composer)

    def run(
        model: Model,
        time: float,
        place: tuple[float, float, float],
        display_options: DisplayOptions = LIT,
        display: ModelDisplay = AS_IN_FILE,
    ) -> Any:
        whole = matrices(FRONT, model.to_world, SIZE, BOX)
        frame = frame_for(
            model, SIZE, None, display_options, FRONT, BOX, seen=whole, display=display, time=time
        )
        mesh = renderer.upload(model)
        x, y, _ = on_screen(whole, np.array((place,)), SIZE)[0]
        try:
            picker.ask(mesh, frame, np.array((x, y)))
            return picker.answer(), picker.effect_hit
        finally:
            mesh.release()

    yield run
    picker.release()
    renderer.release()


def test_the_particle_in_front_of_the_surface(ask: Ask) -> None:
    hit, effect_hit = ask(model(still(0.5)), 1000.5, (0.25, 0.5, 0.5))
    assert hit is not None and hit.geometry == 0
    assert effect_hit is not None and effect_hit.item == ParticleItem(0, 1000)
    np.testing.assert_allclose(effect_hit.point, (0.25, 0.5, 0.5), atol=0.05)


def test_births_before_time_0_have_negative_numbers(ask: Ask) -> None:
    _, effect_hit = ask(model(still(0.5)), -2.5, (0.25, 0.5, 0.5))
    assert effect_hit is not None and effect_hit.item == ParticleItem(0, -3)


def test_a_particle_behind_the_surface_is_not_meant(ask: Ask) -> None:
    hit, effect_hit = ask(model(still(-0.5)), 0.5, (0.25, 0.5, 0.0))
    assert hit is not None and effect_hit is None


def test_of_two_emitters_the_nearer_counts(ask: Ask) -> None:
    _, effect_hit = ask(model(still(0.7), still(0.3)), 0.5, (0.25, 0.5, 0.5))
    assert isinstance(effect_hit.item, ParticleItem) and effect_hit.item.emitter == 0
    _, effect_hit = ask(model(still(0.3), still(0.7)), 0.5, (0.25, 0.5, 0.5))
    assert isinstance(effect_hit.item, ParticleItem) and effect_hit.item.emitter == 1


@pytest.mark.parametrize(
    ("display_options", "display"),
    [
        (LIT, ModelDisplay(effects=EffectOptions(shown=False))),
        (DisplayOptions(shading=Shading.NORMALS), AS_IN_FILE),
    ],
    ids=["hidden", "normals"],
)
def test_what_is_not_drawn_is_not_picked(
    ask: Ask, display_options: DisplayOptions, display: ModelDisplay
) -> None:
    assert ask(model(still(0.5)), 0.5, (0.25, 0.5, 0.5), display_options, display)[1] is None


def test_beside_particles_there_are_none(ask: Ask) -> None:
    faint = still(0.5)
    assert ask(model(faint), 0.5, (-0.9, -0.9, 0.0))[1] is None


def test_one_particle_can_be_asked_for(ctx: Any) -> None:
    renderer = Renderer(ctx)
    mesh = renderer.upload(model(still(0.5)))
    by_number = {
        int(each["number"]): each for each in capture_particles(mesh, EffectTime(7.25), ModelDisplay())[0]
    }
    found, gone = by_number.get(7), by_number.get(6)
    mesh.release()
    renderer.release()
    assert found is not None and gone is None
    assert float(found["age"]) == pytest.approx(0.25)
    np.testing.assert_allclose(found["position"], (0.25, 0.5, 0.5), atol=1e-6)


def test_what_is_carried_counts_as_what_carries_it(ask: Ask) -> None:
    inner = Model("inner", emitters=(replace(still(0.0), position=(0.0, 0.0, 0.0)),))
    unseen = Ramp(np.zeros(1), np.zeros((1, 2)))
    carrier = replace(still(0.5), scales=unseen, carries=ModelReference("Inner.mdx", "Inner.m2", model=inner))
    _, effect_hit = ask(model(carrier), 1000.5, (0.25, 0.5, 0.5))
    assert effect_hit is not None and effect_hit.item == ParticleItem(0, 1000)
