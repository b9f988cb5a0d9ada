"""The WoW M2 family: models and their views."""

from __future__ import annotations

import viewer.formats.blp  # noqa: F401  # the decoder of its textures
from viewer.formats.m2.load import is_model, load_model
from viewer.formats.m2.views import is_skin, load_skin
from viewer.formats.registry import Format

FORMATS = (
    Format("WoW M2 model", (".m2",), is_model, load_model),
    Format("WoW M2 view", (".skin",), is_skin, load_skin),
)
