"""Opens a file in any readable format, as its engine shows it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path, PurePath

from viewer.arrays import damaged_numbers
from viewer.errors import FormatError, Topic
from viewer.family import registry
from viewer.family.family import Family
from viewer.family.format import Format, OpenedFile
from viewer.family.gate import pass_gate
from viewer.family.looks import Looks
from viewer.scene.characters import CharacterLook
from viewer.scene.document import Document
from viewer.scene.joined_document import joined_document
from viewer.scene.mesh.flat_geometry import without_area
from viewer.scene.model import Model
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.storage.displays import split_display
from viewer.storage.listing import listed_once
from viewer.storage.package_path import as_path, folder_of, is_file, open_package, read_path
from viewer.storage.place import Place


def open_document(path: str | Path, context: ReadingContext | None = None) -> Document:
    """Open a file in one of the readable formats; `PACKAGE::name` opens a file inside a package. A model that
    has displays wears the first complete one; `MODEL.m2::706` opens the model in its display 706.

    The document of a broken file has the readable part, and the errors in `report`. FormatError if the file
    cannot be read or its format is unknown or unsupported. ResourceError if a package does not contain the
    file, or the model has no such display.
    """
    context = context or DEFAULT
    in_display = split_display(str(path))
    if in_display is not None and is_file(in_display[0], context):
        return wearing(open_document(in_display[0], context), in_display[1])
    document = open_undressed(path, context)
    looks = looks_of(document)
    if looks is None or document.model is None:
        return document
    with damaged_numbers(), listed_once():
        return looks.dress(document)


def open_joined(paths: Iterable[str], opener: Callable[[str], Document]) -> list[Document]:
    """Open files and join their models to the first, see `joined_document`. The result begins with the joined
    document; the other documents are no models.

    A file behind the first model that cannot be opened is left out, and its error is in the report of the
    joined document. Raises the error of any other file, and ResourceError for models of different engines.
    """
    models, others, errors = list[Document](), list[Document](), list[FormatError]()
    for path in paths:
        try:
            document = opener(path)
        except FormatError as error:
            if not models:
                raise
            errors.append(error)
            continue
        (models if isinstance(document.content, Model) else others).append(document)
    if not models:
        return others
    joined = joined_document(models)
    joined.report.errors += errors
    return [joined, *others]


def wearing(document: Document, choice: str | CharacterLook) -> Document:
    """Return a document whose model wears another of its displays, or another look of its race and sex. The
    `choice` of a display is as for `Displays.choose`.

    ResourceError if the model has no such display, or is no character of the look's race and sex.
    """
    if isinstance(choice, CharacterLook):
        if document.worn == choice:
            return document
    elif document.displays.choose(choice) == document.displays.worn and (
        document.displays.worn is not None or document.character is None
    ):
        return document
    looks = looks_of(document)
    if looks is None:
        return document
    with damaged_numbers(), listed_once():
        return looks.wear(document, choice)


def looks_of(document: Document) -> Looks | None:
    """How documents of this format are dressed; None if they have no looks."""
    format = registry.format_named(document.format)
    return None if format is None else format.looks


def open_undressed(path: str | Path, context: ReadingContext | None = None) -> Document:
    """Open a file as `open_document` does, without a display or a look."""
    context = context or DEFAULT
    place = open_package(str(path), context) if os.path.isdir(path) else None
    if isinstance(place, Place):
        from viewer.storage.place_document import place_document  # imported late, because few paths are games

        document = place_document(place)
        document.context = context
        return document
    known, mapped = partial(_has_known_format, path, context), partial(_mapped, path)
    file, data = read_path(path, context, recognises=known, mapped=mapped)
    suffix = file.suffix.lower()
    families = registry.families_for(data, suffix)
    format = _probed(families or registry.families(), data, "")
    if format is None:
        foreign = _foreign(data, suffix, str(file))
        format = _probed(families, data, suffix) if foreign is None else None
        format = format or (_probed(registry.in_turn(data, suffix), data, "") if families else None)
        if format is None and foreign is not None:
            raise foreign
    if format is None:
        raise _unknown(data, suffix, str(file))
    return _loaded(format, data, file, path, context)


def opened_again(document: Document, data: bytes) -> Document:
    """Open other bytes of an undressed document's file from memory, in the same format and context.
    FormatError if they are not of this format any more.
    """
    format, file = registry.format_named(document.format), as_path(document.path)
    if format is None or not format.probe(data, file.suffix.lower()):
        raise FormatError(f"the file would not be read as {document.format} any more", file=document.path)
    return _loaded(format, data, file, document.path, document.context)


def _loaded(
    format: Format, data: bytes, file: PurePath, path: str | Path, context: ReadingContext
) -> Document:
    """Read the bytes of the file at `path` in a format."""
    with damaged_numbers(), listed_once():
        document = format.load(OpenedFile(data, file, folder_of(path, context), context))
        document.context, document.engine = context, registry.engine_search(format)
        pass_gate(document)
        return _with_notes(document)


def _probed(families: Iterable[Family], data: bytes, suffix: str) -> Format | None:
    """The first format of some families that accepts a file by its bytes and, if given, by its suffix."""
    for family in families:
        for format in family.formats:
            if (format.mapped or isinstance(data, bytes)) and format.probe(data, suffix):
                return format
    return None


def _has_known_format(path: str | Path, context: ReadingContext, head: bytes) -> bool:
    """Whether a file has a known format, by its first bytes or its suffix. A file that is a package, or has a
    package appended to it, counts too.
    """
    suffix = as_path(path).suffix.lower()
    for family in registry.in_turn(head, suffix):
        if any(format.probe(head, each) for each in ("", suffix) for format in family.formats):
            return True
    return open_package(str(path), context) is not None


def _mapped(path: str | Path, head: bytes) -> bool:
    """Whether the first bytes of a file show a format whose large files are mapped."""
    families = registry.families_for(head, as_path(path).suffix.lower()) or registry.families()
    return any(each.mapped and each.probe(head, "") for family in families for each in family.formats)


def _unknown(data: bytes, suffix: str, file: str) -> FormatError:
    """The error of a file that no format accepts. It says so if a plugin for its suffix cannot be used."""
    begin = data[:4].hex(" ").upper()
    why = f"the format is unknown: the file begins with {begin}" if begin else "the file is empty"
    broken = registry.broken_plugin(suffix)
    return FormatError(f"{why}; {broken}" if broken else why, file=file)


def _foreign(data: bytes, suffix: str, file: str) -> FormatError | None:
    """The error that names the format of a file from another program; None for any other file."""
    # imported late, because only a file of an unknown format is tested for the formats of other programs
    from viewer.storage.foreign_formats import foreign_format, has_own_suffix

    name = foreign_format(data, suffix)
    if name is None:
        return None
    topic = Topic.FOREIGN if has_own_suffix(name, suffix) else Topic.OTHER
    return FormatError(f"is {name}", file=file, topic=topic)


def _with_notes(document: Document) -> Document:
    """Return the document, with a note on each geometry that is drawn as points instead of triangles."""
    for name in without_area(document.content) if isinstance(document.content, Model) else ():
        document.report.note(f"{name}: its triangles have no area; its vertices are drawn as points")
    return document
