"""What recognises compiled shaders and scripts, without what reads them."""

from __future__ import annotations

SHADER, SCRIPT = b"USHD", b"ASBC"


def is_shader(data: bytes, suffix: str) -> bool:
    """By magic."""
    return data.startswith(SHADER)


def is_script(data: bytes, suffix: str) -> bool:
    """By magic."""
    return data.startswith(SCRIPT)
