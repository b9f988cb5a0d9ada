"""Each rule for levels of detail fires on levels made to break it."""

from __future__ import annotations

from msgspec.structs import replace

from tests.checked import findings, square, texts
from viewer.scene.items import LodItem
from viewer.scene.material import Material
from viewer.scene.model import Lod, Model, Primitive


def test_a_level_with_more_triangles_than_the_finer_one_is_told() -> None:
    def levels(*counts: int) -> list[str]:
        lods = tuple(Lod(far, (0,), 0, 0, count, Primitive.TRIANGLES) for far, count in enumerate(counts))
        return texts("mesh/level-order", square(geometry={"lods": lods}))

    assert levels(6, 6, 3) == []
    assert levels(6, 3, 6) == ["only: level 2 has 2 triangles, level 1 has 1"]


def begins(*distances: float, rule: str = "urho3d") -> Model:
    """A square with levels of these distances."""
    lods = tuple(Lod(far, (0,), 0, 0, 6, Primitive.TRIANGLES) for far in distances)
    return square(geometry={"lods": lods}, lod_rule=rule)


def test_a_level_that_begins_before_the_finer_one_is_told() -> None:
    (found,) = findings("mesh/level-distance", begins(0, 20, 10))
    assert found.text == ("only: level 2 begins at 10, level 1 begins at 20") and found.items == (
        LodItem(0, 2),
    )
    assert texts("mesh/level-distance", begins(0, 0)) == ["only: level 1 begins at 0, level 0 begins at 0"]


def test_levels_without_a_rule_of_distance_have_no_order() -> None:
    assert texts("mesh/level-distance", begins(0, 5, 10)) == []
    assert texts("mesh/level-distance", begins(0, 0, rule="")) == []


def test_a_level_with_another_material_is_told() -> None:
    def named(*names: str) -> Model:
        model = begins(*range(len(names)))
        (only,) = model.geometries
        lods = tuple(replace(lod, material=name) for lod, name in zip(only.lods, names, strict=True))
        geometry = replace(only, lods=lods, material=0)
        return replace(model, geometries=(geometry,), materials=(Material("Skin"),))

    (found,) = findings("mesh/level-material", named("", "Skin", "Far"))
    assert found.text == "only: level 2 has the material Far, not Skin" and found.items == (LodItem(0, 2),)
    assert texts("mesh/level-material", named("", "Skin", "")) == []
