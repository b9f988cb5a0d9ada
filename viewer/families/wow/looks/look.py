"""The look of a character of World of Warcraft: its choices, its slots, and the parts of its body texture."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from viewer.scene.characters import AnyLook, Area, CharacterLook, Choices, Numbers

SEXES = ("male", "female")
"""The names of the sexes by number."""
KEYS = ("skin", "face", "hair", "hair_color", "facial_hair")
"""The choices of a look; each choice is a number. Later choices depend on earlier choices."""
SLOTS = (
    *("head", "shoulder", "shirt", "chest", "waist", "legs", "feet", "wrist", "hands", "back"),
    *("tabard", "main-hand", "off-hand", "ranged", "quiver"),
)
"""The slots of worn items."""
WHOLE = "skin"
"""The part that covers the whole body texture."""
ATLAS = 256
"""The side of the body texture in the units of `REGIONS`."""
REGIONS = {
    WHOLE: (0, 0, 256, 256),
    "AU": (0, 0, 128, 64),
    "AL": (0, 64, 128, 64),
    "HA": (0, 128, 128, 32),
    "FU": (0, 160, 128, 32),
    "FL": (0, 192, 128, 64),
    "TU": (128, 0, 128, 64),
    "TL": (128, 64, 128, 32),
    "LU": (128, 96, 128, 64),
    "LL": (128, 160, 128, 64),
    "FO": (128, 224, 128, 32),
}
"""The regions of the body texture: left, top, width, height. Source: re-implementations of the client (whoa,
OpenWow), compared with composed textures of NPCs.
"""


def area_of(part: str) -> Area | None:
    """The region of the body texture that a part covers, in texture coordinates; None if it is no region."""
    if part not in REGIONS:
        return None
    left, top, width, height = REGIONS[part]
    return left / ATLAS, top / ATLAS, (left + width) / ATLAS, (top + height) / ATLAS


class WowLook(CharacterLook, frozen=True):
    """A look: `race` is a row of ChrRaces, and `sex` is 0 for male and 1 for female. The other numbers are
    numbers of the game's tables; items are rows of ItemDisplayInfo.
    """

    body: ClassVar[tuple[str, ...]] = ("race", "sex")
    keys: ClassVar[tuple[str, ...]] = KEYS
    slots: ClassVar[tuple[str, ...]] = SLOTS
    race: int
    sex: Annotated[int, Meta(ge=0, le=1)]
    skin: int = 0
    face: int = 0
    hair: int = 0
    hair_color: int = 0
    facial_hair: int = 0


class SkinChoice(Struct, frozen=True):
    """A skin by number. `kind` is empty, `death knight` or `NPC`."""

    number: int
    kind: str = ""


class WowChoices(Choices, frozen=True, eq=False):
    """The choices that the tables have for a race and sex, each in ascending order. `faces` are the faces of
    a skin, `colors` the hair colours of a hair style. `complete` has the choices whose files all exist: pairs
    of a skin and a face, pairs of a hair style and a colour.
    """

    skins: tuple[SkinChoice, ...] = ()
    faces: Mapping[int, Numbers] = MappingProxyType({})
    hairs: Numbers = ()
    colors: Mapping[int, Numbers] = MappingProxyType({})
    facial_hairs: Numbers = ()
    bodies: tuple[tuple[int, int], ...] = ()
    heads: tuple[tuple[int, int], ...] = ()

    def of(self, key: str, look: CharacterLook) -> Numbers:
        """The numbers of a choice, ascending: faces depend on the skin, hair colours on the hair style."""
        match key:
            case "skin":
                return tuple(each.number for each in self.skins)
            case "face":
                return self.faces.get(look.number("skin"), ())
            case "hair":
                return self.hairs
            case "hair_color":
                return self.colors.get(look.number("hair"), ())
            case _:
                return self.facial_hairs

    def note(self, key: str, number: int) -> str:
        """The kind of a skin, such as `death knight`; empty for any other choice."""
        found = (each.kind for each in self.skins if each.number == number) if key == "skin" else iter(())
        return next(found, "")

    def first(self, look: AnyLook) -> AnyLook:
        """The look with the first body and the first head whose files all exist. If there is no such body or
        head, `fitted` chooses its numbers.
        """
        given: dict[str, int] = {}
        if self.bodies:
            given["skin"], given["face"] = self.bodies[0]
        if self.heads:
            given["hair"], given["hair_color"] = self.heads[0]
        return self.fitted(look, given)

    def random(self, look: AnyLook, seed: int) -> AnyLook:
        """A random look of the race and sex; equal seeds give equal looks. A skin and a head whose files all
        exist are preferred. Skins of death knights and NPCs are left out.
        """
        from random import Random  # imported late, because most starts need no random look

        chance = Random(seed)
        plain = {each.number for each in self.skins if not each.kind}
        bodies = [each for each in self.bodies if each[0] in plain] or self.bodies
        given: dict[str, int] = {}
        if bodies:
            given["skin"], given["face"] = chance.choice(bodies)
        elif self.skins:
            given["skin"] = chance.choice(sorted(plain) or [each.number for each in self.skins])
        if self.heads:
            given["hair"], given["hair_color"] = chance.choice(self.heads)
        elif self.hairs:
            given["hair"] = chance.choice(self.hairs)
        if self.facial_hairs:
            given["facial_hair"] = chance.choice(self.facial_hairs)
        return self.fitted(look, given)
