"""The quads of particles: how many are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import FRONT, display_options
from viewer.gpu.target import RenderTarget
from viewer.render.effects.particle_capture import capture_particles
from viewer.render.effects.particles import PICTURES
from viewer.render.renderer import Renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.display import ModelDisplay
from viewer.scene.emitter import Curve, Emitter, Ramp
from viewer.scene.model import Model

SIZE = (16, 16)
BOX = np.array(((-1.0, -1, -1), (1, 1, 1)))


def emitter(**given: Any) -> Emitter:
    """Particles of which many die young."""
    numbers = {"rate": 40.0, "lifespan": 1.0}
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    parts = {"flags": ("model space",), "lifespan_variation": 0.9, **given}
    return Emitter("plane", -1, (0.0, 0.0, 0.0), 0, 4, curves=lambda _: curves, **parts)


def triangles(renderer: Renderer, *emitters: Emitter) -> tuple[int, int]:
    """The triangles that a frame makes, and those that it says it drew."""
    mesh = renderer.upload(Model("made", emitters=emitters))
    target = RenderTarget(renderer.ctx, SIZE, 0)
    query = renderer.ctx.query(primitives=True)
    with query:
        frame = frame_for(mesh, SIZE, None, display_options(samples=0), FRONT, BOX, time=5.0)
        drawn = renderer.draw(mesh, frame, target.framebuffer)
    for owned in (target, mesh):
        owned.release()
    return query.primitives, drawn.triangles


def test_particles_as_large_as_the_picture_are_bounded(renderer: Renderer) -> None:
    numbers = {"rate": 20_000.0, "lifespan": 1.0}
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    huge = Ramp(np.zeros(1), np.full((1, 2), 100.0))
    many = Emitter("plane", -1, (0.0, 0.0, 0.0), 0, 4, flags=("model space",), curves=lambda _: curves)
    assert triangles(renderer, many)[1] >= 2 * 20_000, "small ones are all drawn"
    assert triangles(renderer, replace(many, scales=huge))[1] == 2 * PICTURES
    # behind the camera or at it, a particle counts as one that covers all
    at_the_camera = replace(many, position=(0.0, 0.0, 5.0), scales=Ramp(np.zeros(1), np.full((1, 2), np.nan)))
    assert triangles(renderer, at_the_camera)[1] <= 2 * PICTURES


def test_the_living_make_two_triangles_each_and_the_dead_none(renderer: Renderer) -> None:
    mesh = renderer.upload(Model("made", emitters=(emitter(),)))
    living = len(capture_particles(mesh, EffectTime(5.0), ModelDisplay())[0])
    candidates = mesh.particles.emitters[0].count
    mesh.release()
    assert 20 < living < candidates
    assert triangles(renderer, emitter())[0] - triangles(renderer)[0] == 2 * living


def test_an_emitter_is_one_draw(renderer: Renderer) -> None:
    target, draws = RenderTarget(renderer.ctx, SIZE, 0), []
    for emitters in ((), (emitter(),), (emitter(), emitter(tail=True))):
        mesh = renderer.upload(Model("made", emitters=emitters))
        frame = frame_for(mesh, SIZE, None, display_options(samples=0), FRONT, BOX, time=5.0)
        draws.append(renderer.draw(mesh, frame, target.framebuffer).draws)
        mesh.release()
    target.release()
    assert [each - draws[0] for each in draws] == [0, 1, 3], "heads and tails are two draws"


def test_emitters_outside_the_view_are_skipped(renderer: Renderer) -> None:
    seen, nothing = emitter(), triangles(renderer)
    behind, beside = (replace(seen, position=place) for place in ((0.0, 0.0, 50.0), (50.0, 0.0, 0.0)))
    across = replace(seen, position=(1.65 + 0.99, 0.0, 0.0), scales=Ramp(np.zeros(1), np.ones((1, 2))))
    assert triangles(renderer, behind, beside) == nothing
    assert triangles(renderer, seen, behind) == triangles(renderer, seen)
    assert triangles(renderer, across)[1] > nothing[1]
