"""The WoW M2 family: models, their views, and the files of their keys and skeletons."""

from __future__ import annotations

import viewer.formats.blp  # noqa: F401  # the decoder of its textures
from viewer.formats.m2.anim import FORMAT as KEYS
from viewer.formats.m2.anim import is_anim, load_anim
from viewer.formats.m2.load import is_model, load_model
from viewer.formats.m2.lone_view import load_skin
from viewer.formats.m2.skel import FORMAT as SKELETON
from viewer.formats.m2.skel import is_skel, load_skel
from viewer.formats.m2.views import is_skin
from viewer.formats.registry import Format

FORMATS = (
    Format("WoW M2 model", (".m2",), is_model, load_model),
    Format("WoW M2 view", (".skin",), is_skin, load_skin, "part"),
    Format(SKELETON, (".skel",), is_skel, load_skel, "part"),
    Format(KEYS, (".anim",), is_anim, load_anim, "part"),
)
