"""What the tests of resources share."""

from __future__ import annotations

import os
from typing import Any

import pytest


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders whose contents were asked for so far."""
    asked: list[str] = []
    scan = os.scandir

    def spy(path: str) -> Any:
        asked.append(os.path.normpath(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", spy)
    return asked
