"""The binary buffer of a glTF file, and the tables of its JSON part.

Source: Khronos glTF 2.0 specification, sections 3.6 (buffers, accessors), 5.1 (accessor), 5.2 (sparse).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from viewer import __version__
from viewer.arrays import Array

Json = dict[str, Any]

COMPONENT_TYPES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
"""glTF's number of each component type, by numpy's code of the type."""
ELEMENT_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
VERTICES, INDICES = 34962, 34963
"""glTF's numbers of buffer view targets: vertex attributes, indices."""
ALIGNMENT = 4
KEYS_OBJECT = b'{"bufferView":%d,"byteOffset":%d,"componentType":%d,"count":%d,"type":"%s"%s}'
SPARSE_SHARE = 0.5
"""A morph target is stored sparsely if it moves at most this share of the vertices."""


_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def json_bytes(value: Any) -> bytes:
    """Encode a value as JSON; characters that UTF-8 cannot encode become question marks."""
    return _encoder.encode(value).encode("utf-8", "replace")


class GltfBuffer:
    """Collects the binary buffer and the JSON tables of a glTF file.

    `json` has the tables by name, without empty tables. The objects of large tables are stored as encoded
    bytes.
    """

    def __init__(self) -> None:
        self.json: Json = {"asset": {"version": "2.0", "generator": f"Rigscope {__version__}"}}
        self._parts: list[bytes] = []
        self._known: dict[tuple[object, ...], int] = {}
        self._open: int | None = None
        self.size = 0

    def add(self, table: str, item: Json | bytes) -> int:
        """Append an object to a table; return its index."""
        items = self.json.setdefault(table, [])
        items.append(item)
        return len(items) - 1

    def use(self, extension: str) -> None:
        """List an extension in `extensionsUsed`."""
        used = self.json.setdefault("extensionsUsed", [])
        if extension not in used:
            used.append(extension)
            used.sort()

    def view(self, data: bytes, target: int | None = None) -> int:
        """Append bytes as a new buffer view; return its index."""
        view: Json = {"buffer": 0, "byteOffset": self.size, "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        self._open = None
        self._append(data)
        return self.add("bufferViews", view)

    def _append(self, data: bytes) -> None:
        padding = -len(data) % ALIGNMENT
        self._parts += [data, bytes(padding)] if padding else [data]
        self.size += len(data) + padding

    def keys(self, values: Array, *, bounded: bool = False) -> int:
        """Add an accessor of keys [K] or [K, components] f32; return its index.

        All keys share a buffer view, and equal arrays share an accessor. `bounded` is True for times: their
        first and last value are then stated as minimum and maximum.
        """
        stored = values.astype("<f4", copy=False).tobytes()
        width = values.shape[1] if values.ndim > 1 else 1
        key = (width, bounded, stored)
        found = self._known.get(key)
        if found is not None:
            return found
        if self._open is None:
            opened = self.view(b"")
            self._open = opened
        view = self.json["bufferViews"][self._open]
        bounds = b""
        if bounded:  # the first and last time are the bounds, because times ascend
            bounds = b',"min":[%a],"max":[%a]' % (float(values[0]), float(values[-1]))
        item = KEYS_OBJECT % (
            self._open,
            view["byteLength"],
            COMPONENT_TYPES["f4"],
            len(values),
            ELEMENT_TYPES[width].encode(),
            bounds,
        )
        self._parts.append(stored)
        self.size += len(stored)
        view["byteLength"] += len(stored)
        found = self._known[key] = self.add("accessors", item)
        return found

    def accessor(
        self, values: Array, target: int | None = None, *, normalized: bool = False, bounded: bool = False
    ) -> int:
        """Add an accessor of `values` [N] or [N, components]; return its index. Equal arrays share an
        accessor.

        With `bounded` the minimum and maximum are stated.
        """
        data = np.ascontiguousarray(values)
        key = (data.dtype.str, data.shape, target, normalized, bounded, data.tobytes())
        found = self._known.get(key)
        if found is None:
            item = self._described(data, normalized, bounded)
            item = {"bufferView": self.view(data.tobytes(), target), **item}
            found = self._known[key] = self.add("accessors", item)
        return found

    def deltas(self, count: int, rows: Array, values: Array, *, bounded: bool = False) -> int:
        """Add an accessor of `count` vectors; return its index. The vectors at `rows` [R] (ascending) are
        `values` [R, 3] f32; all other vectors are 0.
        """
        if len(rows) > count * SPARSE_SHARE:
            dense = np.zeros((count, 3), np.float32)
            dense[rows] = values
            return self.accessor(dense, VERTICES, bounded=bounded)
        shown = values if len(rows) == count else np.concatenate((np.zeros((1, 3), np.float32), values))
        item = self._described(shown, False, bounded) | {"count": count}
        if len(rows):
            numbers = rows.astype(np.uint16 if int(rows[-1]) < 1 << 16 else np.uint32)
            item["sparse"] = {
                "count": len(rows),
                "indices": {
                    "bufferView": self.view(numbers.tobytes()),
                    "componentType": COMPONENT_TYPES[numbers.dtype.str[1:]],
                },
                "values": {"bufferView": self.view(np.ascontiguousarray(values, "<f4").tobytes())},
            }
        return self.add("accessors", item)

    def text(self, content: Json) -> Iterator[bytes]:
        """Yield the JSON text of `content` in pieces; `content` has the tables of `json`."""
        begin = b"{"
        for name, value in content.items():
            yield begin + json_bytes(name) + b":"
            if value and isinstance(value, list):
                for number, item in enumerate(value):
                    yield b"," if number else b"["
                    yield item if isinstance(item, bytes) else json_bytes(item)
                yield b"]"
            else:
                yield json_bytes(value)
            begin = b","
        yield b"}"

    def parts(self) -> Iterator[bytes]:
        """Yield the bytes of the buffer in order."""
        yield from self._parts

    @staticmethod
    def _described(data: Array, normalized: bool, bounded: bool) -> Json:
        rows = data.reshape(len(data), -1)
        item: Json = {
            "componentType": COMPONENT_TYPES[data.dtype.str[1:]],
            "count": len(data),
            "type": ELEMENT_TYPES[rows.shape[1]],
        }
        if normalized:
            item["normalized"] = True
        if bounded:
            item |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        return item
