"""`dataclass` as in the standard library, but the methods of a class with slots are compiled when needed.

The standard library compiles up to six methods for each class, 0.5 ms a class. The window imports 300 classes
before its first frame, and makes a few objects of 100. Here a class gets its slots at once, a loop sets the
fields of its first objects, and the standard library makes each method at its first use. Mistakes in fields
show only then, so a test uses all classes.
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


FEW = 6
"""The number of objects of a class whose fields are set by a loop."""
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


def _first_init(names: list[str], defaults: dict[str, Any], make: Callable[[str], Any]) -> Any:
    """`__init__` of the first objects; the compiled method makes the others, and refuses wrong arguments."""
    count, known = 0, {*names}

    def init(self: Any, *values: Any, **named: Any) -> None:
        """Set the fields."""
        nonlocal count
        count += 1
        given = dict(zip(names, values, strict=False)) | named
        if count > FEW or len(given) < len(values) + len(named) or given.keys() | defaults.keys() != known:
            return make("__init__")(self, *values, **named)
        for name in names:
            value = given[name] if name in given else defaults[name]
            made = name not in given and isinstance(value, dataclasses.Field)
            object.__setattr__(self, name, value.default_factory() if made else value)
        if hasattr(self, "__post_init__"):
            self.__post_init__()
        return None

    return init


def _is_plain(written: type, own: dict[str, Any], names: list[str]) -> bool:
    """Whether each field is set by its argument, or by its default or what makes it."""
    special = (own[name] for name in names if isinstance(own.get(name), dataclasses.Field))
    factories = all(each.init and each.default_factory is not dataclasses.MISSING for each in special)
    return factories and written.__mro__[1:] == (object,) and "__init__" not in own


def _with_slots(written: type, *, eq: bool = True, frozen: bool = False, weakref_slot: bool = False) -> type:
    """The class `written` with its slots; the standard library adds the methods at their first use."""
    own = {name: value for name, value in vars(written).items() if name not in {"__dict__", "__weakref__"}}
    kinds = {name: str(kind) for name, kind in own.get("__annotations__", {}).items()}
    names = [name for name, kind in kinds.items() if not kind.startswith(("ClassVar", "typing.ClassVar"))]
    slots = [*names, "__weakref__"] if weakref_slot else names
    inherited = {name for base in written.__mro__[1:] for name in getattr(base, "__slots__", ())}
    later = ["__init__", "__repr__", "__match_args__", "__dataclass_fields__", "__dataclass_params__"]
    later += ["__setattr__", "__delattr__", "__getstate__", "__setstate__"] if frozen else []
    later += ["__eq__", "__hash__"] if eq and frozen else ["__eq__"] if eq else []

    def make(name: str) -> Any:
        options: Any = {"slots": True, "eq": eq, "frozen": frozen, "weakref_slot": weakref_slot}
        copy = type(written)(written.__name__, written.__bases__, dict(own))  # Fields are taken out of it
        known: Any = dataclasses.dataclass(**options | ALONE.get(name, {}))(copy)
        for each in [name] if name in ALONE else later:
            if vars(made).get(each) is waiting.get(each):
                setattr(made, each, vars(known)[each])
        return vars(made)[name]

    namespace = {name: value for name, value in own.items() if name not in slots}
    waiting: dict[str, Any] = {name: _Later(name, make) for name in later if own.get(name) is None}
    if _is_plain(written, own, names):
        waiting["__init__"] = _first_init(names, {name: own[name] for name in names if name in own}, make)
    namespace |= waiting
    namespace["__slots__"] = tuple(name for name in slots if name not in inherited)
    namespace["__qualname__"] = written.__qualname__
    if eq and not frozen:
        namespace.setdefault("__hash__", None)
    made = type(written)(written.__name__, written.__bases__, namespace)
    return made
