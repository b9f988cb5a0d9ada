"""BLP, the pictures of World of Warcraft, by a decoder of our own: Pillow gets alpha and colours wrong."""

from __future__ import annotations

from viewer.formats.blp.load import is_blp, load_blp
from viewer.formats.registry import Format

FORMATS = (Format("BLP picture", (".blp",), is_blp, load_blp),)
