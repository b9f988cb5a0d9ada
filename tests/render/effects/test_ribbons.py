"""Ribbons through the real shader: edges captured against a float64 reference, and pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import tests.wow  # noqa: F401
from tests import m2_files
from tests.animation.effects.ribbon_reference import Told
from tests.animation.effects.ribbon_reference import edges as told_edges
from tests.frames import frame_for
from tests.opened import opened_file
from tests.quads import GREEN, RED, display_options, two_by_two
from tests.ribbons import MOVING, PLAIN, SECONDS, curve, layers, model, ribbon
from viewer.animation.pose import Layer
from viewer.arrays import Array
from viewer.families.wow.m2.load import load_model
from viewer.gpu.target import RenderTarget
from viewer.paths import folder
from viewer.render.bake import bake_ribbons
from viewer.render.pick import Picker, on_screen
from viewer.render.renderer import Renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.camera import Orbit
from viewer.scene.choices import LightKind, Shading
from viewer.scene.display import DisplayOptions, EffectOptions, ModelDisplay
from viewer.scene.document import Document
from viewer.scene.items import EmitterItem, RibbonItem
from viewer.scene.material import Texture
from viewer.scene.model import Model
from viewer.storage.documents import open_document
from viewer.view.camera import matrices

Capture = Callable[..., Array]

RATE, LIFETIME, GRAVITY = 23.0, 1.4, -0.5
POSITION = (2.0, 0.5, 0.25)
TIMES = (0.0, 0.4, 0.999, 1.0, 3.37, -2.61, 360000.35)
SIZE = (32, 16)
ABOVE = Orbit(yaw=0.0, pitch=0.0, distance=1.2, target=(1.0, 0.0, 0.0), ortho=True)


@pytest.fixture
def capture(ctx: Any) -> Iterator[Capture]:
    """The edges of a model's first ribbon. A model stays on the GPU until the test ends."""
    renderer = Renderer(ctx)
    meshes: dict[int, Any] = {}

    def run(model: Model, time: float, playing: Any, effects: EffectOptions | None = None) -> Array:
        mesh = meshes.setdefault(id(model), None) or renderer.upload(model)
        meshes[id(model)] = mesh
        return bake_ribbons(mesh, EffectTime(time, tuple(playing), effects=effects or EffectOptions()))[0]

    yield run
    for mesh in meshes.values():
        mesh.release()
    renderer.release()


def swinging() -> tuple[Document, Told]:
    """A ribbon on a bone that turns a quarter around (1, 0, 0) while its parent rises, in a loop of 1 s; and
    the same told by formulas."""
    generation = m2_files.WRATH
    keys = m2_files.keys
    record = {
        "id": -1,
        "bone": 2,
        "position": POSITION,
        "textures": [0],
        "materials": [0],
        "color": keys(generation, [([0, 1000], [(1.0, 0.0, 0.5), (0.0, 1.0, 0.5)])]),
        "alpha": keys(generation, [([0, 500, 1000], [0, m2_files.HALF, 0])]),
        "above": keys(generation, [([0, 1000], [0.25, 0.75])]),
        "below": keys(generation, [([0, 400], [0.5, 1.5])], interpolation=0),
        "visible": keys(generation, [([0], [1])]),
        "edges_per_second": RATE - 0.6,
        "edge_lifetime": LIFETIME,
        "gravity": GRAVITY,
        "rows": 1,
        "columns": 1,
    }
    document = load_model(opened_file(Path("Swing.m2"), m2_files.model(generation, ribbons=[record])))

    def bone(born: float) -> Array:
        part = born % 1.0
        c, s = math.cos(part * math.pi / 2), math.sin(part * math.pi / 2)
        return np.array(((c, -s, 0, 1 - c), (s, c, 0, -s), (0, 0, 1, part)))

    told = Told(
        bone=bone,
        position=POSITION,
        rate=RATE - 0.6,
        lifetime=LIFETIME,
        gravity=GRAVITY,
        above=lambda born: 0.25 + 0.5 * (born % 1.0),
        below=lambda born: 0.5 if born % 1.0 < 0.4 else 1.5,
        color=lambda born: np.array((1 - born % 1.0, born % 1.0, 0.5)),
        alpha=lambda born: 1 - 2 * abs(born % 1.0 - 0.5),
    )
    return document, told


@pytest.mark.parametrize("time", TIMES)
def test_edges_are_those_of_the_reference(capture: Capture, time: float) -> None:
    document, told = swinging()
    assert document.model is not None
    found = capture(document.model, time, [Layer(document.animations[0], time)])
    born, top, bottom, color = told_edges(told, time)
    assert len(found) == len(born)
    if abs(time) < 1000:  # float32 tells no more apart
        np.testing.assert_allclose(found["time"], born, atol=1e-5)
    np.testing.assert_allclose(found["top"], top, atol=1e-3)
    np.testing.assert_allclose(found["bottom"], bottom, atol=1e-3)
    np.testing.assert_allclose(found["color"], color, atol=1e-3)


def test_any_seek_gives_the_same_bits(capture: Capture) -> None:
    document, _ = swinging()
    assert document.model is not None
    stand, walk = document.animations[:2]

    def at(time: float, animation: Any = stand) -> bytes:
        assert document.model is not None
        return capture(document.model, time, [Layer(animation, time)]).tobytes()

    forward = [at(time) for time in TIMES]
    assert at(0.3, walk) != at(0.3)
    assert [at(time) for time in reversed(TIMES)] == forward[::-1]
    order = np.random.default_rng(1).permutation(len(TIMES))
    assert [at(TIMES[place]) for place in order] == [forward[place] for place in order]


def test_a_closed_path_has_no_jump_where_the_loop_ends(capture: Capture) -> None:
    document = open_document(folder("assets") / "m2" / "Creature" / "Puff" / "Puff.m2")
    assert document.model is not None
    stand = document.animations[0]
    before, after = (
        capture(document.model, time, [Layer(stand, time)]) for time in (stand.duration - 1e-3, 4 + 1e-3)
    )
    # The birth at the end itself is new; of the others each stays where it was, but for what gravity does.
    moved = np.abs(after["top"][1 + (len(after) == len(before)) :][: len(before) - 2] - before["top"][1:-1])
    assert abs(len(after) - len(before)) <= 1 and moved.max() < 2e-3
    assert np.abs(after["top"][0] - before["top"][0]).max() < 2e-2


def test_a_clip_that_does_not_loop_comes_to_rest(capture: Capture) -> None:
    made = model(ribbon())
    for time in (SECONDS + 1.5, 4000.25):
        found = capture(made, time, layers(time, looped=False))
        np.testing.assert_allclose(found["top"][:, 0], 2.0, atol=1e-5)
    early = capture(made, -5.0, layers(-5.0, looped=False))
    np.testing.assert_allclose(early["top"][:, 0], 0.0, atol=1e-4)


def test_frozen_ribbons_stand_still_and_multipliers_count(capture: Capture) -> None:
    made, item = model(ribbon()), RibbonItem(0)
    frozen = EffectOptions(frozen={item: 1.23})
    now, then = (capture(made, time, layers(time), frozen) for time in (1.23, 1.9))
    assert now.tobytes() == then.tobytes()
    broad = capture(made, 1.23, layers(1.23), EffectOptions(sizes={item: 3.0}, rates={item: 2.0}))
    assert len(broad) == 2 * len(now) - 1
    np.testing.assert_allclose(broad["top"][:, 1], 1.5, atol=1e-6)


def test_a_muted_ribbon_has_no_edges(capture: Capture) -> None:
    made = model(ribbon())
    assert len(capture(made, 1.23, layers(1.23))) > 0
    assert len(capture(made, 1.23, layers(1.23), EffectOptions(muted=frozenset({RibbonItem(0)})))) == 0


@pytest.fixture
def picture(ctx: Any) -> Iterator[Callable[..., Array]]:
    """Draws a model's ribbons from the front on black, [16, 32, 4]; x = 1 in the middle."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE, 0)

    def draw(made: Model, time: float, effects: EffectOptions | None = None, **given: Any) -> Array:
        options = {"grid": False, "axes": False, "background": (0.0, 0.0, 0.0, 1.0), "samples": 0}
        display_options = DisplayOptions(**{**options, **given})
        mesh = renderer.upload(made)
        extent = np.array(((-1.0, -2.0, -60.0), (3.0, 2.0, 2.0)))
        try:
            display = ModelDisplay(effects=effects or EffectOptions())
            playing = layers(time, animation=MOVING)
            frame = frame_for(
                mesh, SIZE, None, display_options, ABOVE, extent, time=time, layers=playing, display=display
            )
            renderer.draw(mesh, frame, target.framebuffer)
            return target.read()
        finally:
            mesh.release()

    yield draw
    target.release()
    renderer.release()


def lit(pixels: Array) -> list[bool]:
    """Along the middle row: where anything is drawn."""
    return [bool(value) for value in pixels[8, :, :3].any(axis=1)]


def test_a_ribbon_is_drawn_where_the_bone_was(picture: Callable[..., Array]) -> None:
    seen = lit(picture(model(ribbon()), 1.5))
    first, last = seen.index(True), len(seen) - seen[::-1].index(True)
    width = last - first
    assert all(seen[first:last])
    later = lit(picture(model(ribbon()), 1.8))
    assert later.index(True) > first and abs(sum(later) - width) <= 1


def test_where_it_is_not_visible_the_strip_is_broken(picture: Callable[..., Array]) -> None:
    seen = curve((0, 1), (0.9, 0), (1.2, 1), stepped=True)
    row = lit(picture(model(ribbon(30.0, curves={"visible": seen})), 1.7))
    first, last = row.index(True), len(row) - row[::-1].index(True)
    gap = [not each for each in row[first:last]]
    assert 1 <= sum(gap) < (last - first) / 2


def test_colour_and_alpha_are_those_of_the_birth(picture: Callable[..., Array]) -> None:
    red = curve((0, (0, 1, 0)), (1.0, (1, 0, 0)), stepped=True)
    row = picture(model(ribbon(30.0, curves={"color": red})), 1.5)[8]
    drawn = row[row[:, :3].any(axis=1)]
    assert drawn[1, :3].tolist() == [0, 255, 0] and drawn[-2, :3].tolist() == [255, 0, 0]


@pytest.mark.parametrize(
    "given",
    [
        {"effects": EffectOptions(shown=False)},
        {"effects": EffectOptions(muted=frozenset({RibbonItem(0)}))},
        {"effects": EffectOptions(solo=frozenset({EmitterItem(0)}))},
        {"shading": Shading.NORMALS},
    ],
)
def test_what_is_switched_off_is_not_drawn(picture: Callable[..., Array], given: dict[str, Any]) -> None:
    assert not any(lit(picture(model(ribbon()), 1.5, **given)))


def test_edges_are_drawn_over_it(picture: Callable[..., Array]) -> None:
    plain, wired = (picture(model(ribbon()), 1.5, wireframe=on) for on in (False, True))
    assert (plain != wired).any()


@pytest.mark.parametrize(
    ("colors", "u", "v", "expected"),
    [
        ((RED, RED, GREEN, GREEN), 0.0, 1.0, [[RED, GREEN], [GREEN, RED]]),
        ((RED, GREEN, RED, GREEN), 1.0, 0.0, [[RED, RED], [GREEN, GREEN]]),
    ],
)
def test_a_texture_transform_moves_its_picture(
    ctx: Any, colors: Any, u: float, v: float, expected: Any
) -> None:
    """The halves of a picture that moves by half its size change their sides."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE, 0)
    painted = replace(PLAIN, units={"diffuse": 0}, blend="replace")
    seen = []
    for move in (None, lambda clip: ((1.0, 0.0, 0.0, u * clip.at), (0.0, 1.0, 0.0, v * clip.at))):
        made = model(ribbon(30.0, 2.0, layers=(painted,), texture_transform=move))
        made = replace(made, textures=(Texture("four", filter="nearest", mipmaps=False),))
        mesh = renderer.upload(made, {0: two_by_two(*colors)})
        extent = np.array(((-1.0, -2.0, -60.0), (3.0, 2.0, 2.0)))
        frame = frame_for(
            mesh, SIZE, None, display_options(samples=0), ABOVE, extent, time=4.5, layers=layers(4.5)
        )
        renderer.draw(mesh, frame, target.framebuffer)
        seen.append([tuple(target.read()[row, 6]) for row in (7, 9)])
        mesh.release()
    target.release()
    renderer.release()
    assert seen == expected


def test_light_shines_on_it_unless_its_material_says_otherwise(picture: Callable[..., Array]) -> None:
    dull = replace(PLAIN, unlit=False, blend="replace")
    plain, lit_ = (
        picture(model(ribbon(30.0, layers=(each,))), 1.5)[8] for each in (replace(dull, unlit=True), dull)
    )
    assert plain[:, 0].max() == 255 and 160 < lit_[:, 0].max() < 240
    unlit = picture(model(ribbon(30.0, layers=(dull,))), 1.5, light=LightKind.UNLIT)[8]
    assert (unlit == plain).all()


def test_loops_that_never_meet_are_right_at_any_time(capture: Capture) -> None:
    own = curve((0, 0), (1.999, 1.999), period=1.999)
    made = model(ribbon(7.0, 3.0, curves={"alpha": own}))
    forward = [capture(made, time, layers(time)) for time in (0.5, 29.9, 30.1, 1000.7)]
    for found, time in zip(forward, (0.5, 29.9, 30.1, 1000.7), strict=True):
        ages = np.concatenate(((0.0,), time % (1 / 7) + np.arange(len(found) - 1) / 7))
        born = time - ages
        smooth = (np.mod(born + 1e-3, 1.999) > 2e-3) & (np.mod(born + 1e-3, SECONDS) > 2e-3)
        np.testing.assert_allclose(found["color"][smooth, 3], np.mod(born, 1.999)[smooth], atol=1e-3)
        np.testing.assert_allclose(found["top"][smooth, 0], np.mod(born, SECONDS)[smooth], atol=1e-3)
    backward = [capture(made, time, layers(time)) for time in (1000.7, 30.1, 29.9, 0.5)]
    assert [each.tobytes() for each in backward[::-1]] == [each.tobytes() for each in forward]


def test_a_ribbon_is_picked_where_it_is_and_not_beside(ctx: Any) -> None:
    glow = replace(PLAIN, units={"diffuse": 0})
    made = replace(model(ribbon(30.0, layers=(glow,))), textures=(Texture("missing"),))
    seen = matrices(ABOVE, made.to_world, SIZE, np.array(((-1.0, -2.0, -60.0), (3.0, 2.0, 2.0))))
    renderer = Renderer(ctx)
    picker, mesh = Picker(renderer.composer), renderer.upload(made)
    found = []
    for x in (1.2, 1.9):
        frame = frame_for(made, SIZE, None, DisplayOptions(), ABOVE, seen=seen, layers=layers(1.5))
        pixel = on_screen(seen, np.array(((x, 0.1, 0.0),)), SIZE)[0, :2]
        picker.ask(mesh, frame, pixel)
        picker.answer()
        found.append(picker.effect_hit)
    for owned in (mesh, picker, renderer):
        owned.release()
    assert found[0] is not None and found[0].item == RibbonItem(0)
    assert found[1] is None
