"""Imports imgui_bundle without the parts that the program does not use.

The package's own `__init__` imports asyncio, ssl, logging and more for its runners: 50 ms of processor time,
as much as its native module.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

PACKAGE = "imgui_bundle"
MODULES = ("imgui", "implot", "portable_file_dialogs")
"""The native modules that the program uses."""
TYPES = ("ImVec2", "ImVec4")
"""The types of the native module `imgui` that the package exports too."""


def import_native_parts() -> None:
    """Import the native parts of imgui_bundle; the package runs its `__init__` when another attribute is
    needed.

    No effect if the package is imported already, or has another structure.
    """
    if PACKAGE in sys.modules:
        return
    spec = find_spec(PACKAGE)
    if spec is None or spec.loader is None:
        return
    package = sys.modules[PACKAGE] = module_from_spec(spec)
    try:
        _add_native_parts(package)
    except (ImportError, AttributeError):
        del sys.modules[PACKAGE]
    else:
        _import_rest_later(package, spec)


def _add_native_parts(package: ModuleType) -> None:
    native: Any = import_module(f"{PACKAGE}._{PACKAGE}")
    parts = {name: getattr(native, name) for name in MODULES}
    vars(package).update(parts, **{name: getattr(native.imgui, name) for name in TYPES})


def _import_rest_later(package: ModuleType, spec: ModuleSpec) -> None:
    """Run the package's `__init__` when a missing attribute is needed."""

    def rest(name: str) -> Any:
        """Run the package's `__init__` and return the attribute."""
        del vars(package)["__getattr__"]
        assert spec.loader is not None
        spec.loader.exec_module(package)
        return getattr(package, name)

    vars(package)["__getattr__"] = rest
