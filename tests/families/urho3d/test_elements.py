"""Vertex elements: every type and semantic, in any order, from lists and from masks."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.binary import Struct
from viewer.errors import FormatError
from viewer.families.urho3d.elements import ELEMENT, LEGACY, elements_of, semantic_name, vertex_dtype


def listed(*codes: tuple[int, int, int]) -> Struct:
    return Struct(elements=np.array([(*code, 0) for code in codes], ELEMENT))


def test_offsets_are_the_running_sum() -> None:
    elements = elements_of(listed((6, 5, 0), (3, 0, 0), (2, 4, 0)))
    assert [(e.semantic, e.offset) for e in elements] == [("color0", 0), ("position", 4), ("uv0", 16)]


@pytest.mark.parametrize(
    ("code", "type", "components", "normalized"),
    [
        (0, "i32", 1, False),
        (1, "f32", 1, False),
        (2, "f32", 2, False),
        (3, "f32", 3, False),
        (4, "f32", 4, False),
        (5, "u8", 4, False),
        (6, "u8", 4, True),
    ],
)
def test_types(code: int, type: str, components: int, normalized: bool) -> None:
    (element,) = elements_of(listed((code, 0, 0)))
    assert (element.type, element.components, element.normalized) == (type, components, normalized)


def test_an_unknown_type_has_no_size() -> None:
    with pytest.raises(FormatError, match="type 7"):
        elements_of(listed((7, 0, 0)))


@pytest.mark.parametrize(
    ("semantic", "index", "name"),
    [
        (0, 0, "position"),
        (1, 0, "normal"),
        (2, 0, "binormal"),
        (3, 0, "tangent"),
        (4, 2, "uv2"),
        (5, 0, "color0"),
        (6, 0, "weights"),
        (7, 0, "joints"),
        (8, 0, "object"),
        (0, 1, "position1"),
        (77, 0, "semantic77_"),
    ],
)
def test_semantics(semantic: int, index: int, name: str) -> None:
    assert semantic_name(semantic, index) == name


@pytest.mark.parametrize(("mask", "stride"), [(0x3, 24), (0x1F, 44), (0x30F, 56), (0x38F, 72), (0x3FFF, 156)])
def test_strides_of_masks_seen_in_real_files(mask: int, stride: int) -> None:
    assert vertex_dtype(Struct(mask=mask)).itemsize == stride


def test_higher_mask_bits_mean_nothing() -> None:
    assert elements_of(Struct(mask=0xFFFFC001)) == elements_of(Struct(mask=1))


def test_a_mask_has_one_element_a_bit() -> None:
    assert [len(elements_of(Struct(mask=1 << bit))) for bit in range(len(LEGACY))] == [1] * 14


def test_the_elements_of_a_mask_in_the_order_of_its_bits() -> None:
    names = " ".join(each.semantic for each in elements_of(Struct(mask=0x3FFF)))
    assert names == "position normal color0 uv0 uv1 uv0 uv1 tangent weights joints uv4 uv5 uv6 object"


def test_the_same_semantic_twice_keeps_both_in_the_vertex() -> None:
    assert vertex_dtype(Struct(mask=0x28)).names == ("uv0", "uv0'")
