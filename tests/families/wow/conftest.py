"""Fixtures of the family's tests."""

from __future__ import annotations

import pytest

from viewer.budget import Budget
from viewer.families.wow.m2.clips import key_references as references
from viewer.families.wow.m2.mesh import views


@pytest.fixture
def small_limits(small_limits: Budget, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits of the suite, in the family too."""
    for module in (references, views):
        monkeypatch.setattr(module, "BUDGET", small_limits)
