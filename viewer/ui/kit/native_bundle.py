"""Imports the native modules of imgui_bundle without its Python code.

The package's `__init__` imports asyncio, ssl, logging and more. The program needs none of these modules.
Their import takes 50 ms of processor time, as much as the import of the native module.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

PACKAGE = "imgui_bundle"
MODULES = ("imgui", "implot", "portable_file_dialogs", "rich_md")
"""The native modules that the program uses."""
TYPES = ("ImVec2", "ImVec4")
"""The types of the native module `imgui` that the package also exports."""


def import_native_parts() -> None:
    """Import the native parts of imgui_bundle.

    The package's `__init__` runs later, when another attribute is first used. No effect if the package is
    already imported, or if its structure is unknown.
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
    """Make the package run its `__init__` when a missing attribute is first used."""

    def rest(name: str) -> Any:
        """Run the package's `__init__`, and return its attribute `name`."""
        del vars(package)["__getattr__"]
        assert spec.loader is not None
        spec.loader.exec_module(package)
        return getattr(package, name)

    vars(package)["__getattr__"] = rest
