"""The facade for families of others: all that a plugin imports from Rigscope.

A plugin is an installed distribution with lines of the entry point group `rigscope.families`. The name of a
line is a suffix without its dot, and its value is a `Family`. See "A format of your own" in the manual.

`API` is the version of these names. It is 1 since formats have `edits`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from viewer.arrays import damaged_numbers as damaged_numbers
    from viewer.binary import Array as Array
    from viewer.binary import Choice as Choice
    from viewer.binary import Cursor as Cursor
    from viewer.binary import Described as Described
    from viewer.binary import Expression as Expression
    from viewer.binary import Fixed as Fixed
    from viewer.binary import Magic as Magic
    from viewer.binary import Optional as Optional
    from viewer.binary import Record as Record
    from viewer.binary import Repeat as Repeat
    from viewer.binary import Rows as Rows
    from viewer.binary import Span as Span
    from viewer.binary import Struct as Struct
    from viewer.binary import Text as Text
    from viewer.binary import VariableRows as VariableRows
    from viewer.binary import When as When
    from viewer.binary import item_span as item_span
    from viewer.binary import record_dtype as record_dtype
    from viewer.binary import rows_span as rows_span
    from viewer.binary import tile as tile
    from viewer.binary.splicing import Splice as Splice
    from viewer.binary.whole_file import read_whole as read_whole
    from viewer.binary.whole_file import root_span as root_span
    from viewer.check.check_context import CheckContext as CheckContext
    from viewer.check.rule import Found as Found
    from viewer.check.rule import Rule as Rule
    from viewer.check.rule import RulePart as RulePart
    from viewer.check.rule import error_found as error_found
    from viewer.check.rule import listed as listed
    from viewer.check.rule import reported as reported
    from viewer.errors import FormatError as FormatError
    from viewer.errors import Report as Report
    from viewer.errors import ResourceError as ResourceError
    from viewer.errors import Topic as Topic
    from viewer.errors import counted as counted
    from viewer.family.archive import ArchiveFiles as ArchiveFiles
    from viewer.family.archive import ArchiveFormat as ArchiveFormat
    from viewer.family.archive import Fetch as Fetch
    from viewer.family.archive import HashedFiles as HashedFiles
    from viewer.family.family import API as API
    from viewer.family.family import Family as Family
    from viewer.family.format import EditRules as EditRules
    from viewer.family.format import Folder as Folder
    from viewer.family.format import Format as Format
    from viewer.family.format import IndexRange as IndexRange
    from viewer.family.format import OpenedFile as OpenedFile
    from viewer.family.later import later as later
    from viewer.family.page import FormatPage as FormatPage
    from viewer.family.page import page_of_records as page_of_records
    from viewer.family.picture import ImageDecoder as ImageDecoder
    from viewer.family.place import PlaceLayout as PlaceLayout
    from viewer.scene.animation import Animation as Animation
    from viewer.scene.animation import Composition as Composition
    from viewer.scene.animation import Event as Event
    from viewer.scene.animation import LazyTracks as LazyTracks
    from viewer.scene.animation import MorphTrack as MorphTrack
    from viewer.scene.animation import Track as Track
    from viewer.scene.document import Document as Document
    from viewer.scene.document import Origin as Origin
    from viewer.scene.engine import EngineSearch as EngineSearch
    from viewer.scene.files import ANIMATION as ANIMATION
    from viewer.scene.files import MODEL as MODEL
    from viewer.scene.files import PACKAGE as PACKAGE
    from viewer.scene.files import PART as PART
    from viewer.scene.files import PICTURE as PICTURE
    from viewer.scene.files import SKELETON as SKELETON
    from viewer.scene.files import FileKind as FileKind
    from viewer.scene.finding import Severity as Severity
    from viewer.scene.items import AnimationItem as AnimationItem
    from viewer.scene.items import BoneItem as BoneItem
    from viewer.scene.items import ClipItem as ClipItem
    from viewer.scene.items import GeometryItem as GeometryItem
    from viewer.scene.items import IndexBufferItem as IndexBufferItem
    from viewer.scene.items import IndexItem as IndexItem
    from viewer.scene.items import Item as Item
    from viewer.scene.items import KeyItem as KeyItem
    from viewer.scene.items import LodItem as LodItem
    from viewer.scene.items import MaterialItem as MaterialItem
    from viewer.scene.items import MorphItem as MorphItem
    from viewer.scene.items import TextureItem as TextureItem
    from viewer.scene.items import TrackItem as TrackItem
    from viewer.scene.items import VertexBufferItem as VertexBufferItem
    from viewer.scene.items import VertexItem as VertexItem
    from viewer.scene.material import ALPHA_FUNCTIONS as ALPHA_FUNCTIONS
    from viewer.scene.material import BLENDS as BLENDS
    from viewer.scene.material import FACTORS as FACTORS
    from viewer.scene.material import UNITS as UNITS
    from viewer.scene.material import Image as Image
    from viewer.scene.material import ImageHeader as ImageHeader
    from viewer.scene.material import Material as Material
    from viewer.scene.material import Texture as Texture
    from viewer.scene.maths import compose as compose
    from viewer.scene.maths import invert as invert
    from viewer.scene.maths import normalise as normalise
    from viewer.scene.maths import trs_matrix as trs_matrix
    from viewer.scene.mesh.primitives import drop_stray_indices as drop_stray_indices
    from viewer.scene.model import SEMANTICS as SEMANTICS
    from viewer.scene.model import Attachment as Attachment
    from viewer.scene.model import Geometry as Geometry
    from viewer.scene.model import IndexBuffer as IndexBuffer
    from viewer.scene.model import Lod as Lod
    from viewer.scene.model import Model as Model
    from viewer.scene.model import Morph as Morph
    from viewer.scene.model import MorphTarget as MorphTarget
    from viewer.scene.model import Primitive as Primitive
    from viewer.scene.model import VertexBuffer as VertexBuffer
    from viewer.scene.model import VertexElement as VertexElement
    from viewer.scene.package import GameSource as GameSource
    from viewer.scene.package import Package as Package
    from viewer.scene.package import plain_package as plain_package
    from viewer.scene.reading_context import ReadingContext as ReadingContext
    from viewer.scene.skeleton import Skeleton as Skeleton
    from viewer.scene.skeleton import bind_matrices as bind_matrices
    from viewer.scene.skeleton import refuse_cycles as refuse_cycles
    from viewer.storage.image import PICTURES as PICTURES
    from viewer.storage.search import FoundResource as FoundResource
    from viewer.storage.search import Missing as Missing
    from viewer.storage.search import SearchPath as SearchPath
    from viewer.storage.textures import find_texture as find_texture

MODULES = {
    "viewer.arrays": ("damaged_numbers",),
    "viewer.binary": (
        *("Array", "Choice", "Cursor", "Described", "Expression", "Fixed", "Magic", "Optional", "Record"),
        *("Repeat", "Rows", "Span", "Struct", "Text", "VariableRows", "When", "item_span"),
        *("record_dtype", "rows_span", "tile"),
    ),
    "viewer.binary.splicing": ("Splice",),
    "viewer.binary.whole_file": ("read_whole", "root_span"),
    "viewer.check.check_context": ("CheckContext",),
    "viewer.check.rule": ("Found", "Rule", "RulePart", "error_found", "listed", "reported"),
    "viewer.errors": ("FormatError", "Report", "ResourceError", "Topic", "counted"),
    "viewer.family.archive": ("ArchiveFiles", "ArchiveFormat", "Fetch", "HashedFiles"),
    "viewer.family.family": ("API", "Family"),
    "viewer.family.format": ("EditRules", "Folder", "Format", "IndexRange", "OpenedFile"),
    "viewer.family.later": ("later",),
    "viewer.family.page": ("FormatPage", "page_of_records"),
    "viewer.family.picture": ("ImageDecoder",),
    "viewer.family.place": ("PlaceLayout",),
    "viewer.scene.animation": ("Animation", "Composition", "Event", "LazyTracks", "MorphTrack", "Track"),
    "viewer.scene.document": ("Document", "Origin"),
    "viewer.scene.engine": ("EngineSearch",),
    "viewer.scene.files": ("ANIMATION", "MODEL", "PACKAGE", "PART", "PICTURE", "SKELETON", "FileKind"),
    "viewer.scene.finding": ("Severity",),
    "viewer.scene.items": (
        *("AnimationItem", "BoneItem", "ClipItem", "GeometryItem", "IndexBufferItem", "IndexItem"),
        *("Item", "KeyItem", "LodItem", "MaterialItem", "MorphItem", "TextureItem", "TrackItem"),
        *("VertexBufferItem", "VertexItem"),
    ),
    "viewer.scene.material": (
        *("ALPHA_FUNCTIONS", "BLENDS", "FACTORS", "UNITS", "Image", "ImageHeader", "Material", "Texture"),
    ),
    "viewer.scene.maths": ("compose", "invert", "normalise", "trs_matrix"),
    "viewer.scene.mesh.primitives": ("drop_stray_indices",),
    "viewer.scene.model": (
        *("SEMANTICS", "Attachment", "Geometry", "IndexBuffer", "Lod", "Model", "Morph", "MorphTarget"),
        *("Primitive", "VertexBuffer", "VertexElement"),
    ),
    "viewer.scene.package": ("GameSource", "Package", "plain_package"),
    "viewer.scene.reading_context": ("ReadingContext",),
    "viewer.scene.skeleton": ("Skeleton", "bind_matrices", "refuse_cycles"),
    "viewer.storage.image": ("PICTURES",),
    "viewer.storage.search": ("FoundResource", "Missing", "SearchPath"),
    "viewer.storage.textures": ("find_texture",),
}
"""The names by the module that has them."""
_MODULE_OF = {name: module for module, names in MODULES.items() for name in names}
__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    """Import a name's module at its first use: a plugin that is only asked for its formats loads no rules."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'viewer.plugin' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
