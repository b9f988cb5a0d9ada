"""The rule for geometries without weights in Urho3D models with bones.

Source: Urho3D `AnimatedModel::SetModel`, `AnimatedModel::UpdateBatches`: every geometry is drawn as skinned.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, unskinned
from viewer.scene.finding import Severity


def no_weights(context: CheckContext) -> Iterator[Found]:
    """Report geometries without weights in a model with bones."""
    if context.family == "Urho3D":
        yield from unskinned(context, ": StaticModel shows it, AnimatedModel does not")


RULES = (
    Rule(
        "weights/unskinned",
        Severity.ERROR,
        "A geometry of a model with bones has no weights",
        no_weights,
        {
            "Urho3D": (
                "AnimatedModel skins every geometry of a model with bones: without weights all vertices "
                "collapse into one point. StaticModel ignores the bones and shows the geometry."
            )
        },
        "Export the geometry with weights, or export the model without bones.",
        "geometry 0 has no weights, and the model has 4 bones: StaticModel shows it, AnimatedModel does not",
        after="weights/none",
    ),
)
