"""Searching bytes, and copying them."""

from __future__ import annotations

import base64
import struct

import numpy as np
import pytest

from viewer.ui.bytes import search as searching
from viewer.ui.bytes.copy_text import FORMATS
from viewer.ui.bytes.search import Pattern, Search, finders


def hits(data: bytes, text: str, kind: str = "bytes", order: str = "little") -> list[int]:
    search = Search(data, finders(text, kind, order))
    while not search.done:
        search.advance()
    return search.hits.tolist()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("61 62", [0, 4, 6]),
        ("6162", [0, 4, 6]),
        ("61 ?? 61", [4]),
        ("?? 78", [1]),
        ("ff", []),
        ("??", [*range(8)]),
    ],
)
def test_bytes_with_gaps(text: str, found: list[int]) -> None:
    assert hits(b"abx-abab", text) == found


@pytest.mark.parametrize("text", ["6", "61 6", "xy", "61?"])
def test_text_that_is_no_hex_is_searched_as_text(text: str) -> None:
    assert hits(b"ab" + text.encode() + b"a", text, "bytes") == [2]


def test_an_empty_text_is_no_pattern() -> None:
    with pytest.raises(ValueError, match="nothing to search for"):
        finders("", "bytes", "little")


def test_text_in_utf8_and_utf16() -> None:
    data = b"Kopf" + "Füße".encode() + "Füße".encode("utf-16-le") + "Füße".encode("utf-16-be")
    assert hits(data, "Füße", "text") == [4]
    assert hits(data, "Füße", "UTF-16", "little") == [10]
    assert hits(data, "Füße", "UTF-16", "big") == [18]
    assert hits(data, "Füße", "UTF-16", "both") == [10, 18]


@pytest.mark.parametrize(("kind", "code"), [("u8", "B"), ("i16", "h"), ("u32", "I"), ("i64", "q")])
@pytest.mark.parametrize("order", ["little", "big"])
def test_whole_numbers(kind: str, code: str, order: str) -> None:
    value = 0x5A
    data = b"\xff" * 3 + struct.pack(("<" if order == "little" else ">") + code, value) + b"\xff"
    assert hits(data, "0x5a", kind, order) == [3]
    assert hits(data, "90", kind, "both") == [3]


@pytest.mark.parametrize(
    ("text", "said"), [("300", "does not fit u8"), ("1.5", "whole number"), ("", "whole")]
)
def test_what_is_no_u8(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        finders(text, "u8", "little")


@pytest.mark.parametrize(("kind", "code"), [("f16", "e"), ("f32", "f"), ("f64", "d")])
def test_floats_within_a_distance_at_any_place(kind: str, code: str) -> None:
    data = b"\x01" + struct.pack(f"<2{code}", 0.25, 0.26) + struct.pack(f">{code}", 0.25)
    width = struct.calcsize(code)
    assert hits(data, "0.25", kind) == [1]
    assert set(hits(data, "0.25±0.02", kind)) >= {1, 1 + width}
    assert hits(data, "0.25", kind, "both") == [1, 1 + 2 * width]


def test_a_float_is_found_as_the_panels_write_it() -> None:
    value = np.float32(0.1234567)
    assert hits(value.tobytes(), f"{value:.6g}", "f32") == [0]


def test_slices_neither_miss_nor_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    data = np.random.default_rng(1).integers(0, 3, 5000).astype(np.uint8).tobytes()
    expected = [at for at in range(len(data)) if data.startswith(b"\1\2\1", at)]
    search = Search(data, (Pattern(b"\1\2\1", b"\1\1\1", slice=7),))
    steps = 0
    while not search.done:
        search.advance()
        steps += 1
    assert search.hits.tolist() == expected
    assert steps == -(-len(data) // 7)


def test_too_many_hits_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "KEPT_HITS", 10)
    search = Search(bytes(100), (Pattern(b"\0", b"\1", slice=8),))
    while not search.done:
        search.advance()
    assert search.full and search.hits.tolist() == list(range(10))


def test_hits_around_the_ends() -> None:
    search = Search(b"a--a--a", finders("a", "text", "little"))
    search.advance()
    assert [search.neighbour(at, True) for at in (-1, 0, 1, 6)] == [0, 1, 1, 0]
    assert [search.neighbour(at, False) for at in (0, 1, 6)] == [2, 0, 1]
    assert Search(b"", finders("a", "text", "little")).neighbour(0, True) is None


DATA = bytes(range(65, 80))


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("Hex", bytes.fromhex),
        ("Hex without spaces", bytes.fromhex),
        ("Text", str.encode),
        ("C array", lambda text: bytes(int(word, 16) for word in text[text.index("{") + 1 : -2].split(","))),
        ("Python bytes", lambda text: eval(text)),
        ("numpy array", lambda text: eval(text, {"np": np}).tobytes()),
        ("Base64", base64.b64decode),
    ],
)
def test_what_is_copied_means_the_same_bytes(name: str, read: object) -> None:
    assert read(FORMATS[name](DATA)) == DATA  # type: ignore[operator]


def test_every_format_copies_nothing_too() -> None:
    assert all(isinstance(write(b""), str) for write in FORMATS.values())
