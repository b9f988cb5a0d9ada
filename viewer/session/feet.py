"""The feet of the model in view: the user's list for the folder of the model, or a guess."""

from __future__ import annotations

import os
from collections.abc import Sequence

from viewer.animation.motion.contacts import Footwork, footwork
from viewer.animation.motion.feet import NO_FEET, Feet, given_feet, guessed_feet
from viewer.scene.animation import Animation
from viewer.scene.display import up_vector
from viewer.scene.names import path_key
from viewer.session.preferences import Preferences
from viewer.session.state import State


def feet_in_view(state: State) -> Feet:
    """The feet of the model in view. If the list of the folder has names, but none is a bone of this model,
    the feet are guessed. Without bones there are no feet.
    """
    document, skeleton, playback = state.document, state.skeleton, state.playback.current
    if document is None or skeleton is None or playback.to_world is None:
        return NO_FEET
    listed = state.interface.preferences.feet.get(_folder(document.path))
    names = [name for name in listed or () if name in skeleton.names]
    if names or listed == []:
        return given_feet(skeleton, names)
    return guessed_feet(skeleton, up_vector(playback.to_world))


def list_feet(preferences: Preferences, path: str, names: Sequence[str] | None) -> None:
    """Keep the names of the feet of the models in the folder of the file `path`; with None, forget the list.
    An empty list says that no bone is a foot.
    """
    if names is None:
        preferences.feet.pop(_folder(path), None)
    else:
        preferences.feet[_folder(path)] = [*names]


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
