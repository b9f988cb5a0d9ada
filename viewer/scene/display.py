"""How a model is shown: its placement in viewer space, the display options, and its particles and ribbons.

The user sets the options with the view's buttons, or with the picture options on the command line.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, defstruct, field

from viewer.arrays import Array
from viewer.scene.choices import Lighting, LightKind, Shading, Tone, UpAxis
from viewer.scene.items import EffectItem, EmitterItem, Item, ParticleItem
from viewer.scene.maths import scale_of
from viewer.scene.model import Model
from viewer.scene.picture_options import PICTURE_OPTIONS, PictureTable

if not TYPE_CHECKING:
    PictureTable = defstruct(
        "PictureTable", [(each.name, Any, each.default) for each in PICTURE_OPTIONS.values()]
    )

UP = np.array((0.0, 1.0, 0.0))
"""The unit vector that points up in viewer space."""


def upright(to_world: Array, up: UpAxis | None) -> Array:
    """Turn `to_world` [4, 4] so that the axis `up` points up. Both `to_world` and the result go from the
    file's axes to viewer space.

    The turn is the shortest one around the origin. If nothing turns, as for `FILE` and None, the result is
    `to_world` itself.
    """
    if up is None or up is UpAxis.FILE or points_up(to_world, up):
        return to_world
    axis = to_world[:3, 1 if up is UpAxis.Y else 2]
    turn = np.eye(4)
    turn[:3, :3] = _shortest(axis / np.linalg.norm(axis))
    return np.asarray(turn @ to_world)


def up_vector(to_world: Array) -> tuple[float, float, float]:
    """The unit vector that points up, in the axes of the file; `to_world` [4, 4] goes to viewer space."""
    x, y, z = (float(each) for each in to_world[1, :3] / (np.linalg.norm(to_world[1, :3]) or 1.0))
    return x, y, z


def points_up(to_world: Array, up: UpAxis) -> bool:
    """Whether the axis `up` (Y or Z) of the file already points up."""
    axis = to_world[:3, 1 if up is UpAxis.Y else 2]
    return bool(axis @ UP >= (1 - 1e-9) * np.linalg.norm(axis))


def _shortest(axis: Array) -> Array:
    """[3, 3]: the shortest rotation of the unit vector `axis` to `UP`."""
    if np.allclose(axis, -UP):
        return np.diag((1.0, -1.0, -1.0))
    x, y, z = np.cross(axis, UP)
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    return np.asarray(np.eye(3) + cross + cross @ cross / (1.0 + float(axis @ UP)))


class Placement(Struct, frozen=True):
    """The placement of a model. `up` is the file's axis that points up (None: not chosen, so the format
    decides).

    `onto` is empty, or it has the 16 numbers (row-major) of a matrix from the file's axes to viewer space.
    This matrix replaces `up` and moves the model onto another model.
    """

    up: UpAxis | None = None
    onto: tuple[float, ...] = ()

    def of(self, to_world: Array) -> Array:
        """[4, 4]: the matrix from the file's axes to viewer space with this placement. `to_world` is the
        model's matrix without the placement; the result is `to_world` itself if nothing changes.
        """
        return np.array(self.onto).reshape(4, 4) if self.onto else upright(to_world, self.up)

    def change(self, to_world: Array) -> Array:
        """[4, 4]: the motion in viewer space by which `onto` moves the model whose matrix is `to_world`."""
        return np.asarray(self.of(to_world) @ np.linalg.inv(upright(to_world, self.up)))


AS_STORED = Placement()


def laid_onto(one: Array, alignment: Array, other: Array) -> tuple[float, ...]:
    """Return the value of `Placement.onto` that moves a model onto another model. `other` is the matrix of
    the moved model, `one` the matrix of the other model. Empty if nothing moves.

    `alignment` [4, 4] converts positions from the axes and unit of the moved model's file to the axes and
    unit of the other model's file. A model that would be mirrored is only scaled, as its engine draws it.
    """
    onto = one @ alignment
    if np.linalg.det(onto[:3, :3]) * np.linalg.det(other[:3, :3]) < 0:
        scale = scale_of(alignment)
        onto = np.diag((scale, scale, scale, 1.0)) @ other
    return () if np.allclose(onto, other) else tuple(onto.ravel().tolist())


def placement_text(placement: Placement, to_world: Array) -> str:
    """Describe how a placement moves a model onto another model: `100x, turned`. Empty if the placement moves
    nothing.
    """
    if not placement.onto:
        return ""
    change = placement.change(to_world)[:3, :3]
    scale = scale_of(change)
    scaled = f"{scale:.4g}x" if abs(scale - 1) > 1e-3 else ""
    turned = "" if np.allclose(change, scale * np.eye(3), atol=1e-3 * scale) else "turned"
    return ", ".join(filter(None, (scaled, turned)))


class EffectOptions(Struct, frozen=True):
    """The display options of particles and ribbons. `shown`: they are drawn. `cold`: emitters start at time
    0; otherwise they have always been emitting. `seed` selects the random numbers. `period` is the time in
    seconds after which births and their random numbers repeat (0: never).

    The other fields refer to single emitters and ribbons. Items in `muted` are never drawn; if `solo` is not
    empty, only its items are drawn. `frozen` maps items to the time in seconds at which they stand still.
    `rates` and `sizes` multiply the values of the file.
    """

    shown: bool = True
    cold: bool = False
    seed: int = 0
    period: float = 0.0
    solo: frozenset[EffectItem] = frozenset()
    muted: frozenset[EffectItem] = frozenset()
    frozen: Mapping[EffectItem, float] = field(default_factory=dict)
    rates: Mapping[EffectItem, float] = field(default_factory=dict)
    sizes: Mapping[EffectItem, float] = field(default_factory=dict)

    def draws(self, item: EffectItem) -> bool:
        """Whether an emitter or ribbon is drawn."""
        return self.shown and item not in self.muted and (not self.solo or item in self.solo)

    def time(self, item: EffectItem, now: float) -> float:
        """The time in seconds at which an item is drawn while the clock shows `now`."""
        return self.frozen.get(item, now)

    def rate(self, item: EffectItem) -> float:
        """The factor of an item's emission rate."""
        return self.rates.get(item, 1.0)

    def size(self, item: EffectItem) -> float:
        """The factor of an item's size."""
        return self.sizes.get(item, 1.0)


def effect_of(item: Item | None) -> EffectItem | None:
    """The emitter or ribbon that an item belongs to: the emitter of a particle, or the item itself if it is
    an emitter or a ribbon. None for any other item.
    """
    if isinstance(item, ParticleItem):
        return EmitterItem(item.emitter)
    return item if isinstance(item, EffectItem) else None


class DisplayOptions(PictureTable):
    """The display options of all documents: the fields of `PictureTable`, and `light_theme`, which makes the
    default gradient of the background bright.
    """

    light_theme: bool = False

    @property
    def lighting(self) -> Lighting:
        """The fields `light` and `light_direction` as one value."""
        return Lighting(self.light, self.light_direction)

    @lighting.setter
    def lighting(self, lighting: Lighting) -> None:
        self.light, self.light_direction = lighting

    @property
    def toned(self) -> bool:
        """Whether the light has an exposure or a tone of its own."""
        return self.exposure != 0.0 or self.tone is not Tone.NONE

    @property
    def with_environment(self) -> bool:
        """Whether the surface shows the light of an environment."""
        return self.with_materials and self.light is LightKind.ENVIRONMENT

    @property
    def with_materials(self) -> bool:
        """Whether the shading uses materials. Every other shading draws the bare surface, opaque."""
        return self.shading is Shading.LIT

    @property
    def translucent(self) -> bool:
        """Whether pictures can have transparent pixels."""
        return self.background is not None and self.background[3] < 1


class ModelDisplay(Struct, eq=False):
    """How one model is shown; its numbers are valid for this model only.

    `bone` is the bone that the weights shading shows and the overlay marks. `lod` is a forced level of
    detail; None chooses by distance as the engine does. `morphs` are weights by morph number; missing numbers
    keep the file's default. `hidden` are the numbers of hidden geometries. `trails` are the bones and
    attachments whose paths are drawn. `effects` are the options of particles and ribbons. For `up` and `onto`
    see `Placement`. `on_light` makes the default background light.
    """

    bone: int | None = None
    lod: int | None = None
    morphs: dict[int, float] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)
    trails: frozenset[Item] = frozenset()
    effects: EffectOptions = field(default_factory=EffectOptions)
    up: UpAxis | None = None
    onto: tuple[float, ...] = ()
    on_light: bool = False

    def copied(self) -> ModelDisplay:
        """A copy that later changes of this object do not affect."""
        return ModelDisplay(
            self.bone,
            self.lod,
            dict(self.morphs),
            set(self.hidden),
            self.trails,
            self.effects,
            self.up,
            self.onto,
            self.on_light,
        )

    @property
    def placement(self) -> Placement:
        """The model's placement in viewer space."""
        return Placement(self.up, self.onto)

    def to_world(self, model: Model) -> Array:
        """[4, 4] from the file's axes to viewer space."""
        return self.placement.of(model.to_world)
