"""The feet of the model in view: the user's list for the folder of the model, or a guess."""

from __future__ import annotations

import os
from collections.abc import Sequence

from viewer.animation.motion.contacts import Footwork, footwork
from viewer.animation.motion.feet import NO_FEET, Feet, given_feet, guessed_feet
from viewer.arrays import Array
from viewer.scene.animation import Animation
from viewer.scene.display import up_vector
from viewer.scene.names import path_key
from viewer.scene.skeleton import Skeleton
from viewer.session.preferences import Preferences
from viewer.session.state import State


def feet_in_view(state: State) -> Feet:
    """The feet of the model in view. Without bones there are no feet."""
    skeleton, playback = state.skeleton, state.playback.current
    if skeleton is None or playback.to_world is None:
        return NO_FEET
    return feet_of(skeleton, playback.to_world, listed_feet(state))


def feet_of(skeleton: Skeleton, to_world: Array, listed: Sequence[str] | None) -> Feet:
    """The feet of a skeleton by the names `listed` (None: no list). If the list has names, but none is a bone
    of the skeleton, the feet are guessed. `to_world` [4, 4] goes from the file's axes to viewer space.
    """
    names = [name for name in listed or () if name in skeleton.names]
    if names or (listed is not None and not listed):
        return given_feet(skeleton, names)
    return guessed_feet(skeleton, up_vector(to_world))


def listed_feet(state: State) -> tuple[str, ...] | None:
    """The user's list for the folder of the model in view; None if there is none."""
    document = state.document
    listed = None if document is None else state.interface.preferences.feet.get(_folder(document.path))
    return None if listed is None else (*listed,)


def list_feet(preferences: Preferences, path: str, names: Sequence[str] | None) -> None:
    """Keep the names of the feet of the models in the folder of the file `path`; with None, forget the list.
    An empty list says that no bone is a foot.
    """
    if names is None:
        preferences.feet.pop(_folder(path), None)
    else:
        preferences.feet[_folder(path)] = [*names]


def unjudged_bones(state: State) -> tuple[str, ...]:
    """The names of the bones whose keys are not judged in models of the folder of the model in view."""
    document = state.document
    found = () if document is None else state.interface.preferences.unjudged.get(_folder(document.path), ())
    return (*found,)


def judge_bone(preferences: Preferences, path: str, name: str, on: bool) -> None:
    """Judge the keys of a bone of the models in the folder of the file `path`, or leave them out."""
    kept = [each for each in preferences.unjudged.pop(_folder(path), ()) if each != name]
    if kept or not on:
        preferences.unjudged[_folder(path)] = kept if on else [*kept, name]


def footwork_in_view(state: State, animation: Animation) -> Footwork | None:
    """The contacts of the feet of the model in view while an animation plays, see `footwork`; the ground is
    that of the view.
    """
    skeleton, playback, feet = state.skeleton, state.playback.current, feet_in_view(state)
    if skeleton is None or playback.to_world is None:
        return None
    up = up_vector(playback.to_world)
    return footwork(skeleton, playback.converted(animation), up, feet, state.view.ground)


def _folder(path: str) -> str:
    """The key of the folder of a file, or of a file in a package."""
    return os.path.dirname(path_key(path))
