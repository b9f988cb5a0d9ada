"""Tabs of panels that leave their docks for a while come back to their places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from viewer.ui.kit.docking import put_tab, select, tab_of


class ReturningTabs:
    """Remembers the order of tabs and the front tabs of panels that leave, and restores them at their return.

    ImGui appends a returning tab to the others, and leaves it in the background.
    """

    def __init__(self) -> None:
        self._shown: tuple[str, ...] = ()
        self._orders: dict[int, list[str]] = {}
        self._fronts: list[str] = []
        self._returned: tuple[str, ...] = ()

    def forget(self) -> None:
        """Forget all places: the layout is built anew."""
        self._orders.clear()
        self._fronts.clear()

    def begin(self, panels: Iterable[str]) -> None:
        """Before the docks of a frame: note which panels show in it."""
        shown = tuple(panels)
        if shown == self._shown:
            return
        self._learn()
        left = (name for name in self._shown if name not in shown)
        self._fronts += [name for name in left if (tab := tab_of(f"###{name}")) is not None and tab.front]
        self._returned = tuple(name for name in shown if name not in self._shown)
        self._shown = shown

    def _learn(self) -> None:
        """Learn the present order of tabs. Absent panels keep their positions in it."""
        if self._returned:
            return
        for dock, names in _by_dock(self._shown).items():
            order = self._orders.setdefault(dock, [])
            order += [name for name in names if name not in order]
            for position, name in zip(sorted(map(order.index, names)), names, strict=True):
                order[position] = name

    def end(self) -> None:
        """After the panels of a frame: restore the returned panels, as soon as they have tabs."""
        if not self._returned or any(tab_of(f"###{name}") is None for name in self._returned):
            return
        for dock, names in _by_dock(self._shown).items():
            if len(names) > 1 and set(names) & set(self._returned):
                ordered = [name for name in self._orders.get(dock, ()) if name in names]
                if not all(put_tab(f"###{name}", index) for index, name in enumerate(ordered)):
                    return
        for name in reversed(self._fronts):  # the panel that left first is the last to be selected
            if name in self._returned:
                select(f"###{name}")
        self._fronts = [name for name in self._fronts if name not in self._returned]
        self._returned = ()


def _by_dock(panels: Iterable[str]) -> Mapping[int, list[str]]:
    """The docked panels by the number of their dock, in the order of their tabs."""
    tabs = [(tab, name) for name in panels if (tab := tab_of(f"###{name}")) is not None]
    found: dict[int, list[str]] = defaultdict(list)
    for tab, name in sorted(tabs, key=lambda each: each[0].order):
        found[tab.dock].append(name)
    return found
