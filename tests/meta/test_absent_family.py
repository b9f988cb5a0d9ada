"""A copy of the program without one of the listed families."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.conftest import ROOT
from tests.meta.test_guide import run, unlink

FOLDER = Path("viewer/families/wow")


@pytest.fixture
def copy(wow: None, tmp_path: Path) -> Path:
    """A folder with the program, without the family of World of Warcraft."""
    for name in ("viewer", "shaders", "assets"):
        (tmp_path / name).symlink_to(ROOT / name)
    unlink(tmp_path / FOLDER / "family.py", tmp_path)
    for each in sorted((tmp_path / FOLDER).rglob("*"), reverse=True):
        each.unlink() if each.is_symlink() or each.is_file() else each.rmdir()
    (tmp_path / FOLDER).rmdir()
    return tmp_path


def test_files_of_other_families_are_drawn(copy: Path) -> None:
    out = copy / "beacon.png"
    run(copy, "-m", "viewer", "render", "assets/urho3d/Models/Beacon.mdl", "-o", str(out))
    assert np.ptp(np.asarray(Image.open(out)), axis=(0, 1)).max() > 100


def test_its_files_are_unknown(copy: Path) -> None:
    done = run(copy, "-m", "viewer", "info", "assets/m2/Creature/Puff/Puff.m2", status=1)
    assert "the format is unknown" in done.stderr and "Traceback" not in done.stderr


def test_it_is_not_listed(copy: Path) -> None:
    assert "WoW" not in run(copy, "-m", "viewer", "families").stdout
    assert "Urho3D" in run(copy, "-m", "viewer", "families").stdout
