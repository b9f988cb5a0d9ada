"""The WoW M2 family: models (`.m2`), views (`.skin`), keys (`.anim`) and skeletons (`.skel`)."""

from __future__ import annotations

from viewer.formats.m2.probe import (
    CHUNKED,
    KEY_CHUNKS,
    KEYS,
    KEYS_SUFFIX,
    MODEL,
    PLAIN,
    SKELETON,
    SKELETON_CHUNKS,
    SKELETON_SUFFIX,
    SKIN_MAGIC,
    is_anim,
    is_model,
    is_skel,
    is_skin,
)
from viewer.formats.registry import Format, later
from viewer.scene.files import PART

FORMATS = (
    Format(
        MODEL,
        (".m2",),
        is_model,
        later("viewer.formats.m2.load:load_model"),
        magics=(PLAIN, CHUNKED),
    ),
    Format(
        "WoW M2 view",
        (".skin",),
        is_skin,
        later("viewer.formats.m2.load:load_skin"),
        PART,
        (SKIN_MAGIC,),
    ),
    Format(
        SKELETON,
        (SKELETON_SUFFIX,),
        is_skel,
        later("viewer.formats.m2.skel:load_skel"),
        PART,
        SKELETON_CHUNKS[:1],
    ),
    Format(KEYS, (KEYS_SUFFIX,), is_anim, later("viewer.formats.m2.clips.anim:load_anim"), PART, KEY_CHUNKS),
)
