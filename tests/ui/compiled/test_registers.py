"""Whose the registers are, and which the program reads."""

from __future__ import annotations

from viewer.budget import BUDGET
from viewer.scene.shader import (
    CompiledShader,
    InstructionCounts,
    ShaderParameter,
    ShaderProgram,
    letters,
    ranges,
)
from viewer.ui.compiled.registers import NOBODY, PROGRAM, banks


def program(
    used: dict[str, tuple[int, ...]], declared: dict[str, tuple[int, ...]] | None = None
) -> ShaderProgram:
    return ShaderProgram("", "vs_3_0", InstructionCounts(registers=used, declared=declared or {}))


def test_constants_have_owners_and_are_read() -> None:
    shader = CompiledShader("vertex", 3, (ShaderParameter("Model", None, 1, 2),))
    (bank,) = banks(shader, program({"c": (2, 4), "r": (0,)}, {"c": (4,)}))
    assert (bank.file, bank.title, bank.register(2)) == ("c", "c", "c2")
    assert bank.owners[:, 0].tolist() == [NOBODY, 0, 0, NOBODY, PROGRAM]
    assert bank.read.tolist() == [False, False, True, False, True]


def test_buffers_are_shared_by_the_component() -> None:
    parameters = (
        ShaderParameter("CameraPos", 1, 0, 12),
        ShaderParameter("NearClip", 1, 12, 4),
        ShaderParameter("Model", 5, 16, 16),
    )
    shader = CompiledShader("vertex", 4, parameters, buffers=("frame", "camera"))
    camera, last = banks(shader, program({"cb1": (0,)}, {"cb1": (15,)}))
    assert camera.title == "cb1 camera" and camera.owners.tolist() == [[0, 0, 0, 1]]
    assert last.title == "cb5" and last.owners.tolist() == [[NOBODY] * 4, [2] * 4]
    assert last.register(1) == "cb5[1]"


def test_without_a_program_nothing_is_read() -> None:
    (bank,) = banks(CompiledShader("pixel", 3, (ShaderParameter("A", None, 0, 1),)), None)
    assert not bank.read.any()


def test_lying_extents_stay_bounded() -> None:
    shader = CompiledShader(
        "vertex", 4, (ShaderParameter("A", 0, 0xFFFFFFF0, 64), ShaderParameter("B", 0, 0, 0xFFFFFFFF))
    )
    (bank,) = banks(shader, program({"cb0": (0xFFFFFFFF,)}))
    assert len(bank.owners) == BUDGET.registers and (bank.owners == 1).all()


def test_runs_of_numbers_are_short() -> None:
    assert ranges((0, 1, 2, 5, 7, 8)) == "0–2 5 7–8" and ranges(()) == ""


def test_the_components_of_a_mask_are_letters() -> None:
    assert [letters(mask) for mask in (0, 0b1, 0b101, 0b1111)] == ["", "x", "xz", "xyzw"]
