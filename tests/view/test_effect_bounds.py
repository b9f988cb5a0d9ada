"""A model of nothing but emitters is framed by where its particles go."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from viewer.scene.emitter import Emitter, ModelReference, Ramp
from viewer.scene.model import Model
from viewer.view.effect_bounds import emitter_points
from viewer.view.framing import posed_bounds


def emitter(**parameters: float) -> Emitter:
    pairs = {name: (value, value) for name, value in parameters.items()}
    scales = Ramp(np.zeros(1), np.full((1, 2), 0.1))
    return Emitter("plane", -1, (5.0, 0.0, 0.0), 0, 4, parameters=pairs, scales=scales)


def test_particles_that_rise_are_above_their_emitter() -> None:
    points = emitter_points(Model("made", emitters=(emitter(speed=2.0, lifespan=1.5),)), None)
    low, high = points.min(axis=0), points.max(axis=0)
    assert low[2] <= 0 and 1.4 <= high[2] <= 3.5
    assert 4.5 < low[0] < 5 < high[0] < 5.5


def test_a_model_without_a_mesh_is_framed_by_them() -> None:
    box = posed_bounds(Model("made", emitters=(emitter(speed=2.0, lifespan=1.5),)))
    np.testing.assert_allclose(box[:, 0].mean(), 5.0, atol=0.2)


def test_what_falls_back_is_framed_at_its_highest_and_lowest() -> None:
    points = emitter_points(Model("made", emitters=(emitter(speed=4.0, lifespan=2.0, gravity=4.0),)), None)
    assert 1.9 <= points[:, 2].max() <= 2.2 and -0.2 <= points[:, 2].min() <= 0


def test_drag_shortens_the_way() -> None:
    slow = replace(emitter(speed=10.0, lifespan=2.0), drag=5.0)
    assert 1.9 <= emitter_points(Model("made", emitters=(slow,)), None)[:, 2].max() <= 2.2


def test_spheres_send_particles_to_all_sides() -> None:
    sphere = replace(emitter(speed=1.0, lifespan=1.0, vertical_range=3.0), type="sphere")
    points = emitter_points(Model("made", emitters=(sphere,)), None)
    np.testing.assert_allclose(np.ptp(points, axis=0), 2.2, atol=1e-6)


def test_a_particle_that_is_a_model_is_as_large_as_that() -> None:
    shape = ModelReference("Shape.mdx", model=Model("shape", bounds=np.array(((-30.0, 0, 0), (1, 1, 1)))))
    points = emitter_points(Model("made", emitters=(replace(emitter(), shape=shape),)), None)
    assert points.max(axis=0)[0] == 8.0


def test_what_is_carried_goes_further() -> None:
    inner = ModelReference("Inner.mdx", model=Model("inner", emitters=(emitter(speed=2.0, lifespan=1.5),)))
    points = emitter_points(Model("made", emitters=(replace(emitter(), carries=inner),)), None)
    np.testing.assert_allclose(points.max(axis=0)[0], 5.0 + 0.1 + 3.1)


def test_numbers_beyond_sense_keep_a_finite_box() -> None:
    wild = emitter(speed=float("inf"), lifespan=float("nan"), gravity=1e30, length=-1e30)
    assert np.isfinite(posed_bounds(Model("made", emitters=(wild,)))).all()
