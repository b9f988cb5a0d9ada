"""What draws is named, `module:thing`, and imported when it is first seen: most of it never is."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LazyParts:
    """What was seen so far: functions as they are, of classes one object each."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __call__(self, name: str) -> Any:
        """What `module:thing` names."""
        if name not in self._made:
            module, _, thing = name.partition(":")
            found = getattr(import_module(module), thing)
            self._made[name] = found() if isinstance(found, type) else found
        return self._made[name]

    def seen(self, name: str) -> Any:
        """The same; None as long as it was never seen."""
        return self._made.get(name)
