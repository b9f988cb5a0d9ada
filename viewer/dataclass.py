"""`dataclass` as in the standard library, but it does its work when the class is first used.

The standard library looks at every field and compiles the text of up to six methods for every class, whether
it is used or not. With more than a hundred classes that took a third of the time in which the program's own
modules are imported. Here a class gets its slots at once; what the standard library knows of its fields, and
`__init__`, come with the first object. The other methods are the same functions for all classes.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, eq=True, slots=False, weakref_slot=False):
        """The decorator, with some of its options."""

        def made(cls):
            return _made(cls, frozen, eq, slots, weakref_slot)

        return made if cls is None else made(cls)


_COMPLETING = threading.RLock()


class _Later:
    """An attribute of a class that is there once the class is complete."""

    def __init__(self, name: str, complete: Callable[[], None]) -> None:
        self._name, self._complete = name, complete

    def __get__(self, instance: Any, owner: Any) -> Any:
        self._complete()
        return getattr(owner, self._name)


LATER = "__dataclass_fields__", "__dataclass_params__", "__match_args__", "__compared__"


def _made(written: type, frozen: bool, eq: bool, slots: bool, weakref_slot: bool) -> type:
    """The class with its methods; `written` is what the standard library looks at later."""
    own = set(vars(written))
    made: Any = _slotted(written, weakref_slot) if slots else written
    complete = _completion(written, made, frozen)
    for name in LATER:
        setattr(made, name, _Later(name, complete))

    def first(self: Any, *args: Any, **options: Any) -> None:
        complete()
        made.__init__(self, *args, **options)

    made.__init__ = first
    methods: dict[str, Callable[..., Any]] = {"__repr__": _repr}
    if frozen:
        methods |= STATE
    if eq:
        methods |= {"__eq__": _eq}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    if eq and "__hash__" not in own - {"__eq__"}:
        made.__hash__ = _hash if frozen else None
    if frozen:
        made.__setattr__, made.__delattr__ = _refuse_to_set, _refuse_to_delete
    return made


def _completion(written: type, made: Any, frozen: bool) -> Callable[[], None]:
    """What brings the class what it still lacks. Threads may come here at once."""
    done = False

    def complete() -> None:
        nonlocal done
        with _COMPLETING:
            if done:
                return
            done = True
            for name in LATER if written is made else ():
                delattr(made, name)
            known: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(written)
            for name in LATER[:-1]:
                setattr(made, name, vars(known)[name])
            made.__dataclass_params__.frozen = frozen
            compared = [each.name for each in fields(made) if each.compare]
            made.__compared__ = staticmethod(attrgetter(*compared) if compared else _nothing)
            made.__init__ = _init(made, frozen)

    return complete


def _slotted(written: type, weakref_slot: bool) -> type:
    """The class again, with a slot for each of its own fields."""
    own = [name for name, kind in written.__annotations__.items() if "ClassVar" not in str(kind)]
    known = {name for base in written.__mro__[1:] for name in getattr(base, "__slots__", ())}
    slots = [*own, "__weakref__"] if weakref_slot else own
    left_out = {*own, "__dict__", "__weakref__"}
    namespace = {name: value for name, value in vars(written).items() if name not in left_out}
    namespace["__slots__"] = tuple(name for name in slots if name not in known)
    namespace["__qualname__"] = written.__qualname__
    return type(written)(written.__name__, written.__bases__, namespace)


def _nothing(self: Any) -> tuple[()]:
    return ()


def _init(cls: type, frozen: bool) -> Any:
    """`__init__` with the fields as its arguments: they are set, then `__post_init__` runs."""
    known: dict[str, Any] = {"MISSING": MISSING, "put": object.__setattr__}
    setting = "put(self, {0!r}, {1})" if frozen else "self.{0} = {1}"
    arguments, lines = ["self"], []
    for each in fields(cls):
        value = argument = each.name
        if each.default_factory is not MISSING:
            known[f"make_{each.name}"] = each.default_factory
            argument, value = f"{each.name}=MISSING", f"make_{each.name}()"
            value = f"{value} if {each.name} is MISSING else {each.name}" if each.init else value
        elif each.default is not MISSING:
            known[f"default_{each.name}"] = each.default
            argument = f"{each.name}=default_{each.name}"
            value = value if each.init else f"default_{each.name}"
        elif not each.init:
            continue
        if each.init:
            arguments.append(argument)
        lines.append(setting.format(each.name, value))
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
