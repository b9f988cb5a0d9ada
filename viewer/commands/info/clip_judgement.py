"""Judges the clips that `rigscope info --animation` names."""

from __future__ import annotations

from typing import Any

from viewer.animation.motion.contacts import Footwork
from viewer.animation.motion.feet import Feet, given_feet
from viewer.animation.motion.ground import Ground
from viewer.animation.motion.key_outliers import facts as spikes
from viewer.arrays import damaged_numbers
from viewer.commands.options.apply_options import state_of
from viewer.commands.options.given_options import Options, Values
from viewer.commands.reading import READING
from viewer.scene.document import Document
from viewer.scene.skeleton import Skeleton
from viewer.session.feet import feet_of, footwork_of

Facts = dict[str, Any]

NO_SKELETON = "the file has no bones"
UNKNOWN = "no bone looks like a foot; --foot BONE names one"
STILL = "the clip moves no bone of the model, or it has no length that can be judged"


@damaged_numbers()
def judged_clips(document: Document, values: Values) -> dict[int, Facts]:
    """Judge the clips that the values name; return the facts by the number of the clip among the animations
    of the document. Clips of other files are added to these animations.

    ResourceError for an unknown clip or bone, UsageError for a file without a clip for the model.
    """
    state = state_of((document,), Options(animation=values["animation"], reading=values.get(READING, ())))
    state.stand()
    playback, skeleton, given = state.playback.current, state.skeleton, values.get("foot")
    if given and skeleton is not None and playback.to_world is not None:
        feet = given_feet(skeleton, given)
    else:
        feet = feet_of(playback, None)
    ground = Ground(speed=values.get("ground_speed"))
    found: dict[int, Facts] = {}
    for clip in (each.animation for each in playback.playlist):
        if clip not in document.animations:
            document.animations += (clip,)
        feet_facts = _feet(skeleton, feet, footwork_of(playback, clip, feet, ground))
        found[document.animations.index(clip)] = {**feet_facts, "spikes": spikes(clip)}
    return found


def _feet(skeleton: Skeleton | None, feet: Feet, found: Footwork | None) -> Facts:
    """The facts about feet in a clip. `why` says why there are no contacts to find."""
    names = () if skeleton is None else skeleton.names
    why = None if found else NO_SKELETON if skeleton is None else STILL if feet.bones else UNKNOWN
    return {
        "feet": {
            "bones": [names[bone] for bone in feet.bones],
            "by": feet.source if feet.bones else None,
            "ground": found.level if found else None,
            "ground_speed": found.speed if found else None,
            "travels": found.travels if found else None,
            "why": why,
        },
        "contacts": [
            {"bone": names[each.bone], "start": each.start, "end": each.end}
            for each in (found.contacts if found else ())
        ],
        "slide": [
            {"bone": names[each.bone], "length": each.length, "speed": each.speed}
            for each in (found.slides if found else ())
        ],
    }
