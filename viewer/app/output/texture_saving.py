"""Saves a texture of the model in view, in the background."""

from __future__ import annotations

from viewer.app.output.save_paths import Destination
from viewer.app.tasks import Task, Tasks
from viewer.app.viewport import Viewport
from viewer.export.picture.saving import save
from viewer.session.requests import SaveTexture
from viewer.session.state import State


def save_texture(state: State, viewport: Viewport, request: SaveTexture, tasks: Tasks) -> Task | None:
    """Start to write the picture of a texture. A message reports the result, or why there is none."""
    target = Destination(state, request)
    if not target.is_free:
        return None
    pixels = viewport.texture(state, request)
    if pixels is None:
        state.say("The texture has no image to save.", "warning")
        return None

    def write(task: Task) -> None:
        """Write the file."""
        save(pixels, target.path)

    def finish(task: Task) -> None:
        """Report the result."""
        if task.error:
            target.fail(task.error)
        else:
            target.done()

    return tasks.submit(("texture", target.path), write, finish)
