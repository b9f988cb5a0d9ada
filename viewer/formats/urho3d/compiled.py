"""Probes of compiled shaders and scripts, without their readers."""

from __future__ import annotations

SHADER, SCRIPT = b"USHD", b"ASBC"


def is_shader(data: bytes, suffix: str) -> bool:
    """Whether a file is a compiled shader, by its magic."""
    return data.startswith(SHADER)


def is_script(data: bytes, suffix: str) -> bool:
    """Whether a file is a compiled script, by its magic."""
    return data.startswith(SCRIPT)
