"""Constants of Python and the shaders have one source: no shader states one of them again."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from viewer.gpu.shader import compose, read_body
from viewer.render.shader_constants import SHADER_CONSTANTS

ROOT = Path(__file__).resolve().parents[2]
SHADERS = sorted([*(ROOT / "shaders").glob("*.*"), *(ROOT / "shaders" / "include").glob("*.glsl")])
ROOMS = ("animation", "gpu", "render", "scene")
CONSTANT = re.compile(r"^\s*(?:const\s+\w+\s+|#define\s+)(\w+)(?:\s*=)?\s+([^;\n]+)", re.M)
NUMBER = re.compile(r"(?<![\w.])(?:0x[0-9a-f]+|\d+\.\d+|\d+)(?=u?(?![\w.]))", re.I)
PLAIN = 1024.0
"""Whole numbers up to this one have many meanings."""


def code(text: str) -> str:
    """GLSL without comments."""
    return re.sub(r"//[^\n]*", "", text)


def numbers(text: str) -> Iterator[float]:
    """The number literals of GLSL code."""
    yield from (float(int(found, 0)) if "." not in found else float(found) for found in NUMBER.findall(text))


SHARED_NUMBERS = {
    number
    for value in SHADER_CONSTANTS.values()
    if not value.startswith("vec")
    for number in numbers(value)
    if number > PLAIN or number % 1
}


def repeated(text: str) -> list[str]:
    """The shared constants that a shader states itself: by name, or by a number that only they have."""
    plain = code(text)
    named = [name for name, _ in CONSTANT.findall(plain) if name in SHADER_CONSTANTS]
    colours = [name for name, value in SHADER_CONSTANTS.items() if value.startswith("vec") and value in plain]
    return named + colours + [str(number) for number in numbers(plain) if number in SHARED_NUMBERS]


def python_constants() -> Iterator[tuple[str, float]]:
    """Name and value of every number that a module of the rooms names at its top."""
    for room in ROOMS:
        for module in (ROOT / "viewer" / room).rglob("*.py"):
            for node in ast.parse(module.read_text(encoding="utf-8")).body:
                if not isinstance(node, ast.Assign):
                    continue
                for target in node.targets:
                    names = target.elts if isinstance(target, ast.Tuple) else [target]
                    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
                    for name, value in zip(names, values, strict=False):
                        constant = value.value if isinstance(value, ast.Constant) else None
                        if isinstance(name, ast.Name) and isinstance(constant, int | float):
                            yield name.id, float(constant)


@pytest.mark.parametrize("shader", SHADERS, ids=lambda path: path.name)
def test_no_shader_repeats_a_shared_constant(shader: Path) -> None:
    assert repeated(shader.read_text(encoding="utf-8")) == []


@cache
def known_constants() -> set[tuple[str, float]]:
    """The constants of Python, read once for all shaders."""
    return set(python_constants())


@pytest.mark.parametrize("shader", SHADERS, ids=lambda path: path.name)
def test_no_shader_names_a_number_as_python_does(shader: Path) -> None:
    known = known_constants()
    stated = CONSTANT.findall(code(shader.read_text(encoding="utf-8")))
    both = [name for name, value in stated for number in numbers(value) if (name, number) in known]
    assert both == []


@pytest.mark.parametrize(
    "text",
    [
        "const int SHADING_LIT = 7;",
        "#define LINE 2\n",
        "ivec2 texel(int i) { return ivec2(i % 2048, i / 2048); }",
        "const int OWN = 0x7feb352d;",
        "if (abs(height) > 0.001) return;",
        "paint = vec3(0.36, 0.66, 0.98);",
    ],
)
def test_a_repetition_is_seen(text: str) -> None:
    assert repeated(text)


def test_every_shared_constant_is_used_by_a_shader() -> None:
    text = "\n".join(code(each.read_text(encoding="utf-8")) for each in SHADERS)
    unused = [name for name in SHADER_CONSTANTS if not re.search(rf"\b{name}\b", text)]
    # the formulas that are left when no other one holds
    assert sorted(unused) == ["COMBINE_ADD", "COMBINE_ADD_NA", "DETAIL_DIFFERENCE"]


def test_only_used_constants_are_defined() -> None:
    text = compose(read_body(ROOT / "shaders" / "skeleton.frag"), (), SHADER_CONSTANTS).text
    assert re.findall(r"#define (\w+)", text) == ["ACCENT", "GROUP"]
