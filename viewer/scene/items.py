"""Items: the parts of a document that the outline lists and a click selects, a class for each kind.

Items with equal kind and numbers are equal; they can be dictionary keys. The text of an item is its kind and
its numbers: `vertex 0 17`.
"""

from __future__ import annotations

from typing import ClassVar, Self

from msgspec import Struct
from msgspec.structs import astuple, replace


class Item(Struct, frozen=True):
    """A part of a document: `kind` is its noun in texts and logs, `number` its rank among its siblings.
    `placed`: it has a position that the camera can frame.
    """

    kind: ClassVar[str]
    placed: ClassVar[bool] = False

    @property
    def number(self) -> int:
        """The number of the item among the items of the same kind and owner, counted from 0."""
        raise NotImplementedError

    @property
    def numbers(self) -> tuple[int, ...]:
        """All numbers, the owner's first: (0, 17) for vertex 17 of buffer 0."""
        return astuple(self)

    def sibling(self, number: int) -> Self:
        """The item of the same kind and owner with the given number."""
        return replace(self, number=number)

    def __str__(self) -> str:
        return " ".join([self.kind, *map(str, self.numbers)])


class NumberedItem(Item, frozen=True):
    """An item that belongs to the document itself and is identified by its number."""

    number: int


class BoneItem(NumberedItem, frozen=True):
    """A bone of the skeleton."""

    kind = "bone"
    placed = True


class GeometryItem(NumberedItem, frozen=True):
    """A geometry of the model."""

    kind = "geometry"
    placed = True


class GeosetItem(NumberedItem, frozen=True):
    """All geometries with the geoset id `number`."""

    kind = "geoset"
    placed = True


class VertexBufferItem(NumberedItem, frozen=True):
    """A vertex buffer of the model."""

    kind = "vertex_buffer"


class IndexBufferItem(NumberedItem, frozen=True):
    """An index buffer of the model."""

    kind = "index_buffer"


class MaterialItem(NumberedItem, frozen=True):
    """A material of the model."""

    kind = "material"


class TextureItem(NumberedItem, frozen=True):
    """A texture of the model."""

    kind = "texture"


class MorphItem(NumberedItem, frozen=True):
    """A morph of the model."""

    kind = "morph"


class ModelItem(NumberedItem, frozen=True):
    """Another model that emitters of this model refer to: the emitters' particles show the other model, or
    carry its emitters.
    """

    kind = "model"


class CameraItem(NumberedItem, frozen=True):
    """A camera of the file."""

    kind = "camera"


class MarkerItem(NumberedItem, frozen=True):
    """A point of the model that may follow a bone."""

    placed = True


class AttachmentItem(MarkerItem, frozen=True):
    """An attachment point."""

    kind = "attachment"


class EventItem(MarkerItem, frozen=True):
    """An event with its position."""

    kind = "event"


class LightItem(MarkerItem, frozen=True):
    """A light of the file."""

    kind = "light"


class EffectItem(MarkerItem, frozen=True):
    """A particle emitter or a ribbon."""


class EmitterItem(EffectItem, frozen=True):
    """A particle emitter."""

    kind = "emitter"


class RibbonItem(EffectItem, frozen=True):
    """A ribbon."""

    kind = "ribbon"


class AnimationItem(NumberedItem, frozen=True):
    """A playable animation of the document or of a file beside it."""

    kind = "animation"


class ClipItem(NumberedItem, frozen=True):
    """An animation in a file of several animations; `number` counts them in that file."""

    kind = "clip"


class ParameterItem(NumberedItem, frozen=True):
    """A parameter of a compiled shader."""

    kind = "parameter"


class UnitItem(NumberedItem, frozen=True):
    """A texture unit of a compiled shader."""

    kind = "unit"


class TextItem(NumberedItem, frozen=True):
    """A text in a compiled script."""

    kind = "text"


class RowItem(NumberedItem, frozen=True):
    """A row of a table."""

    kind = "row"


class ByteItem(NumberedItem, frozen=True):
    """A byte of the file; the number is its offset."""

    kind = "byte"


class LodItem(Item, frozen=True):
    """A level of detail of the geometry with the number `geometry`."""

    kind = "lod"
    placed = True
    geometry: int
    number: int


class VertexItem(Item, frozen=True):
    """A vertex of the vertex buffer with the number `buffer`."""

    kind = "vertex"
    placed = True
    buffer: int
    number: int


class IndexItem(Item, frozen=True):
    """An index of the index buffer with the number `buffer`."""

    kind = "index"
    placed = True
    buffer: int
    number: int


class InstructionItem(Item, frozen=True):
    """An instruction of the shader program with the number `program`."""

    kind = "instruction"
    program: int
    number: int


class ParticleItem(Item, frozen=True):
    """A particle of the emitter with the number `emitter`; `number` counts births from time 0."""

    kind = "particle"
    placed = True
    emitter: int
    number: int


class TrackItem(Item, frozen=True):
    """A track of an animation. `clip` is the animation's number in a file of several animations, else
    None.
    """

    kind = "track"
    clip: int | None
    number: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """The clip's number, if there is one, and the track's number."""
        return (self.number,) if self.clip is None else (self.clip, self.number)


class KeyItem(Item, frozen=True):
    """A keyframe of `track`."""

    kind = "key"
    track: TrackItem
    number: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the track, and the key's number."""
        return *self.track.numbers, self.number
