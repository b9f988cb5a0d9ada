"""Display actions: shading, overlays, up axis, level of detail."""

from __future__ import annotations

from enum import Enum

from viewer.actions.action import (
    Action,
    Condition,
    Operation,
    always,
    has_animations,
    has_model,
    toggles_interface,
)
from viewer.actions.effects import has_effects
from viewer.actions.light import LIGHT
from viewer.scene.choices import SINGLE_SHADINGS, CompareMode, MissingTextures, Quality, Shading, UpAxis
from viewer.session.requests import Post
from viewer.session.state import State


def has_skeleton(state: State) -> bool:
    """Whether the document has bones."""
    return state.skeleton is not None


def has_lods(state: State) -> bool:
    """Whether the model has several levels of detail."""
    return state.documents.lods > 1


def has_shading(state: State) -> bool:
    """Whether the surface shows a shading mode. While a comparison shows the distances between two models,
    the surface shows these distances instead.
    """
    return state.documents.compared is None or state.documents.comparison.mode is not CompareMode.DISTANCE


def lod_is_automatic(state: State) -> bool:
    """Whether the distance to the camera decides the level of detail."""
    return state.view.lod is None


def next_shading(state: State, post: Post) -> None:
    """Switch to the next shading mode."""
    modes: list[Shading] = list(SINGLE_SHADINGS)
    state.options.shading = modes[(modes.index(state.options.shading) + 1) % len(modes)]


def lod(by: int) -> Operation:
    """Return the operation that shows a coarser (1) or finer (-1) level of detail.

    With 0, the operation lets the distance to the camera decide the level, as in the engine.
    """

    def run(state: State, post: Post) -> None:
        """Set the level of detail."""
        now = state.view.lod or 0
        state.view.lod = None if by == 0 else max(0, min(state.documents.lods - 1, now + by))

    return run


def _option(option: str, value: Enum, menu: str, enabled: Condition = always) -> Action:
    """Make the action that sets a display option to this value. The action is in a submenu of View."""

    def run(state: State, post: Post) -> None:
        """Set the option."""
        setattr(state.options, option, value)

    def chosen(state: State) -> bool:
        """Whether the option has this value."""
        return getattr(state.options, option) is value

    title = {"uv": "UV", "lit": "Materials"}.get(value.value, value.value.capitalize())
    return Action(f"{option}_{value.value}", title, (), ("View", menu), run, enabled, chosen)


def _up(up: UpAxis, title: str) -> Action:
    """Make the action that makes this axis of the file point up."""

    def run(state: State, post: Post) -> None:
        """Make the axis point up."""
        if state.model is not None:
            state.view.turn_up(state.model, up)

    def chosen(state: State) -> bool:
        """Whether the axis points up."""
        return (state.view.up or UpAxis.FILE) is up

    return Action(f"up_{up.value}", title, (), ("View", "Up axis"), run, has_model, chosen)


def _flag(name: str, title: str, key: str = "", enabled: Condition = always, field: str = "") -> Action:
    """Make the action that toggles a flag of the display options."""
    flag = field or name

    def run(state: State, post: Post) -> None:
        """Toggle the flag."""
        setattr(state.options, flag, not getattr(state.options, flag))

    keys = (key,) if key else ()
    return Action(
        name, title, keys, ("View",), run, enabled, lambda state: bool(getattr(state.options, flag))
    )


def _has(part: str) -> Condition:
    """Return the condition that checks whether the model has parts of this kind, such as lights."""
    return lambda state: bool(state.model and getattr(state.model, part))


DISPLAY = (
    *(_option("shading", each, "Shading", has_shading) for each in SINGLE_SHADINGS),
    Action(
        "shading_pie", "Choose shading", ("Z",), ("View", "Shading"), toggles_interface("pie"), has_shading
    ),
    Action("next_shading", "Next shading", ("Shift+Z",), ("View", "Shading"), next_shading, has_shading),
    *LIGHT,
    *(_option("missing", each, "Missing textures") for each in MissingTextures),
    *(_option("quality", each, "Quality") for each in Quality),
    _up(UpAxis.FILE, "As in the file"),
    _up(UpAxis.Y, "Y"),
    _up(UpAxis.Z, "Z"),
    _flag("wireframe", "Wireframe", "W"),
    _flag("back_faces", "Back faces", enabled=has_model),
    _flag("skeleton", "Skeleton", "K", has_skeleton),
    _flag("names", "Bone names", "Shift+K", has_skeleton),
    _flag("hitboxes", "Hitboxes", "Shift+B", has_skeleton),
    _flag("vertex_normals", "Vertex normals", "Shift+N", has_model),
    _flag("bounds", "Bounds", "B", has_model),
    _flag("emitters", "Emission shapes", "Shift+P", has_effects),
    _flag("collision", "Collision", enabled=_has("collision")),
    _flag("attachments", "Attachments", enabled=_has("attachments")),
    _flag("events", "Event points", enabled=_has("events")),
    _flag("root_motion", "Root motion", enabled=has_animations),
    _flag("lights", "Lights", enabled=_has("lights"), field="light_markers"),
    _flag("figure", "Figure of 1.8 m", enabled=has_model),
    _flag("grid", "Grid", "G"),
    _flag("axes", "Axes", "X"),
    Action("lod_auto", "By distance", (), ("View", "Detail"), lod(0), has_lods, lod_is_automatic),
    Action("lod_finer", "Finer", (), ("View", "Detail"), lod(-1), has_lods),
    Action("lod_coarser", "Coarser", (), ("View", "Detail"), lod(1), has_lods),
)
