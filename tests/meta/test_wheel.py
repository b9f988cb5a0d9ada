"""The wheel stands alone: built, installed into an empty folder, and used far from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT, made_once

SAMPLE = "assets/urho3d/Models/Beacon.mdl"


def python(*args: str | Path, cwd: Path, **environment: str) -> str:
    """The output of this interpreter; what it says on stderr is shown where it fails."""
    command = [sys.executable, *map(str, args)]
    done = subprocess.run(
        command, cwd=cwd, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without the network by the hatchling of this environment."""
    build = ("-m", "hatchling", "build", "-t", "wheel", "-d")
    (built,) = made_once(tmp_path_factory, "wheel", *build).glob("rigscope-*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel is installed in, without its dependencies."""
    pip = ("-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check")
    return made_once(tmp_path_factory, "installed", *pip, "--no-compile", wheel, "--target")


@pytest.mark.parametrize("folder", ["shaders", "assets"])
def test_everything_in_the_folder_is_in_the_wheel(wheel: Path, folder: str) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    listed = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True)
    data = {name for name in listed.stdout.splitlines() if not name.endswith(".py")}
    assert data
    assert {name for name in data if f"viewer/{name}" not in names} == set()


def test_what_makes_the_samples_stays_at_home(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if name.startswith("viewer/assets/") and name.endswith(".py")] == []


def test_nothing_else_is_in_the_wheel(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"viewer"}


def test_the_installed_program_reads_its_sample(installed: Path, tmp_path: Path) -> None:
    sample = installed / "viewer" / SAMPLE
    out = python("-m", "viewer", "info", sample, "--json", cwd=tmp_path, PYTHONPATH=str(installed))
    info = json.loads(out)
    assert info["complete"] is True
    assert info["geometries"]


def test_the_installed_program_is_the_one_that_ran(installed: Path, tmp_path: Path) -> None:
    code = "import viewer.paths as p; print(p.PACKAGE, p.folder('shaders'), p.folder('assets'), sep='\\n')"
    places = python("-c", code, cwd=tmp_path, PYTHONPATH=str(installed)).splitlines()
    package = (installed / "viewer").resolve()
    assert [Path(place) for place in places] == [package, package / "shaders", package / "assets"]


def test_the_console_script_is_named(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert "rigscope = viewer.commands.cli:main" in archive.read(name).decode()
