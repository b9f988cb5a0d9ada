"""Geosets: groups of variants."""

from __future__ import annotations

from pathlib import Path

from tests.synthetic import write_pair
from viewer.scene.model import (
    Geometry,
    Model,
    ModelSize,
    hidden_by_default,
    members,
    model_size,
    show_alone,
    variants,
)
from viewer.storage.documents import open_document

MODEL = Model("", geometries=tuple(Geometry("", (), geoset=each) for each in (0, 502, 3, 501, 0, 502)))


def test_groups_and_their_variants_are_in_order_and_the_body_is_apart() -> None:
    assert variants(MODEL) == {-1: {0: [0, 4]}, 0: {3: [2]}, 5: {501: [3], 502: [1, 5]}}


def test_a_geoset_may_be_several_geometries() -> None:
    assert members(MODEL, 502) == [1, 5]
    assert members(MODEL, 9) == members(None, 502) == []


def test_the_geometries_that_the_file_hides() -> None:
    parts = tuple(Geometry("", (), shown=shown) for shown in (True, False, True, False))
    assert hidden_by_default(Model("", geometries=parts)) == {1, 3}
    assert hidden_by_default(MODEL) == hidden_by_default(None) == set()


def test_one_variant_alone_leaves_other_groups_and_the_body() -> None:
    hidden = {1, 2, 5}
    show_alone(MODEL, 502, hidden)
    assert hidden == {2, 3}


def test_variants_of_the_first_group_never_hide_the_body() -> None:
    hidden: set[int] = set()
    show_alone(MODEL, 3, hidden)
    assert hidden == set()


def test_a_model_without_geosets_has_no_variants() -> None:
    assert variants(Model("", geometries=(Geometry("a", ()),))) == {}


def test_the_finest_level_counts(tmp_path: Path) -> None:
    model = open_document(str(write_pair(tmp_path))).model
    assert model is not None
    assert model_size(model) == ModelSize(vertices=20, triangles=32, bones=2)
    assert model_size(Model("")) == ModelSize(0, 0, 0)
