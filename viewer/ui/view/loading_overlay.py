"""The overlay over the picture: the progress of loading, exporting and recording, and models that can be
opened for the file in view.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

from imgui_bundle import ImVec2, imgui

from viewer.errors import counted, printable
from viewer.scene.animation import Animation
from viewer.session.pending_files import FileProgress, MatchingModel
from viewer.session.requests import CancelLoading, Open, Post, Request, StopExport, StopRecording
from viewer.session.state import State
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.widgets import BARE, faint
from viewer.ui.layout import Rect

WIDE = 22
"""Width of the progress bars in line heights."""
LINES = 6
FLAGS = (
    BARE
    | int(imgui.WindowFlags_.no_focus_on_appearing)
    | int(imgui.WindowFlags_.no_nav)
    | int(imgui.WindowFlags_.always_auto_resize)
)


def arriving(state: State, post: Post, picture: Rect) -> None:
    """Draw the progress of loading, of an export or of a recording, with a Stop button.

    If nothing is loaded, exported or recorded, and the file in view is an animation without a skeleton or a
    part of a model, draw buttons that open the matching models.
    """
    if state.pending_files.loading:
        _box("arriving", picture, 0.85, lambda: _progress(state.pending_files.loading, CancelLoading(), post))
        return
    for written, stop in ((state.exporting, StopExport()), (state.recording, StopRecording())):
        if written is not None:
            _box("writing", picture, 0.85, partial(_progress, (written,), stop, post))
            return
    document = state.document
    if document is None:
        return
    models = state.pending_files.models.get(document.path)
    if models:
        _box("models", picture, 0.7, lambda: _models(document.path, models, post))
    elif isinstance(document.content, Animation) and state.skeleton is None:
        found, animation = state.pending_files.companions.get(document.path), document.content
        _box("companions", picture, 0.7, lambda: _companions(animation, found, post))


def _box(name: str, picture: Rect, height: float, draw: Callable[[], None]) -> None:
    """Draw a small window over the picture, centred at `height` (0 top, 1 bottom) of the picture."""
    middle = ImVec2(picture.x + picture.width / 2, picture.y + picture.height * height)
    imgui.set_next_window_pos(middle, imgui.Cond_.always, ImVec2(0.5, 0.5))
    imgui.push_style_var(imgui.StyleVar_.window_border_size, 1.0)
    shown = imgui.begin(name, None, FLAGS)[0]
    imgui.pop_style_var()
    if shown:
        draw()
    imgui.end()


def _progress(loading: tuple[FileProgress, ...], stop: Request, post: Post) -> None:
    progress_lines(loading)
    if imgui.button("Stop"):
        post(stop)


def progress_lines(loading: tuple[FileProgress, ...]) -> None:
    """Draw the name, the step and a progress bar of each of the first files."""
    line = imgui.get_font_size()
    for each in loading[:LINES]:
        imgui.text_unformatted(printable(os.path.basename(os.path.normpath(each.path))))
        imgui.same_line()
        faint(each.step)
        share = each.share if each.share is not None else -imgui.get_time() / 2
        imgui.progress_bar(share, ImVec2(line * WIDE, line * 0.4), "")
    if len(loading) > LINES:
        faint(f"and {len(loading) - LINES} more")


def _companions(animation: Animation, found: tuple[MatchingModel, ...] | None, post: Post) -> None:
    count = len(animation.targets)
    imgui.text_unformatted(
        f"{printable(animation.name)} moves {counted(count, 'bone')}. Open its model to play it."
    )
    if found is None:
        faint("Searching for models in its folder …")
    elif not found:
        faint("No model in its folder has these bones.")
    for each in found[:LINES] if found else ():
        if imgui.button(f"Open {label_text(os.path.basename(each.path))}###{each.path}"):
            post(Open((each.path,)))
        imgui.same_line()
        faint(f"{each.matched} of {each.total} tracks match")


def _models(path: str, models: tuple[str, ...], post: Post) -> None:
    """Draw buttons that open the models to which a file belongs."""
    own = printable(os.path.basename(path))
    imgui.text_unformatted(f"{own} belongs to {'a model' if len(models) == 1 else 'models'} beside it")
    for model in models:
        if imgui.button(f"Open {label_text(os.path.basename(model))}###{model}"):
            post(Open((model,)))
