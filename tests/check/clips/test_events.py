"""Rules for events fire on clips made to break them, and on no sound one."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.checked import chain, clip, nod, texts
from tests.m2_files import WRATH, keys, model
from tests.synthetic import animation_bytes
from viewer.check.checking import check_file
from viewer.check.clips.events import RULES
from viewer.scene.animation import Event
from viewer.scene.items import AnimationItem, EventItem

BONES = chain("hip", "head")


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_events_in_a_clip_are_no_finding(rule: str) -> None:
    inside = replace(clip(nod("hip")), events=(Event(0, "Step"), Event(1, "Step")))
    assert texts(rule, BONES, inside) == []


@pytest.mark.parametrize("time", [1.25, -0.5])
def test_an_event_outside_is_told(time: float) -> None:
    odd = replace(clip(nod("hip")), events=(Event(0.5, "Step"), Event(time, "Slip")))
    text = f"clip 'Walk': 1 of 2 events lies outside the clip of 1 s: Slip at {time} s"
    assert texts("animation/event-outside", BONES, odd) == [text]


def triggered(folder: Path, xml: str) -> str:
    """An animation of 1 s with this file of triggers."""
    (folder / "Walk.ani").write_bytes(animation_bytes("Walk"))
    (folder / "Walk.xml").write_text(xml)
    return str(folder / "Walk.ani")


def test_triggers_behind_the_end_are_told(tmp_path: Path) -> None:
    path = triggered(
        tmp_path, '<animation><trigger time="1.5"/><trigger normalizedtime="1" value="Step"/></animation>'
    )
    (found,) = check_file(path, select=["animation/event-outside"])
    assert found.text == "clip 'Walk': 1 of 2 events lies outside the clip of 1 s: trigger at 1.5 s"


@pytest.mark.parametrize(
    "xml", ["<animation><trigger", '<animation><trigger time="soon"/></animation>'], ids=["broken", "no time"]
)
def test_a_broken_file_of_triggers_is_told(tmp_path: Path, xml: str) -> None:
    found = check_file(triggered(tmp_path, xml), select=["file", "animation"])
    assert [each.rule for each in found] == ["animation/trigger-file"]
    assert "Walk.xml" in found[0].file + found[0].text and found[0].effect.startswith(
        "The clip plays without"
    )


def test_an_event_of_a_model_behind_its_sequence_is_told(tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    fired = keys(WRATH, [([250, 1500], []), ([], [])])
    path.write_bytes(model(WRATH, events=[{"id": b"$CSD", "data": 7, "bone": 0, "fired": fired}]))
    (found,) = check_file(str(path), select=["animation/event-outside"])
    assert found.text == "clip 'Stand': 1 of 2 events lies outside the clip of 1 s: $CSD 7 at 1.5 s"
    assert found.items == (EventItem(0), AnimationItem(0)) and found.path == "events"
