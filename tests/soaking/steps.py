"""What a user does at random with an open program."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

from msgspec.structs import replace

from tests.desktop import Desktop
from tests.fuzzing.cases import case_of
from tests.fuzzing.folder import Folders
from tests.fuzzing.mutations import Places, Seed, mutate
from tests.fuzzing.samples import FORMATS, ROOT
from viewer.actions import ACTIONS
from viewer.arrays import Size
from viewer.gpu.target import RenderTarget
from viewer.scene.display import DisplayOptions
from viewer.session.requests import CloseDocument, Open, OpenFolder, Reload, StopRecording, Watch

ENDS = ("quit", "close", "open", "open_folder", "record", "screenshot_as")
"""Actions that end the program, close a document unasked, or ask for a file."""
CHORDS = tuple(key for action in ACTIONS if action.name not in ENDS for key in action.keys)
MOST_DOCUMENTS = 6
SIZES = ((1280, 800), (1280, 720), (640, 400), (1920, 1000), (90, 60), (1, 1))
SMALL = 320, 240
SCALES = (1.0, 1.0, 1.0, 1.5, 2.0)
NUMBERS = 10_000


class Hand:
    """A hand at a program: `seed` decides everything. Its files lie in `folder`."""

    def __init__(self, desktop: Desktop, seed: int, folder: Path) -> None:
        self.desktop = desktop
        self.random = Random(seed)
        self.folder = folder / "assets"
        shutil.copytree(ROOT / "assets", self.folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        self.models = sorted(
            path for suffix in ("mdl", "mesh", "m2") for path in self.folder.rglob(f"*.{suffix}")
        )
        self._mutated = Folders()
        preferences = desktop.state.interface.preferences
        self._options, self._scale = replace(desktop.state.options), preferences.scale
        preferences.pictures, preferences.films = (
            str(self.folder / name) for name in ("{name}.png", "{name}")
        )

    def warm_up(self) -> None:
        """Use each action once with each model: programs that are made once are made here."""
        self._make_surface(SMALL)
        for path in self.models:
            self.desktop.app.post(Open((str(path),)))
            self.desktop.settle()
            for action in ACTIONS:
                if action.name not in ENDS and action.enabled(self.desktop.state):
                    action.run(self.desktop.state, self.desktop.app.post)
                    self.desktop.frames()
        self.leave()

    def step(self) -> str:
        """Do something, and return its name."""
        (action,) = self.random.choices([*STEPS], [*STEPS.values()])
        action(self)
        self.desktop.app.running = True  # a click may have reached File › Quit
        return action.__name__

    def leave(self) -> None:
        """Close all documents, also those still being loaded, and end a recording. Window and options become
        what they were at the start, because the memory for drawing depends on them.
        """
        self.desktop.app.post(StopRecording())
        if self.desktop.state.pending_files.watching:
            self.desktop.app.post(Watch())
        self.desktop.app.surface.scale = 1.0
        self._make_surface(SIZES[0])
        self.desktop.settle()
        while self.desktop.state.documents.opened:
            self.desktop.app.post(CloseDocument(0))
            self.desktop.settle()
        self._restore()

    def _restore(self) -> None:
        state = self.desktop.state
        for name in DisplayOptions.__struct_fields__:
            setattr(state.options, name, getattr(self._options, name))
        state.interface.preferences.scale = self._scale
        state.interface.arrange("default")
        state.interface.read("index")  # a page without pictures
        self.desktop.frames(6)
        state.interface.manual = ""
        self.desktop.settle()

    def close(self) -> None:
        """Delete the mutated files."""
        self._mutated.remove()

    def _open(self, path: str) -> None:
        self.desktop.app.post(Open((path,)))
        if len(self.desktop.state.documents.opened) > MOST_DOCUMENTS:
            self.desktop.app.post(CloseDocument(0))
        self.desktop.skip(self.random.randrange(6))

    def _place(self) -> tuple[float, float]:
        width, height = self.desktop.app.surface.points
        return self.random.uniform(0, width), self.random.uniform(0, height)

    def _make_surface(self, size: Size) -> None:
        desktop = self.desktop
        desktop.target.release()
        desktop.target = RenderTarget(desktop._ctx, size)
        surface = desktop.app.surface
        surface.framebuffer, surface.points, surface.pixels = desktop.target.framebuffer, size, size

    def open_model(self) -> None:
        """One of the samples of the project."""
        self._open(str(self.random.choice(self.models)))

    def open_mutated(self) -> None:
        """A damaged file of any format."""
        case = case_of(self.random.choice([*FORMATS]), self.random.randrange(NUMBERS), 0)
        data = mutate(Seed(case.sample, Places()), self.random)
        self._open(self._mutated.put(case.sample, data))

    def open_folder(self) -> None:
        """The first model of a folder."""
        self.desktop.app.post(OpenFolder(str(self.random.choice(self.models).parent)))
        self.desktop.skip(2)

    def settle(self) -> None:
        """Wait until all is loaded, and look."""
        self.desktop.settle()

    def close_document(self) -> None:
        """One of the open documents."""
        count = len(self.desktop.state.documents.opened)
        self.desktop.app.post(CloseDocument(self.random.randrange(count) if count else None))
        self.desktop.skip()

    def show_document(self) -> None:
        """Another tab."""
        if self.desktop.state.documents.opened:
            self.desktop.state.show(self.random.randrange(len(self.desktop.state.documents.opened)))
        self.desktop.skip()

    def press(self) -> None:
        """A key of the table of actions."""
        self.desktop.press(self.random.choice(CHORDS))

    def type(self) -> None:
        """A few letters, in whatever has the focus."""
        self.desktop.type(self.random.choice(("a", "bone", "0.5", "\u5929", "\x1b[2J")))

    def click(self) -> None:
        """A click anywhere."""
        self.desktop.click(*self._place())

    def drag(self) -> None:
        """From anywhere to anywhere."""
        self.desktop.drag(self._place(), self._place())

    def play(self) -> None:
        """Some frames with the clock running, forwards or far ahead."""
        self.desktop.state.view.clock.play()
        for _ in range(self.random.randrange(1, 8)):
            self.desktop.skip(seconds=self.random.choice((1 / 60, 0.5, 100.0)))

    def resize(self) -> None:
        """Another size of the window, and another density."""
        self._make_surface(self.random.choice(SIZES))
        self.desktop.app.surface.scale = self.random.choice(SCALES)
        self.desktop.frames(2)

    def touch(self) -> None:
        """A file changes, watched or not."""
        self.desktop.app.post(Watch())
        self.desktop.skip()
        path = self.random.choice(self.models)
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
        self.desktop.skip(2)
        path.write_bytes(data)
        os.utime(path)
        self.desktop.app.post(Reload())
        self.desktop.skip(2)


STEPS: dict[Callable[[Hand], None], int] = {
    Hand.open_model: 6,
    Hand.open_mutated: 10,
    Hand.open_folder: 2,
    Hand.settle: 6,
    Hand.close_document: 6,
    Hand.show_document: 6,
    Hand.press: 24,
    Hand.type: 4,
    Hand.click: 16,
    Hand.drag: 8,
    Hand.play: 8,
    Hand.resize: 3,
    Hand.touch: 2,
}
"""How often each step is taken."""
