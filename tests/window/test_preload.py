"""Modules are imported in another thread, and their errors wait for the modules' users."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from viewer.app.tasks import THREAD
from viewer.window.window import importing_meanwhile

SOURCE = "import threading\nIMPORTED_BY = threading.current_thread().name\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of modules."""
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_another_thread_imports_and_has_ended(folder: Path) -> None:
    (folder / "rigscope_preload_first.py").write_text(SOURCE)
    with importing_meanwhile(("rigscope_preload_first",)):
        pass
    assert sys.modules.pop("rigscope_preload_first").IMPORTED_BY == THREAD


def test_a_module_that_fails_keeps_no_other_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "rigscope_preload_bad.py").write_text("raise ValueError('broken')\n")
    (folder / "rigscope_preload_good.py").write_text(SOURCE)
    with importing_meanwhile(("rigscope_preload_bad", "no_such_module", "rigscope_preload_good")):
        pass
    assert sys.modules.pop("rigscope_preload_good").IMPORTED_BY == THREAD
    assert capsys.readouterr().err == ""
    with pytest.raises(ValueError, match="broken"):
        __import__("rigscope_preload_bad")


def test_an_error_meanwhile_passes_on_when_the_modules_are_imported(folder: Path) -> None:
    (folder / "rigscope_preload_last.py").write_text(f"import time\ntime.sleep(0.1)\n{SOURCE}")
    with pytest.raises(OSError, match="no display"), importing_meanwhile(("rigscope_preload_last",)):
        raise OSError("no display")
    assert sys.modules.pop("rigscope_preload_last").IMPORTED_BY == THREAD
