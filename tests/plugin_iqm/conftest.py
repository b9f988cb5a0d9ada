"""Installs the sample plugin for the tests of this folder, as pip would: a folder with its entry point."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from viewer.commands.batch import batch
from viewer.family import registry
from viewer.library.workers.batches import SameProcess
from viewer.render.standalone import keep_renderer
from viewer.storage.cache_folder import FOLDER_VARIABLE

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
METADATA = "Metadata-Version: 2.1\nName: rigscope-iqm\nVersion: 0.1\n"
ENTRY_POINTS = "[rigscope.families]\niqm = rigscope_iqm.family:FAMILY\n"

sys.path.append(str(FOLDER))  # the test modules import the writer; no entry point is here


def install(site: Path) -> Path:
    """Write the folder of the installed distribution, and return the folder for the module search path."""
    info = site / "rigscope_iqm-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(METADATA)
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    return site


def forget_modules() -> None:
    """Drop the modules of the plugin."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "rigscope_iqm"]:
        del sys.modules[name]


@pytest.fixture(autouse=True, scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder in which the plugin is installed, while the tests of a module run."""
    before, folder = registry.uses_plugins(), install(tmp_path_factory.mktemp("site") / "packages")
    sys.path.insert(0, str(folder))
    registry.use_plugins(True)
    yield folder
    sys.path.remove(str(folder))
    forget_modules()
    registry.use_plugins(before)


@pytest.fixture
def environment(site: Path) -> dict[str, str]:
    """The environment of a program that has the plugin."""
    return os.environ | {"PYTHONPATH": os.pathsep.join((str(site), str(FOLDER), str(ROOT)))}


@pytest.fixture(autouse=True, scope="module")
def kept_renderer(no_kept_renderer: None) -> None:
    """Commands draw with one renderer; to set one up takes 0.1 s."""
    keep_renderer()


@pytest.fixture(autouse=True)
def batches_in_this_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Batches run in this process, and keep what they know beside the test's files."""
    monkeypatch.setattr(batch, "LocalRunner", lambda *limits: SameProcess())
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path.parent / "cache"))
