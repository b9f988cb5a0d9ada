"""Bytes as text for the clipboard."""

from __future__ import annotations

import base64
from collections.abc import Callable

PER_LINE = 12


def _c_array(data: bytes) -> str:
    rows = (data[at : at + PER_LINE] for at in range(0, len(data), PER_LINE))
    lines = (", ".join(f"0x{byte:02X}" for byte in row) for row in rows)
    return f"const uint8_t data[{len(data)}] = {{\n    " + ",\n    ".join(lines) + "\n};"


def _numpy(data: bytes) -> str:
    return f"np.array([{', '.join(map(str, data))}], np.uint8)"


FORMATS: dict[str, Callable[[bytes], str]] = {
    "Hex": lambda data: data.hex(" ").upper(),
    "Hex without spaces": lambda data: data.hex().upper(),
    "Text": lambda data: data.decode("utf-8", "replace").replace("\0", ""),
    "C array": _c_array,
    "Python bytes": repr,
    "numpy array": _numpy,
    "Base64": lambda data: base64.b64encode(data).decode(),
}
"""The function that writes each format, by the format's name in the copy menu."""
