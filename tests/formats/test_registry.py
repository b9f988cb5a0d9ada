"""What every family of formats registers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.synthetic import model_bytes
from viewer.formats.registry import later

ROOT = Path(__file__).resolve().parents[2]


def test_a_later_loader_is_the_one_that_is_named() -> None:
    load = later("viewer.formats.urho3d.load:load_model")
    assert load(Path("/nowhere/post.mdl"), model_bytes()).format == "Urho3D model"


def test_a_later_loader_that_is_misspelt_fails_when_it_is_used() -> None:
    load = later("viewer.formats.urho3d.load:load_modle")
    with pytest.raises(AttributeError):
        load(Path("/nowhere/post.mdl"), model_bytes())


def test_the_family_is_named_without_the_readers_of_packages_and_shaders() -> None:
    code = "import sys, viewer.formats.urho3d; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    readers = {f"viewer.formats.urho3d.{name}" for name in ("shader", "script", "package.load")}
    assert "viewer.formats.urho3d.load" in done and readers.isdisjoint(done)
