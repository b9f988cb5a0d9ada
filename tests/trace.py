"""Logs the window's state for tests that drive the window from outside: one JSON object per line.

The log is installed in the process of the window, before its program begins.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from imgui_bundle import imgui

from viewer.app.loop import App
from viewer.scene.camera import Orbit
from viewer.scene.items import Item
from viewer.session.layouts import PANELS
from viewer.session.state import State
from viewer.ui.kit.overlays import OVERLAYS
from viewer.ui.layout import Rect
from viewer.view.measures import finished

OFFERED = 20
"""The log lists at most this number of files of the file dialog."""
VARIABLE = "RIGSCOPE_TRACE"
"""The environment variable with the path of the log."""


def install(path: str) -> None:
    """Let every window of this process append a line to the log whenever its state changes, and a last line
    with GL's error, or `GL_NO_ERROR`, when it closes.

    Rectangles in the log are x, y, width, height in points.
    """
    draw, close = App.frame, App.close
    last = ""

    def frame(app: App, dt: float) -> None:
        nonlocal last
        draw(app, dt)
        picture = app._workspace.picture(app.state, app.surface.points)
        chunks = app._workspace.panel("chunks")
        line = json.dumps(
            _facts(app.state, picture) | {"marked": getattr(chunks, "marked", None)}, default=str
        )
        if line != last:
            last = line
            write(line)

    def end(app: App) -> None:
        close(app)
        write(json.dumps({"closed": True, "error": app._ctx.error}))

    def write(line: str) -> None:
        with open(path, "a", encoding="utf-8") as file:
            file.write(line + "\n")

    App.frame, App.close = frame, end  # type: ignore[method-assign]


def _facts(state: State, picture: Rect) -> dict[str, Any]:
    document, browser = state.document, state.pending_files.browser
    pointer = imgui.get_io().mouse_pos
    return {
        "documents": [each.path for each in state.documents.opened],
        "added": document.added if document else (),
        "bytes": len(document.data) if document else 0,
        "display": document.displays.worn_id if document else None,
        "look": document.character.look.options if document and document.character else None,
        "loading": [each.path for each in state.pending_files.loading],
        "hovering": state.pending_files.hovering,
        "playing": state.view.clock.playing,
        "time": state.view.clock.time,
        "animations": [each.animation.name for each in state.view.playlist],
        "picked": _item(state.view.selection.picked),
        "morphs": state.view.morphs,
        "messages": [message.text for message in state.messages],
        "problems": len(state.view.checked.findings) if state.view.checked else None,
        "recording": [state.recording.step, state.recording.share] if state.recording else None,
        "status": state.interface.status,
        "palette": state.interface.palette,
        "overlays": [each.window for each in OVERLAYS if each.is_open(state)],
        "offered": [each.name for each in browser.shown[:OFFERED]] if browser else [],
        "popups": imgui.get_current_context().open_popup_stack.size(),
        "typing": imgui.get_io().want_text_input,
        "pointer": _numbers((pointer.x, pointer.y)),
        "held": any(imgui.is_mouse_down(button) for button in range(3)),
        "flying": state.interface.flying,
        "texture": _texture(state),
        "measuring": state.interface.measuring,
        "measured": len(finished(state.view.measures)),
        "distances": [each.text for each in state.view_info.distances],
        "light": state.options.lighting.text,
        "keys": state.interface.preferences.keys,
        "capturing": state.interface.capturing,
        "shadow": state.options.shadow,
        "wireframe": state.options.wireframe,
        "camera": _camera(state),
        "comparison": _comparison(state),
        "picture": _numbers((picture.x, picture.y, picture.width, picture.height)),
        "bones": [_numbers(bone) for bone in state.view_info.joints],
        "files": _files(state),
        "panels": {panel.name: rectangle(panel.name) for panel in PANELS},
    }


def _texture(state: State) -> list[Any]:
    """The number of the shown texture (None: the first texture that a geometry uses), its zoom, and the
    marked points of the mesh.
    """
    view = state.view.texture_view
    zoom = None if view.zoom is None else round(view.zoom, 3)
    return [view.number, zoom, len(state.view.selection.touched)]


def _comparison(state: State) -> list[Any] | None:
    """The mode of the comparison, the position of the slider, and the item marked in the other document."""
    mode, partner = state.documents.comparison.mode, state.partner
    if mode is None or partner is None:
        return None
    return [
        mode.value,
        round(state.documents.comparison.split, 3),
        _item(partner.view.selection.hover or partner.marked),
    ]


def _files(state: State) -> dict[str, Any]:
    """The numbers of listed files, of files that match the query, and of pictures on the wall."""
    files = state.files
    return {
        "listed": 0 if files.table is None else len(files.table),
        "found": len(files.rows(state.interface.preferences)),
        "wall": files.wall,
        "query": files.query,
        "cursor": files.cursor,
        "selected": sorted(files.selected),
        "takes_text": files.takes_text,
        "drawn": sum(not isinstance(files.picture(path), str) for path in files.shown),
    }


def _camera(state: State) -> list[float] | None:
    """Target, distance, yaw and pitch of an orbit camera."""
    camera = state.view.camera
    return (
        _numbers((*camera.target, camera.distance, camera.yaw, camera.pitch))
        if isinstance(camera, Orbit)
        else None
    )


def rectangle(name: str) -> list[float] | None:
    """The rectangle of a panel; None if it is closed or covered by another tab."""
    window = imgui.internal.find_window_by_id(imgui.internal.im_hash_str(f"###{name}"))
    if window is None or not window.active or window.hidden:
        return None
    return _numbers((window.pos.x, window.pos.y, window.size.x, window.size.y))


def _item(item: Item | None) -> list[str | int] | None:
    """Kind and numbers of an item: `["vertex", 0, 17]`."""
    return None if item is None else [item.kind, *item.numbers]


def _numbers(values: Sequence[float]) -> list[float]:
    return [round(float(value), 2) for value in values]
