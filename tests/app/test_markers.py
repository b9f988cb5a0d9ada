"""Points that follow bones, under the pointer and in the panels."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.app.loop import App
from viewer.app.picking import nearest_marker
from viewer.scene.items import AttachmentItem, EmitterItem, EventItem, LightItem, RibbonItem


def test_a_point_that_shows_is_found_under_the_pointer(m2_app: App) -> None:
    state = m2_app.state
    state.options.attachments = state.options.events = state.options.light_markers = True
    m2_app.frame(0.0)
    assert [marker.item for marker in state.view_info.markers] == [
        AttachmentItem(0),
        EventItem(0),
        LightItem(0),
    ]
    frame = m2_app._viewport._models[state.document].frame
    assert frame is not None
    for marker, place in zip(state.view_info.markers, state.view_info.marker_positions, strict=True):
        pixel = np.array((place[0], 1 - place[1])) * frame.size
        assert nearest_marker(frame, pixel) == marker.item


def test_what_is_picked_is_marked_without_its_overlay(m2_app: App) -> None:
    state = m2_app.state
    assert state.view_info.markers == ()
    state.view.selection.pick(LightItem(0))
    m2_app.frame(0.0)
    assert [marker.name for marker in state.view_info.markers] == ["point light 0"]


@pytest.mark.parametrize(
    "item", [AttachmentItem(0), EventItem(0), LightItem(0), EmitterItem(0), RibbonItem(0)]
)
def test_its_page_and_its_bytes_are_there(m2_app: App, item: tuple[str, int]) -> None:
    state = m2_app.state
    state.view.selection.pick(item)
    for _ in range(3):
        m2_app.frame(0.0)
    assert state.view.selection.picked == item
    assert state.document is not None
    span = state.document.origin.span(item)
    assert span is not None and span.size > 40
