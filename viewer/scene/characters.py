"""The looks of a character of World of Warcraft: its choices, its items, and the files that they name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from viewer.scene.choices import ITEM_SLOTS, LOOK_KEYS

SEXES = ("male", "female")
"""The names of the sexes by number."""
Numbers = tuple[int, ...]
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


class CharacterLook(Struct, frozen=True):
    """A look: `race` is a row of ChrRaces, and `sex` is 0 for male and 1 for female. The other numbers are
    numbers of the game's tables. `items` are pairs of a slot and a row of ItemDisplayInfo, in the order of
    `ITEM_SLOTS`. `baked` is the name of a composed body texture (empty: the body is composed from its
    layers). `hidden` are the keys of the layers that are switched off.
    """

    race: int
    sex: int
    skin: int = 0
    face: int = 0
    hair: int = 0
    hair_color: int = 0
    facial_hair: int = 0
    items: tuple[tuple[str, int], ...] = ()
    baked: str = ""
    hidden: tuple[str, ...] = ()

    def item(self, slot: str) -> int:
        """The row of the item in a slot; 0 for an empty slot."""
        return dict(self.items).get(slot, 0)

    @property
    def option(self) -> str:
        """The choices as the command line takes them: `skin=3,face=1,hair=5,hair-color=2,facial-hair=0`."""
        return ",".join(f"{key.replace('_', '-')}={getattr(self, key)}" for key in LOOK_KEYS)

    @property
    def options(self) -> str:
        """The look as options of the command line."""
        items = "".join(f" --item {slot}={id}" for slot, id in self.items)
        return f"--character {self.option}{items}"

    def changes(self, other: CharacterLook) -> list[str]:
        """The names of the choices, slots and layers in which two looks of a race and sex differ."""
        slots = [slot for slot in ITEM_SLOTS if self.item(slot) != other.item(slot)]
        layers = ["layers"] if self.hidden != other.hidden else []
        keys = [key.replace("_", " ") for key in LOOK_KEYS if getattr(self, key) != getattr(other, key)]
        return [*keys, *slots, *layers]

    def wearing(self, slot: str, id: int) -> CharacterLook:
        """The look with another item in a slot; 0 empties the slot. A composed body texture is dropped,
        because it shows the earlier items.
        """
        worn = {**dict(self.items), slot: id}
        return replace(
            self, items=tuple((each, worn[each]) for each in ITEM_SLOTS if worn.get(each)), baked=""
        )


class SkinChoice(Struct, frozen=True):
    """A skin by number. `kind` is empty, `death knight` or `NPC`."""

    number: int
    kind: str = ""


class Choices(Struct, frozen=True, eq=False):
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
        """The numbers that a look can choose for one of `LOOK_KEYS`."""
        match key:
            case "skin":
                return tuple(each.number for each in self.skins)
            case "face":
                return self.faces.get(look.skin, ())
            case "hair":
                return self.hairs
            case "hair_color":
                return self.colors.get(look.hair, ())
            case _:
                return self.facial_hairs

    def fitted(self, look: CharacterLook, given: Mapping[str, int]) -> CharacterLook:
        """The look with the `given` choices. A choice that is not given keeps its number if this number is
        possible with the given choices. Otherwise it becomes 0, or the first possible number if 0 is not
        possible.
        """
        for key in LOOK_KEYS:
            known = self.of(key, look)
            wanted = given.get(key, getattr(look, key))
            if key not in given and known and wanted not in known:
                wanted = 0 if 0 in known else known[0]
            look = replace(look, **{key: wanted})
        return replace(look, baked="") if given else look

    def first(self, look: CharacterLook) -> CharacterLook:
        """The look with the first body and the first head whose files all exist. If there is no such body or
        head, `fitted` chooses its numbers.
        """
        given: dict[str, int] = {}
        if self.bodies:
            given["skin"], given["face"] = self.bodies[0]
        if self.heads:
            given["hair"], given["hair_color"] = self.heads[0]
        return self.fitted(look, given)

    def random(self, look: CharacterLook, seed: int) -> CharacterLook:
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


class WornFile(Struct, frozen=True):
    """A texture of a look. `part` is the region of the body texture, `skin` for all of it, or `hair`, `extra
    skin`, `cape`. `name` is the texture's name, `path` is its file (None: the file is missing), and `row` is
    the row with the name.
    """

    part: str
    name: str
    path: str | None
    row: str

    @property
    def key(self) -> str:
        """The key by which a layer is switched off."""
        return f"{self.part}:{self.name.casefold()}"

    @property
    def area(self) -> tuple[float, float, float, float] | None:
        """The region of the body texture, in texture coordinates: left, top, right, bottom. None for a file
        that is no part of the body texture.
        """
        if self.part not in REGIONS:
            return None
        left, top, width, height = REGIONS[self.part]
        return left / ATLAS, top / ATLAS, (left + width) / ATLAS, (top + height) / ATLAS


class AttachedModel(Struct, frozen=True):
    """A model that hangs on an attachment of the character. `geometries` are the numbers of its geometries in
    the dressed model. `path` is the model's file (None: the file is missing). `skin` is the texture in the
    item's row (None: the row has none). `trouble` says why the model is not drawn; `effect_faults` say why
    some effects are not drawn.
    """

    slot: str
    name: str
    path: str | None
    attachment: int
    row: str
    geometries: Numbers = ()
    trouble: str = ""
    skin: WornFile | None = None
    effect_faults: tuple[str, ...] = ()


class ItemEntry(Struct, frozen=True):
    """An item of the tables: its row of ItemDisplayInfo and the names of its models and textures. `complete`:
    the file of at least one of these models and textures exists.
    """

    id: int
    names: tuple[str, ...] = ()
    complete: bool = False

    @property
    def title(self) -> str:
        """The first name and the id."""
        return f"{self.names[0]} ({self.id})" if self.names else str(self.id)


def no_items(slot: str, text: str) -> tuple[ItemEntry, ...]:
    """Find no items: the default of a character without tables of items."""
    return ()


class Character(Struct, frozen=True, eq=False):
    """A character in a look.

    `race` and `prefix` are the names of the race in the tables. `geosets` are the chosen geosets, one for
    each group, and 0. `rows` are the rows of the look: the row's id by the name of the section. `layers`
    are the layers of the body texture from the lowest to the highest, `textures` the other textures.
    `plain` is the first look, in which the model opens. `titles` are the names of the worn items by slot.
    `find_items` returns the first items of the tables that fit a slot and whose id or names contain a text.
    """

    look: CharacterLook
    plain: CharacterLook
    choices: Choices = Choices()
    race: str = ""
    prefix: str = ""
    geosets: Numbers = ()
    rows: Mapping[str, int] = MappingProxyType({})
    layers: tuple[WornFile, ...] = ()
    textures: tuple[WornFile, ...] = ()
    attached: tuple[AttachedModel, ...] = ()
    titles: Mapping[str, str] = MappingProxyType({})
    find_items: Callable[[str, str], tuple[ItemEntry, ...]] = no_items

    @property
    def title(self) -> str:
        """The names of the race and the sex."""
        return f"{self.race} {SEXES[self.look.sex]}"

    @property
    def facts(self) -> dict[str, Any]:
        """The look as JSON: the numbers of its choices, the items by slot, the composed body texture, the
        keys of the hidden layers, and the geosets.
        """
        look = self.look
        return {
            "character": {key: getattr(look, key) for key in ("race", "sex", *LOOK_KEYS)},
            "items": dict(look.items),
            "baked": look.baked,
            "hidden": list(look.hidden),
            "geosets": list(self.geosets),
        }

    @property
    def missing(self) -> tuple[WornFile | AttachedModel, ...]:
        """The textures and models whose files are missing."""
        skins = [each.skin for each in self.attached if each.skin is not None and each.path is not None]
        textures = [each for each in (*self.layers, *self.textures, *skins) if each.path is None]
        return (*textures, *(each for each in self.attached if each.path is None))

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of all files of the look."""
        skins = [each.skin for each in self.attached if each.skin is not None]
        worn = [each.path for each in (*self.layers, *self.textures, *skins)]
        hung = [each.path for each in self.attached]
        return tuple(dict.fromkeys(path for path in (*worn, *hung) if path is not None))
