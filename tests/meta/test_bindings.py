"""Passes state what they draw with: nothing in `viewer/render` binds anything itself."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

RENDER = Path(__file__).resolve().parents[2] / "viewer" / "render"
BINDING = {
    "use",
    "bind_to_uniform_block",
    "bind_to_storage_buffer",
    "bind_to_image",
    "scope",
    "sampler",
    "render",
    "transform",
}
"""Methods of moderngl that bind something, or draw with whatever is bound."""


def bound_by(source: str) -> list[str]:
    """`line: name` of each call of a method of `BINDING`."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    named = ((call.lineno, call.func.attr) for call in calls if isinstance(call.func, ast.Attribute))
    return [f"{line}: {name}" for line, name in named if name in BINDING]


@pytest.mark.parametrize("module", sorted(RENDER.rglob("*.py")), ids=lambda path: path.stem)
def test_no_pass_binds_outside_a_pipeline(module: Path) -> None:
    assert bound_by(module.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "texture.use(3)",
        "def f(self):\n    self.block.bind_to_uniform_block(0)",
        "def g():\n    for each in some:\n        each.framebuffer.use()\n        yield each",
        "vao.render(4, 3)",
    ],
)
def test_a_binding_is_seen(source: str) -> None:
    assert len(bound_by(source)) == 1
