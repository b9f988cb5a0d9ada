"""The recording dialog: loop or turntable, format, size, frame rate, frames, transparency."""

from __future__ import annotations

from imgui_bundle import imgui
from msgspec.structs import replace

from viewer.actions.action import has_picture, refusal
from viewer.arrays import Size
from viewer.errors import counted
from viewer.scene.choices import FILM_FORMATS
from viewer.session.file_columns import size_text
from viewer.session.requests import Post, RecordFilm, SaveAs
from viewer.session.state import State
from viewer.ui.kit.dialogs import destination, dialog_buttons, field_name, settings_window
from viewer.view.film_length import length, loop_frames

SIZES = ((1920, 1080), (1280, 720), (1080, 1080), (640, 360), (480, 480))
LEAST, MOST = 16, 8192
SLOWEST = 1.0


def record_dialog(state: State, post: Post) -> None:
    """Draw the dialog while `state.interface.records` is set."""
    if state.interface.records and not settings_window("Record###record", lambda: _inside(state, post)):
        state.interface.records = False


def _inside(state: State, post: Post) -> None:
    wanted, turning = state.interface.recorder, state.interface.recorder.turntable
    field_name("What")
    for title, turns in (("Loop", False), ("Turntable", True)):
        if imgui.radio_button(title, turning is turns):
            turning = turns
        imgui.same_line()
    imgui.new_line()
    field_name("Format")
    formats = [each for each in FILM_FORMATS if each.suffix in state.interface.films]
    chosen = next((n for n, each in enumerate(formats) if each.suffix == wanted.suffix), 0)
    format_ = formats[imgui.combo("##format", chosen, [each.title for each in formats])[1]]
    size, fps, frames = _size(wanted.size), _rate(wanted.fps, format_.fastest), _frames(wanted.frames)
    field_name("Transparent")
    imgui.begin_disabled(not format_.alpha)
    asked = imgui.checkbox("Without grid and background", wanted.transparent and format_.alpha)[1]
    imgui.end_disabled()
    field_name("Particles")
    seamless = imgui.checkbox("Repeat with the loop", wanted.seamless)[1]
    transparent = asked if format_.alpha else wanted.transparent
    state.interface.recorder = RecordFilm(
        format_.suffix,
        turning,
        fps,
        frames=frames,
        size=size,
        transparent=transparent,
        seamless=seamless,
    )
    _end(state, post, replace(state.interface.recorder, transparent=transparent and format_.alpha))


def _size(size: Size | None) -> Size | None:
    """Draw the choice of the size: the size of the view, one of `SIZES`, or any other size."""
    field_name("Size")
    shown = "As in the view" if size is None else f"{size[0]} × {size[1]}"
    if imgui.begin_combo("##size", shown):
        for each in (None, *SIZES):
            title = "As in the view" if each is None else f"{each[0]} × {each[1]}"
            if imgui.selectable(title, size == each)[0]:
                size = each
        imgui.end_combo()
    if size is not None:
        field_name("")
        changed, typed = imgui.input_int2("##pixels", list(size))
        if changed:
            wide, high = (max(LEAST, min(MOST, each)) for each in typed)
            return wide, high
    return size


def _rate(fps: float, fastest: float) -> float:
    field_name("Frames per second")
    return max(SLOWEST, min(fastest, imgui.input_float("##fps", fps, 1.0, 5.0, "%.4g")[1]))


def _frames(frames: tuple[int, int] | None) -> tuple[int, int] | None:
    """Draw the choice between all frames of the loop and a range of frames."""
    field_name("Frames")
    some = frames is not None
    if imgui.radio_button("All", not some):
        frames = None
    imgui.same_line()
    if imgui.radio_button("From – to", some):
        frames = frames or (0, 29)
    if frames is not None:
        field_name("")
        changed, typed = imgui.input_int2("##frames", list(frames))
        if changed:
            first = max(typed[0], 0)
            return first, max(typed[1], first)
    return frames


def _estimate(state: State, wanted: RecordFilm) -> None:
    """Draw the number of frames, their size, and the usual size of such a file."""
    span = wanted.frames or (1, len(loop_frames(length(state.live_view, wanted.turntable), wanted.fps)))
    width, height = wanted.size or state.view_info.size
    count = span[1] - span[0] + 1
    density = next(each.density for each in FILM_FORMATS if each.suffix == wanted.suffix)
    field_name("File")
    about = size_text(float(f"{count * width * height * density:.2g}"))
    imgui.text_unformatted(f"About {about}: {counted(count, 'frame')} of {width} × {height}")


def _end(state: State, post: Post, wanted: RecordFilm) -> None:
    """Draw the buttons, and why nothing can be recorded."""
    interface = state.interface
    still = not wanted.turntable and wanted.frames is None and not state.view.playlist
    if not still:
        _estimate(state, wanted)
    imgui.separator()
    idle = "Nothing plays. Choose an animation or record a turntable." if still else ""
    pressed = dialog_buttons("Record", "Record as…", refused=refusal(has_picture, state) or idle)
    if pressed in ("Record", "Record as…"):
        post(wanted if pressed == "Record" else SaveAs(wanted))
    interface.records &= pressed in ("", "Record as…")  # the chosen file closes the dialog
    destination(interface.preferences.films)
