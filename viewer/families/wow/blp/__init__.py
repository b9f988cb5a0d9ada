"""BLP, the images of World of Warcraft. Rigscope has its own decoder for BLP, because Pillow gets alpha and
colours wrong.
"""

from __future__ import annotations

MAGICS = (b"BLP1", b"BLP2")
SUFFIX = ".blp"


def is_blp(data: bytes, suffix: str) -> bool:
    """Return whether a file is a BLP image, by its magic."""
    return data.startswith(MAGICS)
