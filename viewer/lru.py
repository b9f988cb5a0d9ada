"""Caches in memory: values by key within a number of bytes, and values that live as long as an object."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Key = TypeVar("Key", bound=Hashable)
CachedValue = TypeVar("CachedValue")
Owner = TypeVar("Owner", bound=Hashable)


class RecentValues(Generic[Key, CachedValue]):
    """Cached values by key, at most `most` bytes together. The latest value is cached even if it alone has
    more than `most` bytes, unless `large` is False.
    """

    def __init__(self, most: int, large: bool = True) -> None:
        self._most, self._large = most, large
        self._kept: dict[Key, tuple[CachedValue, int]] = {}
        self._bytes = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(
        self, key: Key, make: Callable[[], CachedValue], size: Callable[[CachedValue], int]
    ) -> CachedValue:
        """Return the cached value of a key. If the key is missing, call `make` and cache the result; its size
        is `size(value)` bytes.
        """
        found = self.find(key)
        if found is not None:
            return found
        value = make()
        self.keep(key, value, size(value))
        return value

    def find(self, key: Key) -> CachedValue | None:
        """Return the cached value of a key; None if it is not cached."""
        with self._lock:
            found = self._kept.pop(key, None)
            if found is None:
                return None
            self._kept[key] = found
            return found[0]

    def keep(self, key: Key, value: CachedValue, size: int) -> None:
        """Cache a value of `size` bytes, and drop the least recently used values until all values fit."""
        if size > self._most and not self._large:
            return
        with self._lock:
            self._bytes += size - self._kept.pop(key, (None, 0))[1]
            while self._kept and self._bytes > self._most:
                self._bytes -= self._kept.pop(next(iter(self._kept)))[1]
            self._kept[key] = value, size


def kept_with(make: Callable[[Owner], CachedValue]) -> Callable[[Owner], CachedValue]:
    """Cache the result of a function of one object for as long as this object lives. The result must not
    refer to the object, which would then live forever.
    """
    kept: WeakKeyDictionary[Owner, tuple[CachedValue]] = WeakKeyDictionary()

    @wraps(make)
    def cached(owner: Owner) -> CachedValue:
        found = kept.get(owner)
        if found is None:
            found = kept[owner] = (make(owner),)
        return found[0]

    return cached
