"""How particles and ribbons are shown: which are drawn, and how they are made to differ from the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from viewer.dataclass import dataclass
from viewer.scene.document import Item


@dataclass(frozen=True, slots=True)
class EffectOptions:
    """`shown`: particles and ribbons are drawn at all. `cold`: emitters start at time 0, else they have been
    burning forever. `seed` chooses other random numbers. `period`: seconds after which births and their
    random numbers repeat; 0: never.

    The items of the rest are `("emitter", number)` and `("ribbon", number)`. Of `solo` ones, if there are
    any, only those are drawn, `muted` ones never. `frozen` ones stand still at a time in seconds. `rates`
    and `sizes` multiply what the file says.
    """

    shown: bool = True
    cold: bool = False
    seed: int = 0
    period: float = 0.0
    solo: frozenset[Item] = frozenset()
    muted: frozenset[Item] = frozenset()
    frozen: Mapping[Item, float] = field(default_factory=dict)
    rates: Mapping[Item, float] = field(default_factory=dict)
    sizes: Mapping[Item, float] = field(default_factory=dict)

    def draws(self, item: Item) -> bool:
        """Whether an emitter or ribbon is drawn."""
        return self.shown and item not in self.muted and (not self.solo or item in self.solo)

    def time(self, item: Item, now: float) -> float:
        """The time at which it is seen."""
        return self.frozen.get(item, now)

    def rate(self, item: Item) -> float:
        """What its rate is multiplied by."""
        return self.rates.get(item, 1.0)

    def size(self, item: Item) -> float:
        """What its size is multiplied by."""
        return self.sizes.get(item, 1.0)


def effect_of(item: Item | None) -> Item | None:
    """The emitter or ribbon that an item is, or that a particle belongs to."""
    match item:
        case (("emitter" | "ribbon") as kind, int(number)):
            return kind, number
        case ("particle", int(number), *_):
            return "emitter", number
    return None
