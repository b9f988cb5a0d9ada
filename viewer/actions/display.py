"""Display actions: shading, overlays, up axis, level of detail."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.actions.action import (
    Action,
    Condition,
    Operation,
    always,
    equals,
    has_model,
    otherwise,
    sets,
    switches,
    toggles,
)
from viewer.actions.light import ENVIRONMENT, EXPOSURE, LIGHT, has_lights
from viewer.scene.choices import SINGLE_SHADINGS, CompareMode, Lighting, LightKind, Shading, UpAxis
from viewer.scene.picture_options import PICTURE_OPTIONS, PictureOption
from viewer.session.requests import Post
from viewer.session.state import State


@otherwise("The model has one level of detail")
def has_lods(state: State) -> bool:
    """Whether the model has several levels of detail."""
    return state.documents.lods > 1


@otherwise("The comparison shows distances of vertices")
def has_shading(state: State) -> bool:
    """Whether the surface shows a shading mode. While a comparison shows the distances between two models,
    the surface shows these distances instead.
    """
    return state.documents.compared is None or state.documents.comparison.mode is not CompareMode.DISTANCE


def next_shading(state: State, post: Post) -> None:
    """Switch to the next shading mode."""
    modes: list[Shading] = list(SINGLE_SHADINGS)
    state.options.shading = modes[(modes.index(state.options.shading) + 1) % len(modes)]


def surface(shading: Shading, light: LightKind = LightKind.STUDIO) -> Operation:
    """Return the operation that shows the surface alone, in this shading and light."""

    def run(state: State, post: Post) -> None:
        """Hide the edges, and set shading and light."""
        options = state.options
        options.wireframe, options.shading, options.lighting = False, shading, Lighting(light)

    return run


def lod(by: int) -> Operation:
    """Return the operation that shows a coarser (1) or finer (-1) level of detail.

    With 0, the operation lets the distance to the camera decide the level, as in the engine.
    """

    def run(state: State, post: Post) -> None:
        """Set the level of detail."""
        now = state.view.lod or 0
        state.view.lod = None if by == 0 else max(0, min(state.documents.lods - 1, now + by))

    return run


def _choices(row: PictureOption, enabled: Condition = always) -> Iterator[Action]:
    """Yield the actions that set a display option to one of its values, in a submenu of View."""
    path = f"options.{row.name}"
    for value in row.values:
        name, chosen = f"{row.name}_{value.value}", equals(path, value)
        yield Action(name, row.label(value), (), ("View", row.menu), sets(path, value), enabled, chosen)


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


SURFACE = ("View", "Shading")

DISPLAY = (
    *_choices(PICTURE_OPTIONS["shading"], has_shading),
    Action(
        "shading_pie",
        "Choose shading",
        ("Z",),
        ("View", "Shading"),
        toggles("interface.pie"),
        has_shading,
        words="mode view",
    ),
    Action("next_shading", "Next shading", ("Shift+Z",), ("View", "Shading"), next_shading, has_shading),
    Action("edges", "Edges", (), SURFACE, sets("options.wireframe", True), has_model),
    Action("solid", "Surface without materials", (), SURFACE, surface(Shading.SOLID), has_model),
    Action("textured", "Surface in studio light", (), SURFACE, surface(Shading.LIT), has_model),
    Action(
        "file_lights",
        "Surface in the lights of the file",
        (),
        SURFACE,
        surface(Shading.LIT, LightKind.FILE),
        has_lights,
    ),
    *LIGHT,
    *(
        action
        for row in PICTURE_OPTIONS.values()
        if row.values and row.name not in ("shading", "light")
        for action in _choices(row)
    ),
    *ENVIRONMENT,
    *EXPOSURE,
    _up(UpAxis.FILE, "As in the file"),
    _up(UpAxis.Y, "Y"),
    _up(UpAxis.Z, "Z"),
    *switches(),
    Action("lod_auto", "By distance", (), ("View", "Detail"), lod(0), has_lods, equals("view.lod", None)),
    Action("lod_finer", "Finer", (), ("View", "Detail"), lod(-1), has_lods),
    Action("lod_coarser", "Coarser", (), ("View", "Detail"), lod(1), has_lods),
)
