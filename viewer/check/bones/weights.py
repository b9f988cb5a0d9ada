"""Rules for the weights of vertices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext, Surface
from viewer.check.meshes.vertices import share_text, vertex_items
from viewer.check.rule import Found, Rule, rounded
from viewer.scene.finding import Severity
from viewer.scene.mesh.vertices import lacks_weights

SUM_ERROR = 0.02
"""A sum of weights may differ from 1 by this much, because weights that are stored as bytes are rounded."""


def sums(context: CheckContext) -> Iterator[Found]:
    """Report vertices whose weights do not add up to 1."""
    for surface, _, weights in _skinned(context):
        total = weights.sum(axis=1, dtype=np.float64)
        off = np.flatnonzero(~(np.abs(total - 1) <= SUM_ERROR) & (weights != 0).any(axis=1))
        if len(off):
            worst = total[off[np.argmax(np.nan_to_num(np.abs(total[off] - 1), nan=np.inf))]]
            text = (
                f"the weights of {share_text(surface, off)} do not add up to 1; one sum is {rounded(worst)}"
            )
            yield Found(text, vertex_items(surface, off))


def missing_bones(context: CheckContext) -> Iterator[Found]:
    """Report vertices with weights on bones that do not exist."""
    for surface, bones, weights in _skinned(context):
        off = np.flatnonzero(((weights > 0) & (bones == len(context.carried))).any(axis=1))
        if len(off):
            text = f"{share_text(surface, off)} follow bones that do not exist"
            yield Found(text, vertex_items(surface, off))


def no_weights(context: CheckContext) -> Iterator[Found]:
    """Report vertices of a skinned geometry without a weight."""
    for surface, _, weights in _skinned(context):
        stored = surface.attribute("weights") if lacks_weights(context.shapes) else None
        off = np.flatnonzero(((weights if stored is None else stored) == 0).all(axis=1))
        if len(off):
            yield Found(f"{share_text(surface, off)} follow no bone", vertex_items(surface, off))


def _skinned(context: CheckContext) -> Iterator[tuple[Surface, Array, Array]]:
    """Yield the skinned surfaces with the bones [N, 4] and weights [N, 4] of their vertices."""
    for surface in context.surfaces:
        if surface.influences is not None:
            yield surface, *surface.influences


RULES = (
    Rule(
        "weights/sum",
        Severity.WARNING,
        "The weights of a vertex do not add up to 1",
        sums,
        {
            "OGRE": (
                "OGRE normalises bone assignments, but not the weights in vertex buffers: the vertices "
                "move towards the origin or away from it."
            ),
            "": "The vertices move towards the origin if the sum is below 1, else away from it.",
        },
        "Normalise all weights in the modelling program before exporting.",
        "the weights of 12 of 800 vertices of Body (first #31) do not add up to 1; one sum is 0.7",
    ),
    Rule(
        "weights/missing-bone",
        Severity.ERROR,
        "Vertices follow bones that do not exist",
        missing_bones,
        {
            "Urho3D": (
                "The shader reads a matrix of another model: the vertices are drawn at wrong positions."
            ),
            "": "A matrix that does not belong to the model moves the vertices.",
        },
        "Bind the vertices to existing bones, and export the mesh and the skeleton together.",
        "4 of 800 vertices of Body (first #96) follow bones that do not exist",
    ),
    Rule(
        "weights/none",
        Severity.WARNING,
        "Vertices of a skinned geometry follow no bone",
        no_weights,
        {
            "": (
                "Without a weight the matrix of a vertex is 0: the vertices collapse into the origin of "
                "the model. Where all weights of a model are 0, Rigscope shows it in its bind pose, moved by "
                "its first bone; what the game shows was not measured."
            )
        },
        "Give each vertex at least one weight.",
        "2 of 800 vertices of Body (first #5) follow no bone",
    ),
)
