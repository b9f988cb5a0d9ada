"""The panels' work on the CPU: thread time of a frame, against the budget that they may take."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
from imgui_bundle import ImVec2, imgui

from tests.benchmarks.measure import Row, Rows, budget, cpu, offscreen
from tests.synthetic import skeleton_of
from viewer.binary.dtypes import rows_span
from viewer.binary.span import Span
from viewer.errors import Report
from viewer.scene.animation import Animation, Track
from viewer.scene.document import Document
from viewer.scene.finding import Finding, Severity
from viewer.scene.items import ByteItem
from viewer.session.check_result import CheckResult
from viewer.session.file_table import FileTable
from viewer.session.preferences import SMALLEST_PICTURE
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.bytes.bytes_panel import BytesPanel
from viewer.ui.files.files_panel import FilesPanel
from viewer.ui.files.wall import Wall
from viewer.ui.kit.host import Host
from viewer.ui.problems.problems_panel import ProblemsPanel
from viewer.ui.timeline.curves import CurvesPanel
from viewer.ui.timeline.timeline_panel import TimelinePanel
from viewer.view.view_info import PanelPicture

SIZE = (1600, 900)
CHUNKS, BONES, KEYS, LENGTH = 1_000_000, 200, 10_000, 320.0
FILES, FINDINGS = 100_000, 10_000

Draw = Callable[[State, Post], None]
Step = Callable[[State], object]


def rows() -> Rows:
    """Each row draws a panel after a step: something else is picked, or a sixtieth of a second passes."""
    numbers = itertools.count(1)
    chunks = State()
    chunks.put(many_chunks())
    chunks.view.selection.picked = ByteItem(CHUNKS * 16)  # opens the rows, far down

    def byte(state: State) -> None:
        state.view.selection.picked = ByteItem(next(numbers) * 7919 % CHUNKS * 32)

    yield budget(f"chunks + hex, {CHUNKS} rows open", frame_time(chunks, BytesPanel()), 2e-3)
    seconds = frame_time(chunks, BytesPanel(), byte)
    yield Row("the same, elsewhere each frame", seconds, 2e-3, 2, "2 ms")
    keys = playing(many_keys())
    keys.view.bone = BONES // 2

    def play(state: State) -> None:
        state.view.clock.advance(1 / 60)

    def zoom(state: State) -> None:
        state.view.timeline.zoom(100.0, 1 / 1.02 if state.view.clock.time % 2 < 1 else 1.02, LENGTH)
        play(state)

    timeline = TimelinePanel()
    name = f"timeline, {BONES} bones × {KEYS} keys"
    yield budget(f"{name}, playing", frame_time(keys, timeline, play), 0.7e-3)
    yield budget("the same, zooming", frame_time(keys, timeline, zoom), 1.5e-3)
    keys.view.timeline.fit()
    yield budget(f"curves of {KEYS} keys, playing", frame_time(keys, CurvesPanel(), play), 1.1e-3)

    def choose(state: State) -> None:
        state.files.choose(table.path(next(numbers) * 7919 % FILES))

    paths = [f"set{number % 97}/Thing{number}.mdl" for number in range(FILES)]
    table = FileTable("/files", False, paths, range(FILES), range(FILES), [0] * FILES)
    for name, panel, most in (("wall", Wall(), 4e-3), ("list", FilesPanel(), 2.2e-3)):
        seconds = frame_time(many_files(table, folded=name == "list"), panel, choose)
        yield budget(f"{name} of {FILES:,} files, elsewhere each frame", seconds, most)
    problems = ProblemsPanel()
    told = [(f"mesh/rule-{number // 100}", f"finding {number}") for number in range(FINDINGS)]
    chunks.view.checked = CheckResult(tuple(Finding(rule, Severity.NOTE, text, "") for rule, text in told))
    problems._opened = {(Severity.NOTE, rule): True for rule, _ in told}
    yield budget(f"{FINDINGS:,} problems", frame_time(chunks, problems), 1.1e-3)


def many_files(table: FileTable, folded: bool) -> State:
    """A folder of many files with a picture for every file."""
    state = State()
    state.interface.preferences.files_folded = folded
    state.interface.preferences.picture_size = SMALLEST_PICTURE
    state.files.begin(table.root, table)
    state.files.opened = {f"set{number}/" for number in range(97)}
    state.files.picture = lambda path: PanelPicture(1, (256, 256))
    return state


def playing(document: Document) -> State:
    """A document whose first animation plays."""
    state = State()
    state.put(document)
    state.playback.choose(state.playback.animations[0])
    state.view.clock.play()
    return state


def many_keys() -> Document:
    """A skeleton, every bone of which has keys at times of its own."""
    skeleton, random = skeleton_of(BONES), np.random.default_rng(1)
    tracks = []
    for name in skeleton.names:
        times = np.sort(random.uniform(0, LENGTH, KEYS)).astype("<f4")
        values = random.normal(size=(KEYS, 4)).astype("<f4")
        tracks += [Track(name, "position", times, values[:, :3]), Track(name, "rotation", times, values)]
    animation = Animation("many", LENGTH, tuple(tracks), skeleton.names, BONES * KEYS)
    root = Span("many", 0, 0)
    return Document("many.ani", "", "", b"", root, skeleton, Report(), animations=(animation,))


def many_chunks() -> Document:
    """A file of a million vertices of 32 bytes."""
    dtype = np.dtype([("position", "<f4", 3), ("normal", "<f4", 3), ("uv", "<f4", 2)])
    vertices = np.zeros(CHUNKS, dtype)
    vertices["position"] = np.arange(CHUNKS)[:, None]
    root = Span("many", 0, vertices.nbytes, children=[rows_span("vertices", vertices, 0)])
    return Document("many.mdl", "", "", vertices.tobytes(), root, None, Report())


def frame_time(state: State, draw: Draw, step: Step = id) -> float:
    """Thread time of a step and one panel in a window of its own, with ImGui's own share and without the
    pixels: they are the driver's business.
    """

    def frame() -> None:
        host.new_frame(1 / 60, SIZE, SIZE)
        imgui.set_next_window_pos(ImVec2(0, 0))
        imgui.set_next_window_size(ImVec2(*SIZE))
        imgui.begin("panel", None, imgui.WindowFlags_.no_decoration)
        step(state)
        draw(state, lambda request: None)
        imgui.end()
        imgui.render()

    with offscreen(SIZE) as target:
        target.framebuffer.use()
        host = Host()
        spent = cpu(frame, 2)
        host.release()
    return spent
