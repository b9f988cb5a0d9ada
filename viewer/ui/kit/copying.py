"""Copies texts to the clipboard. The status line says what was copied."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.errors import counted, printable
from viewer.ui.value_text import shortened

_copied: list[str] = []
"""The texts that were copied since they were last told."""


def copy_text(text: str) -> None:
    """Copy a text to the clipboard."""
    imgui.set_clipboard_text(text)
    _copied.append(text)


def take_copied() -> str:
    """What the status line says of the text that was copied since the last call; empty if none was."""
    if not _copied:
        return ""
    lines = _copied[-1].splitlines() or [""]
    _copied.clear()
    more = f" and {counted(len(lines) - 1, 'more line')}" if len(lines) > 1 else ""
    return f"Copied {shortened(printable(lines[0]))}{more}"
