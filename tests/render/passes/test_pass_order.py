"""A model is drawn the same whatever was drawn before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests import ribbons
from tests.frames import frame_for
from tests.quads import BLUE, FRONT, GREEN, RED, WHITE, display_options, quad, two_by_two
from tests.render.effects import test_model_particles as shaped
from tests.render.effects import test_particle_looks as painted
from viewer.animation.pose import pose
from viewer.arrays import Array
from viewer.gpu.target import RenderTarget
from viewer.render.effects.particle_capture import capture_particles
from viewer.render.frame import Frame
from viewer.render.pick import Picker
from viewer.render.renderer import Renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.choices import LightKind, Shading
from viewer.scene.display import ModelDisplay
from viewer.scene.items import GeometryItem
from viewer.scene.material import Image, Material, Texture
from viewer.scene.model import Light, Model
from viewer.view.camera import matrices
from viewer.view.selection import Selection

SIZE = (32, 32)
BOX = np.array(((-1.0, -1, -1), (1, 1, 1)))
IMAGES = {0: two_by_two(RED, GREEN, BLUE, WHITE)}
LIGHT = Light("directional", -1, (0.0, 0.0, 1.0), diffuse=(0.2, 0.9, 0.1), ambient=(0.1, 0.0, 0.3))
Drawn = tuple[Model, dict[int, Image], Frame]


def frame(shading: Shading = Shading.LIT, **parts: Any) -> Frame:
    options = display_options(shading, light=LightKind.FILE)
    return frame_for(None, SIZE, None, options, FRONT, BOX, time=0.5, **parts)


def textured() -> Drawn:
    """A lit quad with a picture, which is selected."""
    material = Material("m", units={"diffuse": 0})
    chosen = Selection(picked=GeometryItem(0))
    return quad(material, (Texture("four", filter="nearest"),)), IMAGES, frame(selection=chosen)


def plain() -> Drawn:
    """A quad without any picture, its normals shown as lines."""
    seen = replace(frame().options, vertex_normals=True, grid=True)
    return quad(Material("m", diffuse=(0.9, 0.4, 0.2, 1.0), cull="none")), {}, replace(frame(), options=seen)


def with_model_particles() -> Drawn:
    """Particles that are models, then lit ones that are not, before a quad."""
    own = quad(Material("green", diffuse=(0.0, 1.0, 0.0, 1.0), cull="none"))
    models = shaped.emitter(own, position=(0.3, 0.0, 0.5), alpha=0.5)
    quads = painted.emitter(blending="alpha", flags=("model space", "sorted"), position=(-0.3, 0.0, 0.6))
    made = replace(quad(shaped.PLAIN), emitters=(models, quads), lights=(LIGHT,))
    return made, IMAGES, frame()


def ribboned() -> Drawn:
    """A ribbon that the bone drew behind it."""
    made = ribbons.model(ribbons.ribbon())
    layers = ribbons.layers(0.5)
    assert made.skeleton is not None
    return made, {}, replace(frame(), pose=pose(made.skeleton, layers), layers=layers)


KINDS: dict[str, Callable[[], Drawn]] = {
    each.__name__: each for each in (textured, plain, with_model_particles, ribboned)
}


def drawn(renderer: Renderer, kind: str, picking: bool = False) -> Array:
    """[32, 32, 4], after asking what lies in its middle if `picking`."""
    model, images, seen = KINDS[kind]()
    mesh, target = renderer.upload(model, images), RenderTarget(renderer.ctx, SIZE)
    seen = replace(seen, model=model, matrices=matrices(FRONT, model.to_world, SIZE, BOX))
    if picking:
        picker = Picker(renderer.composer)
        picker.ask(mesh, seen, np.array((16, 16)))
        picker.release()
    renderer.draw(mesh, seen, target.framebuffer)
    pixels = target.read().copy()
    for owned in (mesh, target):
        owned.release()
    return pixels


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_is_drawn_the_same_after_any_other(ctx: Any, kind: str) -> None:
    fresh = Renderer(ctx)
    alone = drawn(fresh, kind)
    fresh.release()
    assert len(np.unique(alone.reshape(-1, 4), axis=0)) > 1
    renderer = Renderer(ctx)
    for before in KINDS:
        drawn(renderer, before, picking=True)
        np.testing.assert_array_equal(drawn(renderer, kind), alone, err_msg=f"after {before}")
        np.testing.assert_array_equal(drawn(renderer, kind, picking=True), alone, err_msg="after a pick")
    renderer.release()


def test_captures_are_the_same_after_a_frame(renderer: Renderer) -> None:
    model, images, _ = with_model_particles()
    mesh = renderer.upload(model, images)
    display, effect_time = ModelDisplay(), EffectTime(0.5, view=np.eye(3))
    first = [each.tobytes() for each in capture_particles(mesh, effect_time, display)]
    for before in KINDS:
        drawn(renderer, before)
        assert [each.tobytes() for each in capture_particles(mesh, effect_time, display)] == first
    mesh.release()
