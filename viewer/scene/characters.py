"""The looks of a character of a game: its choices, its items, and the files that they name.

A family makes its own kinds of `CharacterLook` and `Choices`, with the names of its choices and slots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

Numbers = tuple[int, ...]
Area = tuple[float, float, float, float]
"""A part of a texture, in texture coordinates: left, top, right, bottom."""


class CharacterLook(Struct, frozen=True, kw_only=True):
    """A look. A family's look has a number for each of its `body`, which the model determines, and for each
    of its `keys`, which the user can choose; later choices depend on earlier choices. `slots` are the slots
    of worn items.

    `items` are pairs of a slot and the number of an item, in the order of the slots. `baked` is the name of a
    composed body texture (empty: the body is composed from its layers). `hidden` are the keys of the layers
    that are switched off.
    """

    body: ClassVar[tuple[str, ...]] = ()
    keys: ClassVar[tuple[str, ...]] = ()
    slots: ClassVar[tuple[str, ...]] = ()
    items: tuple[tuple[str, int], ...] = ()
    baked: str = ""
    hidden: tuple[str, ...] = ()

    def number(self, key: str) -> int:
        """The number of a choice, one of `body` or `keys`."""
        found: int = getattr(self, key)
        return found

    def bare(self) -> Self:
        """The look of the same body with the first number of each choice, and without items."""
        numbers: dict[str, Any] = {key: self.number(key) for key in self.body}
        return type(self)(**numbers)

    def item(self, slot: str) -> int:
        """The number of the item in a slot; 0 for an empty slot."""
        return dict(self.items).get(slot, 0)

    @property
    def option(self) -> str:
        """The choices as the command line takes them: `skin=3,face=1,hair=5,hair-color=2,facial-hair=0`."""
        return ",".join(f"{key.replace('_', '-')}={self.number(key)}" for key in self.keys)

    @property
    def options(self) -> str:
        """The look as options of the command line."""
        items = "".join(f" --item {slot}={id}" for slot, id in self.items)
        return f"--character {self.option}{items}"

    def changes(self, other: CharacterLook) -> list[str]:
        """The names of the choices, slots and layers in which two looks of the same body differ."""
        slots = [slot for slot in self.slots if self.item(slot) != other.item(slot)]
        layers = ["layers"] if self.hidden != other.hidden else []
        keys = [key.replace("_", " ") for key in self.keys if self.number(key) != other.number(key)]
        return [*keys, *slots, *layers]

    def wearing(self, slot: str, id: int) -> Self:
        """The look with another item in a slot; 0 empties the slot. A composed body texture is dropped,
        because it shows the earlier items.
        """
        worn = {**dict(self.items), slot: id}
        return replace(
            self, items=tuple((each, worn[each]) for each in self.slots if worn.get(each)), baked=""
        )


AnyLook = TypeVar("AnyLook", bound=CharacterLook)


class Choices(Struct, frozen=True, eq=False):
    """The choices that the tables have for a body. This class has none; a family has its own."""

    def of(self, key: str, look: CharacterLook) -> Numbers:
        """The numbers that a look can choose for one of its keys, in ascending order."""
        return ()

    def note(self, key: str, number: int) -> str:
        """What is special about a number, such as `death knight`; usually empty."""
        return ""

    def fitted(self, look: AnyLook, given: Mapping[str, int]) -> AnyLook:
        """The look with the `given` choices. A choice that is not given keeps its number if this number is
        possible with the given choices. Otherwise it becomes 0, or the first possible number if 0 is not
        possible.
        """
        for key in look.keys:
            known = self.of(key, look)
            wanted = given.get(key, look.number(key))
            if key not in given and known and wanted not in known:
                wanted = 0 if 0 in known else known[0]
            look = replace(look, **{key: wanted})
        return replace(look, baked="") if given else look

    def first(self, look: AnyLook) -> AnyLook:
        """The first look of the body whose files all exist."""
        return self.fitted(look, {})

    def random(self, look: AnyLook, seed: int) -> AnyLook:
        """A random look of the body; equal seeds give equal looks. Looks whose files all exist are
        preferred.
        """
        return self.fitted(look, {})


class WornFile(Struct, frozen=True):
    """A texture of a look. `part` is the part of the body texture that it covers, or another part of the
    character. `name` is the texture's name, `path` is its file (None: the file is missing), and `row` is the
    row with the name. `area` is the region of the body texture; None for a file that is no part of it.
    """

    part: str
    name: str
    path: str | None
    row: str
    area: Area | None = None

    @property
    def key(self) -> str:
        """The key by which a layer is switched off."""
        return f"{self.part}:{self.name.casefold()}"


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
    """An item of the tables: the number of its row and the names of its models and textures. `complete`:
    the file of at least one of these models and textures exists.
    """

    id: int
    names: tuple[str, ...] = ()
    complete: bool = False

    @property
    def title(self) -> str:
        """The first name and the id."""
        return f"{self.names[0]} ({self.id})" if self.names else str(self.id)


def no_items(slot: str, text: str) -> Iterable[ItemEntry]:
    """Find no items: the default of a character without tables of items."""
    return ()


class Character(Struct, frozen=True, eq=False):
    """A character in a look.

    `title` names the body, such as `Human male`. `geosets` are the chosen geosets, one for each group, and 0.
    `rows` are the rows of the look: the row's id by the name of the section. `layers` are the layers of the
    body texture from the lowest to the highest, `textures` the other textures. `plain` is the first look, in
    which the model opens. `titles` are the names of the worn items by slot. `find_items` yields the first
    items of the tables that fit a slot and whose id or names contain a text. It reads the files of an item
    when it yields the item: call it in a thread.
    """

    look: CharacterLook
    plain: CharacterLook
    choices: Choices = Choices()
    title: str = ""
    geosets: Numbers = ()
    rows: Mapping[str, int] = MappingProxyType({})
    layers: tuple[WornFile, ...] = ()
    textures: tuple[WornFile, ...] = ()
    attached: tuple[AttachedModel, ...] = ()
    titles: Mapping[str, str] = MappingProxyType({})
    find_items: Callable[[str, str], Iterable[ItemEntry]] = no_items

    @property
    def facts(self) -> dict[str, Any]:
        """The look as JSON: the numbers of its choices, the items by slot, the composed body texture, the
        keys of the hidden layers, and the geosets.
        """
        look = self.look
        return {
            "character": {key: look.number(key) for key in (*look.body, *look.keys)},
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
