"""The pages of emitters, particles and ribbons, and the switches in them, under a fake mouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from viewer.paths import folder
from viewer.render.effects.particle_rows import PARTICLE
from viewer.scene.display import EffectOptions
from viewer.scene.items import EffectItem, EmitterItem, Item, ParticleItem, RibbonItem
from viewer.storage.documents import open_document
from viewer.ui.item_text import item_bytes
from viewer.ui.outline.outline_panel import OutlinePanel
from viewer.ui.properties import page_widgets
from viewer.ui.properties.effects import switches
from viewer.ui.properties.properties_panel import PropertiesPanel
from viewer.view.view_info import LiveEffect, ViewInfo

pytestmark = pytest.mark.usefixtures("wow")

PUFF = folder("assets") / "m2" / "Creature" / "Puff" / "Puff.m2"
SMOKE: EffectItem = EmitterItem(1)


@pytest.fixture
def puff(desk: Any) -> Any:
    """A desk with Puff standing."""
    desk.state.put(open_document(Path(PUFF)))
    desk.state.playback.choose(desk.state.playback.idle())
    return desk


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The names and values that a page shows; of several of the same name the first."""
    found: dict[str, str] = {}
    shown = page_widgets._copyable

    def listen(name: str, text: str, *more: Any, **named: Any) -> None:
        found.setdefault(name, text)
        shown(name, text, *more, **named)

    monkeypatch.setattr(page_widgets, "_copyable", listen)
    return found


def alive(number: int) -> LiveEffect:
    rows = np.zeros(2, PARTICLE)
    rows["number"], rows["age"], rows["life"] = (number, number + 1), (0.75, 0.5), 2.0
    rows["position"] = ((1.0, 2.0, 3.0), (0.0, 0.0, 0.0))
    return LiveEffect(SMOKE, rows, 0.125)


@pytest.mark.parametrize("item", [EmitterItem(0), SMOKE, EmitterItem(5), RibbonItem(0)], ids=str)
def test_every_emitter_and_ribbon_has_a_page(puff: Any, item: Item, said: dict[str, str]) -> None:
    puff.state.view.selection.pick(item)
    puff.show(PropertiesPanel())
    assert said["Now"] == "not drawn" and "Blend" in said


def test_a_page_tells_what_lives_and_what_it_costs(puff: Any, said: dict[str, str]) -> None:
    puff.state.view_info = ViewInfo(live=alive(7))
    puff.state.view.selection.pick(SMOKE)
    puff.show(PropertiesPanel())
    assert (said["Particles"], said["Cost"]) == ("2", "0.125 ms")


def test_a_particle_tells_its_number_age_and_place(puff: Any, said: dict[str, str]) -> None:
    puff.state.view_info = ViewInfo(live=alive(7))
    puff.state.view.selection.pick(ParticleItem(1, 7))
    puff.show(PropertiesPanel())
    assert (said["Number"], said["Age"], said["Position"]) == ("7", "0.7500 s of 2 s", "1 2 3")


def test_a_particle_that_is_dead_says_so(puff: Any, said: dict[str, str]) -> None:
    puff.state.view_info = ViewInfo(live=alive(7))
    puff.state.view.selection.pick(ParticleItem(1, 99))
    puff.show(PropertiesPanel())
    assert said["Number"] == "99" and "Age" not in said


def test_births_before_time_0_have_numbers_below_0(puff: Any, said: dict[str, str]) -> None:
    live = alive(7)
    live.rows["number"][0] = np.array(-5, np.int64).view(np.uint64)
    puff.state.view_info = ViewInfo(live=live)
    puff.state.view.selection.pick(ParticleItem(1, -5))
    puff.show(PropertiesPanel())
    assert said["Age"] == "0.7500 s of 2 s"


@pytest.fixture
def row(puff: Any) -> Any:
    """The switches of the smoke at the top of the desk; where the middles of the first buttons are."""
    puff.show(lambda state, post: switches(state, SMOKE))
    style = imgui.get_style()
    at, middles = 0.0, []
    for label in ("On", "Solo", "Freeze", "Reset"):
        width = imgui.calc_text_size(label).x + 2 * style.frame_padding.x
        middles.append(at + width / 2)
        at += width + style.item_spacing.x
    puff.buttons = dict(zip(("on", "solo", "freeze", "reset"), middles, strict=True))
    puff.press_button = lambda name: puff.click(puff.buttons[name], imgui.get_frame_height() / 2)
    return puff


def test_on_and_off(row: Any) -> None:
    row.press_button("on")
    assert row.state.view.effects.muted == {SMOKE}
    row.press_button("on")
    assert row.state.view.effects == EffectOptions()


def test_solo_freeze_and_reset(row: Any) -> None:
    row.state.view.clock.seek(1.5)
    row.press_button("solo")
    row.press_button("freeze")
    assert row.state.view.effects == EffectOptions(solo=frozenset({SMOKE}), frozen={SMOKE: 1.5})
    row.press_button("reset")
    assert row.state.view.effects == EffectOptions()


def test_a_slider_multiplies_the_rate_and_a_right_click_resets_it(row: Any) -> None:
    line = imgui.get_frame_height_with_spacing() * 1.5
    row.click(390, line)
    assert row.state.view.effects.rate(SMOKE) > 5
    row.click(300, line, "right")
    assert row.state.view.effects == EffectOptions()


def test_the_eye_in_the_outline_mutes(puff: Any) -> None:
    outliner = OutlinePanel()
    puff.show(outliner)
    puff.click(60, 8)
    puff.host.input.text("spline emitter")
    puff.frames(3)
    line = imgui.get_text_line_height_with_spacing()
    top = imgui.get_frame_height_with_spacing()
    for x in range(398, 340, -6):
        puff.click(float(x), top + 1.5 * line)
        if puff.state.view.effects.muted:
            break
    assert puff.state.view.effects.muted == {EmitterItem(5)}


def test_a_particle_marks_its_emitter_in_the_outline(puff: Any) -> None:
    puff.state.view.selection.pick(ParticleItem(1, 7))
    puff.state.purge()
    assert puff.state.view.selection.picked == ParticleItem(1, 7)
    puff.state.view.selection.pick(ParticleItem(99, 7))
    puff.state.purge()
    assert puff.state.view.selection.picked is None


def test_the_bytes_of_a_particle_are_those_of_its_emitter(puff: Any) -> None:
    document = puff.state.document
    found = item_bytes(puff.state, ParticleItem(1, 7), [document])
    assert found is not None and found[1].offset == document.origin.span(SMOKE).offset
