"""`render`, `bake` and `export` of one model: one output from the files of a command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from viewer.arrays import damaged_numbers
from viewer.commands.importing import importing
from viewer.commands.options.given_options import Options
from viewer.commands.options.parser import UsageError
from viewer.commands.output import notice, outcome
from viewer.scene.choices import ExportChoices
from viewer.scene.comparison import CompareMode

if TYPE_CHECKING:
    from viewer.scene.document import Document
    from viewer.session.state import State


@damaged_numbers()
def render_one(paths: Sequence[str], options: Options, output: str) -> int:
    """Write one or more pictures; the exit status."""
    if options.compare is not None:
        return _compared(paths, options, output)
    if options.ui:
        with importing():
            from viewer.commands.window_picture import draw_window

        state = _prepared(paths, options)
        return _written([state], paths, options, output, lambda: draw_window(state, options, output))
    with importing():
        from viewer.commands.picture import draw

    state = _prepared(paths, options)
    return _written([state], paths, options, output, lambda: draw([state], options, output))


def _compared(paths: Sequence[str], options: Options, output: str) -> int:
    """Write one or more pictures of several models."""
    side = options.compare is CompareMode.SIDE
    if len(paths) < 2 or (len(paths) > 2 and not side):
        wanted = "two or more models" if side else "two models"
        raise UsageError(f"--compare takes {wanted}, not {len(paths)}")
    with importing():
        from viewer.commands.comparison import opened, together

    states, fitting = zip(*opened(paths, options), strict=True)
    if options.ui:
        with importing():
            from viewer.commands.window_picture import draw_window

        state = together(states, options)
        return _written([state], paths, options, output, lambda: draw_window(state, fitting[0], output))
    with importing():
        from viewer.commands.picture import draw

    return _written(states, paths, options, output, lambda: draw(states, options, output))


@damaged_numbers()
def bake_one(paths: Sequence[str], options: Options, output: str) -> int:
    """Write the posed vertices; the exit status."""
    with importing():
        from viewer.commands.bake import write

    state = _prepared(paths, options)
    return _written([state], paths, options, output, lambda: write(state, options, output))


@damaged_numbers()
def export_one(paths: Sequence[str], options: Options, choices: ExportChoices, output: str) -> int:
    """Write the model or its posed mesh, and print what is left out or approximated; the exit status."""
    with importing():
        from viewer.commands.export import write

    posed = choices.is_posed(output)
    state = _prepared(paths, options if posed else options._replace(animation=()))
    messages: list[str] = []

    def put() -> None:
        """Write the file."""
        messages.extend(write(state, options, choices, output))

    status = _written([state], paths, options, output, put)
    for line in messages:
        notice(line)
    return status


def _prepared(paths: Sequence[str], options: Options) -> State:
    """The State of a model and its animations."""
    with importing():
        from viewer.commands.options.apply_options import prepare

    folder = next(filter(os.path.isdir, paths), None)
    if folder is not None:
        raise UsageError(f"{folder} is a folder: for its models, -o has to be a folder or to have a {{name}}")
    state = prepare(paths, options)
    if len([document for document in state.documents.opened if document.model]) > 1:
        raise UsageError(
            "one model at a time, unless --compare says how to compare them, or -o is a folder or has a "
            "{name}: the other files are to be animations"
        )
    return state


def _written(
    states: Sequence[State], paths: Sequence[str], options: Options, output: str, write: Callable[[], None]
) -> int:
    """Let `write` produce the output from the States, and print notices and errors."""
    with importing():
        from viewer.commands.options.apply_options import notices, played

    documents = [document for state in states for document in state.documents.opened]
    existed = _replaces(output, paths, documents, options)
    write()
    if existed:
        notice(replaced_line(output))
    for line in dict.fromkeys(line for state in states for line in notices(state)):
        notice(line)
    return outcome([*documents, *(document for state in states for document in played(state))])


def replaced_line(output: str) -> str:
    """The notice about a replaced file."""
    return f"{output}: an earlier file is replaced"


def _replaces(output: str, paths: Sequence[str], documents: Iterable[Document], options: Options) -> bool:
    """Whether there is a file of the output's name; UsageError if a file that is read would be replaced."""
    from viewer.export.film.film import overwrites
    from viewer.storage.dependencies import inputs_of
    from viewer.storage.package_path import on_disk

    named = (*paths, *options.animation, *(path for _, path in options.texture), options.camera or "")
    inputs = (*map(on_disk, named), *inputs_of(documents))
    used = next((each for each in inputs if overwrites(output, each)), None)
    if used is not None:
        raise UsageError(f"{output} would replace {used}, which is read: choose another name")
    return os.path.exists(output)
