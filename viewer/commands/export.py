"""`rigscope export`: the model with its skeleton, its clips and its materials as glTF, or its posed mesh."""

from __future__ import annotations

from viewer.animation.pose import moves
from viewer.commands.arguments import UsageError
from viewer.commands.options import ExportChoices, Options
from viewer.commands.package import holding
from viewer.commands.session import choose
from viewer.export.gltf.export import export_gltf
from viewer.export.gltf.model import ExportSource
from viewer.export.gltf.options import ExportOptions
from viewer.export.posed_mesh import write_mesh
from viewer.scene.animation import Animation
from viewer.scene.package import Package
from viewer.session.state import State

MESH_SUFFIXES = (".obj", ".ply")
ALL = "all"


def is_posed(choices: ExportChoices, output: str) -> bool:
    """Whether the posed mesh is written, without its skeleton."""
    return choices.bake_pose or output.lower().endswith(MESH_SUFFIXES)


def write(state: State, options: Options, choices: ExportChoices, output: str) -> list[str]:
    """Write the State's model to `output`, whose suffix chooses the format; the messages say what was left
    out, mended or approximated.
    """
    if state.document is not None and isinstance(state.document.content, Package):
        raise UsageError(holding(state.document.path, state.document.content))
    if state.model is None:
        raise UsageError("there is no model to export")
    source = _source(state, options, is_posed(choices, output))
    chosen = ExportOptions(
        fps=choices.fps,
        lod=state.view.lod or 0,
        textures=choices.textures,
        keep_axes=choices.axes == "file",
        materials=choices.materials,
        hidden=frozenset(state.view.hidden),
        morphs=tuple(sorted(state.view.morphs.items())),
    )
    put = write_mesh if output.lower().endswith(MESH_SUFFIXES) else export_gltf
    return put(source, chosen, output)


def _source(state: State, options: Options, posed: bool) -> ExportSource:
    model = state.model
    assert model is not None, "a model is exported"
    to_world = state.view.to_world(model)
    paths = dict(state.view.textures)
    if not posed:
        return ExportSource(model, _clips(state, options), to_world, paths)
    motion = moves(state.posed_alone(), state.view.morphs)
    return ExportSource(model, (), to_world, paths, motion)


def _clips(state: State, options: Options) -> tuple[Animation, ...]:
    """The chosen animations, in the order of the file; all by default."""
    if not options.animation or ALL in options.animation:
        return state.animations
    named = [entry.animation for text in options.animation for entry in choose(state, text)]
    return tuple(each for each in state.animations if each in named)
