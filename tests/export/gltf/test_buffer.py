"""The buffer of a glTF file: alignment, shared arrays, sparse deltas."""

from __future__ import annotations

import json

import numpy as np

from viewer.export.gltf.buffer import GltfBuffer


def test_equal_arrays_are_stored_once() -> None:
    buffer = GltfBuffer()
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert buffer.accessor(values, bounded=True) == buffer.accessor(values.copy(), bounded=True)
    assert len(buffer.json["bufferViews"]) == 1
    assert buffer.json["accessors"][0]["max"] == [3.0, 4.0, 5.0]


def test_parts_begin_at_multiples_of_four() -> None:
    buffer = GltfBuffer()
    for count in (1, 2, 3, 5):
        buffer.view(bytes(count))
    assert all(view["byteOffset"] % 4 == 0 for view in buffer.json["bufferViews"])
    assert sum(map(len, buffer.parts())) == buffer.size == 20


def test_keys_share_one_part() -> None:
    buffer = GltfBuffer()
    times = np.array([0, 1, 2], np.float32)
    first = buffer.keys(times, bounded=True)
    buffer.keys(np.zeros((3, 4), np.float32))
    assert buffer.keys(times, bounded=True) == first
    assert [json.loads(each)["byteOffset"] for each in buffer.json["accessors"]] == [0, 12]
    assert buffer.json["bufferViews"][0]["byteLength"] == 12 + 48


def test_few_deltas_are_sparse_and_bounds_count_the_zeros() -> None:
    buffer = GltfBuffer()
    number = buffer.deltas(100, np.array([3, 7]), np.full((2, 3), 2, np.float32), bounded=True)
    item = buffer.json["accessors"][number]
    assert item["sparse"]["count"] == 2 and item["count"] == 100 and item["min"] == [0.0] * 3
    assert (
        "sparse" not in buffer.json["accessors"][buffer.deltas(3, np.arange(3), np.ones((3, 3), np.float32))]
    )
