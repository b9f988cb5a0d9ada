"""The recording dialog: loop or turntable, format, size, frame rate, frames, transparency."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.actions.action import has_picture
from viewer.scene.choices import FILM_FORMATS
from viewer.session.interface import RecordOptions
from viewer.session.requests import Post, RecordFilm, SaveAs
from viewer.session.state import State
from viewer.ui.kit.dialogs import default_button, destination, field_name, settings_window
from viewer.ui.kit.theme import WARNING
from viewer.ui.kit.widgets import colored

SIZES = ((1920, 1080), (1280, 720), (1080, 1080), (640, 360), (480, 480))
LEAST, MOST = 16, 8192
SLOWEST = 1.0


def record_dialog(state: State, post: Post) -> None:
    """Draw the dialog while `state.interface.recorder.open` is set."""
    recorder = state.interface.recorder
    if not recorder.open:
        return
    if not settings_window("Record###record", lambda: _inside(state, post, recorder)):
        recorder.open = False


def _inside(state: State, post: Post, recorder: RecordOptions) -> None:
    field_name("What")
    for title, turning in (("Loop", False), ("Turntable", True)):
        if imgui.radio_button(title, recorder.turntable is turning):
            recorder.turntable = turning
        imgui.same_line()
    imgui.new_line()
    field_name("Format")
    names = [each.title for each in FILM_FORMATS]
    recorder.format = FILM_FORMATS[imgui.combo("##format", FILM_FORMATS.index(recorder.format), names)[1]]
    _size(recorder)
    _rate(recorder)
    _frames(recorder)
    field_name("Transparent")
    imgui.begin_disabled(not recorder.format.alpha)
    asked = imgui.checkbox("Without grid and background", recorder.transparent and recorder.format.alpha)
    recorder.transparent = asked[1] if recorder.format.alpha else recorder.transparent
    imgui.end_disabled()
    field_name("Particles")
    recorder.seamless = imgui.checkbox("Repeat with the loop", recorder.seamless)[1]
    _end(state, post, recorder)


def _size(recorder: RecordOptions) -> None:
    """Draw the choice of the size: the size of the view, one of `SIZES`, or any other size."""
    field_name("Size")
    shown = "As in the view" if recorder.size is None else f"{recorder.size[0]} × {recorder.size[1]}"
    if imgui.begin_combo("##size", shown):
        for size in (None, *SIZES):
            title = "As in the view" if size is None else f"{size[0]} × {size[1]}"
            if imgui.selectable(title, recorder.size == size)[0]:
                recorder.size = size
        imgui.end_combo()
    if recorder.size is not None:
        field_name("")
        changed, typed = imgui.input_int2("##pixels", list(recorder.size))
        if changed:
            wide, high = (max(LEAST, min(MOST, each)) for each in typed)
            recorder.size = wide, high


def _rate(recorder: RecordOptions) -> None:
    field_name("Frames per second")
    fps = imgui.input_float("##fps", recorder.fps, 1.0, 5.0, "%.4g")[1]
    recorder.fps = max(SLOWEST, min(recorder.format.fastest, fps))


def _frames(recorder: RecordOptions) -> None:
    """Draw the choice between all frames of the loop and a range of frames."""
    field_name("Frames")
    some = recorder.frames is not None
    if imgui.radio_button("All", not some):
        recorder.frames = None
    imgui.same_line()
    if imgui.radio_button("From – to", some):
        recorder.frames = recorder.frames or (0, 29)
    if recorder.frames is not None:
        field_name("")
        changed, typed = imgui.input_int2("##frames", list(recorder.frames))
        if changed:
            first = max(typed[0], 0)
            recorder.frames = first, max(typed[1], first)


def _end(state: State, post: Post, recorder: RecordOptions) -> None:
    """Draw the buttons, and a warning if nothing can be recorded."""
    imgui.separator()
    still = not recorder.turntable and recorder.frames is None and not state.view.playlist
    if still:
        colored("Nothing plays. Choose an animation or record a turntable.", WARNING)
    ready = not still and has_picture(state)
    if default_button("Record", ready):
        post(request(recorder))
        recorder.open = False
    imgui.same_line()
    imgui.begin_disabled(not ready)
    if imgui.button("Record as…"):
        post(SaveAs(request(recorder)))
        recorder.open = False
    imgui.end_disabled()
    imgui.same_line()
    if imgui.button("Cancel"):
        recorder.open = False
    destination(state.interface.preferences.films)


def request(recorder: RecordOptions) -> RecordFilm:
    """Return the request that records with the chosen options."""
    return RecordFilm(
        recorder.format.suffix,
        recorder.turntable,
        recorder.fps,
        frames=recorder.frames,
        size=recorder.size,
        transparent=recorder.transparent and recorder.format.alpha,
        seamless=recorder.seamless,
    )
