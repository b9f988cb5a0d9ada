"""Two documents under comparison, with values that several comparisons need. Each value is computed at its
first use.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from viewer.animation.pose import rest
from viewer.arrays import Array
from viewer.compare.axes_change import NO_CHANGE, AxesChange, axes_change, some_positions
from viewer.compare.diff.bones import BoneMatch, match_bones
from viewer.compare.diff.deviation import Tolerance, tolerance_of
from viewer.compare.geometry_pairs import geometry_pairs
from viewer.compare.vertex_match import match_geometry
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.model import Lod, Model
from viewer.scene.names import paired, path_key
from viewer.scene.needs import needs_of, unmet
from viewer.scene.parts import PartOwner
from viewer.scene.skeleton import Skeleton

SAMPLED_TRACKS = 64
NumberedClip = tuple[int, Animation]


class DocumentPair:
    """Two documents, `one` and `other`. `chosen` is the user's tolerance (None: none chosen).

    If `beside` is True, animations of files beside the documents are compared too, if both documents have an
    animation of the same name. `first` and `second` are the models of the documents (empty models for other
    contents). `notes` lists what was not compared.
    """

    def __init__(
        self, one: Document, other: Document, chosen: float | None = None, beside: bool = False
    ) -> None:
        self.one, self.other, self.beside = one, other, beside
        self._chosen = chosen
        self.first, self.second = (PartOwner.stored(each).model for each in (one, other))
        self.notes: list[str] = []

    @property
    def families(self) -> tuple[str, str]:
        """The format family of each document, which is the first word of its format: Urho3D, OGRE, WoW."""
        return self.one.format.partition(" ")[0], self.other.format.partition(" ")[0]

    @property
    def related(self) -> bool:
        """Whether both files belong to one engine."""
        return self.families[0] == self.families[1]

    @cached_property
    def axes(self) -> AxesChange:
        """The change of axes and unit from the second model to the first."""
        return NO_CHANGE if self.related else axes_change(self.first, self.second)

    @cached_property
    def tolerance(self) -> Tolerance:
        """The largest ignored deviations."""
        return tolerance_of(self._chosen, self._size())

    def _size(self) -> float:
        """The largest extent of the first document along an axis, measured from the vertices. Without
        vertices it is measured from the bones, without bones from the keys.
        """
        positions = some_positions(self.first, range(min(len(self.first.geometries), 64)))
        bones = self.first.skeleton
        if not len(positions) and bones is not None and len(bones):
            positions = rest(bones).world[:, :, 3]
        if not len(positions):
            positions = _key_positions(self.one)
        finite = positions[np.isfinite(positions).all(axis=1)]
        return float(np.ptp(finite.astype(np.float64), axis=0).max()) if len(finite) else 0.0

    @cached_property
    def skeletons(self) -> tuple[Skeleton, Skeleton] | None:
        """The skeletons of both documents; None if one is missing."""
        first, second = (model.skeleton for model in (self.first, self.second))
        return None if first is None or second is None else (first, second)

    @cached_property
    def bones(self) -> BoneMatch:
        """The matching bones; no bones unless both documents have a skeleton."""
        if self.skeletons is None:
            return BoneMatch({}, frozenset())
        return match_bones(*self.skeletons, self.axes, self.tolerance)

    @cached_property
    def bone_numbers(self) -> tuple[dict[str, int], dict[str, int]]:
        """The bone indices of both models by name. If several bones have the same name, the first index is
        used.
        """
        skeletons = self.first.skeleton, self.second.skeleton
        one, other = (reversed(list(enumerate(each.names))) if each else () for each in skeletons)
        return {name: bone for bone, name in one}, {name: bone for bone, name in other}

    @cached_property
    def geometries(self) -> list[tuple[int, int]]:
        """Indices of the matching geometries."""
        return geometry_pairs(self.first, self.second)

    @cached_property
    def vertex_tables(self) -> dict[int, tuple[int, Array]]:
        """For each position buffer of the second model that has a counterpart: the index of that buffer in
        the first model, and an array [V] with the matching vertex there of each vertex (without a match: its
        own index).
        """
        found: dict[int, tuple[int, Array]] = {}
        for number, partner in self.geometries:
            match = match_geometry(self.first, number, self.second, partner, self.axes)
            if match is None:
                continue
            buffers = (
                position_buffer(self.first, self.first.geometries[number].lods[0]),
                position_buffer(self.second, self.second.geometries[partner].lods[0]),
            )
            table = np.arange(self.second.vertex_buffers[buffers[1]].count)
            table = found.get(buffers[1], (buffers[0], table))[1]
            table[match.other_rows[::-1]] = match.rows[::-1]
            found[buffers[1]] = buffers[0], table
        return found

    def buffer_of(self, other: int) -> int:
        """The index of the first model's vertex buffer that matches buffer `other` of the second model. If no
        matching buffer is known, the result is `other` itself.
        """
        return self.vertex_tables[other][0] if other in self.vertex_tables else other

    @cached_property
    def clips(self) -> tuple[list[NumberedClip], list[NumberedClip]]:
        """The animations to compare, with their indices. Between two engines they include the animations of
        files beside each file, because engines store animations in different files.
        """
        if self.beside or not self.related:
            return list(enumerate(self.one.animations)), list(enumerate(self.other.animations))
        return self.own_clips

    @cached_property
    def own_clips(self) -> tuple[list[NumberedClip], list[NumberedClip]]:
        """The animations of each file and of its linked skeleton, with their indices."""
        return _clips(self.one), _clips(self.other)

    @cached_property
    def clip_pairs(self) -> list[tuple[NumberedClip, NumberedClip]]:
        """The matching animations, by name."""
        first, second = self.clips
        if isinstance(self.one.content, Animation) and isinstance(self.other.content, Animation):
            return list(zip(first, second, strict=False))
        pairs = paired([clip.name for _, clip in first], [clip.name for _, clip in second])
        return [(first[number], second[partner]) for number, partner in pairs.items()]

    @cached_property
    def unfound(self) -> dict[str, list[str]]:
        """The names of the parts that cannot be compared, by kind of part. For one of the documents, the file
        of such a part is missing.
        """
        return {}

    def lacks(self, *kinds: str) -> str:
        """The name of the first missing file in either document. Only files of the `kinds` count; empty if
        none of them is missing.
        """
        missing = [need for each in (self.one, self.other) for need in unmet(needs_of(each))]
        return next((need.name for need in missing if any(kind in need.kind for kind in kinds)), "")


def position_buffer(model: Model, lod: Lod) -> int:
    """The index of the vertex buffer with the positions; the level must have positions."""
    return next(each for each in lod.streams if model.vertex_buffers[each].element("position") is not None)


def _key_positions(document: Document) -> Array:
    """[N, 3]: the position keys of some tracks."""
    tracks = [track for clip in document.animations[:1] for track in clip.tracks[:SAMPLED_TRACKS]]
    found = [track.values for track in tracks if track.path == "position" and len(track.times)]
    return np.concatenate(found) if found else np.empty((0, 3))


def _clips(document: Document) -> list[NumberedClip]:
    """The animations of the file and of its skeleton, without animations of other files."""
    skeleton = document.model.skeleton if document.model is not None else None
    own = {"", path_key(document.path)}
    own |= {path_key(each.path) for each in document.attached if each.content is skeleton}
    return [
        (number, clip)
        for number, clip in enumerate(document.animations)
        if not clip.source or path_key(clip.source) in own
    ]
