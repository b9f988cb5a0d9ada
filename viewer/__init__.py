"""Rigscope: a viewer for the model files of Urho3D, OGRE and World of Warcraft."""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["__version__", "open_document"]

TYPE_CHECKING = False
"""Replaces `typing.TYPE_CHECKING`, because importing `typing` takes long."""
if TYPE_CHECKING:
    from typing import Any

    from viewer.storage.documents import open_document


def __getattr__(name: str) -> Any:
    """Import `open_document` at its first use, so that `import viewer` loads nothing else."""
    if name == "open_document":
        from viewer.storage.documents import open_document

        return open_document
    raise AttributeError(f"module 'viewer' has no attribute {name!r}")
