"""What is seen, and from where."""

from __future__ import annotations

from collections.abc import Callable

from viewer.actions import camera as do
from viewer.actions import effects as emit
from viewer.actions import visibility as select
from viewer.actions.action import (
    Action,
    always,
    asks,
    boned,
    detailed,
    filmed,
    flying,
    hiding,
    looking_through,
    modelled,
    morphed,
    opened,
    orbiting,
    parallel,
    selected,
    varied,
)
from viewer.scene.display import Shading
from viewer.session.requests import FitView, Post
from viewer.session.state import State


def shade(shading: Shading) -> Action:
    """The action that shows one of the shadings."""

    def run(state: State, post: Post) -> None:
        state.look.shading = shading

    def chosen(state: State) -> bool:
        return state.look.shading is shading

    title = {"uv": "UV"}.get(shading.value, shading.value.capitalize())
    return Action(f"shading_{shading.value}", title, (), ("View", "Shading"), run, always, chosen)


def flag(name: str, title: str, key: str = "", enabled: Callable[[State], bool] = always) -> Action:
    """The action that turns one of the flags of the look on and off."""

    def run(state: State, post: Post) -> None:
        setattr(state.look, name, not getattr(state.look, name))

    keys = (key,) if key else ()
    return Action(name, title, keys, ("View",), run, enabled, lambda state: bool(getattr(state.look, name)))


def has(part: str) -> Callable[[State], bool]:
    """Whether the model has something of this part."""
    return lambda state: bool(state.model and getattr(state.model, part))


CAMERA = (
    Action("fit", "Fit to view", ("Home",), ("View",), asks(FitView()), opened),
    Action("home", "First view", ("Enter",), ("View", "Camera"), do.go_home, opened),
    Action("front", "Front", ("1",), ("View", "Camera"), do.view("front")),
    Action("back", "Back", ("Ctrl+1",), ("View", "Camera"), do.view("back")),
    Action("right", "Right", ("3",), ("View", "Camera"), do.view("right")),
    Action("left", "Left", ("Ctrl+3",), ("View", "Camera"), do.view("left")),
    Action("top", "Top", ("7",), ("View", "Camera"), do.view("top")),
    Action("bottom", "Bottom", ("Ctrl+7",), ("View", "Camera"), do.view("bottom")),
    Action("iso", "Corner", ("9",), ("View", "Camera"), do.view("iso")),
    Action("iso_back", "Corner from behind", ("Ctrl+9",), ("View", "Camera"), do.view("iso", 180.0)),
    Action("turn_left", "Turn left", ("4",), ("View", "Camera"), do.turn(-1, 0), orbiting),
    Action("turn_right", "Turn right", ("6",), ("View", "Camera"), do.turn(1, 0), orbiting),
    Action("turn_up", "Turn up", ("8",), ("View", "Camera"), do.turn(0, 1), orbiting),
    Action("turn_down", "Turn down", ("2",), ("View", "Camera"), do.turn(0, -1), orbiting),
    Action("next_camera", "Next camera of the file", ("C",), ("View", "Camera"), do.next_camera, filmed),
    Action(
        "free_camera",
        "Free camera",
        (),
        ("View", "Camera"),
        do.free_camera,
        looking_through,
        lambda state: not looking_through(state),
    ),
    Action("fly", "Fly", ("Shift+F",), ("View", "Camera"), do.toggle_flying, orbiting, flying),
    Action("ortho", "Parallel projection", ("5",), ("View", "Camera"), do.toggle_ortho, orbiting, parallel),
)

SHOW = (
    *map(shade, Shading),
    Action("shading_pie", "Choose shading", ("Z",), ("View", "Shading"), do.toggle_pie),
    Action("next_shading", "Next shading", ("Shift+Z",), ("View", "Shading"), do.next_shading),
    flag("wireframe", "Wireframe", "W"),
    flag("skeleton", "Skeleton", "K", boned),
    flag("names", "Bone names", "Shift+K", boned),
    flag("hitboxes", "Hitboxes", "Shift+B", boned),
    flag("vertex_normals", "Vertex normals", "Shift+N", modelled),
    flag("bounds", "Bounds", "B", modelled),
    flag("emitters", "Emission shapes", "Shift+P", emit.has_effects),
    flag("collision", "Collision", enabled=has("collision")),
    flag("attachments", "Attachments", enabled=has("attachments")),
    flag("events", "Event points", enabled=has("events")),
    flag("lights", "Lights", enabled=has("lights")),
    flag("file_lights", "Lit by its own lights", enabled=has("lights")),
    flag("grid", "Grid", "G"),
    flag("axes", "Axes", "X"),
    Action(
        "lod_auto", "By distance", (), ("View", "Detail"), do.lod(0), detailed, lambda s: s.look.lod is None
    ),
    Action("lod_finer", "Finer", (), ("View", "Detail"), do.lod(-1), detailed),
    Action("lod_coarser", "Coarser", (), ("View", "Detail"), do.lod(1), detailed),
)

SELECT = (
    Action("frame_selected", "Frame selected", ("F", "Num."), ("Select",), select.frame, opened),
    Action("hide", "Hide selected", ("H",), ("Select",), select.hide, select.can_hide),
    Action("isolate", "Show selected alone", ("Shift+H",), ("Select",), select.isolate, select.can_hide),
    Action(
        "only_variant",
        "Only this variant of its group",
        (),
        ("Select",),
        select.only_variant,
        select.has_variants,
    ),
    Action("usual_variants", "Show what shows at first", (), ("Select",), select.usual_variants, varied),
    Action("show_all", "Show all", ("Alt+H",), ("Select",), select.show_all, hiding),
    Action("reset_morphs", "Reset morphs", (), ("Select",), select.reset_morphs, morphed),
    Action("deselect", "Clear selection", ("Escape",), ("Select",), select.deselect, selected),
)
