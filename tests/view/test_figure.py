"""The figure of a person beside a model."""

from __future__ import annotations

import numpy as np
import pytest

from tests.quads import quad
from viewer.animation.clock import Clock
from viewer.scene.camera import Orbit
from viewer.scene.display import AS_STORED, DisplayOptions, ModelDisplay, Placement
from viewer.view.clip_points import clip_points
from viewer.view.figure import GAP, WIDTH, figure_beside, figure_points, figure_triangles
from viewer.view.playlist import Playback
from viewer.view.view_snapshot import ViewSnapshot


def test_the_figure_is_as_high_as_a_person_in_the_unit_of_the_file() -> None:
    assert figure_beside(quad(), AS_STORED).height == pytest.approx(1.8)
    assert figure_beside(quad(metres=0.9), AS_STORED).height == pytest.approx(2.0)
    ten = np.diag((10.0, 10.0, 10.0, 1.0))
    assert figure_beside(quad(to_world=ten, metres=0.1), AS_STORED).height == pytest.approx(18.0)


def test_a_model_that_is_scaled_onto_another_scales_its_figure() -> None:
    onto = Placement(onto=tuple(np.diag((3.0, 3.0, 3.0, 1.0)).ravel()))
    assert figure_beside(quad(), onto).height == pytest.approx(5.4)


def test_the_figure_stands_beside_the_model_at_its_lowest_point_or_on_the_ground() -> None:
    figure = figure_beside(quad(), AS_STORED)
    assert figure.place == pytest.approx((1 + (GAP + WIDTH) * 1.8, -1.0, 0.0))
    up = np.eye(4)
    up[1, 3] = 5.0
    assert figure_beside(quad(to_world=up), AS_STORED).place[1] == 0.0


def test_its_triangles_are_inside_its_points_and_as_high_as_itself() -> None:
    corners = figure_triangles()
    assert corners[:, 1].min() == 0.0 and corners[:, 1].max() == pytest.approx(1.0)
    assert np.abs(corners[:, 0]).max() <= WIDTH
    points = figure_points(figure_beside(quad(), AS_STORED))
    assert np.ptp(points[:, 1]) == pytest.approx(1.8)


def test_a_camera_that_fits_the_model_fits_the_figure() -> None:
    def reach(shown: bool) -> float:
        options = DisplayOptions(figure=shown)
        still = Playback((), Clock())
        view = ViewSnapshot(quad(), None, options, ModelDisplay(), still, Orbit())
        return float(clip_points(view)[:, 0].max())

    assert reach(True) == pytest.approx(1 + (GAP + 2 * WIDTH) * 1.8) and reach(False) == 1.0
