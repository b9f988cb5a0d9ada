"""Models that emitters name: their rows in the outline, their pages, and the links to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.named_models import alone, emitter, put, shard
from viewer.scene.items import EmitterItem, ModelItem
from viewer.scene.parts import PartOwner
from viewer.session.item_lookup import exists
from viewer.storage.documents import open_document
from viewer.ui.outline.tree import outline
from viewer.ui.properties import other_items, page_widgets
from viewer.ui.properties.properties_panel import PropertiesPanel


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What pages show as values, links and warnings."""
    found: list[str] = []
    copyable, jump, wrapped = page_widgets._copyable, page_widgets.jump, other_items.wrapped

    def value(name: str, text: str, whole: Callable[[], str], *more: Any, **named: Any) -> None:
        found.append(whole())
        copyable(name, text, whole, *more, **named)

    def link(state: Any, item: Any, label: str = "") -> None:
        found.append(label or str(item))
        jump(state, item, label)

    monkeypatch.setattr(page_widgets, "_copyable", value)
    monkeypatch.setattr(page_widgets, "jump", link)
    monkeypatch.setattr(other_items, "jump", link)
    monkeypatch.setattr(
        other_items, "wrapped", lambda text, *more: (found.append(text), wrapped(text, *more))
    )
    return found


@pytest.fixture
def stones(desk: Any, tmp_path: Path) -> Any:
    """A desk with a model whose first emitter is shards, and whose second carries what is nowhere."""
    data = alone(emitter(geometry_model="Shard.mdx"), emitter(recursion_model="a\\Gone.mdx"))
    desk.state.put(open_document(put(tmp_path, alone=data, Shard=shard())))
    return desk


def test_the_outline_lists_them(stones: Any) -> None:
    section = next(
        each
        for each in outline(PartOwner.shown(stones.state.document)).tree.nodes
        if each.label == "Models of particles"
    )
    assert [(each.label, each.item, each.missing) for each in section.below] == [
        ("Shard.mdx", ModelItem(0), False),
        ("Gone.mdx", ModelItem(1), True),
    ]


def test_the_page_says_where_one_was_found_and_who_uses_it(
    stones: Any, said: list[str], tmp_path: Path
) -> None:
    stones.state.view.selection.pick(ModelItem(0))
    stones.show(PropertiesPanel())
    assert str(tmp_path / "Shard.m2") in said
    assert "emitter 0: each particle is this model" in said and "Stand" in said


def test_the_page_of_a_missing_one_says_what_was_searched(
    stones: Any, said: list[str], tmp_path: Path
) -> None:
    stones.state.view.selection.pick(ModelItem(1))
    stones.show(PropertiesPanel())
    assert str(tmp_path / "a" / "Gone.m2") in said


def test_the_page_of_a_broken_one_says_why(stones: Any, said: list[str], tmp_path: Path) -> None:
    (tmp_path / "Shard.m2").write_bytes(b"MD20")
    stones.state.put(open_document(tmp_path / "alone.m2"))
    stones.state.view.selection.pick(ModelItem(0))
    stones.show(PropertiesPanel())
    assert any(text.startswith("The model cannot be read: ") for text in said)


def test_emitters_lead_to_them(stones: Any, said: list[str]) -> None:
    stones.state.view.selection.pick(EmitterItem(1))
    stones.show(PropertiesPanel())
    assert str(ModelItem(1)) in said


def test_there_are_as_many_as_are_named(stones: Any) -> None:
    assert exists(stones.state.playback, stones.state.view.selection, ModelItem(1)) and not exists(
        stones.state.playback, stones.state.view.selection, ModelItem(2)
    )
