"""What the program says about the motion of the clip in view: its keys that pop and its feet."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import ReferenceType

from msgspec import Struct, field

from viewer.scene.animation import Animation

if TYPE_CHECKING:
    from viewer.animation.motion.contacts import Footwork
    from viewer.animation.motion.feet import Feet
    from viewer.animation.motion.key_outliers import KeyOutlier, KeyOutliers
    from viewer.animation.motion.rotation_keys import RotationKeys

LISTED = 1000
"""The largest number of keys in the list."""


class MotionResult(Struct, frozen=True, eq=False):
    """The motion of a `clip`: all its rotation `keys`, the `outliers` among them, its `feet`, and their
    `footwork` (None if there is nothing to judge).
    """

    clip: Animation
    keys: RotationKeys
    outliers: KeyOutliers
    feet: Feet
    footwork: Footwork | None = None


class MotionFindings(Struct, eq=False):
    """The `result` for the clip in view; None until it is computed. It is computed only while something shows
    it: `wanted` is set in each frame. `listed` are the keys that pop, the worst first, and `chosen` is the
    index of the key that an action went to last, -1 before; `moved` is set until the list shows it. `error`
    is the reason why there is no result. `awaited` is the clip to whose first key an action goes as soon as
    the clip is judged.
    """

    wanted: bool = False
    result: MotionResult | None = None
    listed: list[KeyOutlier] = field(default_factory=list)
    chosen: int = -1
    moved: bool = False
    error: str = ""
    awaited: ReferenceType[Animation] | None = None

    def take(self, result: MotionResult | None, error: str = "") -> None:
        """Store a result, or the reason why there is none."""
        self.result, self.error, self.chosen = result, error, -1
        self.listed = [] if result is None else [*result.outliers.rows(LISTED)]
