"""imgui_bundle is imported without its runners, and has them when they are asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from viewer.ui.kit import native_bundle

ROOT = Path(__file__).resolve().parents[3]


def printed(code: str) -> list[str]:
    """The lines that a process of its own prints."""
    command = [sys.executable, "-c", f"import sys, viewer.ui, imgui_bundle; {code}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_what_the_package_imports_for_its_runners_stays_out() -> None:
    assert printed("print('asyncio' in sys.modules, 'ssl' in sys.modules)") == ["False False"]


def test_the_parts_are_the_same_when_the_rest_is_imported() -> None:
    names = (*native_bundle.MODULES, *native_bundle.TYPES)
    code = (
        f"names = {names}; parts = [getattr(imgui_bundle, name) for name in names]; "
        "print(imgui_bundle.icons_fontawesome_6.ICON_FA_EYE is not None, 'asyncio' in sys.modules); "
        "print([getattr(imgui_bundle, name) for name in names] == parts); "
        "print(hasattr(imgui_bundle, 'no_such_part'))"
    )
    assert printed(code) == ["True True", "True", "False"]


def test_a_package_that_is_built_otherwise_imports_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, native_bundle.PACKAGE, raising=False)
    monkeypatch.setattr(native_bundle, "MODULES", ("no_such_module",))
    native_bundle.import_native_parts()
    assert native_bundle.PACKAGE not in sys.modules


def test_a_package_that_is_imported_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, native_bundle.PACKAGE, sys)
    native_bundle.import_native_parts()
    assert sys.modules[native_bundle.PACKAGE] is sys
