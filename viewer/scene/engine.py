"""How an engine finds the files that a document needs, and what it does without them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct, field

NOT_LOADED: Mapping[str, str] = MappingProxyType({"": "The missing part is not loaded."})


class EngineSearch(Struct, frozen=True):
    """How an engine finds files by the names in its files.

    `own` are the ways in which the engine itself finds a file, words of `scene.material.FoundHow`; any other
    way is the viewer's help. `suffixes` are the suffixes that the engine replaces: the suffix of the file by
    the suffix of the name. `one_system`: on some systems only, the engine also finds names with other upper
    and lower case, and absolute paths. `effects` say what the engine does without a file, by the kind of the
    need; the effect of the kind "" is that of any other kind.
    """

    own: frozenset[str] = frozenset(("stored", "list", "scene", "table", "given", "built-in"))
    suffixes: Mapping[str, str] = field(default_factory=dict)
    one_system: bool = False
    effects: Mapping[str, str] = NOT_LOADED

    def finds(self, name: str, found: str, how: str | None) -> bool:
        """Whether the engine itself finds the file `found` by its name. `how` says how the file fits."""
        wanted, stored = (os.path.splitext(each)[1].lower() for each in (name, found))
        return how is None or how in self.own or (how == "suffix" and self.suffixes.get(wanted) == stored)

    def effect(self, kind: str) -> str:
        """What the engine does without a file of this kind; empty if unknown."""
        return self.effects.get(kind, self.effects.get("", ""))
