"""Functions whose modules are imported late, so that the program starts fast."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def later(name: str) -> Callable[..., Any]:
    """Return the function `module:name`, whose module is imported at the first call."""
    module, _, function = name.partition(":")
    return lambda *given: getattr(sys.modules.get(module) or import_module(module), function)(*given)
