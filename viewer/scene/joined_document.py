"""Joins the documents of several models to one: the parts of a character that move in one pose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.errors import Report, ResourceError
from viewer.scene.animation import Animation
from viewer.scene.document import Assigned, Assignments, Document, JoinedFile
from viewer.scene.looks import NO_DISPLAYS
from viewer.scene.mesh.uniting import United, united
from viewer.scene.model import Model
from viewer.scene.names import file_name, path_key
from viewer.scene.skeleton import Skeleton


def joined_document(documents: Sequence[Document]) -> Document:
    """Return one document with the models of several, see `united`. It has the path and the bytes of the
    first document; the others are in `joined` and, with their own attached documents, in `attached`. A
    document whose path came before adds nothing.

    Creatures and characters keep the display or look that they wear, and have no other to choose.
    ResourceError for a document without a model, and for models of different engines.
    """
    first, *others = documents
    whole = first
    for other in others:
        if path_key(other.path) not in map(path_key, (whole.path, *whole.added)):
            whole = _with(whole, other)
    return whole


def _with(first: Document, other: Document) -> Document:
    for each in (first, other):
        if not isinstance(each.content, Model):
            raise ResourceError(f"{each.path} is no model that can be joined: its format is {each.format}")
    assert isinstance(first.content, Model) and isinstance(other.content, Model), "this was tested"
    model, name = first.content, file_name(other.path)
    try:
        made = united(model, first.animations, other.content, other.animations, name)
    except ResourceError as error:
        raise ResourceError(f"{other.path} cannot be joined to {file_name(first.path)}: {error}") from error
    report = Report()
    report.adopt(first.report)
    if made.note:
        report.note(f"{other.path}: {made.note}")
    return replace(
        first,
        content=made.model,
        animations=made.clips,
        report=report,
        attached=(
            *(_with_joined(each, made, model.skeleton) for each in first.attached),
            *(_with_joined(each, made, None) for each in (other, *other.attached)),
        ),
        joined=(*first.joined, JoinedFile(other, made.note)),
        displays=NO_DISPLAYS,
        character=None,
        bare=None,
        unreadable_images={},
        assignments=_assignments(first, other, made.numbers),
    )


def _with_joined(document: Document, made: United, skeleton: Skeleton | None) -> Document:
    """The attached document with the joined clips in place of its own. If it has the `skeleton` of the first
    model, it gets the common one, whose first bones are the same.
    """
    clips = {(each.name, each.source): each for each in made.clips}
    content = document.content
    if isinstance(content, Animation):
        content = clips.get((content.name, content.source), content)
    if skeleton is not None and content is skeleton:
        content = made.model.skeleton
    animations = tuple(clips.get((each.name, each.source), each) for each in document.animations)
    return replace(document, content=content, animations=animations)


def _assignments(first: Document, other: Document, numbers: Array) -> Assigned:
    """The stored weights of the geometries of both documents; `numbers` [B] are the joined numbers of the
    other's bones.
    """
    own = len(first.content.geometries) if isinstance(first.content, Model) else 0

    def assigned(document: Document, geometry: int) -> Assignments | None:
        """The weights of a geometry, from the document that stores them."""
        if geometry < own:
            return first.assignments(first, geometry)
        found = other.assignments(other, geometry - own)
        if found is None or not isinstance(document.content, Model) or document.content.skeleton is None:
            return found
        joined, unknown = np.append(numbers, len(document.content.skeleton)), len(numbers)
        return replace(found, numbers=lambda bones: joined[np.minimum(found.numbers(bones), unknown)])

    return assigned
