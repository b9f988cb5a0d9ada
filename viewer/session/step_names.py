"""The names of undo steps: `hide geometry`, `play Walk`, `change speed`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from viewer.errors import counted, printable
from viewer.scene.camera import Orbit
from viewer.scene.characters import CharacterLook
from viewer.scene.choices import CompareMode, TimeTie
from viewer.scene.comparison import Comparison
from viewer.scene.display import EffectOptions
from viewer.scene.picture_options import PICTURE_OPTIONS
from viewer.view.playlist import Playlist

PLAYLIST, RANGE, COMPARISON = "playlist", "range", "comparison"

STEPS = {row.name: row.step for row in PICTURE_OPTIONS.values()} | {
    "file_camera_number": "choose a camera of the file",
    "lod": "change the level of detail",
    "morphs": "change a morph",
    "trails": "change the trails",
    "textures": "choose a texture",
    "up": "change the up axis",
    "fps": "change the frame rate",
}
"""What steps show or hide, and the names of other steps. If a value is not listed, the name of its step is
`change` and the name of the value.
"""
COMPARED = {
    CompareMode.SIDE: "compare side by side",
    CompareMode.SLIDER: "compare with a slider",
    CompareMode.DIFFERENCE: "compare by difference",
    CompareMode.DISTANCE: "compare by distance",
    CompareMode.MOTION: "compare motions",
}
TIED = {
    TimeTie.SECONDS: "tie times by seconds",
    TimeTie.SHARE: "tie times by share",
    TimeTie.NONE: "do not tie times",
}
LAST = ("own_camera", "file_camera_number", "fps")
"""Values that often change together with other values. An undo step has their name only if no other value
changed.
"""


def step_name(changed: Sequence[str], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return the name of an undo step that changed the values `changed`; empty if no value changed."""
    ordered = sorted(changed, key=lambda name: (name != PLAYLIST, name in LAST))
    return _name(ordered[0], before[ordered[0]], after[ordered[0]]) if ordered else ""


def _name(name: str, before: Any, after: Any) -> str:
    if name in NAMED:
        return NAMED[name](before, after)
    if isinstance(after, bool):
        return f"{'show' if after else 'hide'} {STEPS.get(name, name)}"
    return STEPS.get(name, f"change {name}")


def _playlist(before: Playlist, after: Playlist) -> str:
    if not after:
        return "rest pose"
    old, new = [each.animation for each in before], [each.animation for each in after]
    if len(new) == 1 and new[0] not in old:
        return f"play {printable(new[0].name) or 'animation'}"
    added = len(new) - len(old)
    return f"{'add' if added > 0 else 'remove' if added < 0 else 'change'} a layer"


def _hidden(before: set[int], after: set[int]) -> str:
    changed = before ^ after
    verb = "hide" if before < after else "show" if after < before else "show other"
    noun = counted(len(changed), "geometry", "geometries").removeprefix("1 ")
    return f"{verb} {noun}" if verb != "show other" else "show other geometries"


def _effects(before: EffectOptions, after: EffectOptions) -> str:
    if before.shown != after.shown:
        return f"{'show' if after.shown else 'hide'} particles"
    if before.muted != after.muted or before.solo != after.solo:
        fewer = len(after.muted) > len(before.muted) or (bool(after.solo) and not before.solo)
        return f"{'hide' if fewer else 'show'} particles of an emitter"
    return "change particles"


def _loop(before: str, after: str) -> str:
    return {"loop": "loop", "once": "play once", "pingpong": "ping-pong"}[after]


def _in_place(before: bool, after: bool) -> str:
    return "play in place" if after else "play with root motion"


def _range(before: object, after: object) -> str:
    return "play the whole clip" if after is None else "set the playback range"


def _comparison(before: Comparison, after: Comparison) -> str:
    if after.mode is None:
        return "end the comparison"
    if after.itself and not before.itself:
        return "compare the model with itself"
    if before.mode is not after.mode:
        return COMPARED[after.mode]
    if before.tie is not after.tie:
        return TIED[after.tie]
    if before.by_distance is not after.by_distance:
        return "show distances of bones" if after.by_distance else "show angles of bones"
    if before.aligned is not after.aligned:
        return "align the models" if after.aligned else "do not align the models"
    return "move the slider" if before.other == after.other else "compare with another model"


def _worn(before: object, after: object) -> str:
    if not isinstance(after, CharacterLook):
        return "choose a display"
    if not isinstance(before, CharacterLook):
        return "choose a look"
    names = after.changes(before)
    return f"change {names[0]}" if len(names) == 1 else "choose a look"


def _added(before: Sequence[str], after: Sequence[str]) -> str:
    return "add a file to the view" if len(after) > len(before) else "remove a file from the view"


def _camera(before: object, after: object) -> str:
    if isinstance(before, Orbit) and isinstance(after, Orbit) and before.ortho is not after.ortho:
        return "parallel projection" if after.ortho else "perspective projection"
    return "move the camera"


def _measures(before: Sequence[object], after: Sequence[object]) -> str:
    if not after:
        return "clear the distances"
    return "remove a distance" if len(after) < len(before) else "measure a distance"


NAMED: dict[str, Callable[[Any, Any], str]] = {
    PLAYLIST: _playlist,
    "hidden": _hidden,
    "effects": _effects,
    "loop": _loop,
    "in_place": _in_place,
    RANGE: _range,
    COMPARISON: _comparison,
    "measures": _measures,
    "display": _worn,
    "added": _added,
    "own_camera": _camera,
}
