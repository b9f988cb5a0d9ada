"""Items: the parts of a document that the outline lists, that a click selects, and that own bytes. Each kind
is a class of its own.

Items are equal if their kind and numbers are equal, and can be keys of dictionaries. As text an item is its
kind and numbers: `vertex 0 17`.
"""

from __future__ import annotations

from dataclasses import fields
from typing import ClassVar, Self

from viewer.dataclass import dataclass, replace


class Item:
    """A part of a document. `kind` is its name in texts and logs, `number` counts it among its siblings."""

    __slots__ = ()
    kind: ClassVar[str]

    @property
    def number(self) -> int:
        """The number among the items of the same kind and the same owner, from 0."""
        raise NotImplementedError

    @property
    def numbers(self) -> tuple[int, ...]:
        """All numbers, the owner's first: (0, 17) for vertex 17 of buffer 0."""
        return tuple(getattr(self, each.name) for each in fields(self))  # type: ignore[arg-type]

    def sibling(self, number: int) -> Self:
        """The item of the same kind and owner with that number."""
        return replace(self, number=number)  # type: ignore[type-var]

    def __str__(self) -> str:
        return " ".join([self.kind, *map(str, self.numbers)])


@dataclass(frozen=True, slots=True)
class NumberedItem(Item):
    """An item of the document itself, which its number alone identifies."""

    number: int


class BoneItem(NumberedItem):
    """A bone of the skeleton."""

    __slots__ = ()
    kind = "bone"


class GeometryItem(NumberedItem):
    """A geometry of the model."""

    __slots__ = ()
    kind = "geometry"


class GeosetItem(NumberedItem):
    """All geometries with one geoset id, which is the number."""

    __slots__ = ()
    kind = "geoset"


class VertexBufferItem(NumberedItem):
    """A vertex buffer of the model."""

    __slots__ = ()
    kind = "vertex_buffer"


class IndexBufferItem(NumberedItem):
    """An index buffer of the model."""

    __slots__ = ()
    kind = "index_buffer"


class MaterialItem(NumberedItem):
    """A material of the model."""

    __slots__ = ()
    kind = "material"


class TextureItem(NumberedItem):
    """A texture of the model."""

    __slots__ = ()
    kind = "texture"


class MorphItem(NumberedItem):
    """A morph of the model."""

    __slots__ = ()
    kind = "morph"


class ModelItem(NumberedItem):
    """A model that the model refers to: particles show it or carry its emitters."""

    __slots__ = ()
    kind = "model"


class CameraItem(NumberedItem):
    """A camera of the file."""

    __slots__ = ()
    kind = "camera"


class MarkerItem(NumberedItem):
    """A point of the model that may follow a bone."""

    __slots__ = ()


class AttachmentItem(MarkerItem):
    """An attachment point."""

    __slots__ = ()
    kind = "attachment"


class EventItem(MarkerItem):
    """An event and its place."""

    __slots__ = ()
    kind = "event"


class LightItem(MarkerItem):
    """A light of the file."""

    __slots__ = ()
    kind = "light"


class EffectItem(MarkerItem):
    """A particle emitter or a ribbon."""

    __slots__ = ()


class EmitterItem(EffectItem):
    """A particle emitter."""

    __slots__ = ()
    kind = "emitter"


class RibbonItem(EffectItem):
    """A ribbon."""

    __slots__ = ()
    kind = "ribbon"


class AnimationItem(NumberedItem):
    """An animation that can be played: an animation of the document or of a file beside it."""

    __slots__ = ()
    kind = "animation"


class ClipItem(NumberedItem):
    """An animation of a file of several animations, with its number in that file."""

    __slots__ = ()
    kind = "clip"


class ParameterItem(NumberedItem):
    """A parameter of a compiled shader."""

    __slots__ = ()
    kind = "parameter"


class UnitItem(NumberedItem):
    """A texture unit of a compiled shader."""

    __slots__ = ()
    kind = "unit"


class TextItem(NumberedItem):
    """A text in a compiled script."""

    __slots__ = ()
    kind = "text"


class ByteItem(NumberedItem):
    """A byte of the file; the number is its offset."""

    __slots__ = ()
    kind = "byte"


@dataclass(frozen=True, slots=True)
class LodItem(Item):
    """A level of detail of the geometry with the number `geometry`."""

    kind = "lod"
    geometry: int
    number: int


@dataclass(frozen=True, slots=True)
class VertexItem(Item):
    """A vertex of the vertex buffer with the number `buffer`."""

    kind = "vertex"
    buffer: int
    number: int


@dataclass(frozen=True, slots=True)
class IndexItem(Item):
    """An index of the index buffer with the number `buffer`."""

    kind = "index"
    buffer: int
    number: int


@dataclass(frozen=True, slots=True)
class InstructionItem(Item):
    """An instruction of the shader program with the number `program`."""

    kind = "instruction"
    program: int
    number: int


@dataclass(frozen=True, slots=True)
class ParticleItem(Item):
    """A particle of the emitter with the number `emitter`; `number` counts births from time 0."""

    kind = "particle"
    emitter: int
    number: int


@dataclass(frozen=True, slots=True)
class TrackItem(Item):
    """A track of an animation. `clip` is its number in a file of several animations, else None."""

    kind = "track"
    clip: int | None
    number: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """The clip's number, if any, and the track's."""
        return (self.number,) if self.clip is None else (self.clip, self.number)


@dataclass(frozen=True, slots=True)
class KeyItem(Item):
    """A keyframe of `track`."""

    kind = "key"
    track: TrackItem
    number: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """The track's numbers, and the key's."""
        return *self.track.numbers, self.number
