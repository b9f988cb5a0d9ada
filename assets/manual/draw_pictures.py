"""Draws the pictures of the manual: `python3 dev.py manual --pictures [NAME ...]`.

Each picture is a function of PICTURES, which draws the samples with the program, without a display; the
window has the mouse of the tests. `blender.png` is drawn with Blender, `puff.webp` by the command in
`assets/README.md`.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import moderngl
import numpy as np
from PIL import Image

from tests.desktop import Desktop
from tests.labels import drawn_labels
from viewer import open_document
from viewer.actions import ACTIONS_BY_NAME
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.commands.cli import main as rigscope
from viewer.gpu.headless import EGL, LIBRARIES
from viewer.gpu.target import RenderTarget
from viewer.scene.items import BoneItem, GeometryItem, ParticleItem, TextureItem
from viewer.session.state import State

HERE = Path(__file__).resolve().parent
OUT = HERE / "pictures"
ASSETS = HERE.parent
BEACON = ASSETS / "urho3d/Models/Beacon.mdl"
PUFF = ASSETS / "m2/Creature/Puff/Puff.m2"
CHIME = ASSETS / "ogre/models/Chime.mesh"
SIZE = (1200, 750)
COLORS = 256
"""The colours of a stored picture: half the bytes, and no visible difference."""
LONGEST = 20.0
"""The time limit of background work in seconds."""
WALL = 10.0
"""The seconds in which the pictures of the wall are drawn."""
DIALOG = (180, 90, 1020, 660)
"""The part of the window (left, top, right, bottom) that the settings cover, in pixels."""
CAP = 0.75
"""The height above which the vertices of Beacon are its cap."""


def save(name: str, picture: Image.Image, whole: bool = False) -> None:
    """Store a picture with few colours; `whole`: with all, because metals have soft gradients."""
    picture = picture.convert("RGB")
    small = picture if whole else picture.quantize(COLORS, dither=Image.Dither.NONE)
    small.save(OUT / f"{name}.png", optimize=True)


class Window(Desktop):
    """The window of the program, whose frames are all drawn and take no time."""

    def __init__(self, ctx: moderngl.Context, *paths: Path, workers: int = 0) -> None:
        self.drawn = True
        self._ctx = ctx
        self.target = RenderTarget(ctx, SIZE)
        surface = DrawSurface(self.target.framebuffer, SIZE, SIZE, 1.0)
        self.app = App(ctx, State(), surface, [str(path) for path in paths], workers=workers)
        self.settle()

    def skip(self, count: int = 1, seconds: float = 0.0) -> None:
        """Draw frames."""
        for _ in range(count):
            self.app.frame(0.0)

    def act(self, name: str) -> None:
        """Run an action by its name."""
        ACTIONS_BY_NAME[name].run(self.state, self.app.post)
        self.frames(6)

    def click_label(self, part: str) -> None:
        """Click the first text that contains `part`."""
        self.click(*next(at for label, at in drawn_labels(self).items() if part in label))

    def finish(self, least: float = 0.0) -> None:
        """Draw frames until nothing works in the background, for `least` seconds at least."""
        begin = time.monotonic()
        while time.monotonic() - begin < (LONGEST if self.app.busy else least):
            time.sleep(0.02)
            self.frames(1)
        self.frames(12)

    def save(self, name: str, height: int = SIZE[1]) -> None:
        """Store the upper part of what the window shows."""
        self.finish()
        save(name, Image.fromarray(self.target.read()[:height]))


@contextmanager
def opened(
    *paths: Path, theme: str = "dark", layout: str = "default", time: float = 0.4, workers: int = 0
) -> Iterator[Window]:
    """The window with files, paused at a time."""
    ctx = moderngl.create_context(standalone=True, require=330, **(EGL | LIBRARIES))
    desktop = Window(ctx, *paths, workers=workers)
    desktop.act(f"theme_{theme}")
    desktop.act(f"layout_{layout}")
    desktop.state.view.clock.playing = False
    desktop.state.view.clock.time = time
    desktop.frames(12)
    yield desktop
    desktop.close()
    ctx.release()


def window() -> None:
    """A bone selected."""
    with opened(BEACON) as desktop:
        desktop.state.options.skeleton = True
        desktop.state.view.selection.pick(BoneItem(2))
        desktop.save("window")


def bytes_layout() -> None:
    """The chunk tree and the hex view."""
    with opened(BEACON, theme="light", layout="bytes") as desktop:
        desktop.state.options.skeleton = True
        desktop.state.view.selection.pick(BoneItem(2))
        desktop.save("bytes")


def textures() -> None:
    """A texture with its layout, and the texel under the pointer on the model."""
    with opened(PUFF, layout="textures") as desktop:
        desktop.state.view.selection.pick(TextureItem(0))
        desktop.frames(6)
        desktop.move(SIZE[0] * 0.77, SIZE[1] * 0.51)
        desktop.save("textures")


def animate() -> None:
    """Curves and keys of a clip."""
    with opened(BEACON, layout="animate") as desktop:
        desktop.act("next_animation")
        desktop.state.view.clock.playing = False
        desktop.state.view.clock.time = 0.55
        desktop.state.view.selection.pick(BoneItem(1))
        desktop.save("animate")


def emitter() -> None:
    """A particle selected."""
    with opened(PUFF, time=1.2) as desktop:
        desktop.state.options.emitters = True
        desktop.state.view.selection.pick(ParticleItem(1, 20))
        desktop.save("emitter")


def edited(folder: Path) -> Path:
    """A copy of Beacon's resource root, with the cap moved, and without some normals."""
    shutil.copytree(ASSETS / "urho3d", folder / "new")
    path = folder / "new/Models/Beacon.mdl"
    buffer = open_document(path).model.vertex_buffers[0]
    stored = buffer.data.tobytes()
    changed = np.frombuffer(stored, np.uint8).reshape(buffer.count, buffer.stride).copy()
    floats = changed[:, :24].view("<f4")
    cap = floats[:, 1] > CAP
    floats[cap, 1] += 0.06 * (floats[cap, 1] - CAP) / 0.2
    floats[np.flatnonzero(cap)[::12], 3:6] = 0
    changed[:, :24] = floats.view(np.uint8)
    data = path.read_bytes()
    assert data.count(stored) == 1
    path.write_bytes(data.replace(stored, changed.tobytes()))
    return path


def problems() -> None:
    """The items of a rule marked in the picture."""
    with tempfile.TemporaryDirectory() as folder, opened(edited(Path(folder))) as desktop:
        desktop.finish()
        desktop.state.interface.bring("problems")
        desktop.frames(4)
        desktop.click_label("normal")
        desktop.save("problems")


def missing() -> None:
    """The list of missing files."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ASSETS / "urho3d/Models", Path(folder) / "Models")
        shutil.copytree(ASSETS / "urho3d/Materials", Path(folder) / "Materials")
        with opened(Path(folder) / "Models/Beacon.mdl") as desktop:
            desktop.state.view.selection.pick(GeometryItem(0))
            desktop.frames(2)
            desktop.click_label("missing")
            desktop.save("missing")


def compare() -> None:
    """Two models in the window."""
    with tempfile.TemporaryDirectory() as folder, opened(BEACON, edited(Path(folder))) as desktop:
        desktop.act("compare_distance")
        desktop.state.view.selection.pick(BoneItem(2))
        desktop.state.interface.bring("differences")
        desktop.save("compare")


def clips() -> None:
    """One clip beside another."""
    with opened(BEACON) as desktop:
        state = desktop.state
        idle, dance = (state.playback.animation(f"Beacon_{name}") for name in ("Idle", "Dance"))
        state.playback.choose(idle)
        desktop.act("compare_itself")
        desktop.act("compare_share")
        desktop.act("compare_switch")
        state.playback.choose(dance)
        desktop.act("compare_switch")
        state.view.clock.pause()
        state.view.clock.seek(0.55)
        lid = state.documents.names("bone").index("Lid.L")
        state.view.selection.pick(BoneItem(lid))
        desktop.save("clips")


def wall() -> None:
    """A folder as pictures."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["RIGSCOPE_CACHE"] = cache
        with opened(ASSETS, workers=2) as desktop:
            desktop.act("wall")
            desktop.finish(WALL)
            desktop.save("wall", 390)


def settings() -> None:
    """The keys in the settings, one of them changed."""
    with opened() as desktop:
        desktop.state.interface.preferences.keys = {"next_file": ["Right", "Ctrl+Right"]}
        desktop.state.interface.settings = "keys"
        desktop.finish()
        save("settings", Image.fromarray(desktop.target.read()).crop(DIALOG))


def distance() -> None:
    """How far each vertex moved."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.png"
        compared = ("--compare", "distance", "--size", "960x480", "--no-grid", "--yaw", "20", "--pitch", "8")
        run("render", BEACON, edited(Path(folder)), "-o", out, *compared)
        save("distance", Image.open(out))


def shadings() -> None:
    """Four shadings of one pose."""
    styles = (
        "--shading lit",
        "--shading normals",
        "--shading weights --bone Head",
        "--light unlit --wireframe",
    )
    beside("shadings", styles, "--pitch 8 --no-grid")


def light() -> None:
    """Three lights and a shadow."""
    styles = ("--light studio", "--light headlamp", "--light studio:70,10", "--light studio --shadow")
    beside("light", styles, "--pitch 20 --no-grid --background #c8ccd2")


def lights() -> None:
    """The sample of four materials in six lights."""
    room = "--light environment"
    behind = f"{room} --environment-background 0.35"
    styles = (
        "",
        "--light headlamp",
        room,
        behind,
        f"{room} --occlusion",
        f"{room} --occlusion --tone filmic",
    )
    width, height = 320, 256
    common = f"--yaw 20 --pitch 15 --no-grid --size {width}x{height}".split()
    with tempfile.TemporaryDirectory() as folder:
        whole = Image.new("RGB", (width * 3, height * 2))
        for number, style in enumerate(styles):
            out = Path(folder) / f"{number}.png"
            run("render", CHIME, "-o", out, *common, *style.split())
            whole.paste(Image.open(out).convert("RGB"), (width * (number % 3), height * (number // 3)))
        save("lights", whole, whole=True)


def ghosts() -> None:
    """Ghosts of a dance, and trails of three bones."""
    marks = "--ghosts 2:0.2 --trail Crown --trail Arm2.6 --trail Arm5.6"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "ghosts.png"
        pose = "--animation Beacon_Dance --time 1 --size 720x480 --no-grid"
        run("render", BEACON, "-o", out, *pose.split(), *marks.split())
        save("ghosts", Image.open(out))


def heat() -> None:
    """The heat map of a dance in the timeline."""
    with opened(BEACON, layout="animate") as desktop:
        desktop.act("next_animation")
        desktop.state.view.clock.playing = False
        desktop.state.view.clock.time = 0.55
        desktop.act("heat")
        desktop.state.view.selection.pick(BoneItem(4))
        desktop.settle()
        desktop.save("heat")


def beside(name: str, styles: Sequence[str], common: str) -> None:
    """Store pictures of one pose beside each other, one for the options of each style."""
    pose = f"--animation Beacon_Dance --time 0.3 --yaw 15 --size 240x300 {common}"
    with tempfile.TemporaryDirectory() as folder:
        whole = Image.new("RGB", (240 * len(styles), 300))
        for number, style in enumerate(styles):
            out = Path(folder) / f"{number}.png"
            run("render", BEACON, "-o", out, *pose.split(), *style.split())
            whole.paste(Image.open(out).convert("RGB"), (240 * number, 0))
        save(name, whole)


def sheet() -> None:
    """A contact sheet of the samples."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RIGSCOPE_CACHE"] = folder
        out = Path(folder) / "sheet.png"
        run("thumbs", ASSETS, "-o", out, "--size", "220x220")
        save("sheet", Image.open(out))


def run(*words: object) -> None:
    """Run a command of the program; SystemExit if it fails."""
    if status := rigscope([str(word) for word in words]):
        sys.exit(status)


PICTURES: dict[str, Callable[[], None]] = {
    "window": window,
    "bytes": bytes_layout,
    "textures": textures,
    "animate": animate,
    "emitter": emitter,
    "problems": problems,
    "missing": missing,
    "compare": compare,
    "clips": clips,
    "wall": wall,
    "settings": settings,
    "distance": distance,
    "shadings": shadings,
    "light": light,
    "lights": lights,
    "ghosts": ghosts,
    "heat": heat,
    "sheet": sheet,
}


def main(names: list[str]) -> int:
    """Draw the pictures with these names, or all; the exit status."""
    if unknown := [name for name in names if name not in PICTURES]:
        print(f"no picture {', '.join(unknown)}; the pictures are {', '.join(PICTURES)}", file=sys.stderr)
        return 2
    for name in names or PICTURES:
        PICTURES[name]()
        print(f"{(OUT / f'{name}.png').stat().st_size:9,d}  {name}.png")
    return 0
