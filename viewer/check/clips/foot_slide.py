"""A rule for feet that slide over the ground while they stand on it. It is off by default, because it guesses
which bones are feet and when they stand.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.animation.motion.contacts import footwork
from viewer.animation.motion.feet import guessed_feet
from viewer.check.check_context import CheckContext
from viewer.check.clips.targets import found_in_clip
from viewer.check.rule import Found, Rule, bone_name, rounded
from viewer.scene.display import up_vector
from viewer.scene.finding import Severity

FAST = 0.25
"""A foot slides if its speed in contacts is higher than this, in lengths of the legs a second."""
SHARE = 0.15
"""A foot that stands on moving ground slides if its speed is also higher than this share of the ground's."""
FAR = 0.1
"""A foot slides if it moves at least this far in all contacts together, in lengths of the legs."""


def foot_slide(context: CheckContext) -> Iterator[Found]:
    """Report clips in which feet slide on the ground. Clips that do not move the model, and have no speed in
    the file, are left out: the game may move the model while they play.
    """
    skeleton, model = context.skeleton, context.document.model
    if skeleton is None or model is None:
        return
    up = up_vector(model.to_world)
    feet = guessed_feet(skeleton, up)
    for index, clip, _ in context.matched if feet.bones else ():
        found = footwork(skeleton, clip, up, feet)
        if found is None or not (found.travels or found.speed):
            continue
        limit = max(FAST * found.legs, SHARE * (found.speed or 0.0))
        sliding = [each for each in found.slides if each.speed > limit and each.length > FAR * found.legs]
        if sliding:
            worst = max(sliding, key=lambda each: each.length)
            name, far, fast = bone_name(skeleton, worst.bone), rounded(worst.length), rounded(worst.speed)
            text = f"{len(sliding)} of {len(feet.bones)} feet seem to slide: {name} by {far}, {fast} a second"
            yield found_in_clip(context, index, clip, text, (name,))


RULES = (
    Rule(
        "animation/foot-slide",
        Severity.NOTE,
        "Feet seem to slide over the ground while they stand on it",
        foot_slide,
        {
            "WoW": "The client moves the model by the speed of the sequence, which does not fit the steps.",
            "": "The motion of the root does not fit the steps.",
        },
        "Change the speed of the root or of the clip, or the length of the steps.",
        "clip 'Walk': 2 of 2 feet seem to slide: L_Foot by 0.84, 0.7 a second",
        optional=True,
    ),
)
