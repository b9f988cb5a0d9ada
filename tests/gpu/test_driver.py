"""The driver is loaded while modules are imported, for the verbs that draw one picture."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.synthetic import write_pair
from viewer.commands.cli import main
from viewer.gpu import driver
from viewer.gpu.headless import context

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is no EGL")
LOADED = """
import sys
from viewer.gpu import driver
driver.load_driver()
import threading
[each.join() for each in threading.enumerate() if each.name == "OpenGL driver"]
maps = open("/proc/self/maps").read()
print("moderngl" in sys.modules, "gallium" in maps or "swrast" in maps)
"""


@LINUX
def test_the_driver_is_loaded_without_a_context() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.parametrize("library", ["libNone.so", "libm.so.6"])
def test_a_library_that_is_absent_or_another_changes_nothing(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(driver.LIBRARIES, "libegl", library)
    driver._load()


def test_a_context_follows_at_once(ctx: object) -> None:
    driver._load()
    with context() as made:
        assert made.version_code >= 330


@pytest.mark.parametrize(("output", "loads"), [("x.png", True), ("{name}.png", False), ("folder/", False)])
def test_batches_leave_the_driver_to_their_workers(
    output: str, loads: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = threading.Event()
    monkeypatch.setattr(driver, "load_driver", loaded.set)
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    main(["render", str(write_pair(tmp_path)), "-o", output, "--size", "8x8", "--jobs", "1"])
    assert loaded.is_set() is loads


def test_too_few_addresses_load_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "too_few_addresses", lambda: 1)
    monkeypatch.setattr(driver, "_load", lambda: pytest.fail("the driver is loaded"))
    driver.load_driver()
