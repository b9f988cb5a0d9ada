from __future__ import annotations

from pathlib import Path

import pytest

from tests.ogre_media import Media


@pytest.fixture
def media(tmp_path: Path) -> Media:
    """Folders with a mesh at `models/Hero.mesh`."""
    return Media(tmp_path)
