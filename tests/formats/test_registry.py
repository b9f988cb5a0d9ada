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
    assert load(Path("/nowhere/at/all/post.mdl"), model_bytes()).format == "Urho3D model"


def test_a_later_loader_that_is_misspelt_fails_when_it_is_used() -> None:
    load = later("viewer.formats.urho3d.load:load_modle")
    with pytest.raises(AttributeError):
        load(Path("/nowhere/at/all/post.mdl"), model_bytes())


def test_formats_are_listed_and_probed_without_any_reader() -> None:
    """A step through a folder asks for all suffixes while the window draws: imports would take seconds."""
    code = (
        "import sys; from viewer.formats import FORMATS, suffixes; suffixes('model');"
        "[each.probe(b'any bytes', '.mdl') for each in FORMATS]; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    readers = [f"urho3d.{name}" for name in ("load", "shader", "script", "package.load")]
    readers += ["ogre.load", "m2.load", "m2.skel", "m2.clips.anim"]
    assert [name for name in readers if f"viewer.formats.{name}" in done] == []
