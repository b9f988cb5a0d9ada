"""The looks of a creature: the rows of a game's tables that say what its model wears."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from types import MappingProxyType

from msgspec import Struct

from viewer.arrays import Array
from viewer.errors import ResourceError, counted
from viewer.scene.material import Texture
from viewer.scene.model import Geometry, Model
from viewer.scene.names import JOINT

OPAQUE = 255
FIRST = ""
NONE = "none"
"""The values of a choice of displays besides `ID` and `#N`: the first complete display, and no display."""
OFFERED = 8
"""The largest number of ids in a message."""


class Display(Struct, frozen=True):
    """A display: a row of the game's table of creatures.

    `textures` are the names of the monster skins 1 to 3, empty for a skin that the row leaves out. `scale`
    multiplies the size of the model. `alpha` is 0 to 255. `geosets` are the shown geosets of some groups.
    `colors` is the id of the particle colours, 0 if the row has none. `extra` is the id of the character that
    has the model as its body, 0 if there is no such character. `complete`: the file of each named texture
    exists.
    """

    id: int
    textures: tuple[str, ...] = ()
    scale: float = 1.0
    alpha: int = OPAQUE
    geosets: tuple[int, ...] = ()
    colors: int = 0
    extra: int = 0
    complete: bool = False

    @property
    def title(self) -> str:
        """The names of the textures, and what else a display changes besides the size."""
        bare = f"character {self.extra}" if self.extra else "no textures"
        parts = (
            *(self.textures if any(self.textures) else (bare,)),
            f"alpha {self.alpha}" if self.alpha != OPAQUE else "",
            f"geosets {' '.join(map(str, self.geosets))}" if self.geosets else "",
            f"particle colours {self.colors}" if self.colors else "",
        )
        return ", ".join(filter(None, parts))


class DistinctDisplay(Struct, frozen=True):
    """Displays that are drawn alike except for their scale. `first` is the display with the lowest id."""

    first: Display
    ids: tuple[int, ...]


class Displays(Struct, frozen=True, eq=False, dict=True):
    """The displays of a model, ordered by id. `worn` is the shown display (None: the model is shown without
    one). `tables` are the paths of the tables, or the paths at which they are expected. `distinct` groups the
    displays that are drawn alike except for their scale. `names` are the names of the model in the tables of
    spell effects and objects.
    """

    listed: tuple[Display, ...] = ()
    worn: Display | None = None
    tables: tuple[str, ...] = ()
    distinct: tuple[DistinctDisplay, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def worn_id(self) -> int | None:
        """The id of the shown display."""
        return None if self.worn is None else self.worn.id

    def choose(self, text: str) -> Display | None:
        """Return the display that a text chooses: its id, `#N` for a distinct display counted from 0, the
        first complete display for `FIRST`, None for `NONE`.

        ResourceError if the model has no such display; the error lists ids.
        """
        if text == NONE:
            return None
        if text == FIRST:
            return next((each for each in self.listed if each.complete), None)
        found = None
        if re.fullmatch(r"#[0-9]{1,9}", text):
            found = next((each.first for each in self.distinct[int(text[1:]) :]), None)
        elif re.fullmatch(r"-?[0-9]{1,10}", text):
            found = next((each for each in self.listed if each.id == int(text)), None)
        if found is None:
            raise ResourceError(f"the model has no display {text}; {self._offer()}")
        return found

    def number_of(self, display: Display | None) -> int | None:
        """The position in `distinct` of a display."""
        return None if display is None else self.number_of_id(display.id)

    def number_of_id(self, id: int) -> int | None:
        """The position in `distinct` of the display with this id."""
        return self._numbers.get(id)

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {id: number for number, each in enumerate(self.distinct) for id in each.ids}

    def _offer(self) -> str:
        if not self.listed:
            return "no table of the game has displays of this model"
        ids = ", ".join(str(each.first.id) for each in self.distinct[:OFFERED])
        more = len(self.listed) - min(OFFERED, len(self.distinct))
        return f"its displays are {ids}" + (f" and {more} more" if more > 0 else "")


NO_DISPLAYS = Displays()


def display_choice(id: int | None) -> str:
    """The text with which `Displays.choose` chooses the display `id`, or no display if `id` is None."""
    return NONE if id is None else str(id)


def display_path(model: str, display: Display) -> str:
    """Make the path that opens a model in one of its displays: `Bear.m2::706 BearSkinBlack`."""
    return f"{model}{JOINT}{display_name(display)}"


def display_name(display: Display) -> str:
    """The name of a display behind the path of its model. It has no slashes and no control characters."""
    title = "".join(each if each.isprintable() and each not in "/\\:" else "_" for each in display.title)
    return f"{display.id} {title}"


def distinct_displays(displays: Iterable[Display], characters: bool = False) -> tuple[DistinctDisplay, ...]:
    """Group displays that are drawn alike except for their size, in the order of their first ids. With
    `characters`, displays of different characters are drawn in different looks.
    """
    groups: dict[object, list[Display]] = {}
    for each in displays:
        extra = each.extra if characters else 0
        key = (tuple(map(str.casefold, each.textures)), each.alpha, each.geosets, each.colors, extra)
        groups.setdefault(key, []).append(each)
    return tuple(DistinctDisplay(group[0], tuple(each.id for each in group)) for group in groups.values())


class Look(Struct, frozen=True, eq=False):
    """What a model wears: a texture for each number of `textures`, which are numbers of the model's textures.
    `geosets` are the shown geosets of their groups; other groups stay. With `last`, the geosets up to this id
    are hidden if they are not in `geosets`. `scale` multiplies the size, `alpha`
    (0 to 1) the opacity. `colors` [3 slots, 3 times, 3] are the rgb colours of particles at the start, middle
    and end of their lives (None: the model's own colours).
    """

    textures: Mapping[int, Texture] = MappingProxyType({})
    geosets: tuple[int, ...] = ()
    scale: float = 1.0
    alpha: float = 1.0
    colors: Array | None = None
    last: int | None = None


def differ_in_look(first: Model, second: Model) -> bool:
    """Whether two models differ only in their look: they have other textures and show other geometries, and
    share everything else. Their buffers and materials on the GPU are then the same.
    """
    shared = all(
        getattr(first, name) is getattr(second, name)
        for name in Model.__struct_fields__
        if name not in ("textures", "geometries")
    )
    counts = [(len(each.textures), len(each.geometries)) for each in (first, second)]
    return shared and counts[0] == counts[1] and all(map(_same_mesh, first.geometries, second.geometries))


def _same_mesh(first: Geometry, second: Geometry) -> bool:
    return first is second or all(
        getattr(first, name) is getattr(second, name)
        for name in Geometry.__struct_fields__
        if name != "shown"
    )


def changed_textures(first: Model, second: Model) -> list[int]:
    """The numbers of the textures that have other images in the second look than in the first one."""
    pairs = enumerate(zip(first.textures, second.textures, strict=True))
    return [number for number, (before, after) in pairs if not _same_image(before, after)]


def _same_image(first: Texture, second: Texture) -> bool:
    """Whether two textures are decoded from the same resource or from the same layers."""
    if first is second:
        return True
    one, other = first.decode, second.decode
    if not isinstance(one, partial) or not isinstance(other, partial):
        return one is None and other is None
    return one.func is other.func and one.args == other.args and first.address == second.address


def displays_text(displays: Displays) -> str:
    """Count displays and distinct displays: `402 displays, 13 of them distinct`."""
    count, distinct = len(displays.listed), len(displays.distinct)
    return counted(count, "display") + (f", {distinct} of them distinct" if distinct < count else "")
