"""BLP, the images of World of Warcraft. Rigscope has its own decoder for BLP, because Pillow gets alpha and
colours wrong.
"""

from __future__ import annotations

from viewer.formats.blp.load import MAGICS, is_blp, load_blp
from viewer.formats.registry import Format
from viewer.scene.files import PICTURE

FORMATS = (Format("BLP picture", (".blp",), is_blp, load_blp, PICTURE, MAGICS),)
