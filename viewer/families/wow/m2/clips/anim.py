"""Read an `.anim` file: the keys of one sequence. The offsets and the types of the keys are in the model
beside the file.

Source: wowdev.wiki M2/.anim; measured on the files of the clients.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from msgspec.structs import replace

from viewer.binary import Span
from viewer.binary.reference_tree import block_spans
from viewer.binary.references import ReferenceGroup
from viewer.binary.tables import RecordTables, RowRecord
from viewer.budget import BUDGET
from viewer.errors import MISSING_PART, FormatError, Report, Topic
from viewer.families.wow.m2.clips.key_references import external, inner_references
from viewer.families.wow.m2.clips.sequences import keys_in
from viewer.families.wow.m2.layout.chunks import chunk_spans, unread
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.families.wow.m2.layout.tables import chunks_of
from viewer.families.wow.m2.load import read_model
from viewer.families.wow.m2.probe import KEY_CHUNKS, model_called
from viewer.families.wow.m2.probe import KEYS as FORMAT
from viewer.family.format import OpenedFile
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.reading_context import ReadingContext
from viewer.storage.package_path import folder_of

NAME = re.compile(r"(?P<model>.+?)(?P<id>\d{4})-(?P<variation>\d{2})")
KEYS = RowRecord(
    "keys",
)
GENERATION = VersionTraits(264, True, True)


def load_anim(file: OpenedFile) -> Document:
    """Read the file as an animation of its model. If the model is not beside the file, the bytes stay unknown
    and a warning is reported.
    """
    path, data = file.path, file.data
    report = Report()
    content: Animation | None = None
    groups: list[ReferenceGroup] = []
    try:
        content, groups = _sequence(path, file.context, report)
    except FormatError as error:
        report.fail(error.inside("keys"))
    root = _tree(path, data, groups, report)
    for each in report.errors:
        each.file = each.file or str(path)
    return Document(
        path=str(path),
        format=FORMAT,
        version=data[:4].decode("latin-1") if data[:4] in KEY_CHUNKS else "plain",
        data=data,
        root=root,
        content=content,
        report=report,
        animations=(content,) if content else (),
    )


def _sequence(
    path: PurePath, context: ReadingContext, report: Report
) -> tuple[Animation | None, list[ReferenceGroup]]:
    """The animation (None if its model or sequence is missing), and the references of the model's tracks into
    this file.
    """
    name = NAME.fullmatch(path.stem)
    if name is None:
        text = f"the model of {path.name} is unknown: rename the file, for example to MODEL0060-00.anim"
        report.warn(text, topic=Topic.UNUSED)
        return None, []
    folder = folder_of(path, context)
    model = model_called(folder, name["model"])
    if model is None:
        report.warn(
            f"{name['model']}.m2 is missing beside the file: without the model the keys have no meaning",
            MISSING_PART,
            topic=Topic.UNUSED,
        )
        return None, []
    file = path.with_name(model)
    document, rig = read_model(file, context, folder.read(model, BUDGET.model_bytes))
    if rig is None:
        raise FormatError(f"{model} cannot be read: without the model the keys have no meaning")
    wanted = int(name["id"]), int(name["variation"])
    outside = external(rig.records)
    for number, animation in enumerate(document.animations):
        facts = animation.facts
        if (facts["id"], facts["variation"]) == wanted and number < len(outside) and outside[number]:
            return animation, _loose(inner_references(rig.records, rig.groups, number))
    text = f"{model} has no sequence {wanted[0]}, variation {wanted[1]} with external keys"
    report.warn(text, topic=Topic.UNUSED)
    return None, []


def _loose(groups: Sequence[ReferenceGroup]) -> list[ReferenceGroup]:
    """Return the groups without their `sources`: these are offsets of references, and the references are in
    the model and not in this file.
    """
    return [replace(group, sources=group.sources[:0]) for group in groups]


def _tree(path: PurePath, data: bytes, groups: Sequence[ReferenceGroup], report: Report) -> Span:
    """The root span over all bytes, with a child for the keys of each track."""
    keys, begin = keys_in(data)
    if not groups:
        return unread(path.name, "keys", data, "without the model these keys have no meaning")
    records = RecordTables(data, begin, len(keys), report, GENERATION, KEYS, None)

    def children() -> list[Span]:
        inside = block_spans(records, groups, None)
        if data[:4] not in KEY_CHUNKS:
            return inside
        chunks = chunks_of(data, Report())
        return chunk_spans(data, chunks, {begin: inside})

    return Span(path.name, 0, len(data), "keys", None, "", children)
