"""What recognises compiled shaders and scripts.

Their readers are imported when the first one is opened: that takes longer than to read most models.
"""

from __future__ import annotations

from pathlib import PurePath

from viewer.scene.document import Document

SHADER, SCRIPT = b"USHD", b"ASBC"


def is_shader(data: bytes, suffix: str) -> bool:
    """By magic."""
    return data.startswith(SHADER)


def is_script(data: bytes, suffix: str) -> bool:
    """By magic."""
    return data.startswith(SCRIPT)


def load_shader(path: PurePath, data: bytes) -> Document:
    """See `viewer.formats.urho3d.shader`."""
    from viewer.formats.urho3d import shader

    return shader.load_shader(path, data)


def load_script(path: PurePath, data: bytes) -> Document:
    """See `viewer.formats.urho3d.script`."""
    from viewer.formats.urho3d import script

    return script.load_script(path, data)
