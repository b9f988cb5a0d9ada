"""`rigscope bake`: writes posed vertices and particles from the GPU as arrays, or the posed mesh as PLY."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from viewer.actions.effects import effects_time
from viewer.arrays import Array, damaged_numbers
from viewer.commands.one_output import no_model, prepared, written
from viewer.commands.options.apply_options import named_clips
from viewer.commands.options.given_options import Values, is_for_many, options_of
from viewer.commands.options.parser import UsageError
from viewer.commands.package import holding
from viewer.export.ply import VERTEX, ply_bytes
from viewer.render.bake import BakedGeometry, bake_ribbons
from viewer.render.bake import bake as bake_geometries
from viewer.render.effects.particle_capture import capture_carried, capture_particles
from viewer.render.standalone import standalone_renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.choices import BAKED_SUFFIXES
from viewer.scene.mesh.primitives import as_list
from viewer.scene.model import NO_MODEL, Geometry, Model, Primitive
from viewer.scene.package import Package
from viewer.session.state import State
from viewer.storage.writing import replaced


def bake(paths: list[str], values: Values) -> int:
    """Write the posed vertices of one or many models; return the exit status."""
    if not is_for_many(values["output"]):
        return bake_one(paths, values, values["output"])
    from viewer.commands.many_models import write_each  # imported late, because only batches need it

    return write_each("bake", bake_one, paths, values, BAKED_SUFFIXES)


@damaged_numbers()
def bake_one(paths: Sequence[str], values: Values, output: str) -> int:
    """Write the posed vertices of a model; return the exit status."""
    options = options_of(values)
    state = prepared(paths, options)
    clips = named_clips(state, options)
    return written([state], paths, options, output, lambda: write(state, output), clips)


class Baked(NamedTuple):
    """A posed model: its `geometries` as drawn, and all `arrays` under their names in an .npz file."""

    geometries: Sequence[BakedGeometry]
    arrays: dict[str, Array]


def write(state: State, output: str) -> Baked:
    """Write the State's posed model to `output`, whose suffix chooses the format, and return it."""
    baked = posed(state)
    with replaced(output) as file:
        if output.lower().endswith(".npz"):
            np.savez(file, **dict[str, Any](baked.arrays))
        else:
            file.write(ply(state.model or NO_MODEL, baked.geometries, state.view.lod or 0))
    return baked


def posed(state: State) -> Baked:
    """Pose the State's model on the GPU. UsageError if there is no model."""
    model = state.model
    if state.document is not None and isinstance(state.document.content, Package):
        raise UsageError(holding(state.document.path, state.document.content))
    if model is None:
        raise no_model(state, "there is no model to bake")
    pose = state.playback.posed_alone()
    with standalone_renderer() as renderer:
        mesh = renderer.upload(model)
        baked = bake_geometries(mesh, pose, state.view)
        effect_time = EffectTime(
            effects_time(state), state.playback.layers(), pose, effects=state.view.effects
        )
        particles = capture_particles(mesh, effect_time, state.view)
        carried = capture_carried(mesh, effect_time, state.view)
        ribbons = bake_ribbons(mesh, effect_time)
        mesh.release()
    bones = np.empty((0, 3, 4))
    if pose is not None:
        pivots = model.skeleton is not None and model.skeleton.pivots is not None
        bones = pose.skin if pivots else pose.world
    effects = {**numbered("emitter", particles), **numbered("ribbon", ribbons)}
    effects |= {f"carried_{number}": rows for number, rows in carried.items()}
    return Baked(baked, {"bones": bones, **arrays(baked), **effects})


def arrays(baked: Sequence[BakedGeometry]) -> dict[str, Any]:
    """Return the arrays by name: `positions_k`, `normals_k` [V, 3] and `indices_k` [I] of each geometry k."""
    named: dict[str, Any] = {}
    for number, geometry in enumerate(baked):
        named[f"positions_{number}"] = geometry.positions
        named[f"normals_{number}"] = geometry.normals
        named[f"indices_{number}"] = geometry.indices
    return named


def numbered(name: str, rows: Sequence[Array]) -> dict[str, Any]:
    """Return the arrays by name: `name_0`, `name_1` and so on."""
    return {f"{name}_{number}": each for number, each in enumerate(rows)}


def ply(model: Model, baked: Sequence[BakedGeometry], level: int) -> bytes:
    """Encode the used vertices of all geometries as a binary little-endian PLY.

    Triangles become faces. Geometries of lines or points only add vertices.
    """
    parts = [_part(*pair, level) for pair in zip(model.geometries, baked, strict=True)]
    return ply_bytes(parts)


def _part(geometry: Geometry, baked: BakedGeometry, level: int) -> tuple[Array, Array]:
    """Return the used vertices of a geometry, and its triangles [T, 3] as indices into them."""
    used, numbers = np.unique(baked.indices, return_inverse=True)
    vertices = np.empty(len(used), VERTEX)
    vertices["position"], vertices["normal"] = baked.positions[used], baked.normals[used]
    lods = geometry.lods
    primitive = lods[min(level, len(lods) - 1)].primitive if lods else Primitive.POINTS
    listed, kind = as_list(numbers, primitive)
    return vertices, listed if kind is Primitive.TRIANGLES else np.empty((0, 3), np.int64)
