"""The real window, under a virtual display, in a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.packages import MATERIAL, png
from tests.person import Person
from tests.synthetic import write_pair
from viewer.errors import GraphicsError
from viewer.library.desktop.entries import WINDOW_CLASS

ROOT = Path(__file__).resolve().parents[2]

DRIVER = """
import json, sys, threading, time
import pyglet
from pyglet.window import key, mouse
from viewer.app.loop import App
from viewer.session.requests import Quit, Screenshot
from viewer.window import window as module
from viewer.window.window import Window

model, folder = sys.argv[1:]
window = Window((800, 500))
shown, seen, frame = window._window, {}, App.frame

def fire(name, *args):
    pyglet.event.EventDispatcher.dispatch_event(shown, name, *args)

def click(what):
    fire("on_key_press", what, 0)
    fire("on_key_release", what, 0)

def drag(app):
    fire("on_mouse_press", 500, 300, mouse.LEFT, 0)

def rest(app):
    app.state.view.clock.pause()
    module.SETTLE_FRAMES, module.SETTLE_SECONDS = 1, 0.0
    threading.Thread(target=wake, daemon=True).start()

def wake():
    while True:
        time.sleep(0.5)
        window._events.notify()

def note(app, name):
    state = app.state
    seen[name] = [state.view.camera.yaw, state.options.wireframe, len(state.documents.opened), shown.caption]

script = {
    5: lambda app: note(app, "before"),
    6: lambda app: click(key.W),
    8: lambda app: fire("on_mouse_motion", 500, 300, 0, 0),
    9: lambda app: drag(app),
    12: lambda app: fire("on_mouse_drag", 550, 300, 50, 0, mouse.LEFT, 0),
    15: lambda app: fire("on_mouse_release", 550, 300, mouse.LEFT, 0),
    18: lambda app: fire("on_file_drop", 10, 10, [folder + "/Post_Bend.ani"]),
    19: lambda app: click(key.ESCAPE),
    45: lambda app: note(app, "after"),
    46: lambda app: app.post(Screenshot(folder + "/window.png", "window")),
    47: rest,
    53: lambda app: app.post(Quit()),
}
count = 0
began, steps = time.perf_counter(), []

def scripted(app, dt):
    global count
    steps.append(dt)
    count += bool(app.state.documents.opened) and not app.loading
    script.pop(count, lambda app: None)(app)
    frame(app, dt)

App.frame = scripted
status = window.run([model], None)
window.close()
seen["seconds"] = [sum(steps), time.perf_counter() - began]
print(json.dumps(seen))
sys.exit(status)
"""


def run(display: str | None, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")
    }
    environment |= {"DISPLAY": display} if display else {}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)


def test_a_window_opens_hears_and_closes(display: str, tmp_path: Path) -> None:
    done = run(display, "-c", DRIVER, str(write_pair(tmp_path)), str(tmp_path))
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    seen = json.loads(done.stdout)
    yaw, wireframe, documents, caption = seen["before"]
    assert (wireframe, documents) == (False, 1)
    assert caption.startswith("Post.mdl · ")
    assert seen["after"][0] == pytest.approx((yaw - 50 * 0.4) % 360)
    assert seen["after"][1:3] == [True, 2]
    stepped, passed = seen["seconds"]
    assert 0 < stepped <= passed
    with Image.open(tmp_path / "window.png") as picture:
        assert picture.size == (800, 500)


READER = """
import json, sys
from viewer.app.loop import App
from viewer.commands.cli import main
from viewer.session.requests import Quit

frame, shown = App.frame, []

def scripted(app, dt):
    frame(app, dt)
    if app.state.model is not None and not app.loading and not shown:
        shown.extend(each.path for each in app.state.model.textures)
        app.post(Quit())

App.frame = scripted
status = main(sys.argv[1:])
print(json.dumps(shown))
sys.exit(status)
"""


def test_the_first_file_is_read_with_the_options_of_the_command_line(display: str, tmp_path: Path) -> None:
    (tmp_path / "models/.git").mkdir(parents=True)
    model = write_pair(tmp_path / "models")
    model.with_suffix(".txt").write_text("Post.xml\n")
    model.with_suffix(".xml").write_text(MATERIAL)
    picture = tmp_path / "given/Textures/P.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(png())
    done = run(display, "-c", READER, str(model), "--resources", str(tmp_path / "given"))
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert json.loads(done.stdout) == [str(picture)]
    assert json.loads(run(display, "-c", READER, str(model)).stdout) == [None]


def test_a_real_key_of_the_keyboard_ends_the_program(display: str, tmp_path: Path) -> None:
    if shutil.which("xdotool") is None:
        pytest.skip("needs xdotool")
    environment = os.environ | {"DISPLAY": display}
    command = [sys.executable, "-m", "viewer", str(write_pair(tmp_path))]
    program = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        find = ["xdotool", "search", "--sync", "--name", "Post.mdl", "windowfocus"]
        subprocess.run(find, env=environment, check=True, timeout=60)
        subprocess.run(["xdotool", "key", "ctrl+q"], env=environment, check=True, timeout=60)
        assert program.wait(60) == 0
    finally:
        program.kill()
        program.wait()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is a display always")
def test_without_a_display_the_error_says_what_to_do() -> None:
    done = run(None, "-c", "from viewer.window.window import open_window; open_window()")
    assert GraphicsError.__name__ in done.stderr
    assert "rigscope render" in done.stderr


def test_pyglet_and_what_the_first_frame_does_without_stay_out_of_everything_else() -> None:
    names = "{'pyglet', 'PIL', 'hashlib', 'tempfile'}"
    done = run(None, "-c", f"import sys, viewer.app.loop; print(sorted({names} & {{*sys.modules}}))")
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_the_window_has_the_programs_icon_and_class(start: Callable[..., Person], tmp_path: Path) -> None:
    if shutil.which("xprop") is None:
        pytest.skip("needs xprop")
    person = start(write_pair(tmp_path))
    person.waits("the model shows", lambda f: f.get("panels", {}).get("outline"))
    window = person.told("search", "--sync", "--name", "Post.mdl").split()[0]
    display = {"DISPLAY": person.display}

    def properties() -> str:
        command = ["xprop", "-id", window, "_NET_WM_ICON", "WM_CLASS"]
        return subprocess.run(
            command, env=os.environ | display, capture_output=True, text=True, check=True
        ).stdout

    person.waits("the icon is set", lambda f: "Icon (128 x 128)" in properties())
    assert f'"{WINDOW_CLASS}"' in properties()


def test_the_window_is_resized_and_closed_after_a_picture_is_saved(
    start: Callable[..., Person], tmp_path: Path
) -> None:
    person = start(write_pair(tmp_path), "--size", "960x640", "--samples", 4)
    person.waits("the model shows", lambda f: f.get("panels", {}).get("outline"))
    person.focus()
    person.key("F12")
    person.waits("it is asked where to", lambda f: f["overlays"] == ["###browser"] and f["typing"])
    person.key("Return")
    person.waits("the picture is saved", lambda f: any("Post.png" in line for line in f["messages"]))
    before = person.facts["picture"]
    person.tool("search", "--name", "Post.mdl", "windowsize", 700, 500)
    person.waits("the picture has another size", lambda f: f["picture"] != before)
    person.leaves()
