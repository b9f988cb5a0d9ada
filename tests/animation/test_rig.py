"""The clips that are kept prepared for a skeleton."""

from __future__ import annotations

import pytest

from tests.animation.bones import skeleton_of, still
from viewer.animation.rig import rig


def test_a_clip_is_prepared_once_while_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = still(a_position=(5, 0, 0)), still(b_position=(0, 7, 0))
    roomy = rig(skeleton_of([-1, 0]))
    assert roomy.clip(first) is roomy.clip(first) and roomy.clip(second) is not roomy.clip(first)
    monkeypatch.setattr("viewer.animation.rig.KEPT", 1)
    narrow = rig(skeleton_of([-1, 0]))
    prepared = narrow.clip(first)
    assert prepared.nbytes > 1 and narrow.clip(first) is prepared
    narrow.clip(second)
    assert narrow.clip(first) is not prepared
