"""Installs the sample plugin for the tests of this folder, as pip would: a folder with its entry point."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugins import sample_plugin
from viewer.commands import batches
from viewer.library.workers.batches import SameProcess
from viewer.render.standalone import keep_renderer
from viewer.storage.cache_folder import FOLDER_VARIABLE

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]

sys.path.append(str(FOLDER))  # the test modules import the writer; no entry point is here


@pytest.fixture(autouse=True, scope="module")
def site() -> Iterator[Path]:
    """The folder in which the plugin is installed, while the tests of a module run."""
    with sample_plugin() as folder:
        yield folder


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
    monkeypatch.setattr(batches, "LocalRunner", lambda *limits: SameProcess())
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path.parent / "cache"))
