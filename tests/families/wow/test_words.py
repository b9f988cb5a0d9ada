"""The words of the list of built-in families are those of the readers."""

from __future__ import annotations

from viewer.families.wow.looks.look import WowLook
from viewer.families.wow.mpq.client import ORDERS
from viewer.family import registry


def test_the_words_of_looks_and_clients_are_those_of_the_list() -> None:
    assert registry.look_keys() == WowLook.keys
    assert registry.item_slots() == WowLook.slots
    assert registry.clients() == tuple(ORDERS)
