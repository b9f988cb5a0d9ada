"""Which geometries of two models belong together."""

from __future__ import annotations

from viewer.compare.geometry_pairs import geometry_pairs
from viewer.scene.model import Geometry, Model


def test_geometries_without_a_counterpart_of_their_name_follow_in_their_order() -> None:
    one = Model("", geometries=tuple(Geometry(name, ()) for name in ("head", "body", "cape")))
    other = Model("", geometries=tuple(Geometry(name, ()) for name in ("torso", "cape", "face", "hat")))
    assert geometry_pairs(one, other) == [(0, 0), (1, 2), (2, 1)]
