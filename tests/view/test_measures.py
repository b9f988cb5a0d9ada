"""Measured distances between two points of a model."""

from __future__ import annotations

from tests.quads import quad
from viewer.scene.mesh.surface_points import SurfacePoint
from viewer.view.measures import finished, measured_lines, pending, with_point

FIRST, SECOND = (SurfacePoint(0, 0, (number,), (1.0,)) for number in (0, 1))
GONE = SurfacePoint(0, 0, (99,), (1.0,))


def test_two_points_make_a_distance_and_the_third_begins_the_next() -> None:
    one = with_point((), FIRST)
    assert pending(one) is not None and finished(one) == ()
    two = with_point(one, SECOND)
    assert pending(two) is None and finished(two) == two
    assert len(with_point(two, FIRST)) == 2


def test_the_same_point_twice_is_no_distance() -> None:
    one = with_point((), FIRST)
    assert with_point(one, FIRST) == one


def test_a_distance_is_in_the_unit_of_the_file_and_in_metres() -> None:
    measures = with_point(with_point((), FIRST), SECOND)
    (line,) = measured_lines(quad(unit="yards", metres=0.9144), None, {}, measures)
    assert line.text == "2 yards = 1.829 m"
    (line,) = measured_lines(quad(unit="metres"), None, {}, measures)
    assert line.text == "2 m"
    (line,) = measured_lines(quad(), None, {}, measures)
    assert line.text == "2 units", "the length of this unit is unknown"


def test_a_distance_to_a_point_that_is_gone_is_left_out() -> None:
    assert measured_lines(quad(), None, {}, with_point(with_point((), FIRST), GONE)) == []
