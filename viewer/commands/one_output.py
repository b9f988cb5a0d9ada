"""Writes one output from the files of a command line, for `render`, `bake` and `export`."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence

from viewer.commands.options.apply_options import notices, played, state_of
from viewer.commands.options.given_options import Options
from viewer.commands.options.parser import UsageError
from viewer.commands.output import confirm, notice, outcome, replaced_line, say_missing
from viewer.errors import ViewerError
from viewer.export.film.film import overwritten
from viewer.export.missing_lines import missing_lines
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.session.state import State
from viewer.storage.documents import open_document, open_joined
from viewer.storage.writing import target_of


def prepared(paths: Sequence[str], options: Options) -> State:
    """Open a model and its animations as a State. UsageError for a folder, and for a second model."""
    folder = next(filter(os.path.isdir, paths), None)
    if folder is not None:
        raise UsageError(
            f"{folder} is a folder: to write all its models, -o has to be a folder or contain {{name}}"
        )
    context = options.context
    if options.together:
        return one_model(open_joined(paths, lambda path: open_document(path, context)), options)
    return one_model((open_document(path, context) for path in paths), options)


def one_model(documents: Iterable[Document], options: Options) -> State:
    """Make the State of a model and its animations. UsageError for a second model."""
    state = state_of(documents, options)
    opened = state.documents.opened
    if len([each for each in opened if each.model and not state.gives_clips(each)]) > 1:
        raise UsageError(
            "only one model can be written to one file: the other files have to be animations. For several "
            "models give --together, --compare, or an -o that is a folder or contains {name}"
        )
    return state


def no_model(state: State, why: str) -> ViewerError:
    """The error for a State without a model: that of a file that cannot be read, else bad usage."""
    unread = (each for each in state.documents.opened if each.unread)
    return next((each.report.errors[0] for each in unread), UsageError(why))


def written(
    states: Sequence[State],
    paths: Sequence[str],
    options: Options,
    output: str,
    write: Callable[[], object],
    clips: Collection[Animation] = (),
) -> int:
    """Call `write` for the output of the States; return the exit status. Notices, reading errors and missing
    parts are printed. `clips` are the clips that the user named.

    UsageError if the output is one of the inputs.
    """
    documents = [document for state in states for document in state.documents.opened]
    documents += [each.document for document in documents for each in document.joined]
    existed = _replaces(output, paths, documents, options)
    write()
    if existed:
        notice(replaced_line(output))
    else:
        confirm(output)
    for line in dict.fromkeys(line for state in states for line in notices(state, options)):
        notice(line)
    status = outcome([*documents, *(document for state in states for document in played(state))])
    for state in states:
        if state.document is not None:
            missing = missing_lines(state.document, clips, state.view.lod, state.view.textures)
            status = say_missing(state.document.path, missing, options.strict) or status
    return status


def _replaces(output: str, paths: Sequence[str], documents: Iterable[Document], options: Options) -> bool:
    """Whether the output replaces an existing file. UsageError if the output is one of the inputs, OSError if
    it cannot be written.
    """
    named = (*paths, *options.animation, *(path for _, path in options.texture), options.camera_file)
    if output:
        target_of(output)
    used = overwritten(output, documents, named)
    if used is not None:
        raise UsageError(f"{output} would replace {used}, which is an input file: choose another name")
    return os.path.exists(output)
