"""The document under check, with values that several rules need. Each value is computed once, at its first
use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
from msgspec.structs import replace

from viewer.animation.pose import Pose, moves, rest
from viewer.animation.rig import rig
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.check.limits import NO_LIMITS, Limits, limits_of
from viewer.check.materials.pictures import TexturePictures, own_texture
from viewer.check.meshes.faces import Faces
from viewer.errors import ReportMessage, ViewerError
from viewer.family import registry
from viewer.scene.animation import Animation, TrackMatch, is_foreign, match
from viewer.scene.document import Document
from viewer.scene.material import Image, Material
from viewer.scene.maths import corners_of
from viewer.scene.mesh.vertices import column_of, drawn_vertices, four_floats, influences, posed
from viewer.scene.model import NO_MODEL, Geometry, Lod, Model, VertexElement
from viewer.scene.names import path_key
from viewer.scene.needs import Need, faulty, needs_of
from viewer.scene.skeleton import Skeleton

Made = TypeVar("Made")
PARTS = "WoW"
"""The engine in whose files attached documents are checked together with the document. In files of other
engines they are checked separately.
"""


class Surface:
    """The vertices of a geometry in one set of buffers, and the levels of detail that use these buffers.

    `number` is the index of the geometry. `levels` are pairs (index, level of detail).
    """

    def __init__(
        self, context: CheckContext, number: int, geometry: Geometry, levels: tuple[tuple[int, Lod], ...]
    ) -> None:
        self.number, self.geometry, self.levels = number, geometry, levels
        self._subject = context
        self._model = context.shapes
        self._attributes: dict[str, Array | None] = {}

    @property
    def name(self) -> str:
        """The name of the geometry, or its number. If the surface has not the finest level of the geometry,
        its first level comes before the name: `level 1 of Body`.
        """
        name, level = self.geometry.name or f"geometry {self.number}", self.levels[0][0]
        return f"level {level} of {name}" if level else name

    @property
    def lod(self) -> Lod:
        """The finest level of detail of the surface."""
        return self.levels[0][1]

    @cached_property
    def rows(self) -> Array:
        """[N]: the indices of the vertices that the levels draw, ascending."""
        drawn = [drawn_vertices(self._model, lod) for _, lod in self.levels]
        if len(drawn) == 1:
            return drawn[0]
        marked = np.zeros(max((int(each[-1]) + 1 for each in drawn if len(each)), default=0), bool)
        for each in drawn:
            marked[each] = True
        return np.flatnonzero(marked)

    def attribute(self, semantic: str) -> Array | None:
        """An attribute of the drawn vertices as [N, components] f32; None if they lack the attribute."""
        if semantic not in self._attributes:
            found = column_of(self._model, self.lod, semantic)
            self._attributes[semantic] = None if found is None else self._floats(*found)
        return self._attributes[semantic]

    def vectors(self, semantic: str) -> Array | None:
        """The first three components of an attribute as [N, 3] f32; None if it has fewer."""
        found = self.attribute(semantic)
        return None if found is None or found.shape[1] < 3 else found[:, :3]

    def _floats(self, column: Array, element: VertexElement) -> Array:
        kept = column if len(column) == len(self.rows) else column[self.rows]
        return four_floats(kept, element)[:, : element.components]

    @cached_property
    def positions(self) -> Array | None:
        """[N, 3] f32: the stored positions of the drawn vertices. Positions with two components do not
        count.
        """
        return self.vectors("position")

    @cached_property
    def faces(self) -> Faces:
        """The triangles of the finest level."""
        return self.faces_of(self.lod)

    def faces_of(self, lod: Lod) -> Faces:
        """The triangles of a level of detail."""
        return Faces(self._model, lod, self.rows, self.positions)

    @property
    def material(self) -> Material | None:
        """The material of the geometry; None if the geometry has none, or if its file is missing."""
        number, materials = self.geometry.material, self._model.materials
        found = materials[number] if number is not None and number < len(materials) else None
        return None if found is None or found.missing else found

    @cached_property
    def influences(self) -> tuple[Array, Array] | None:
        """The bones [N, 4] of the drawn vertices and their weights [N, 4] f32, see
        `scene.mesh.vertices.influences`; None if they are not skinned.
        """
        bones = len(self._subject.skeleton) if self._subject.skeleton is not None else 0
        return influences(self._model, self.geometry, self.lod, self.rows, bones)

    @cached_property
    def at_rest(self) -> Array:
        """[N, 3]: the positions of the drawn vertices in the rest pose; [0, 3] if they have no positions."""
        made = self._subject.rest
        return posed(self._model, self.geometry, self.lod, self.rows, moves(made, {}))


class CheckContext:
    """The document under check. `given` are the files that the user named; their clips are among the checked
    animations. `limits` override the limits of the engine.
    """

    def __init__(self, document: Document, given: Collection[str] = (), limits: Limits = NO_LIMITS) -> None:
        self.document = document
        self._given = {path_key(path) for path in given}
        self._made: dict[Callable[[CheckContext], Any], Any] = {}
        content = document.content
        self.model = content if isinstance(content, Model) else None
        self.shapes = _as_stored(self.model) if self.model is not None else NO_MODEL
        self.skeleton: Skeleton | None = content if isinstance(content, Skeleton) else self.shapes.skeleton
        self.family = registry.engine_of(document.format)
        self.limits = limits_of(self.family, limits)

    @cached_property
    def pictures(self) -> TexturePictures:
        """The pictures of the model's textures; if the document is a picture, only this picture."""
        is_image = isinstance(self.document.content, Image)
        return TexturePictures((own_texture(self.document),) if is_image else self.shapes.textures)

    @cached_property
    def needs(self) -> tuple[Need, ...]:
        """The needs of the document. Its pictures are decoded first, because only decoding shows damage."""
        textures = enumerate(self.shapes.textures)
        errors = {number: error for number, _ in textures if (error := self.pictures[number].fault)}
        return needs_of(self.document, errors={**errors, **self.document.unreadable_images})

    @cached_property
    def faulty(self) -> dict[str, Need]:
        """The needs that `scene.needs.faulty` returns."""
        return faulty(self.document, self.needs)

    @cached_property
    def surfaces(self) -> tuple[Surface, ...]:
        """The surfaces of all geometries, in order."""
        return tuple(self._surfaces())

    @cached_property
    def finest(self) -> tuple[Surface, ...]:
        """The surfaces that have the finest level of their geometry, one for each geometry."""
        return tuple(surface for surface in self.surfaces if surface.levels[0][0] == 0)

    def _surfaces(self) -> Iterator[Surface]:
        for number, geometry in enumerate(self.shapes.geometries):
            shared: dict[tuple[int, ...], list[tuple[int, Lod]]] = {}
            for level, lod in enumerate(geometry.lods):
                if lod.streams:
                    shared.setdefault(lod.streams, []).append((level, lod))
            for levels in shared.values():
                yield Surface(self, number, geometry, tuple(levels))

    def once(self, make: Callable[[CheckContext], Made]) -> Made:
        """Return `make(self)`. The first call with a function `make` computes the value, and later calls
        return the same value.
        """
        if make not in self._made:
            self._made[make] = make(self)
        return cast(Made, self._made[make])

    @cached_property
    def rest(self) -> Pose | None:
        """The rest pose of the model's skeleton."""
        return None if self.skeleton is None or not len(self.skeleton) else rest(self.skeleton)

    @cached_property
    def carried(self) -> Array:
        """[B] bool: the bones that move vertices."""
        found = np.zeros((len(self.skeleton) if self.skeleton is not None else 0) + 1, bool)
        for surface in self.surfaces:
            if surface.influences is not None:
                bones, weights = surface.influences
                found[bones[weights > 0]] = True
        return found[:-1]

    @cached_property
    def by_depth(self) -> list[int]:
        """All bone indices, parents before children."""
        return [] if self.skeleton is None else rig(self.skeleton).hierarchy.order.tolist()

    @cached_property
    def own_clips(self) -> tuple[tuple[int, Animation], ...]:
        """The animations that the checked file itself contains, with their indices. Animations of other files
        are checked when their own file is checked.
        """
        own = path_key(self.document.path)
        return tuple(
            (number, clip)
            for number, clip in self.animations
            if not clip.source or path_key(clip.source) == own
        )

    @cached_property
    def animations(self) -> tuple[tuple[int, Animation], ...]:
        """The animations to check, with their indices. `BUDGET.checked_tracks` limits their number."""
        bones = len(self.skeleton) if self.skeleton is not None else 0
        return tuple(enumerate(self.document.animations))[: max(BUDGET.checked_tracks // max(bones, 1), 1)]

    @property
    def messages(self) -> Iterator[ReportMessage]:
        """The messages of the document and of its parts."""
        parts = self.document.attached if self.family == PARTS else ()
        yield from self.document.report.messages
        for each in parts:
            yield from (message._replace(file=message.file or each.path) for message in each.report.messages)

    def document_at(self, path: str) -> Document:
        """The attached document of this path, else the checked document."""
        key = path_key(path)
        return next((each for each in self.document.attached if path_key(each.path) == key), self.document)

    @cached_property
    def matched(self) -> tuple[tuple[int, Animation, TrackMatch], ...]:
        """The clips that belong to the skeleton, each with its index and its matching bones. Clips of the
        checked file and of files that the user names always belong to the skeleton. Any other clip belongs to
        it if at least half of its tracks match a bone.
        """
        return tuple(self._matched())

    def _matched(self) -> Iterator[tuple[int, Animation, TrackMatch]]:
        if self.skeleton is None:
            return
        own = {number for number, _ in self.own_clips}
        for number, clip in self.animations:
            if not readable(clip) or not clip.targets:
                continue
            if is_foreign(clip, self.skeleton):  # no engine plays this clip on this skeleton
                continue
            found = match(clip, self.skeleton.names, prefixes=False)
            if number in own or self.is_given(clip) or 2 * len(found.bones) >= len(clip.targets):
                yield number, clip, found

    def is_given(self, clip: Animation) -> bool:
        """Whether the user named the file of this clip."""
        return path_key(clip.source) in self._given

    @cached_property
    def reach(self) -> float:
        """The size of the skeleton: the largest distance along an axis between two bones in the rest pose; 0
        if it is not finite.
        """
        if self.rest is None:
            return 0.0
        size = float(np.ptp(self.rest.world[:, :, 3], axis=0).max())
        return size if np.isfinite(size) else 0.0

    @cached_property
    def extent(self) -> float:
        """The diagonal of the box around all stored positions; 0 if it is not finite."""
        stored = [each.positions for each in self.surfaces if each.positions is not None]
        corners = [corners_of(positions) for positions in stored if len(positions)]
        if not corners:
            return 0.0
        size = float(np.linalg.norm(np.ptp(np.concatenate(corners).astype(np.float64), axis=0)))
        return size if np.isfinite(size) else 0.0


def _as_stored(model: Model) -> Model:
    """The model without points that the program made: no rule speaks of them, or of their vertices."""
    if all(geometry.stored for geometry in model.geometries):
        return model
    return replace(model, geometries=(), vertex_buffers=(), morphs=(), shapes=())


def readable(clip: Animation) -> bool:
    """Whether the keys of a clip can be read. A damaged clip is reported by the rules for its own file."""
    if clip.missing_file is not None:
        return False
    try:
        return len(clip.tracks) >= 0
    except ViewerError:
        return False
