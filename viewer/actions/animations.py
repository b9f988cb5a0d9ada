"""Animation actions: the next or previous animation in the list, the rest pose, layers, cross-fades."""

from __future__ import annotations

from viewer.actions.action import Action, Operation, has_animations, has_playlist, otherwise
from viewer.scene.animation import Animation, listing_order
from viewer.scene.items import AnimationItem
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.view.playlist import PlaylistEntry, faded


def picked_animation(state: State) -> Animation | None:
    """The animation that is selected in the list; None if none is selected."""
    item = state.view.selection.picked
    if not isinstance(item, AnimationItem):
        return None
    return (
        state.playback.animations[item.number] if 0 <= item.number < len(state.playback.animations) else None
    )


def play_picked(state: State) -> None:
    """Play only the animation that is selected in the list, from its start."""
    animation = picked_animation(state)
    if animation is not None:
        state.playback.choose(animation)
        state.view.clock.play()


@otherwise("A clip must play, and another must be selected")
def can_add_selected(state: State) -> bool:
    """Whether the selected animation can be added as a layer: other animations play, and the selected one
    does not.
    """
    picked = picked_animation(state)
    playing = [each.animation for each in state.view.playlist]
    return bool(playing) and picked is not None and not any(each is picked for each in playing)


def neighbour(by: int) -> Operation:
    """Return the operation that plays the next (1) or previous (-1) animation of the list.

    After the last animation comes the first, and vice versa.
    """

    def run(state: State, post: Post) -> None:
        """Play the animation."""
        offered = [state.playback.animations[number] for number in listing_order(state.playback.animations)]
        now = state.view.playlist[0].animation if state.view.playlist else None
        at = offered.index(now) if now in offered else (-1 if by > 0 else 0)
        state.playback.choose(offered[(at + by) % len(offered)])

    return run


def show_rest_pose(state: State, post: Post) -> None:
    """Play no animation."""
    state.playback.choose(None)


def add_layer(additive: bool) -> Operation:
    """Return the operation that adds the selected animation as a layer to the playing animations."""

    def run(state: State, post: Post) -> None:
        """Add the layer."""
        animation = picked_animation(state)
        if animation is not None:
            state.playback.mix((*state.view.playlist, PlaylistEntry(animation, additive=additive)))

    return run


def cross_fade(state: State, post: Post) -> None:
    """Fade from the playing animations to the selected animation."""
    animation = picked_animation(state)
    if animation is not None:
        state.playback.mix(
            faded(state.view.playlist, animation, state.view.clock.time, state.view.timeline.fade)
        )


MENU = ("Animation",)

ANIMATIONS = (
    Action(
        "previous_animation", "Previous animation", ("[",), MENU, neighbour(-1), has_animations, words="clip"
    ),
    Action("next_animation", "Next animation", ("]",), MENU, neighbour(1), has_animations, words="clip"),
    Action("rest_pose", "Rest pose", ("R",), MENU, show_rest_pose, has_playlist, words="t-pose bind stop"),
    Action("add_layer", "Add selected as layer", (), MENU, add_layer(False), can_add_selected),
    Action("add_additive", "Add selected as additive layer", (), MENU, add_layer(True), can_add_selected),
    Action("cross_fade", "Fade to selected", (), MENU, cross_fade, can_add_selected),
)
