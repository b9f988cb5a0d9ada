"""The panels' work on the CPU: thread time of a frame, against the budget that they may take."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator

import moderngl
import numpy as np
from imgui_bundle import ImVec2, imgui

from tests.benchmarks.measure import Row, Rows, best
from tests.synthetic import skeleton_of
from viewer.binary.dtypes import rows_span
from viewer.binary.span import Span
from viewer.errors import Report
from viewer.gpu.target import RenderTarget
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
CHUNKS = 1_000_000
BONES, KEYS, LENGTH = 200, 10_000, 320.0
FILES = 100_000
FINDINGS = 10_000
BUDGET = 2e-3
FILE_BUDGET = 4e-3
TIME_BUDGET = 1.5e-3

Draw = Callable[[State, Post], None]


def rows() -> Rows:
    """The chunk tree and the bytes of a million open rows, still and while scrolling."""
    state, chunks = State(), BytesPanel()
    state.put(many_chunks())
    state.view.selection.picked = ByteItem(CHUNKS * 16)  # opens the rows, far down
    yield Row(f"chunks + hex, {CHUNKS} rows open", frame_time(state, chunks), BUDGET, 1, "budget of 2 ms")
    places = itertools.count(1)

    def scrolling(state: State, post: Post) -> None:
        state.view.selection.picked = ByteItem(next(places) * 7919 % CHUNKS * 32)
        chunks(state, post)

    yield Row("the same, elsewhere each frame", frame_time(state, scrolling), BUDGET, 2, "budget of 2 ms")
    yield from time_rows()
    yield from file_rows()
    yield Row(f"{FINDINGS:,} problems", problems_time(), BUDGET, 1, "budget of 2 ms")


def file_rows() -> Rows:
    """The wall and the list of many files, elsewhere in each frame, with a picture for every file."""
    names = [f"set{number % 97}/Thing{number}.mdl" for number in range(FILES)]
    table = FileTable("/files", False, names, range(FILES), range(FILES), [0] * FILES)
    for name, panel, folded in (("wall", Wall(), False), ("list", FilesPanel(), True)):
        state = State()
        state.interface.preferences.files_folded = folded
        state.interface.preferences.picture_size = SMALLEST_PICTURE
        state.files.begin("/files", table)
        state.files.opened = {f"set{number}/" for number in range(97)}
        state.files.picture = lambda path: PanelPicture(1, (256, 256))
        places = itertools.count(1)

        def scrolling(state: State, post: Post, panel: Draw = panel, places: Iterator[int] = places) -> None:
            state.files.choose(table.path(next(places) * 7919 % FILES))
            panel(state, post)

        spent = frame_time(state, scrolling)
        yield Row(f"{name} of {FILES:,} files, elsewhere each frame", spent, FILE_BUDGET, 1, "budget of 4 ms")


def problems_time() -> float:
    """The panel of problems with a hundred rules of a hundred findings each, all of them open."""
    state, panel = State(), ProblemsPanel()
    state.put(many_chunks())
    told = [(f"mesh/rule-{number // 100}", f"finding {number}") for number in range(FINDINGS)]
    state.view.checked = CheckResult(tuple(Finding(rule, Severity.NOTE, text, "") for rule, text in told))
    panel._opened = {(Severity.NOTE, rule): True for rule, _ in told}
    return frame_time(state, panel)


def time_rows() -> Rows:
    """The dope sheet of many keys while it plays and while it is zoomed; the curves of one of its bones."""
    state, timeline = State(), TimelinePanel()
    state.put(many_keys())
    state.playback.choose(state.playback.animations[0])
    state.view.clock.play()
    state.view.bone = BONES // 2
    name = f"timeline, {BONES} bones × {KEYS} keys"

    def zooming(state: State, post: Post) -> None:
        state.view.timeline.zoom(100.0, 1 / 1.02 if state.view.clock.time % 2 < 1 else 1.02, LENGTH)
        playing(timeline)(state, post)

    yield Row(f"{name}, playing", frame_time(state, playing(timeline)), TIME_BUDGET, 1, "budget of 1.5 ms")
    yield Row("the same, zooming", frame_time(state, zooming), TIME_BUDGET, 1, "budget of 1.5 ms")
    state.view.timeline.fit()
    curves = frame_time(state, playing(CurvesPanel()))
    yield Row(f"curves of {KEYS} keys, playing", curves, TIME_BUDGET, 1, "budget of 1.5 ms")


def playing(panel: Draw) -> Draw:
    """A sixtieth of a second passes before the panel draws."""

    def draw(state: State, post: Post) -> None:
        state.view.clock.advance(1 / 60)
        panel(state, post)

    return draw


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


def frame_time(state: State, draw: Draw) -> float:
    """Thread time of one panel in a window of its own, without the pixels: they are the driver's business."""
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    target = RenderTarget(context, SIZE)
    target.framebuffer.use()
    host = Host()
    spent = best(lambda: frame(host, state, draw), 2, time.thread_time)
    host.release()
    target.release()
    context.release()
    return spent


def frame(host: Host, state: State, draw: Draw) -> None:
    """ImGui's own share is part of it."""
    host.new_frame(1 / 60, SIZE, SIZE)
    imgui.set_next_window_pos(ImVec2(0, 0))
    imgui.set_next_window_size(ImVec2(*SIZE))
    imgui.begin("panel", None, imgui.WindowFlags_.no_decoration)
    draw(state, lambda request: None)
    imgui.end()
    imgui.render()
