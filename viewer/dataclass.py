"""`dataclass` and `replace` as in the standard library, but a class with slots compiles hardly anything.

The standard library compiles up to six methods for each class, 0.5 ms a class. The window imports 300 classes
before its first frame, and makes a few objects of 100. Here a class gets its slots at once. Objects are
compared, hashed and protected by functions that are not compiled. A loop sets the fields of first objects,
and the next object compiles `__init__`. The standard library makes the rest at its first use, and everything
if a field or a base class is special. Mistakes in fields show only then, so a test uses all classes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:

    def replace(known, /, **changes):
        """A copy with other values of some fields; for plain fields nothing is compiled."""
        defaults = vars(type(known)).get(DEFAULTS)
        if defaults is None:
            return dataclasses.replace(known, **changes)
        return type(known)(**{name: getattr(known, name) for name in defaults} | changes)

    def dataclass(cls=None, /, *, slots=False, **options):
        """The decorator. A class without slots is the standard library's own."""
        make = _with_slots if slots else dataclasses.dataclass
        return (lambda cls: make(cls, **options)) if cls is None else make(cls, **options)


FEW = 6
"""The number of objects of a class whose fields are set by a loop."""
DEFAULTS = "__plain_fields__"
"""The attribute of a class with plain fields: by name the default, the Field of a factory, or MISSING."""
FIELDS = "__dataclass_fields__"
NO_METHODS = {"init": False, "repr": False, "eq": False}
ALONE = {"__init__": NO_METHODS | {"init": True}, FIELDS: NO_METHODS}
"""What most programs ask for, and with which options the standard library compiles little else."""


class _Later:
    """An attribute of a class until its first use; `make` replaces and returns it."""

    def __init__(self, name: str, make: Callable[[str], Any]) -> None:
        self.name, self.make = name, make

    def __get__(self, instance: Any, owner: Any) -> Any:
        value = self.make(self.name)
        return value.__get__(instance, owner) if hasattr(value, "__get__") else value


def plain_fields(cls: type) -> Mapping[str, Any]:
    """The fields of a class with slots, none of them special, by name: the default, the Field of a factory,
    or MISSING.
    """
    known: Mapping[str, Any] = vars(cls)[DEFAULTS]
    return known


def _with_slots(written: type, *, eq: bool = True, frozen: bool = False, weakref_slot: bool = False) -> type:
    """The class `written` with its slots and methods."""
    own = {name: value for name, value in vars(written).items() if name not in {"__dict__", "__weakref__"}}
    kinds = {name: str(kind) for name, kind in own.get("__annotations__", {}).items()}
    names = [name for name, kind in kinds.items() if not kind.startswith(("ClassVar", "typing.ClassVar"))]
    slots = [*names, "__weakref__"] if weakref_slot else names
    inherited = {name for base in written.__mro__[1:] for name in getattr(base, "__slots__", ())}
    later = ["__init__", "__repr__", "__match_args__", FIELDS, "__dataclass_params__"]
    later += ["__setattr__", "__delattr__", "__getstate__", "__setstate__"] if frozen else []
    later += ["__eq__", "__hash__"] if eq and frozen else ["__eq__"] if eq else []
    defaults = _plain_fields(written, {name: own.get(name, MISSING) for name in names}, frozen)

    def make(name: str) -> Any:
        if defaults is not None and name == "__init__":
            setattr(made, name, _compiled_init(made, defaults, frozen))
            return vars(made)[name]
        options: Any = {"slots": True, "eq": eq, "frozen": frozen, "weakref_slot": weakref_slot}
        copy = type(written)(written.__name__, written.__bases__, dict(own))  # Fields are taken out of it
        known: Any = dataclasses.dataclass(**options | ALONE.get(name, {}))(copy)
        for each in [name] if name in ALONE else later:
            if vars(made).get(each) is waiting.get(each):
                setattr(made, each, vars(known)[each])
        return vars(made)[name]

    ready = {} if defaults is None else _plain_methods(defaults, make)
    waiting = {name: ready.get(name) or _Later(name, make) for name in later if own.get(name) is None}
    namespace = {name: value for name, value in own.items() if name not in slots} | waiting
    namespace["__slots__"] = tuple(name for name in slots if name not in inherited)
    namespace["__qualname__"] = written.__qualname__
    if defaults is not None:
        namespace[DEFAULTS] = defaults
    if eq and not frozen:
        namespace.setdefault("__hash__", None)
    made = type(written)(written.__name__, written.__bases__, namespace)
    return made


def _plain_fields(written: type, own: dict[str, Any], frozen: bool) -> dict[str, Any] | None:
    """All fields with their defaults, inherited ones first; None if a field or a base class is special."""
    if not all(map(_is_plain, own.values())):
        return None
    found: dict[str, Any] = {}
    for base in reversed(written.__mro__[1:]):
        if FIELDS in vars(base):
            if DEFAULTS not in vars(base) or (vars(base).get("__setattr__") is _refuse_set) != frozen:
                return None
            found |= vars(base)[DEFAULTS]
    return found | own


def _is_plain(default: Any) -> bool:
    """Whether a field with this default is set by its argument, its default or its factory, and compared."""
    if not isinstance(default, Field):
        return True
    return (
        default.init and default.compare and default.hash is None and default.default_factory is not MISSING
    )


def _plain_methods(defaults: dict[str, Any], make: Callable[[str], Any]) -> dict[str, Any]:
    """The methods of a class with these fields; `make` compiles its `__init__`."""
    values = _values_getter([*defaults])

    def equal(self: Any, other: Any) -> Any:
        """Whether objects of one class have equal fields."""
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    shared = {"__setattr__": _refuse_set, "__delattr__": _refuse_delete}
    shared |= {"__getstate__": _state, "__setstate__": _set_state}
    return shared | {
        "__init__": _first_init(defaults, make),
        "__match_args__": tuple(defaults),
        "__eq__": equal,
        "__hash__": lambda self: hash(values(self)),
    }


def _values_getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _refuse_set(self: Any, name: str, value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


def _first_init(defaults: Mapping[str, Any], make: Callable[[str], Any]) -> Any:
    """`__init__` of the first objects; the compiled method makes the others, and refuses wrong arguments."""
    names, count = [*defaults], 0
    needed = {name for name, default in defaults.items() if default is MISSING}

    def init(self: Any, *values: Any, **named: Any) -> None:
        """Set the fields."""
        nonlocal count
        count += 1
        given = dict(zip(names, values, strict=False)) | named
        fits = len(given) == len(values) + len(named) and needed <= given.keys() <= defaults.keys()
        if count > FEW or not fits:
            return make("__init__")(self, *values, **named)
        for name, default in defaults.items():
            made = isinstance(default, Field) and name not in given
            value = default.default_factory() if made else given.get(name, default)
            object.__setattr__(self, name, value)
        if hasattr(self, "__post_init__"):
            self.__post_init__()
        return None

    return init


def _compiled_init(made: type, defaults: Mapping[str, Any], frozen: bool) -> Any:
    """`__init__` of a class with these fields, compiled."""
    known: dict[str, Any] = {"set__attribute": object.__setattr__, "default__factory": MISSING}
    parameters, lines = ["self"], []
    for name, default in defaults.items():
        made_later = isinstance(default, Field)
        known[f"{name}__default"] = default.default_factory if made_later else default
        written = "default__factory" if made_later else f"{name}__default"
        parameters.append(name if default is MISSING else f"{name}={written}")
        value = f"{name}__default() if {name} is default__factory else {name}" if made_later else name
        lines.append(f"set__attribute(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    lines += ["self.__post_init__()"] if hasattr(made, "__post_init__") else []
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines or ["pass"]), known)
    known["__init__"].__qualname__ = f"{made.__qualname__}.__init__"
    return known["__init__"]
