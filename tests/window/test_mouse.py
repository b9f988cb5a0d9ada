"""Mouse and keys of the real window while its frames are slow, and at its edges."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.person import PATIENCE, Person
from tests.synthetic import write_pair

Start = Callable[..., Person]
SLOW = """
import sys, time
from viewer.app.loop import App
from viewer.commands.cli import main

frame = App.frame

def slow(app, dt):
    if app.state.documents.opened and not app.state.view.clock.playing:
        time.sleep(0.3)
    frame(app, dt)

App.frame = slow
sys.exit(main(sys.argv[1:]))
"""


def begin(person: Person) -> list[float]:
    """Wait for the model, let it rest, and return the middle of the picture."""
    person.waits("the model plays", lambda f: f.get("time", 0) > 0.1 and f["panels"].get("outline"))
    person.focus()
    person.key("space")
    box = person.waits("it rests", lambda f: not f["playing"])["picture"]
    return [box[0] + box[2] / 2, box[1] + box[3] / 2]


@pytest.fixture
def slow(start: Start, tmp_path: Path) -> Person:
    """A window whose frames take at least 0.3 s while the clip rests."""
    return start(write_pair(tmp_path), "--size", "900x600", "--samples", 0, script=SLOW)


@pytest.fixture
def small(start: Start, tmp_path: Path) -> Person:
    """A window smaller than the screen."""
    return start(write_pair(tmp_path), "--size", "900x600", "--samples", 0)


def test_a_double_click_counts_by_its_events_and_not_by_frames(slow: Person) -> None:
    x, y = begin(slow)
    first = slow.facts["camera"]
    end = time.monotonic() + PATIENCE
    while slow.facts["camera"][:3] == first[:3]:  # a busy machine may hold the second click back too long
        assert time.monotonic() < end, "the camera turns around the point"
        slow.tool("mousemove", round(x), round(y - 20), "click", 1, "sleep", 0.15, "click", 1)
        time.sleep(1.0)


def test_text_typed_in_one_slow_frame_reaches_the_field_only(small: Person) -> None:
    begin(small)
    small.program.send_signal(19)  # SIGSTOP: all of it is read in one frame
    small.tool("key", "ctrl+p", "sleep", 0.05, "type", "--delay", 10, "parallel proj")
    small.tool("key", "Return")
    small.program.send_signal(18)
    small.waits("the palette opens", lambda f: f["palette"])
    facts = small.waits("the palette closes", lambda f: not f["palette"])
    assert not facts["wireframe"] and not facts["overlays"] and facts["animations"] == ["Bend"]


def test_a_drag_that_ends_outside_the_window_ends(small: Person) -> None:
    x, y = begin(small)
    first = small.facts["camera"]
    small.point(x, y)
    small.press()
    small.point(x + 100, y)
    small.point(1200, 700)
    small.release()
    after = small.waits("the camera turned", lambda f: f["camera"] != first)["camera"]
    small.point(x, y)
    small.point(x - 100, y + 50)
    assert small.facts["camera"] == after


FOCUS = """
from pyglet.libs.x11 import xlib
display = xlib.XOpenDisplay(None)
xlib.XSetInputFocus(display, xlib.XDefaultRootWindow(display), xlib.RevertToParent, xlib.CurrentTime)
xlib.XSync(display, False)
"""


def test_a_drag_ends_with_the_focus(small: Person, display: str) -> None:
    x, y = begin(small)
    first = small.facts["camera"]
    small.point(x, y)
    small.press()
    small.point(x + 100, y)
    small.waits("the camera turns", lambda f: f["camera"] != first)
    subprocess.run([sys.executable, "-c", FOCUS], env=os.environ | {"DISPLAY": display}, check=True)
    after = small.waits("the drag has ended", lambda f: not f["held"])["camera"]
    small.point(x + 200, y + 50)
    small.tool("mouseup", 1)
    small.point(x - 100, y)
    assert small.facts["camera"] == after
    small.focus()
    small.drag(x, y, x + 100)
    small.waits("the next drag turns it again", lambda f: f["camera"] != after)


def test_a_drag_turns_the_light_and_keys_change_light_and_shadow(small: Person) -> None:
    x, y = begin(small)
    first = small.facts
    small.point(x, y)
    small.tool("keydown", "shift")
    small.press(3)
    small.point(x + 50, y - 25)
    small.release(3)
    small.tool("keyup", "shift")
    facts = small.waits("the light has turned", lambda f: f["light"] == "studio:-25,47")
    assert facts["camera"] == first["camera"] and not facts["popups"]
    small.key("ctrl+z")
    small.waits("it is where it was", lambda f: f["light"] == "studio")
    small.key("alt+l", "shift+g")
    small.waits("the next light and the shadow are on", lambda f: f["light"] == "headlamp" and f["shadow"])


def test_a_key_that_is_held_runs_a_switch_once(small: Person) -> None:
    begin(small)
    small.tool("keydown", "w")
    small.waits("the wireframe shows", lambda f: f["wireframe"])
    time.sleep(0.9)  # the keyboard repeats it after 0.66 s
    assert small.facts["wireframe"]
    small.tool("keyup", "w")
    small.key("w")
    small.waits("pressed again, it hides", lambda f: not f["wireframe"])


def test_two_clicks_measure_the_mesh(small: Person) -> None:
    begin(small)
    small.key("r", "1", "Home", "shift+k", "m")
    found = small.waits("points are chosen", lambda f: f["measuring"] and f["bones"])
    box, ((x, y), (_, above)) = found["picture"], [each[:2] for each in found["bones"]]
    x, y, above = box[0] + x * box[2], box[1] + y * box[3] - 6, box[1] + above * box[3]
    small.click(x, y)
    small.point(x, above)
    small.waits("the distance to the pointer shows", lambda f: f["distances"])
    small.click(x, above)
    small.waits("the distance is measured", lambda f: f["measured"] == 1)
    small.key("Escape")
    ended = small.waits("the choice of points ends", lambda f: not f["measuring"])
    assert len(ended["distances"]) == 1 and ended["picked"] is None
    small.key("ctrl+z")
    small.waits("undo removes the distance", lambda f: not f["distances"])


def test_signs_with_shift_are_keys_too(small: Person) -> None:
    begin(small)
    small.key("question")
    small.waits("the keys are listed", lambda f: f["overlays"] == ["###keys"] and f["typing"])
    small.key("Escape")
    small.waits("the list closes", lambda f: not f["overlays"])
    small.key("question")
    small.waits("a second time too", lambda f: f["overlays"] == ["###keys"])


def test_a_window_of_one_pixel_recovers(small: Person) -> None:
    begin(small)
    before = small.facts["picture"]
    small.tool("search", "--name", "Post.mdl", "windowsize", 1, 1)
    small.waits("there is no room", lambda f: f["picture"][2] < 50)
    small.tool("search", "--name", "Post.mdl", "windowsize", 900, 600)
    small.waits("the picture is as before", lambda f: f["picture"] == before)
    small.leaves()
    assert small.program.errors == ""


def test_two_clicks_apart_are_no_double_click_however_slow_frames_are(small: Person) -> None:
    x, y = begin(small)
    first = small.facts["camera"]
    small.program.send_signal(19)  # SIGSTOP: both clicks are read at once, in frames that follow quickly
    small.tool("mousemove", round(x), round(y - 20), "click", 1, "sleep", 0.6, "click", 1)
    small.program.send_signal(18)
    small.waits("something is selected", lambda f: f["picked"])
    for step in range(1, 10):  # frames in which an answer to the second click would come
        small.point(x + step, y)
    assert small.facts["camera"] == first


def test_the_wheel_zooms_a_texture_and_its_texel_is_marked_on_the_model(small: Person) -> None:
    begin(small)
    small.key("ctrl+p")
    small.waits("the palette opens", lambda f: f["palette"])
    small.tool("type", "--delay", 10, "layout textures")
    small.key("Return")
    panels = small.waits("the panel shows", lambda f: f["panels"]["texture"] and not f["palette"])["panels"]
    x, y, wide, high = panels["texture"]
    assert small.facts["texture"][1] is None, "the whole texture fits"
    small.point(x + wide / 2, y + high * 0.6)
    small.waits("the texel is marked on the model", lambda f: f["texture"][2])
    small.tool("click", 4, "click", 4)
    small.waits("the texture is larger", lambda f: f["texture"][1])
    small.point(*[small.facts["picture"][0] + 30, small.facts["picture"][1] + 60])
    small.waits("the mark is gone", lambda f: not f["texture"][2])
