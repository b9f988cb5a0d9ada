"""`rigscope export`: the model with its skeleton, its clips and its materials as glTF, or its posed mesh."""

from __future__ import annotations

from viewer.commands.options.apply_options import choose
from viewer.commands.options.given_options import Options
from viewer.commands.options.parser import UsageError
from viewer.commands.package import holding
from viewer.export.model_file import write_model
from viewer.scene.animation import Animation
from viewer.scene.choices import ExportChoices
from viewer.scene.package import Package
from viewer.session.state import State

ALL = "all"


def write(state: State, options: Options, choices: ExportChoices, output: str) -> list[str]:
    """Write the State's model to `output`, whose suffix chooses the format; the messages say what was left
    out, mended or approximated.
    """
    if state.document is not None and isinstance(state.document.content, Package):
        raise UsageError(holding(state.document.path, state.document.content))
    if state.model is None:
        raise UsageError("there is no model to export")
    clips = () if choices.is_posed(output) else _clips(state, options)
    return write_model(state.snapshot(), clips, state.view.textures, choices, output)


def _clips(state: State, options: Options) -> tuple[Animation, ...]:
    """The chosen animations, in the order of the file; all by default."""
    if not options.animation or ALL in options.animation:
        return state.playback.animations
    named = [entry.animation for text in options.animation for entry in choose(state, text)]
    return tuple(each for each in state.playback.animations if each in named)
