"""`dataclass` as in the standard library, but nothing is compiled before the class is first used.

The standard library looks closely at every field and compiles the text of up to six methods for every class,
whether it is used or not. With more than two hundred classes that took a third of the time in which the
program's own modules are imported. Here a class gets its slots at once. Its first objects are filled by a
function for all classes, `__init__` is compiled when there are more. The standard library is asked about the
fields when `fields`, `replace` or `match` want to know. The other methods are the same for all classes.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, slots=False, **options):
        """The decorator. Classes without slots are the standard library's own."""
        if not slots:
            return dataclasses.dataclass(cls, **options)
        return (lambda cls: _made(cls, **options)) if cls is None else _made(cls, **options)


KNOWN = "__dataclass_fields__", "__dataclass_params__", "__match_args__"
Fields = dict[str, "Field[Any]"]
FEW = 8
"""Objects of a class that are filled without anything compiled."""
_asking = threading.RLock()


class _Later:
    """An attribute of a class that `make` puts into its own place when it is asked for."""

    def __init__(self, name: str, make: Callable[[], None]) -> None:
        self._name, self._make = name, make

    def __get__(self, instance: Any, owner: Any) -> Any:
        self._make()
        return getattr(owner, self._name)


def _made(written: type, frozen: bool = False, eq: bool = True, weakref_slot: bool = False) -> type:
    """The class again, with slots and methods; `written` is what the standard library will be asked about."""
    own, fields_ = vars(written), _own_fields(written)
    names = [*fields_, "__weakref__"] if weakref_slot else [*fields_]
    known = {name for base in written.__mro__[1:] for name in getattr(base, "__slots__", ())}
    left_out = {*names, "__dict__", "__weakref__"}
    namespace = {name: value for name, value in own.items() if name not in left_out}
    recipe = _Recipe(written, frozen)
    methods = {"__repr__": _repr, **(STATE if frozen else {}), **({"__eq__": _eq} if eq else {})}
    namespace = methods | namespace | recipe.later() | (FROZEN if frozen else {})
    namespace["__slots__"] = tuple(name for name in names if name not in known)
    namespace["__qualname__"] = written.__qualname__
    namespace["__own_fields__"] = fields_
    if eq and own.get("__hash__") is None:
        namespace["__hash__"] = _hash if frozen else None
    recipe.made = type(written)(written.__name__, written.__bases__, namespace)
    return recipe.made


class _Recipe:
    """What is left to do for a class, `made`, until it is used."""

    def __init__(self, written: type, frozen: bool) -> None:
        self._written, self._frozen = written, frozen
        self._objects = 0
        self.made: Any = None

    def later(self) -> dict[str, Any]:
        """What the class has until then."""

        def first(new: Any, *args: Any, **options: Any) -> None:
            self._first(new, args, options)

        known = {name: _Later(name, self._ask) for name in KNOWN}
        return {"__init__": first, "__compared__": _Later("__compared__", self._compare), **known}

    def _ask(self) -> None:
        """Ask the standard library about the class. Threads may come here at once."""
        made = self.made
        with _asking:
            if isinstance(vars(made)[KNOWN[0]], _Later):
                known: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(self._written)
                known.__dataclass_params__.frozen = self._frozen
                for name in reversed(KNOWN):  # the one that tells whether it is done comes last
                    setattr(made, name, vars(known)[name])

    def _compare(self) -> None:
        compared = [name for name, each in _all_fields(self.made).items() if each.compare]
        self.made.__compared__ = staticmethod(attrgetter(*compared) if compared else _nothing)

    def _first(self, new: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        """Fill one of the first objects; from some on it is worth while to compile what does it."""
        self._objects += 1
        if self._objects > FEW or not _fill(new, _all_fields(self.made), args, options):
            self.made.__init__ = _init(self.made, self._frozen)
            self.made.__init__(new, *args, **options)


def _fill(new: Any, wanted: Fields, args: tuple[Any, ...], options: dict[str, Any]) -> bool:
    """Fill an object as its `__init__` would; False, and nothing is done, where that would complain."""
    names = [name for name, each in wanted.items() if each.init]
    given = dict(zip(names, args, strict=False)) | options
    if len(given) < len(args) + len(options) or not options.keys() <= set(names):
        return False
    for name, each in wanted.items():
        if name not in given and each.default_factory is not MISSING:
            given[name] = each.default_factory()
        elif name not in given and each.default is not MISSING:
            given[name] = each.default
        elif name not in given and each.init:
            return False
    for name, value in given.items():
        object.__setattr__(new, name, value)
    if hasattr(new, "__post_init__"):
        new.__post_init__()
    return True


def _own_fields(written: type) -> Fields:
    """Its own fields by name, as they are written."""
    found = {}
    for name, kind in written.__annotations__.items():
        if not str(kind).startswith(("ClassVar", "typing.ClassVar")):
            default = vars(written).get(name, MISSING)
            found[name] = default if isinstance(default, Field) else field(default=default)
    return found


def _all_fields(made: type) -> Fields:
    """Those that it inherits, too, which come first."""
    found: Fields = {}
    for each in reversed(made.__mro__):
        if "__own_fields__" in vars(each):
            found |= vars(each)["__own_fields__"]
        elif KNOWN[0] in vars(each):
            found |= {known.name: known for known in fields(each)}
    return found


def _nothing(self: Any) -> tuple[()]:
    return ()


def _init(cls: type, frozen: bool) -> Any:
    """`__init__` with the fields as its arguments: they are set, then `__post_init__` runs."""
    known: dict[str, Any] = {"MISSING": MISSING, "put": object.__setattr__}
    setting = "put(self, {0!r}, {1})" if frozen else "self.{0} = {1}"
    arguments, lines = ["self"], []
    for name, each in _all_fields(cls).items():
        value = argument = name
        if each.default_factory is not MISSING:
            known[f"make_{name}"] = each.default_factory
            argument, value = f"{name}=MISSING", f"make_{name}()"
            value = f"{value} if {name} is MISSING else {name}" if each.init else value
        elif each.default is not MISSING:
            known[f"default_{name}"] = each.default
            argument = f"{name}=default_{name}"
            value = value if each.init else f"default_{name}"
        elif not each.init:
            continue
        if each.init:
            arguments.append(argument)
        lines.append(setting.format(name, value))
    lines += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    exec(f"def __init__({', '.join(arguments)}):\n " + ("\n ".join(lines) or "pass"), known)
    made = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _eq(self: Any, other: Any) -> bool:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return bool(self.__compared__(self) == self.__compared__(other))


def _hash(self: Any) -> int:
    return hash(self.__compared__(self))


def _repr(self: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _refuse_to_set(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


STATE: dict[str, Callable[..., Any]] = {"__getstate__": _getstate, "__setstate__": _setstate}
"""For copies: what is set one by one cannot be set."""
FROZEN: dict[str, Callable[..., Any]] = {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
