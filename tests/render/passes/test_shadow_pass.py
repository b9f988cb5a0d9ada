"""The shadow on the ground: what it darkens, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import MIRROR, UV
from tests.synthetic import QUAD, model_of, pose_of, skeleton_of, vertex_buffer
from viewer.arrays import Array
from viewer.gpu.target import RenderTarget
from viewer.render.passes.shadow_pass import ContactShadow
from viewer.render.renderer import Renderer
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.choices import LightKind, Shading
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.emitter import Curve, Emitter
from viewer.scene.material import Image, Material, Texture
from viewer.scene.model import Model

SIZE = (64, 64)
CAMERA = Orbit((0.0, -0.5, 0.0), 7.0, yaw=0.0, pitch=35.0)
PLAIN = DisplayOptions(grid=False, axes=False, background=(1.0, 1.0, 1.0, 1.0), samples=0)
SHADED = replace(PLAIN, shadow=True)
RIGGED = {
    "joints": np.zeros((4, 4), np.uint8),
    "weights": np.tile(np.array((1, 0, 0, 0), np.float32), (4, 1)),
}
LEANING = QUAD + QUAD[:, [2, 2, 1]] * np.float32((0, 0, 0.5))
GREEN = Material("m", diffuse=(0.0, 1.0, 0.0, 1.0), unlit=True, cull="none")
Draw = Callable[..., Array]


def standing(material: Material = GREEN, **fields: Any) -> Model:
    """A quad that leans on its edge at y = -1."""
    columns = {"position": LEANING, "uv0": UV, **(RIGGED if "skeleton" in fields else {})}
    return model_of(vertex_buffer(**columns), geometry={"material": 0}, materials=(material,), **fields)


@pytest.fixture
def draw(ctx: Any) -> Iterator[Draw]:
    """Draws a model, [64, 64, 4] of whole numbers."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)

    def shown(
        model: Model,
        options: DisplayOptions = SHADED,
        camera: Any = CAMERA,
        pose: Any = None,
        display: ModelDisplay | None = None,
        images: Any = None,
    ) -> Array:
        mesh = renderer.upload(model, images)
        frame = frame_for(mesh, SIZE, pose, options, camera, display=display or ModelDisplay())
        renderer.draw(mesh, frame, target.framebuffer)
        mesh.release()
        return target.read().astype(int)

    yield shown
    target.release()
    renderer.release()


def is_model(pixels: Array) -> Array:
    """Where the green model is."""
    return np.asarray((pixels[..., 1] > 150) & (pixels[..., 0] < 100))


def moved_by(x: float) -> Any:
    """The pose of one bone that moves to the side."""
    skin = np.eye(3, 4)[None].copy()
    skin[0, 0, 3] = x
    return pose_of(skin)


def test_the_ground_is_darker_at_the_feet_and_nothing_else_changes(draw: Draw) -> None:
    bare, shaded = draw(standing(), PLAIN), draw(standing())
    model = is_model(bare)
    assert (shaded[model] == bare[model]).all()
    darker = bare[..., :3].sum(-1) - shaded[..., :3].sum(-1)
    assert (darker >= 0).all() and darker.max() > 150
    rows = np.flatnonzero((darker > 0).any(axis=1))
    feet = np.flatnonzero(model.any(axis=1)).max()
    assert abs(int(np.argmax(darker.sum(axis=1))) - feet) <= 3 and rows.min() > 10


def test_without_the_option_there_is_none(draw: Draw) -> None:
    assert not DisplayOptions().shadow
    assert (draw(standing(), PLAIN)[~is_model(draw(standing(), PLAIN))] == 255).all()


def test_a_transparent_picture_has_the_shadow_in_its_alpha(draw: Draw) -> None:
    clear = (0.0, 0.0, 0.0, 0.0)
    pixels = draw(standing(), replace(SHADED, background=clear))
    shadow = ~is_model(pixels) & (pixels[..., 3] > 0)
    assert shadow.sum() > 100 and not pixels[shadow][:, :3].any()
    assert pixels[shadow][:, 3].max() > 50 and pixels[0, 0, 3] == 0


def test_from_below_the_ground_it_is_not_seen(draw: Draw) -> None:
    camera = replace(CAMERA, pitch=-35.0)
    assert (draw(standing(), SHADED, camera) == draw(standing(), PLAIN, camera)).all()


def test_a_camera_that_mirrors_sees_it_too(draw: Draw) -> None:
    axes, eye = CAMERA.axes * ((-1.0,), (1.0,), (1.0,)), CAMERA.position
    projection = np.array(((2.4, 0, 0, 0), (0, 2.4, 0, 0), (0, 0, -1, -0.2), (0, 0, -1, 0)))
    camera = MatrixCamera(np.column_stack((axes, -axes @ eye)), projection)
    assert (draw(standing(), SHADED, camera) != draw(standing(), PLAIN, camera)).any()


def test_it_follows_the_pose(draw: Draw) -> None:
    model = standing(skeleton=skeleton_of(1))
    middles = []
    for x in (-1.0, 1.0):
        dark = 255 - draw(model, pose=moved_by(x))[..., 0] * ~is_model(draw(model, PLAIN, pose=moved_by(x)))
        middles.append(np.average(np.arange(64), weights=(dark * (dark < 255)).sum(axis=0)))
    assert middles[1] - middles[0] > 10


def test_a_mirrored_model_has_its_shadow_at_the_other_side(draw: Draw) -> None:
    side = LEANING * np.float32((0.4, 1, 1)) + np.float32((1.2, 0, 0))
    middles = []
    for to_world in (np.eye(4), MIRROR):
        model = model_of(vertex_buffer(position=side), to_world=to_world)
        darker = (draw(model, PLAIN) - draw(model, SHADED))[..., 0]
        middles.append(np.average(np.arange(64), weights=darker.sum(axis=0)))
    assert middles[0] > 36 and sum(middles) == pytest.approx(63, abs=4)


@pytest.mark.parametrize(
    "options",
    [
        {"light": LightKind.UNLIT},
        {"light": LightKind.HEADLAMP, "light_direction": (90.0, 0.0)},
        {"shading": Shading.NORMALS},
    ],
)
def test_it_is_the_same_in_every_light(draw: Draw, options: dict[str, Any]) -> None:
    pixels, other = draw(standing()), draw(standing(), replace(SHADED, **options))
    ground = ~is_model(draw(standing(), PLAIN))
    assert (pixels[ground] == other[ground]).all()


def test_silhouettes_have_none(draw: Draw) -> None:
    silhouette = replace(PLAIN, shading=Shading.SILHOUETTE)
    assert (draw(standing(), replace(silhouette, shadow=True)) == draw(standing(), silhouette)).all()


@pytest.mark.parametrize(("blend", "casts"), [("alpha", True), ("add", False), ("addalpha", False)])
def test_a_surface_that_only_adds_light_casts_none(draw: Draw, blend: str, casts: bool) -> None:
    model = standing(replace(GREEN, blend=blend))
    assert (draw(model, SHADED) != draw(model, PLAIN)).any() == casts


@pytest.mark.parametrize(("alpha", "casts"), [(255, True), (0, False)])
def test_holes_in_a_texture_cast_none(draw: Draw, alpha: int, casts: bool) -> None:
    texture = Texture("t", "t.png", 0)
    material = replace(GREEN, units={"diffuse": 0}, alpha_mask=0.5)
    model = replace(standing(material), textures=(texture,))
    images = {0: Image((np.full((2, 2, 4), (255, 255, 255, alpha), np.uint8),))}
    found = [draw(model, options, images=images) for options in (SHADED, PLAIN)]
    assert (found[0] != found[1]).any() == casts


def test_hidden_geometries_and_particles_cast_none(draw: Draw) -> None:
    hidden = ModelDisplay(hidden={0})
    assert (draw(standing(), display=hidden) == 255).all()
    numbers = {"rate": 40.0, "lifespan": 1.0}
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    fire = Emitter("plane", -1, (0.0, 0.0, 0.0), 0, 0, flags=("model space",), curves=lambda _: curves)
    model = Model("m", emitters=(fire,))
    assert (draw(model, SHADED) == draw(model, PLAIN)).all()


def test_a_model_without_vertices_has_none(draw: Draw) -> None:
    assert (draw(Model("m"), SHADED) == 255).all()


def test_a_camera_that_moves_around_a_still_model_draws_it_once(
    ctx: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, make = [], ContactShadow._make
    monkeypatch.setattr(ContactShadow, "_make", lambda *given: made.append(1) or make(*given))
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)
    mesh = renderer.upload(standing(skeleton=skeleton_of(1)))
    poses = (moved_by(0.0), moved_by(1.0))
    for pose, yaw in ((poses[0], 0.0), (poses[0], 40.0), (poses[1], 40.0)):
        frame = frame_for(mesh, SIZE, pose, SHADED, replace(CAMERA, yaw=yaw))
        renderer.draw(mesh, frame, target.framebuffer)
    assert len(made) == 2
    for part in (mesh, target, renderer):
        part.release()
