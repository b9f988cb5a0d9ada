"""Imports drawing code, named `module:name`, when it is first used.

A session needs only a part of this code.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LazyParts:
    """A cache of imported functions, and of one object for each imported class."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __call__(self, name: str) -> Any:
        """Return the function, or the object of the class, named `module:name`; import it if needed."""
        if name not in self._made:
            module, _, thing = name.partition(":")
            found = getattr(import_module(module), thing)
            self._made[name] = found() if isinstance(found, type) else found
        return self._made[name]

    def loaded(self, name: str) -> Any:
        """Return the function or object if it is already imported; otherwise None."""
        return self._made.get(name)
