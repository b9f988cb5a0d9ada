"""The feet of the model in view: the user's list for the folder of the model, or a guess."""

from __future__ import annotations

import os
from collections.abc import Sequence

from viewer.animation.motion.contacts import Footwork, footwork
from viewer.animation.motion.feet import NO_FEET, Feet, given_feet, guessed_feet
from viewer.animation.motion.ground import Ground
from viewer.scene.animation import Animation
from viewer.scene.display import up_vector
from viewer.scene.names import path_key
from viewer.session.preferences import Preferences
from viewer.session.state import State
from viewer.view.playlist import Playback


def feet_of(playback: Playback, listed: Sequence[str] | None) -> Feet:
    """The feet of the skeleton that a playback moves, by the names `listed` (None: no list). If the list has
    names, but none is a bone of the skeleton, the feet are guessed. Without bones there are no feet.
    """
    skeleton, to_world = playback.skeleton, playback.to_world
    if skeleton is None or to_world is None:
        return NO_FEET
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


def footwork_of(playback: Playback, animation: Animation, feet: Feet, ground: Ground) -> Footwork | None:
    """The contacts of the feet of the skeleton that a playback moves, while an animation plays on the
    `ground`; see `footwork`.
    """
    skeleton, to_world = playback.skeleton, playback.to_world
    if skeleton is None or to_world is None:
        return None
    return footwork(skeleton, playback.converted(animation), up_vector(to_world), feet, ground)


def _folder(path: str) -> str:
    """The key of the folder of a file, or of a file in a package."""
    return os.path.dirname(path_key(path))
