"""A cache of limited size in bytes, which drops the least recently used values first."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
CachedValue = TypeVar("CachedValue")


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
