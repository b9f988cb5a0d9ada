"""`rigscope export`: writes a model as glTF or as its posed mesh, and the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.arrays import damaged_numbers
from viewer.commands.one_output import no_model, prepared, written
from viewer.commands.options.apply_options import choose, named_clips
from viewer.commands.options.given_options import Options, Values, is_for_many, options_of
from viewer.commands.options.parser import UsageError
from viewer.commands.output import notice
from viewer.commands.package import holding
from viewer.commands.reading import context_of
from viewer.errors import ResourceError
from viewer.export.model_file import write_model
from viewer.scene.animation import Animation
from viewer.scene.choices import EXPORT_SUFFIXES, TABLE_SUFFIXES, ExportChoices
from viewer.scene.package import Package
from viewer.scene.table import Table
from viewer.session.state import State

ALL = "all"


def export(paths: list[str], values: Values) -> int:
    """Write models as glTF or as posed meshes, or the rows of a table; return the exit status."""
    if values["output"].lower().endswith(TABLE_SUFFIXES) and not is_for_many(values["output"]):
        from viewer.commands.table import export_table  # imported late, because only tables need it

        return export_table(paths, values["output"], context_of(values))
    if not is_for_many(values["output"]):
        return export_one(paths, values, values["output"])
    from viewer.commands.many_models import write_each  # imported late, because only batches need it

    return write_each("export", export_one, paths, values, EXPORT_SUFFIXES)


@damaged_numbers()
def export_one(paths: Sequence[str], values: Values, output: str) -> int:
    """Write the model or its posed mesh; return the exit status.

    Parts that are left out or approximated are printed.
    """
    own = {name: value for name, value in values.items() if name in ExportChoices._fields}
    shared = {name: value for name, value in values.items() if name not in own}
    choices, options = ExportChoices(**own), options_of(shared)
    posed = choices.is_posed(output)
    options = options if posed else options._replace(time=None)
    state = prepared(paths, options if posed else options._replace(animation=()))
    messages: list[str] = []
    clips = exported_clips(state, options, choices, output)
    named = named_clips(state, options) if posed else () if ALL in options.animation else clips
    status = written(
        [state],
        paths,
        options,
        output,
        lambda: messages.extend(write(state, clips, choices, output, values.get("force", False))),
        named if options.animation else (),
    )
    for line in messages:
        notice(line)
    return status


def write(
    state: State, clips: Sequence[Animation], choices: ExportChoices, output: str, force: bool = False
) -> list[str]:
    """Write the State's model and its `clips` to `output`, whose suffix chooses the format. See
    `write_model` for `force`.

    Return messages about parts that are left out, corrected or approximated.
    """
    if state.document is not None and isinstance(state.document.content, Package):
        raise UsageError(holding(state.document.path, state.document.content))
    if state.document is not None and isinstance(state.document.content, Table):
        formats = " or ".join(f"OUT{suffix}" for suffix in TABLE_SUFFIXES)
        raise UsageError(f"{state.document.path} is a table: give -o {formats}")
    if state.model is None:
        raise no_model(state, "there is no model to export")
    view, paths = state.snapshot(), state.view.textures
    try:
        return write_model(view, clips, paths, choices, output, state.context, force=force)
    except FileExistsError as error:
        raise ResourceError(f"{error.filename} exists already; --force replaces existing files") from error


def exported_clips(
    state: State, options: Options, choices: ExportChoices, output: str
) -> tuple[Animation, ...]:
    """Return the animations to export, in the order of the file. If the user chose none, these are all. A
    posed mesh has none.
    """
    if state.model is None or choices.is_posed(output):
        return ()
    if not options.animation or ALL in options.animation:
        return state.playback.animations
    named = [entry.animation for text in options.animation for entry in choose(state, text)]
    return tuple(each for each in state.playback.animations if each in named)
