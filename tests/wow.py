"""A module that imports this one uses the family of World of Warcraft, and is skipped where it is absent."""

from __future__ import annotations

import pytest

pytest.importorskip("viewer.families.wow", reason="needs viewer/families/wow")
