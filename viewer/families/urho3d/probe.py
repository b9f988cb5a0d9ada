"""Recognise models, animations, compiled shaders and scripts, without importing their readers."""

from __future__ import annotations

import struct

MODEL_IDS = (b"UMDL", b"UMD2", b"UMD3")
ANIMATION_IDS = (b"UANI", b"UAN2")
HEADERLESS_BUFFERS = 256
LEGACY_MASK = 0x3FFF


def is_model(data: bytes, suffix: str) -> bool:
    """Return whether a file is a model, by its magic. A `.mdl` that has no magic is recognised by its first
    numbers: a small number of vertex buffers, and a mask with known vertex elements only.
    """
    if data.startswith(MODEL_IDS):
        return True
    if suffix != ".mdl" or len(data) < 12:
        return False
    buffers, _, mask = struct.unpack_from("<III", data)
    return bool(0 < buffers < HEADERLESS_BUFFERS and 0 < mask <= LEGACY_MASK)


def is_animation(data: bytes, suffix: str) -> bool:
    """Return whether a file is an animation, by its magic."""
    return data.startswith(ANIMATION_IDS)


SHADER, SCRIPT = b"USHD", b"ASBC"


def is_shader(data: bytes, suffix: str) -> bool:
    """Return whether a file is a compiled shader, by its magic."""
    return data.startswith(SHADER)


def is_script(data: bytes, suffix: str) -> bool:
    """Return whether a file is a compiled script, by its magic."""
    return data.startswith(SCRIPT)
