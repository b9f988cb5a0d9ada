"""Things that few modules make: a frame is made of a view, a film by its plan."""

from __future__ import annotations

import ast

import pytest

from tests.meta.modules import modules, nodes

MAKERS = {
    "Frame": {"viewer.render.frame"},
    "Film": {"viewer.export.film.plan", "viewer.commands.texture_picture"},  # a texture is no view
}


def makes(source: str, name: str) -> bool:
    """Whether a module calls the class, by its name or as a member of a module."""
    calls = [each.func for each in nodes(source) if isinstance(each, ast.Call)]
    return any(
        (isinstance(each, ast.Name) and each.id == name)
        or (isinstance(each, ast.Attribute) and each.attr == name)
        for each in calls
    )


@pytest.mark.parametrize("name", MAKERS)
def test_nobody_else_makes_it(name: str) -> None:
    made = {module for module, path in modules().items() if makes(path.read_text("utf-8"), name)}
    assert made == MAKERS[name]


def test_a_second_maker_is_seen() -> None:
    assert makes("Frame(model)", "Frame") and makes("frame.Frame(model)", "Frame")
    assert not makes("made: Frame = frame_of(view)", "Frame")
