"""Opens a saved look for the character in view."""

from __future__ import annotations

from viewer.actions.looks import character_of
from viewer.app.tasks import Task, Tasks
from viewer.scene.names import path_key
from viewer.session.state import State
from viewer.storage.look_files import look_file


def wear_look(path: str, state: State, tasks: Tasks) -> None:
    """Let the character in view wear the look of a file, which a task reads. A message says why it cannot be
    worn.
    """
    document, character, context = state.document, character_of(state), state.context
    if document is None or character is None:
        return
    about, kind = ("look", path_key(path)), type(character.look)

    def take(task: Task) -> None:
        """Choose the look, if the character is still open and has the body of the look."""
        look, own = task.value, character.look
        if look is not None and any(look.number(key) != own.number(key) for key in own.body):
            task.error = f"{path}: is a look of another body than {character.title}"
        if task.error:
            state.say(task.error, "error", about)
            return
        state.settle(about)
        if (shown := state.documents.at(document.path)) is not None:
            state.documents.view_of(shown).display = look

    tasks.submit(about, lambda task: look_file(path, kind, context), take)
