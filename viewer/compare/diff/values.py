"""Compares values of documents: records, lists, arrays, numbers and functions of time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import islice
from typing import Any

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.compare.diff.deviation import Tolerance, rounded
from viewer.scene.animation import Animation
from viewer.scene.emitter import ModelReference
from viewer.scene.material import ClipTime

TEXTS = 50
"""The largest number of texts for one pair of values."""
FILES = ("found", "searched")
"""The fields with the paths of files. These fields are not compared."""
OF_TIME = ("motion", "texture transform")
"""The names of the fields that are functions of time. Among all other fields that are functions, only fields
of curves are compared.
"""
SAMPLES = 9
TEXT_LETTERS = 60

ClipPairs = Sequence[tuple[Animation | None, Animation | None]]


def changed_values(
    one: Any,
    other: Any,
    tolerance: Tolerance,
    name: str = "",
    *,
    only: Sequence[str] | None = None,
    without: Sequence[str] = (),
    clips: ClipPairs = ((None, None),),
) -> Iterator[str]:
    """Yield a text for each difference between two values of the same type, such as `blend: replace → alpha`;
    at most `TEXTS` texts.

    Records are compared by the fields `only`, or by all fields except `without`. A field may be a Python
    function. Its results are then compared: if the argument is an animation, for each pair of animations in
    `clips`; if the argument is a time, at a few times.
    """
    walker = _ValueComparer(tolerance, clips)
    return islice(walker.differ(one, other, name, only, without), TEXTS)


class _ValueComparer:
    def __init__(self, tolerance: Tolerance, clips: ClipPairs) -> None:
        self.tolerance, self.clips = tolerance, clips

    def differ(
        self,
        one: Any,
        other: Any,
        path: str,
        only: Sequence[str] | None = None,
        without: Sequence[str] = (),
    ) -> Iterator[str]:
        """Yield the texts that describe the differences of two values."""
        if one is other:
            return
        if isinstance(one, ModelReference) and isinstance(other, ModelReference):
            one, other = one.name, other.name
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
            yield from self._arrays(one, other, path)
        elif isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
            yield f"{path}: {_brief(one)} → {_brief(other)}"
        elif isinstance(one, Struct) and type(one) is type(other):
            yield from self._records(one, other, path, only, without)
        elif isinstance(one, Mapping) and isinstance(other, Mapping):
            yield from self._mappings(one, other, path)
        elif _is_list(one) and _is_list(other):
            yield from self._lists(one, other, path)
        elif callable(one) and callable(other):
            yield from self._functions(one, other, path)
        elif not self._is_equal(one, other):
            yield f"{path}: {value_text(one)} → {value_text(other)}"

    def _is_equal(self, one: Any, other: Any) -> bool:
        if isinstance(one, int | float | np.number) and isinstance(other, int | float | np.number):
            same = one == other or (one != one and other != other)
            largest_number = max(abs(float(one)), abs(float(other)), 1.0)
            return bool(same or abs(one - other) <= self.tolerance.share * largest_number)
        return bool(one == other)

    def _arrays(self, one: Array, other: Array, path: str) -> Iterator[str]:
        if one.shape != other.shape:
            yield f"{path}: {_size(one)} → {_size(other)}"
        elif one.dtype.kind not in "fiub" or other.dtype.kind not in "fiub":
            if one.dtype != other.dtype or not np.array_equal(one, other):
                yield f"{path}: differs"
        elif not np.array_equal(one, other):
            if one.size <= 4:
                yield from self._lists(one.ravel().tolist(), other.ravel().tolist(), path)
                return
            most = largest(one, other)
            if most > self.tolerance.share * max(_reach(one), _reach(other), 1):
                yield f"{path}: differs by up to {rounded(most)}"

    def _records(
        self, one: Any, other: Any, path: str, only: Sequence[str] | None, without: Sequence[str]
    ) -> Iterator[str]:
        for each in one.__struct_fields__:
            unseen = each.startswith("_") or each in FILES or each in without
            if unseen or (only and each not in only):
                continue
            values = getattr(one, each), getattr(other, each)
            yield from self.differ(*values, _joined(path, each.replace("_", " ")))

    def _mappings(self, one: Mapping[Any, Any], other: Mapping[Any, Any], path: str) -> Iterator[str]:
        for key in dict.fromkeys((*one, *other)):
            inner = _joined(path, str(key))
            if key not in other:
                yield f"{inner}: {value_text(one[key])} → none"
            elif key not in one:
                yield f"{inner}: none → {value_text(other[key])}"
            else:
                yield from self.differ(one[key], other[key], inner)

    def _lists(self, one: Sequence[Any], other: Sequence[Any], path: str) -> Iterator[str]:
        plain = all(isinstance(each, int | float | str) for each in (*one[:5], *other[:5]))
        if plain and max(len(one), len(other)) <= 4:
            pairs = zip(one, other, strict=False)
            if len(one) != len(other) or not all(self._is_equal(*pair) for pair in pairs):
                yield f"{path}: {value_text(one)} → {value_text(other)}"
            return
        if len(one) != len(other):
            yield f"{path}: {len(one)} → {len(other)}"
        for index, pair in enumerate(zip(one, other, strict=False)):
            yield from self.differ(*pair, f"{path}[{index}]")

    def _functions(self, one: Callable[..., Any], other: Callable[..., Any], path: str) -> Iterator[str]:
        """Compare the results of two Python functions. The argument of both is an animation, a `ClipTime`, or
        a time in seconds. If it is a time, only the first difference is yielded.
        """
        if path.endswith("curves"):
            texts = (
                text
                for first, second in self.clips
                for text in self.differ(one(first), other(second), path.removesuffix("curves").strip())
            )
            yield from dict.fromkeys(texts)
            return
        if not path.endswith(OF_TIME):
            return
        for first, second in self.clips[:SAMPLES]:
            length = first.duration if first is not None else 1.0
            for time in np.linspace(0, length if 0 < length < math.inf else 1.0, SAMPLES).tolist():
                if path.endswith("uv motion"):
                    values = one(time), other(time)
                else:
                    values = one(ClipTime(time, first, time)), other(ClipTime(time, second, time))
                text = next(self.differ(*values, path, None, ("motion",)), None)
                if text is not None:
                    yield f"{text} at {time:.3g} s"
                    return


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _joined(path: str, name: str) -> str:
    return f"{path} {name}" if path else name


def _brief(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return value_text(value.ravel().tolist()) if value.size <= 8 else f"{_size(value)} numbers"
    return value_text(value)


def _size(values: Array) -> str:
    return " × ".join(map(str, values.shape))


def _reach(values: Array) -> float:
    found = np.abs(values[np.isfinite(values)]).max(initial=0) if values.dtype.kind == "f" else 1
    return float(found)


def largest(one: Array, other: Array) -> float:
    """The largest difference of two arrays of one shape. It is infinite if one of two different numbers is
    not finite.
    """
    first, second = one.astype(np.float64), other.astype(np.float64)
    found = np.where((first == second) | (np.isnan(first) & np.isnan(second)), 0, np.abs(first - second))
    return float(np.where(np.isnan(found), np.inf, found).max(initial=0))


def value_text(value: Any) -> str:
    """Return a value as one shortened line of text."""
    if value is None:
        return "none"
    if isinstance(value, Enum):
        text = str(value.value)
    elif isinstance(value, bytes):
        readable = value.isascii() and value.decode("ascii").isprintable()
        text = value.decode("ascii") if readable else value.hex(" ").upper()
    elif isinstance(value, float | np.floating):
        text = f"{value:.6g}"
    elif isinstance(value, bool | np.bool_):
        text = "yes" if value else "no"
    elif _is_list(value):
        text = " ".join(map(value_text, value[:8])) + (" …" if len(value) > 8 else "") or "none"
    elif isinstance(value, Struct):
        text = str(getattr(value, "name", "")) or type(value).__name__.lower()
    else:
        text = str(value)
    return text if len(text) <= TEXT_LETTERS else text[: TEXT_LETTERS - 1] + "…"
