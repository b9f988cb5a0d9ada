"""Compiled shaders and scripts that are different."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compared_files import compared, lines
from tests.shader_files import PIXEL, TRANSFORM, parameter, shader_bytes, unit

NAME = "Basic_12345678.vs3"


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (shader_bytes(), []),
        (
            shader_bytes(parameters=[parameter("ViewProj", 4, 4), parameter("Model", 8, 3)]),
            ["fields added parameter Model"],
        ),
        (shader_bytes(parameters=[]), ["fields removed parameter ViewProj"]),
        (
            shader_bytes(parameters=[parameter("ViewProj", 5, 4)]),
            ["fields changed parameter ViewProj: c4 → c5"],
        ),
        (shader_bytes(units=[unit("DiffMap", 0)]), ["fields added unit DiffMap"]),
    ],
)
def test_parameters_and_units_are_compared_by_name(other: bytes, expected: list[str], tmp_path: Path) -> None:
    assert lines(compared(tmp_path, shader_bytes(), other, NAME)) == expected


def test_instructions_are_compared_as_text(tmp_path: Path) -> None:
    tokens = list(TRANSFORM)
    found = lines(compared(tmp_path, shader_bytes(), shader_bytes(tokens[:-5] + tokens[-1:]), NAME))
    assert found and all(each.startswith("fields removed code ") for each in found)


def test_another_stage_is_told(tmp_path: Path) -> None:
    found = lines(compared(tmp_path, shader_bytes(), shader_bytes(stage=PIXEL), NAME))
    assert "fields changed shader: stage: vertex → pixel" in found
