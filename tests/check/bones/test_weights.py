"""Each rule for weights fires on a mesh made to break it, and on no sound one."""

from __future__ import annotations

import pytest

from tests.checked import findings, skinned, texts
from viewer.check.bones.weights import RULES
from viewer.scene.items import GeometryItem, VertexItem

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
