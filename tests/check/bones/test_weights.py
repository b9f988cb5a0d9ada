"""Each rule for weights fires on a mesh made to break it, and on no sound one."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.checked import chain, findings, skinned, square, texts
from viewer.check.bones.weights import RULES
from viewer.scene.finding import Severity
from viewer.scene.items import GeometryItem, VertexItem
from viewer.scene.model import Model

WHOLE = (0.25, 0.75, 0, 0)


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_sound_weights_have_no_findings(rule: str) -> None:
    assert texts(rule, skinned((WHOLE,) * 4)) == []


def test_a_sum_off_1_is_told_with_its_vertex() -> None:
    (found,) = findings("weights/sum", skinned((WHOLE, WHOLE, (0.25, 0.45, 0, 0), WHOLE)))
    assert (
        found.text == "the weights of 1 of 4 vertices of only (first #2) do not add up to 1; one sum is 0.7"
    )
    assert found.items == (VertexItem(0, 2), GeometryItem(0))


def test_the_rounding_of_weights_as_bytes_is_no_finding() -> None:
    assert texts("weights/sum", skinned(((0.25, 0.745, 0, 0),) * 4)) == []


def test_a_bone_that_does_not_exist_is_told() -> None:
    joints = ((0, 1, 0, 0), (0, 9, 0, 0), (0, 1, 0, 0), (0, 1, 0, 0))
    text = "1 of 4 vertices of only (first #1) follow bones that do not exist"
    assert texts("weights/missing-bone", skinned((WHOLE,) * 4, joints)) == [text]


def test_a_missing_bone_of_weight_0_does_not_matter() -> None:
    assert texts("weights/missing-bone", skinned((WHOLE,) * 4, ((0, 1, 9, 9),) * 4)) == []


def test_vertices_without_a_bone_are_told_once() -> None:
    model = skinned((WHOLE, (0, 0, 0, 0), WHOLE, WHOLE))
    assert texts("weights/none", model) == ["1 of 4 vertices of only (first #1) follow no bone"]
    assert texts("weights/sum", model) == []


def parts(*, bones: int = 2, **more: Any) -> Model:
    """A skinned square, and a square without weights beside it."""
    whole = skinned((WHOLE,) * 4)
    (only,) = whole.geometries
    bare = replace(only, name="bare", lods=(replace(only.lods[0], streams=(1,)),))
    buffers = *whole.vertex_buffers, *square().vertex_buffers
    names = tuple("abcd"[:bones])
    skeleton = chain(*names) if names else None
    return replace(whole, vertex_buffers=buffers, geometries=(only, bare), skeleton=skeleton, **more)


def test_a_geometry_without_weights_is_an_error_where_the_engine_does_not_show_it() -> None:
    (found,) = findings("weights/unskinned", parts())
    assert found.text.startswith("bare has no weights, and the model has 2 bones: StaticModel shows it")
    assert found.items == (GeometryItem(1),) and found.severity is Severity.ERROR
    assert texts("weights/unskinned", parts(), format="OGRE mesh") == []


def test_a_submesh_without_assignments_is_a_note() -> None:
    (found,) = findings("weights/unassigned", parts(), format="OGRE mesh")
    assert found.text == "bare has no weights, and the model has 2 bones"
    assert found.severity is Severity.NOTE
    assert texts("weights/unassigned", parts()) == []


def test_a_model_without_bones_needs_no_weights() -> None:
    assert texts("weights/unskinned", parts(bones=0)) == []
    assert texts("weights/unassigned", parts(bones=0), format="OGRE mesh") == []


def test_a_level_without_weights_is_named() -> None:
    model = parts()
    skinned_part, bare = model.geometries
    both = replace(skinned_part, lods=(*skinned_part.lods, *bare.lods))
    (text,) = texts("weights/unskinned", replace(model, geometries=(both,)))
    assert text.startswith("level 1 of only has no weights")
