"""Exports the model in view, in the background."""

from __future__ import annotations

import os
from functools import partial

from msgspec.structs import replace

from viewer.app.output.save_paths import is_open_here, suggested
from viewer.app.tasks import Task, Tasks
from viewer.errors import CancelledError, ResourceError, counted, words_of
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
    path = request.path or suggested(state, request)
    if is_open_here(state, path):
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
        try:
            return write_model(
                view, clips, textures, request.choices, path, context, partial(task.report, STEP)
            )
        except OSError as error:
            raise ResourceError(f"{error.filename or path}: {words_of(error)}") from error
        except CancelledError:
            raise
        except Exception as error:  # no error of an export ends the program
            raise ResourceError(f"{path}: {words_of(error)}") from error

    return path, tasks.submit(STEP, write, partial(_finish, state, path))


def _finish(state: State, path: str, task: Task) -> None:
    """Report the result of an export in the window."""
    if task.error:
        state.say(task.error, "error")
        return
    name, messages = os.path.basename(path), task.value
    for line in messages:
        state.say(f"{name}: {line}", "warning")
    ending = f", with {counted(len(messages), 'message')}" if messages else ""
    state.say(f"Saved {path}{ending}")
