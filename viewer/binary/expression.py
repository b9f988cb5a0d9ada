"""Expressions over the fields of a record, which layouts evaluate and specifications print.

`collision & 1` and `3 * face_count` are Python expressions. A name stands for a field of the record, or of
the nearest enclosing record with this field; an absent field is None. Expressions come from layout pages,
never from files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from viewer.binary.record import Struct
from viewer.errors import FormatError

FUNCTIONS = {"len": len}


class Expression:
    """A condition or a number, computed from `source`. `text` replaces `source` in specifications if `source`
    is hard to read.
    """

    __slots__ = ("_function", "names", "source", "text")

    def __init__(self, source: str, text: str = "") -> None:
        code = compile(source, "<layout>", "eval")
        self.source, self.text = source, text or source
        self.names = tuple(name for name in code.co_names if name not in FUNCTIONS)
        scope = {"__builtins__": {}, **FUNCTIONS}
        self._function: Callable[..., Any] = eval(f"lambda {', '.join(self.names)}: {source}", scope)

    def __call__(self, record: Struct) -> Any:
        """Evaluate the expression for a record; absent fields count as None."""
        names = self.names
        if len(names) != 1:
            return self._function(*[field_value(record, name) for name in names])
        # most expressions have one name: the loop does the work of `field_value`
        (name,), outer = names, record
        while name not in outer.__dict__:
            if outer.outer is None:
                return self._function(None)
            outer = outer.outer
        return self._function(outer.__dict__[name])

    def holds(self, values: object) -> bool:
        """Whether the condition is true for the attributes of `values`."""
        return bool(self._function(*[getattr(values, name) for name in self.names]))

    def __and__(self, other: Expression) -> Expression:
        return Expression(f"({self.source}) and ({other.source})", f"{self} and {other}")

    def __str__(self) -> str:
        return self.text


class Choice:
    """Chooses one of several options by the value of an expression. `unknown` is the error message for a
    value without an option; the value replaces its `{}`. `text` describes the options if there are too many
    to list.
    """

    def __init__(
        self, source: str | Expression, options: Mapping[Any, Any], unknown: str = "", text: str = ""
    ) -> None:
        self.expression = source if isinstance(source, Expression) else Expression(source)
        self.options, self.unknown, self.text = dict(options), unknown, text

    def __call__(self, record: Struct) -> Any:
        """Return the option for a record. FormatError if the value has no option."""
        value = self.expression(record)
        if value not in self.options:
            raise FormatError(self.unknown.format(value) or f"{self.expression} is {value}")
        return self.options[value]


class Described:
    """A function of the record, with a text that describes its result."""

    def __init__(self, text: str, function: Callable[[Struct], Any]) -> None:
        self.text, self.function = text, function

    def __call__(self, record: Struct) -> Any:
        """The value that the described function has for a record."""
        return self.function(record)

    def __str__(self) -> str:
        return self.text


def field_value(record: Struct | None, name: str) -> Any:
    """The value of a field in the record, else in the nearest enclosing record with this field."""
    while record is not None:
        if name in record.__dict__:
            return record.__dict__[name]
        record = record.outer
    return None
