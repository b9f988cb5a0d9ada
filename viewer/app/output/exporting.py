"""Exports the model in view, in the background."""

from __future__ import annotations

import os
from functools import partial

from msgspec.structs import replace

from viewer.app.output.save_paths import Destination
from viewer.app.tasks import Task, Tasks
from viewer.errors import counted
from viewer.scene.choices import SELECTED
from viewer.session.requests import ExportModel
from viewer.session.state import State

STEP = "exporting"


def export(state: State, request: ExportModel, tasks: Tasks) -> tuple[str, Task] | None:
    """Start to export the model in view; return the path and the task of the export.

    Without a model to export, show a message and return None. When the export ends, a message reports the
    result.
    """
    document = state.document
    if document is None or state.model is None:
        state.say("There is no model to export.", "warning")
        return None
    target = Destination(state, request)
    path = target.path
    if not target.is_free:
        return None
    clips = {
        "all": state.playback.animations,
        SELECTED: state.playback.selected,
        "playing": tuple(dict.fromkeys(each.animation for each in state.view.playlist)),
    }.get(request.clips, ())
    view, textures, context = state.snapshot(), dict(state.view.textures), state.context
    if request.lod is not None:
        view = replace(view, display=replace(view.display, lod=request.lod))

    def write(task: Task) -> list[str]:
        """Write the file; return messages about what the format cannot store."""
        from viewer.export.model_file import write_model  # imported late, because few windows export

        task.report(STEP, 0.0)
        return write_model(view, clips, textures, request.choices, path, context, partial(task.report, STEP))

    def finish(task: Task) -> None:
        """Report the result in the window."""
        if task.error:
            target.fail(task.error)
            return
        for line in task.value:
            state.say(f"{os.path.basename(path)}: {line}", "warning")
        target.done(f", with {counted(len(task.value), 'message')}" if task.value else "")

    return path, tasks.submit(STEP, write, finish)
