"""The figure of a person in the picture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.quads import display_options, quad
from viewer.arrays import Array
from viewer.render.overlays.figure_overlay import INK
from viewer.scene.camera import Orbit
from viewer.scene.choices import Shading

Shot = Callable[..., Array]
FAR = Orbit(yaw=0.0, pitch=0.0, distance=9.0)


def figured(pixels: Array) -> Array:
    """Which pixels have the colour of the figure."""
    return np.asarray((np.abs(pixels[..., :3] / 255 - np.array(INK[:3])) < 0.02).all(axis=2))


def test_the_figure_stands_to_the_right_of_the_model(shot: Shot) -> None:
    seen = figured(shot(quad(), display_options(figure=True), FAR))
    assert seen[:, 8:].any() and not seen[:, :8].any()
    assert not figured(shot(quad(), display_options(), FAR)).any()


def test_the_figure_turns_to_the_camera(shot: Shot) -> None:
    side = figured(shot(quad(), display_options(figure=True), Orbit(yaw=90.0, pitch=0.0, distance=5.0)))
    assert side.any(axis=0).sum() > 1


def test_a_model_before_the_figure_covers_it(shot: Shot) -> None:
    back = Orbit(yaw=-90.0, pitch=0.0, distance=9.0)
    assert figured(shot(quad(), display_options(figure=True), back)).any(), "a quad covers nothing edge-on"
    turned = np.array(((0, 0, 1, 0), (0, 3, 0, 0), (-1, 0, 0, 0), (0, 0, 0, 1.0)))
    turned[:3, :3] *= 3
    covered = figured(shot(quad(to_world=turned), display_options(figure=True), back))
    assert not covered.any()


def test_a_silhouette_has_no_figure(shot: Shot) -> None:
    pixels = shot(quad(), display_options(Shading.SILHOUETTE, figure=True), FAR)
    assert not figured(pixels).any()
