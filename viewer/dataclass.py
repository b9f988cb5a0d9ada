"""`dataclass` as in the standard library, but the methods of a class with slots are compiled at first use.

The standard library compiles up to six methods for each class. That takes 30 of the 190 ms of `info`, which
imports a hundred classes and makes objects of thirty. Here a class gets its slots at once, and the standard
library makes each method at its first use. Mistakes in fields show only then, so a test uses all classes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, slots=False, **options):
        """The decorator. A class without slots is the standard library's own."""
        make = _with_slots if slots else dataclasses.dataclass
        return (lambda cls: make(cls, **options)) if cls is None else make(cls, **options)


NO_METHODS = {"init": False, "repr": False, "eq": False}
ALONE = {"__init__": NO_METHODS | {"init": True}, "__dataclass_fields__": NO_METHODS}
"""What most programs ask for, and with which options the standard library compiles little else."""


class _Later:
    """An attribute of a class until its first use; `make` replaces and returns it."""

    def __init__(self, name: str, make: Callable[[str], Any]) -> None:
        self.name, self.make = name, make

    def __get__(self, instance: Any, owner: Any) -> Any:
        value = self.make(self.name)
        return value.__get__(instance, owner) if hasattr(value, "__get__") else value


def _with_slots(written: type, *, eq: bool = True, frozen: bool = False, weakref_slot: bool = False) -> type:
    """The class `written` with its slots; the standard library adds the methods at their first use."""
    own = {name: value for name, value in vars(written).items() if name not in {"__dict__", "__weakref__"}}
    kinds = {name: str(kind) for name, kind in own.get("__annotations__", {}).items()}
    names = [name for name, kind in kinds.items() if not kind.startswith(("ClassVar", "typing.ClassVar"))]
    names += ["__weakref__"] if weakref_slot else []
    inherited = {name for base in written.__mro__[1:] for name in getattr(base, "__slots__", ())}
    later = ["__init__", "__repr__", "__match_args__", "__dataclass_fields__", "__dataclass_params__"]
    later += ["__setattr__", "__delattr__", "__getstate__", "__setstate__"] if frozen else []
    later += ["__eq__", "__hash__"] if eq and frozen else ["__eq__"] if eq else []

    def make(name: str) -> Any:
        options: Any = {"slots": True, "eq": eq, "frozen": frozen, "weakref_slot": weakref_slot}
        copy = type(written)(written.__name__, written.__bases__, dict(own))  # Fields are taken out of it
        known: Any = dataclasses.dataclass(**options | ALONE.get(name, {}))(copy)
        for each in [name] if name in ALONE else later:
            if isinstance(vars(made).get(each), _Later):
                setattr(made, each, vars(known)[each])
        return vars(made)[name]

    namespace = {name: value for name, value in own.items() if name not in names}
    namespace |= {name: _Later(name, make) for name in later if own.get(name) is None}
    namespace["__slots__"] = tuple(name for name in names if name not in inherited)
    namespace["__qualname__"] = written.__qualname__
    if eq and not frozen:
        namespace.setdefault("__hash__", None)
    made = type(written)(written.__name__, written.__bases__, namespace)
    return made
