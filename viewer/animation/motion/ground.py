"""The ground on which the motion of feet is judged."""

from __future__ import annotations

from msgspec import Struct


class Ground(Struct, frozen=True):
    """The ground as the user knows it. `height` is the height at which the lowest foot stands, in the file's
    unit along the up axis (None: its height in the rest pose). `speed` is the speed in units a second with
    which the game moves the model while the clip plays (None: the speed that the file stores). Its sign does
    not count, because the feet show the direction.
    """

    height: float | None = None
    speed: float | None = None


AT_REST = Ground()
