"""Saves a texture of the model in view, in the background."""

from __future__ import annotations

from functools import partial

from viewer.app.output.save_paths import is_open_here, suggested
from viewer.app.output.screenshot import save
from viewer.app.tasks import Task, Tasks
from viewer.app.viewport import Viewport
from viewer.errors import ResourceError, words_of
from viewer.session.requests import SaveTexture
from viewer.session.state import State


def save_texture(state: State, viewport: Viewport, request: SaveTexture, tasks: Tasks) -> None:
    """Start to write the picture of a texture. A message reports the result, or why there is none."""
    path = request.path or suggested(state, request)
    if is_open_here(state, path):
        return
    pixels = viewport.texture(state, request)
    if pixels is None:
        state.say("The texture has no image to save.", "warning")
        return

    def write(task: Task) -> None:
        """Write the file."""
        try:
            save(pixels, path)
        except (OSError, ValueError) as error:
            raise ResourceError(f"{path}: {words_of(error)}") from error

    tasks.submit(("texture", path), write, partial(_finish, state, path))


def _finish(state: State, path: str, task: Task) -> None:
    state.say(task.error or f"Saved {path}", "error" if task.error else "note")
