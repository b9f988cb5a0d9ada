"""A document: the tree of spans of a file, its content, and the bytes of its items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct, field

from viewer.arrays import Array
from viewer.binary.span import Span
from viewer.errors import Report
from viewer.scene.animation import Animation
from viewer.scene.characters import Character, CharacterLook
from viewer.scene.engine import EngineSearch
from viewer.scene.items import BoneItem, Item, TrackItem
from viewer.scene.looks import NO_DISPLAYS, Displays
from viewer.scene.material import Image
from viewer.scene.mesh.image_quad import quad_model
from viewer.scene.model import Model
from viewer.scene.package import Package
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.scene.skeleton import Skeleton
from viewer.scene.table import Table

Content = Model | Skeleton | Animation | Image | Package | CompiledShader | CompiledScript | Table | None

Worn = int | CharacterLook | None
"""The id of a display, the look of a character, or None for a model that wears neither."""


class Origin:
    """Maps items to spans and spans to items.

    `tables` maps the first item of a kind and owner, such as `BoneItem(0)` or `VertexItem(2, 0)`, to its
    table: a span with a child for each item, after a count field if there is one. `tracks` has the track
    items by the name of the animation, then by the name of the bone. Both are functions, which the first
    look-up calls.
    """

    def __init__(
        self,
        tables: Callable[[], Mapping[Item, Span]] = dict,
        tracks: Callable[[], Mapping[str, Mapping[str, TrackItem]]] = dict,
    ) -> None:
        self._tables, self._tracks = tables, tracks

    def guard(self, wrap: Callable[[Callable[[], Any]], Callable[[], Any]]) -> None:
        """Replace both functions by what `wrap` makes of them."""
        self._tables, self._tracks = wrap(self._tables), wrap(self._tracks)

    @cached_property
    def tables(self) -> Mapping[Item, Span]:
        """The table spans, each under the key of its first item. The items of a table span have the same kind
        and owner.
        """
        return self._tables()

    @cached_property
    def tracks(self) -> Mapping[str, Mapping[str, TrackItem]]:
        """The track items by the name of the animation, then by the name of the moved bone."""
        return self._tracks()

    def span(self, item: Item) -> Span | None:
        """The span of an item's bytes; None if they are not in this file."""
        table = self.tables.get(item.sibling(0))
        if table is None:
            return None
        rows = items_of(table)
        first = len(rows.children) - _count(rows)
        return rows.children[first + item.number] if 0 <= item.number < _count(rows) else None

    def item(self, offset: int) -> Item | None:
        """The innermost item whose bytes contain `offset`."""
        best: tuple[int, Item] | None = None
        for first, table in self.tables.items():
            if not table.offset <= offset < table.end:
                continue
            found = self._within(table, offset)
            if found is not None and (best is None or found[0] < best[0]):
                best = (found[0], first.sibling(found[1]))
        return best[1] if best else None

    def _within(self, table: Span, offset: int) -> tuple[int, int] | None:
        """The size in bytes and the number of the item at `offset` in `table`."""
        rows = items_of(table)
        chain = rows.at(offset)
        if len(chain) < 2 or chain[1].index is None:
            return None
        return chain[1].size, chain[1].index


def items_of(table: Span) -> Span:
    """The span whose children are the items: the table itself, or the rows after its count field."""
    children = table.children
    if len(children) == 2 and children[0].is_count and children[1].layout is table.layout:
        return children[1]
    return table


def _count(rows: Span) -> int:
    children = rows.children
    return len(children) - (1 if len(children) and children[0].is_count else 0)


class Assignments(Struct, frozen=True):
    """M stored weights of vertices, before the engine drops the smallest ones. All arrays are [M]: `vertices`
    are rows of the vertex buffer. `numbers` returns the bone numbers of some of `bones`; an unknown bone has
    the number of all bones.
    """

    vertices: Array
    bones: Array
    weights: Array
    numbers: Callable[[Array], Array]


def no_assignments(document: Document, geometry: int) -> Assignments | None:
    """Return no assignments: the value for formats that store the weights in the vertices."""
    return None


Assigned = Callable[["Document", int], Assignments | None]
"""A function that returns the stored weights of a geometry, by its number."""


class JoinedFile(Struct, frozen=True):
    """The document of a model that was joined to another. `note` says which of its bones have no partner."""

    document: Document
    note: str


class Document(Struct, eq=False, weakref=True):
    """An opened file. `content` is None if nothing was understood.

    `attached` are documents found beside the file, such as its skeleton. `animations` are the animations of
    the file and of the attached documents. `unreadable_images` maps the number of a texture in
    `scene.model.pictured` to the reason why its image failed to decode; `scene.texture_images` fills it.
    `displays` are the displays of a creature's model; `character` is the look of a character's model; `bare`
    is the document before the model wore a display or a look. `assignments` returns the stored weights of a
    geometry by its number; None if they are in its vertices. `context` is how the file was read, `engine` is
    how its engine finds files. `joined` are the files of the other models, if the model is made of several,
    see `joined_document`; they are in `attached` too.
    """

    path: str
    format: str
    version: str
    data: bytes
    root: Span
    content: Content
    report: Report
    origin: Origin = field(default_factory=Origin)
    animations: tuple[Animation, ...] = ()
    attached: tuple[Document, ...] = ()
    unreadable_images: dict[int, str] = field(default_factory=dict)
    displays: Displays = NO_DISPLAYS
    character: Character | None = None
    bare: Document | None = None
    assignments: Assigned = no_assignments
    context: ReadingContext = DEFAULT
    engine: EngineSearch = EngineSearch()
    joined: tuple[JoinedFile, ...] = ()
    _made: Model | None = None

    @property
    def worn(self) -> Worn:
        """What the model wears: the id of a display, else the look of a character, else None."""
        if self.displays.worn is not None or self.character is None:
            return self.displays.worn_id
        return self.character.look

    @property
    def added(self) -> tuple[str, ...]:
        """The paths of the files whose models were joined to the model."""
        return tuple(each.document.path for each in self.joined)

    @property
    def unread(self) -> bool:
        """Whether only bytes can be shown, because the file was not read completely and nothing can
        be drawn.
        """
        content = self.content
        empty = content is None or (isinstance(content, Model) and not content.has_content)
        return empty and not self.report.complete

    def holder(self, item: Item) -> Document:
        """The document that has an item's bytes: the attached skeleton for the bones in it, else this
        document.
        """
        bones = self.content.skeleton if isinstance(self.content, Model) else None
        if not isinstance(item, BoneItem) or bones is None:
            return self
        return next((each for each in self.attached if each.content is bones), self)

    @property
    def model(self) -> Model | None:
        """The content as a model: the model, an image on a flat quad, or a lone skeleton as a model of bones
        only. The property always returns the same object.
        """
        content = self.content
        if isinstance(content, Model):
            return content
        if self._made is None and isinstance(content, Image):
            self._made = quad_model(content)
        if self._made is None and isinstance(content, Skeleton):
            self._made = Model("", skeleton=content)
        return self._made
