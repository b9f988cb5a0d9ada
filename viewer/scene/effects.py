"""The display of particles and ribbons: their visibility, and the values that the user changes."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from viewer.scene.items import EffectItem, EmitterItem, Item, ParticleItem


class EffectOptions(Struct, frozen=True):
    """Options of particles and ribbons. `shown`: particles and ribbons are drawn. `cold`: emitters start at
    time 0, else they have always been emitting. `seed` selects other random numbers. `period`: seconds after
    which births and their random numbers repeat (0: never).

    The other fields hold emitters and ribbons. If any item is in `solo`, only solo items are drawn; `muted`
    items are never drawn. `frozen` maps items to the time in seconds at which they stand still. `rates` and
    `sizes` multiply the values of the file.
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
        """The time in seconds at which an item is shown."""
        return self.frozen.get(item, now)

    def rate(self, item: EffectItem) -> float:
        """The factor of an item's emission rate."""
        return self.rates.get(item, 1.0)

    def size(self, item: EffectItem) -> float:
        """The factor of an item's size."""
        return self.sizes.get(item, 1.0)


def effect_of(item: Item | None) -> EffectItem | None:
    """The emitter or ribbon of an item; for a particle its emitter. None for any other item."""
    if isinstance(item, ParticleItem):
        return EmitterItem(item.emitter)
    return item if isinstance(item, EffectItem) else None
