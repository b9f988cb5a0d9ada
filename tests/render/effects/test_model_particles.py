"""Particles that are models: where they are, how they look, what is before what, and what a click finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import FRONT, GREEN, RED, display_options, middle, quad
from tests.render.effects.test_particles import swinging
from tests.synthetic import QUAD
from viewer.animation.pose import Layer, pose
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.gpu.target import RenderTarget
from viewer.render.effects.model_particles import MEMBER
from viewer.render.mesh.lights import FrameLights
from viewer.render.pick import Picker, on_screen
from viewer.render.renderer import Renderer
from viewer.render.statistics import DrawStatistics
from viewer.render.view_parameters import EffectTime, ViewParameters
from viewer.scene.animation import Animation
from viewer.scene.camera import Orbit
from viewer.scene.choices import LightKind, Shading
from viewer.scene.display import DisplayOptions, EffectOptions, ModelDisplay
from viewer.scene.emitter import Curve, Emitter, ModelReference, Ramp
from viewer.scene.items import EmitterItem, ParticleItem
from viewer.scene.material import Material
from viewer.scene.model import Light, Model
from viewer.scene.skeleton import Billboard, Skeleton
from viewer.view.camera import matrices

SIZE = (16, 16)
BOX = np.array(((-1.0, -1, -1), (1, 1, 1)))
LOCAL = ("model space",)
PLAIN = Material("plain", unlit=True, cull="none")


def ramp(value: Any) -> Ramp:
    return Ramp(np.zeros(1), np.array((value,), float))


def emitter(
    shape: ModelReference | Model, color: Any = (1, 1, 1), alpha: float = 1.0, **given: Any
) -> Emitter:
    """Particles half as large as the model, at one place, one a second unless told otherwise."""
    numbers = {"rate": 1.0, "lifespan": 0.999, **given.pop("numbers", {})}
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    named = (
        shape if isinstance(shape, ModelReference) else ModelReference("Shape.mdx", "Shape.m2", model=shape)
    )
    ramps = {"colors": ramp(color), "alphas": ramp((alpha,)), "scales": ramp((0.5, 0.5))}
    parts = {"flags": LOCAL, "blending": "alpha", **ramps, "curves": lambda _: curves, **given}
    return Emitter("plane", -1, parts.pop("position", (0.0, 0.0, 0.0)), 0, 2, shape=named, **parts)


AS_IN_FILE = EffectOptions()


@pytest.fixture
def shot(renderer: Renderer) -> Iterator[Callable[..., tuple[Array, DrawStatistics]]]:
    """A picture of a model at a time, [16, 16, 4], and what it took."""
    target = RenderTarget(renderer.ctx, SIZE)

    def draw(
        model: Model,
        time: float = 0.5,
        seen: DisplayOptions | None = None,
        camera: Orbit = FRONT,
        effects: EffectOptions = AS_IN_FILE,
    ) -> tuple[Array, DrawStatistics]:
        mesh = renderer.upload(model)
        try:
            display = ModelDisplay(effects=effects)
            frame = frame_for(
                mesh, SIZE, None, seen or display_options(), camera, BOX, time=time, display=display
            )
            drawn = renderer.draw(mesh, frame, target.framebuffer)
            return target.read(), drawn
        finally:
            mesh.release()

    yield draw
    target.release()


Shot = Callable[..., tuple[Array, DrawStatistics]]


def alone(*emitters: Emitter) -> Model:
    return Model("made", emitters=emitters)


def test_a_particle_is_the_model_in_its_colour(shot: Shot) -> None:
    pixels, drawn = shot(alone(emitter(quad(PLAIN), color=(1, 0, 0))))
    assert middle(pixels)[:3] == [255, 0, 0]
    assert drawn == DrawStatistics(2, 1)


def test_it_is_as_large_as_its_scale_says(shot: Shot) -> None:
    small, large = (shot(alone(emitter(quad(PLAIN), scales=ramp((s, s)))))[0] for s in (0.25, 0.5))
    counts = [(each[..., 0] > 128).sum() for each in (small, large)]
    assert counts[1] == pytest.approx(4 * counts[0], rel=0.3)


def test_all_of_them_are_one_draw(shot: Shot) -> None:
    _, drawn = shot(alone(emitter(quad(PLAIN), numbers={"rate": 10.0, "lifespan": 0.999})))
    assert drawn == DrawStatistics(20, 1)


def test_one_that_fades_lets_through_what_is_behind(shot: Shot) -> None:
    green = replace(quad(replace(PLAIN, diffuse=(0.0, 1.0, 0.0, 1.0))), emitters=())
    fading = emitter(quad(PLAIN), color=(1, 0, 0), alpha=0.5, position=(0.0, 0.0, 0.5))
    red, green_, _, alpha = middle(shot(replace(green, emitters=(fading,)))[0])
    assert red == pytest.approx(128, abs=2) and green_ == pytest.approx(127, abs=2) and alpha == 255


def test_what_is_behind_the_mesh_is_hidden(shot: Shot) -> None:
    green = quad(replace(PLAIN, diffuse=(0.0, 1.0, 0.0, 1.0)))
    behind = emitter(quad(PLAIN), color=(1, 0, 0), position=(0.0, 0.0, -0.5))
    assert tuple(middle(shot(replace(green, emitters=(behind,)))[0])) == GREEN


def test_a_blended_mesh_lies_over_what_covers_behind_it(shot: Shot) -> None:
    glass = Material("glass", unlit=True, diffuse=(0.0, 1.0, 0.0, 0.5), blend="alpha", depth_write=False)
    behind = emitter(quad(PLAIN), color=(1, 0, 0), position=(0.0, 0.0, -0.5))
    red, green, *_ = middle(shot(replace(quad(glass), emitters=(behind,)))[0])
    assert red == pytest.approx(128, abs=2) and green == pytest.approx(128, abs=2)


def test_a_blended_model_adds_to_what_is_behind(shot: Shot) -> None:
    glow = Material("glow", unlit=True, blend="addalpha", depth_write=False)
    behind = quad(replace(PLAIN, diffuse=(0.0, 1.0, 0.0, 1.0)))
    before = emitter(quad(glow), color=(1, 0, 0), position=(0.0, 0.0, 0.5))
    assert middle(shot(replace(behind, emitters=(before,)))[0])[:3] == [255, 255, 0]


def test_of_several_the_nearest_is_on_top(shot: Shot) -> None:
    glass = Material("glass", unlit=True, blend="alpha", depth_write=False)
    numbers = {"rate": 2.0, "lifespan": 0.999, "speed": -1.0}
    away = Ramp(np.array((0.0, 0.5, 0.5, 1.0)), np.array(((1, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 0)), float))
    made = emitter(quad(glass), numbers=numbers)
    pixels, _ = shot(alone(replace(made, colors=away)), 0.7)
    assert tuple(middle(pixels)) == RED  # they go along the line of sight


@pytest.mark.parametrize(
    ("seen", "effects"),
    [
        (display_options(), EffectOptions(shown=False)),
        (display_options(), EffectOptions(muted=frozenset({EmitterItem(0)}))),
        (display_options(Shading.NORMALS), EffectOptions()),
    ],
)
def test_where_particles_are_not_drawn_models_are_not(
    shot: Shot, seen: DisplayOptions, effects: EffectOptions
) -> None:
    assert not shot(alone(emitter(quad(PLAIN))), seen=seen, effects=effects)[0][..., :3].any()


def test_hidden_variants_of_the_model_are_not_drawn(shot: Shot) -> None:
    shape = quad(PLAIN)
    hidden = replace(shape, geometries=(replace(shape.geometries[0], shown=False),))
    assert shot(alone(emitter(hidden)))[1] == DrawStatistics()


def test_a_picture_is_the_same_after_others(renderer: Renderer) -> None:
    target, found = RenderTarget(renderer.ctx, SIZE), []
    made = emitter(quad(PLAIN), tumble=((1, 2, 3), (4, 5, 6)), numbers={"rate": 5.0, "speed": 1.0})
    mesh = renderer.upload(alone(made))
    for time in (0.3, 7.9, 0.3):
        renderer.draw(
            mesh, frame_for(mesh, SIZE, None, display_options(), FRONT, BOX, time=time), target.framebuffer
        )
        found.append(target.read().copy())
    mesh.release()
    target.release()
    assert (found[0] == found[2]).all() and (found[0] != found[1]).any()


def test_the_lights_of_the_file_shine_on_them_too(shot: Shot) -> None:
    red = Light("directional", -1, (0.0, 0.0, 1.0), diffuse=(0.0, 0.0, 0.0), ambient=(1.0, 0.0, 0.0))
    model = replace(alone(emitter(quad(replace(PLAIN, unlit=False)))), lights=(red,))
    lights = (LightKind.FILE, LightKind.STUDIO)
    lit, studio = (shot(model, seen=display_options(Shading.LIT, light=each))[0] for each in lights)
    assert middle(lit)[0] > 200 and middle(lit)[1] == 0
    assert middle(studio)[1] > 100


def members(renderer: Renderer, model: Model, effect_time: EffectTime) -> Array:
    """What is drawn of the first emitter."""
    mesh = renderer.upload(model)
    mesh.write(effect_time.pose, DisplayOptions(), ModelDisplay(), np.eye(4), np.eye(4))
    still = np.eye(4)
    view_parameters = ViewParameters(
        mesh.composer.ctx.fbo, still, still, "ccw", FrameLights(), still, DisplayOptions(), effect_time
    )
    found = mesh.particles.members(view_parameters)[0]
    mesh.release()
    return found


def test_models_in_model_space_turn_with_the_bone(renderer: Renderer) -> None:
    skeleton, clip = swinging()
    for flags, turns in ((LOCAL, True), ((), False)):
        made = replace(emitter(quad(PLAIN), flags=flags), bone=0)
        layers = (Layer(clip, 0.5),)
        model = Model("made", skeleton=skeleton, emitters=(made,))
        skin = pose(skeleton, layers)
        axes = members(renderer, model, EffectTime(0.5, layers, skin))["rows"][0, :, :3] / 0.5
        quarter = np.array(((0.0, -1, 0), (1, 0, 0), (0, 0, 1)))
        expected = skin.skin[0, :, :3] @ quarter if turns else np.eye(3)
        np.testing.assert_allclose(axes, expected, atol=1e-6)


def test_only_the_newest_of_too_many_are_drawn(renderer: Renderer) -> None:
    many = emitter(quad(PLAIN), numbers={"rate": 1000.0})
    found = members(renderer, alone(many), EffectTime(10.0))
    assert len(found) == BUDGET.particle_models and found.dtype == MEMBER
    assert sorted(found["number"].tolist()) == list(range(10_001 - BUDGET.particle_models, 10_001))


def skinned(skeleton: Skeleton, clip: Animation | None = None, **columns: Array) -> ModelReference:
    """A quad on the first bone."""
    joints = np.zeros((4, 4), np.uint8)
    weights = np.tile(np.array((1, 0, 0, 0), np.float32), (4, 1))
    shape = quad(PLAIN, columns={"joints": joints, "weights": weights, **columns})
    return ModelReference("Shape.mdx", "Shape.m2", model=replace(shape, skeleton=skeleton), animation=clip)


@pytest.mark.parametrize("time", [2.1, 2.5, 2.9])
def test_a_click_finds_the_particle_where_its_pose_has_it(renderer: Renderer, time: float) -> None:
    skeleton, clip = swinging()
    model = alone(emitter(skinned(skeleton, clip), scales=ramp((0.2, 0.2))))
    picker, mesh = Picker(renderer.composer), renderer.upload(model)
    size = (256, 256)
    whole = matrices(FRONT, model.to_world, size, BOX)
    skin = pose(skeleton, (Layer(clip, time - 2.0),)).skin[0]  # born at 2 s
    turned = np.array(((0.0, -1, 0), (1, 0, 0), (0, 0, 1)))  # the emitter's axes
    place = turned @ (skin[:, 3] * 0.2)
    try:
        pixel = on_screen(whole, place[None], size)[0, :2]
        frame = frame_for(model, size, None, DisplayOptions(), FRONT, BOX, seen=whole, time=time)
        picker.ask(mesh, frame, pixel)
        picker.answer()
        assert picker.effect_hit is not None and picker.effect_hit.item == ParticleItem(0, 2)
        np.testing.assert_allclose(picker.effect_hit.point, place, atol=0.05)
    finally:
        mesh.release()
        picker.release()


@pytest.mark.parametrize("flags", [LOCAL, ()], ids=("model space", "world"))
@pytest.mark.parametrize(("yaw", "pitch"), [(0.0, 0.0), (90.0, 0.0), (40.0, 60.0)])
def test_bones_that_face_the_camera_do(shot: Shot, flags: tuple[str, ...], yaw: float, pitch: float) -> None:
    card = np.roll(QUAD, 1, axis=1)  # it looks along x, which a billboard turns to the camera
    facing = replace(swinging()[0], billboards=np.array((Billboard.WHOLE,), np.uint8))
    facing = replace(
        facing, positions=np.zeros((1, 3)), pivots=np.zeros((1, 3)), inverse_bind=np.eye(3, 4)[None]
    )
    made = alone(emitter(skinned(facing, position=card), flags=flags))
    camera = replace(FRONT, yaw=yaw, pitch=pitch)
    assert (shot(made, camera=camera)[0][..., 0] > 128).sum() == (shot(made)[0][..., 0] > 128).sum() > 9
