"""The words in the names of bones, by which guesses find the parts of a body."""

from __future__ import annotations

import re
import unicodedata

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[\u3040-\u30ff\u3400-\u9fff]+")
"""A word in the name of a bone: `Bip01_LToe0` has the words Bip, L and Toe. A run of Japanese or Chinese
letters is one word.
"""
SIDE = re.compile(r"^(left|right|l|r)(?=head|foot|feet|toe|leg|hoof|paw|ankle|ball)|^[左右]")
HEAD = frozenset(("head",))
FEET = frozenset(("foot", "feet", "hoof", "hooves", "paw", "paws"))
TOES = frozenset(("toe", "toes"))
SOLES = FEET | {"ankle", "ball", "足", "足首", "脚", "脚踝", "脚掌", "蹄"}
"""Words in the names of the bones that carry a body over the ground. `ball` and `足` are also names of other
parts, so that their bones have to lie where feet lie.
"""
LEG = frozenset(("leg",))
"""Words in the names of leg bones. The last bones of the legs count as feet if no bone has the name of a
foot.
"""
HELPERS = frozenset(("ik", "pole", "target", "ctrl", "control", "effector"))
"""Words in the names of bones that do not belong to the body."""
ENDS = frozenset(("nub", "end", "tip"))
"""Words in the names of bones that only mark the end of the bone above them."""
FLYING = frozenset(("wing", "wings", "fin", "fins", "flipper"))
"""Words in bone names of animals that may fly or swim with their feet stretched backwards."""


def words_of(name: str) -> frozenset[str]:
    """The words of a bone's name in lower case, without the side: `Lfoot` gives foot."""
    plain = unicodedata.normalize("NFKC", name)
    return frozenset(SIDE.sub("", each.casefold()) for each in WORD.findall(plain))
