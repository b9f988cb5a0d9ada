"""Writes the shown model in one of the model formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from viewer.animation.pose import moves, pose
from viewer.errors import counted
from viewer.export.gltf.export import export_gltf
from viewer.export.gltf.model import ExportSource
from viewer.export.gltf.options import ExportOptions, ExportStep
from viewer.export.posed_mesh import write_mesh
from viewer.scene.animation import Animation
from viewer.scene.choices import ExportChoices
from viewer.scene.reading_context import ReadingContext
from viewer.scene.skeleton import BONELESS
from viewer.view.view_snapshot import ViewSnapshot

WRITERS = {".glb": export_gltf, ".gltf": export_gltf, ".obj": write_mesh, ".ply": write_mesh}
"""The writer of each format of `EXPORT_FORMATS`, by suffix."""


def write_model(
    view: ViewSnapshot,
    animations: Sequence[Animation],
    textures: Mapping[int, str],
    choices: ExportChoices,
    output: str,
    context: ReadingContext,
    step: ExportStep = lambda share: None,
    *,
    force: bool = True,
) -> list[str]:
    """Write the model to `output`, whose suffix chooses the format.

    Hidden geometries and clips whose files are missing are left out. `textures` are files that the user chose
    for textures, by texture number; they are read in the `context`. Without `force`, FileExistsError if the
    material library or a picture of an OBJ exists.
    Returns messages about parts that were left out, corrected or approximated. Raises OSError if a file
    cannot be written. If `step` raises an exception, the export writes no file and lets the exception pass.
    """
    display, model, lines = view.display, view.model, list[str]()
    assert model is not None, "a model is exported"
    to_world = display.to_world(model)
    if choices.is_posed(output):
        posed = pose(view.skeleton or BONELESS, view.playback.layers(view.playback.clock.time), None)
        source = ExportSource(model, (), to_world, textures, context, moves(posed, display.morphs))
    else:
        kept = [each for each in animations if each.missing_file is None]
        lost = len(animations) - len(kept)
        lines = [f"left out {counted(lost, 'clip')} without a file"] if lost else []
        played = map(view.playback.adapted, kept)
        source = ExportSource(model, tuple(played), to_world, textures, context)
    options = ExportOptions(
        fps=choices.fps,
        lod=display.lod or 0,
        textures=choices.textures,
        keep_axes=choices.axes == "file",
        materials=choices.materials,
        hidden=frozenset(display.hidden),
        force=force,
        morphs=tuple(sorted(display.morphs.items())),
    )
    write = next(writer for suffix, writer in WRITERS.items() if output.lower().endswith(suffix))
    lines += write(source, options, output, step)
    if not any(lod.count for each in model.geometries for lod in each.lods):
        lines.append("no mesh is written: the model has no vertices")
    return lines
