"""Finds the skeleton for which a lone animation file was made, if the animation plays on a model of another
family.
"""

from __future__ import annotations

import os

from msgspec.structs import replace

from viewer.errors import ViewerError, counted
from viewer.scene.animation import Animation, ClipRig, Composition, is_foreign, match_names
from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.scene.skeleton import Skeleton

LISTED = 8
"""The largest number of names in a note."""


def composition_of(skeleton: Skeleton) -> Composition:
    """Return the composition of clips that were made for the engine of this skeleton."""
    if not skeleton.sheared:
        return Composition.RELATIVE
    return Composition.ABSOLUTE if skeleton.pivots is None else Composition.PIVOT


def wants_rig(document: Document, skeleton: Skeleton | None) -> bool:
    """Whether a document is an animation of unknown skeleton, made for another engine than the engine of
    `skeleton`.
    """
    clip = document.content
    return (
        skeleton is not None
        and isinstance(clip, Animation)
        and clip.rig is None
        and clip.composition is not composition_of(skeleton)
    )


def with_rig(document: Document, skeleton: Skeleton | None) -> Document:
    """Return the document of a clip.

    If the clip and `skeleton` belong to different engines, the document gets the skeleton for which the clip
    was made: the skeleton of the best matching model near the clip's file. A note names this model, or says
    that there is none.
    """
    if not wants_rig(document, skeleton) or not isinstance(document.content, Animation):
        return document
    from viewer.app.open_files.matching_models import companions  # imported late, because few clips need it
    from viewer.storage.documents import open_document

    clip = document.content
    for each in companions(document.path, clip, document.context):
        try:
            model = open_document(each.path, document.context).content
        except ViewerError:
            continue
        if isinstance(model, Model) and model.skeleton is not None:
            if composition_of(model.skeleton) is not clip.composition:
                continue
            document.report.note(f"the rest pose is that of {os.path.basename(each.path)}")
            made = replace(clip, rig=ClipRig(model.skeleton, model.to_world))
            return replace(document, content=made, animations=(made,))
    document.report.note(
        "no model for this clip was found near its file: the rotations are used as they are stored"
    )
    return document


def note_mismatches(document: Document, shown: Document | None, skeleton: Skeleton | None) -> None:
    """Add notes about clips of another engine to the report of their file: tracks for which the model of the
    document `shown` has no bone, and bones without a track. Clips of the model's own engine get no notes,
    because the check reports their tracks.
    """
    clips = [each for each in document.animations if is_foreign(each, skeleton)]
    if not clips or skeleton is None or shown is None:
        return
    found = match_names(dict.fromkeys(name for each in clips for name in each.targets), skeleton.names)
    lists = (
        (found.unmatched, "track", "without a bone"),
        (found.trackless(skeleton.names), "bone", "without a track"),
        (found.renamed, "track", "matched without a prefix"),
    )
    for names, noun, what in lists:
        if names:
            listed = ", ".join(names[:LISTED]) + (" …" if len(names) > LISTED else "")
            text = f"on {os.path.basename(shown.path)}: {counted(len(names), noun)} {what}: {listed}"
            document.report.note(text)
