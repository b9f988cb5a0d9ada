"""Read the models that emitters name: each particle shows the model, or carries the emitters of the model.

Source: wowdev.wiki M2, particle emitters, and the chunks GPID and RPID, which have file numbers instead of
names. A name ends in `.mdx`, the suffix of the older format, but the name of the file ends in `.m2`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import PurePath

from viewer.binary.tables import RecordTables
from viewer.budget import BUDGET
from viewer.errors import MISSING_PART, FormatError, Report, ResourceError, printable
from viewer.families.wow.m2.model_files import ModelFiles
from viewer.scene.animation import listing_order
from viewer.scene.document import Document
from viewer.scene.emitter import ModelReference
from viewer.scene.model import Model
from viewer.storage.package_path import as_path
from viewer.storage.search import SOUND, FoundResource, SearchPath, needed

SUFFIX, ANCESTORS = ".m2", (".mdx", ".mdl")
REPORTED, NAME_LETTERS = 4, 260
"""Limits for a named model: the number of reported faults, and the number of letters that are read of its
name.
"""
SHAPES, CARRIED = "geometry_models", "recursion_models"
"""The tables of file numbers that chunked models have instead of names."""
FIELDS = {SHAPES: "geometry_model", CARRIED: "recursion_model"}
NOT_READ = "is not read: only models named by the opened model are read"

ModelReader = Callable[[PurePath, bytes], Document]
EmitterModels = tuple[ModelReference[Model] | None, ModelReference[Model] | None]
"""The model that the particles of an emitter show, and the model with the emitters that the particles
carry.
"""


def named_models(files: ModelFiles, records: RecordTables, reader: ModelReader | None) -> list[EmitterModels]:
    """Return the models that each emitter names. A model is read once; a missing or broken one is reported.

    Without a `reader` no model is read.
    """
    rows = range(len(records.tables["particles"]))
    names = [tuple(_name(records, kind, row, files) for kind in FIELDS) for row in rows]
    opened: set[str] = set()

    @cache
    def reference(name: str) -> ModelReference[Model] | None:
        if not name:
            return None
        if reader is None:
            return ModelReference(name, trouble=NOT_READ)
        if len(opened) == BUDGET.named_models:
            return ModelReference(
                name, trouble=f"is not read: the model names more than {BUDGET.named_models} models"
            )
        opened.add(name)
        return _read(name, files.search, reader, records.report)

    return [(reference(shape), reference(carried)) for shape, carried in names]


def file_of(name: str) -> str:
    r"""Return the file name of a named model: `Spells\Rock.m2` for `Spells\Rock.mdx`."""
    stem, dot, suffix = name.rpartition(".")
    if dot + suffix.lower() == SUFFIX:
        return name
    return (stem if dot + suffix.lower() in ANCESTORS else name) + SUFFIX


def _name(records: RecordTables, kind: str, row: int, around: ModelFiles) -> str:
    """The name that emitter `row` gives for a model of this `kind`. Empty for an emitter past the budget,
    because it is never drawn.
    """
    if row >= BUDGET.emitters:
        return ""
    files = records.tables.get(kind, ())
    number = int(files[row]) if row < len(files) else 0
    text = records.text(records.tables["particles"][row][FIELDS[kind]])
    if not text and number:
        text = around.names_of(number, SUFFIX)[0]
    return printable(text[:NAME_LETTERS])


def _read(name: str, search: SearchPath, reader: ModelReader, report: Report) -> ModelReference[Model]:
    found = search.find(file_of(name), sole=True)
    if not isinstance(found, FoundResource):
        text = f"model {name} is missing; searched {len(found.searched)} paths"
        report.warn(text, MISSING_PART, needed("model", name, found))
        return ModelReference(name, searched=found.searched, trouble="is missing")
    try:
        document = reader(as_path(found.path), found.read(BUDGET.part_bytes))
    except (FormatError, ResourceError, OSError) as error:
        unread = needed("model", name, found, fault=("unreadable", str(error)))
        report.warn(f"model {name}: {error}", MISSING_PART, unread)
        return ModelReference(
            name, found.path, how=found.how, trouble=f"cannot be read: {error}", complete=False
        )
    troubles = [str(error) for error in document.report.errors] + document.report.warnings
    for text in troubles[:REPORTED]:
        report.warn(f"model {name}: {text}")
    report.need(needed("model", name, found, fault=SOUND if document.model else ("unreadable", troubles[0])))
    for file in document.report.needed:
        report.need(file)
    first = [document.animations[number] for number in listing_order(document.animations)[:1]]
    return ModelReference(
        name,
        found.path,
        how=found.how,
        model=document.model,
        animation=next(iter(first), None),
        trouble="" if document.model else f"cannot be read: {troubles[0]}",
        files=tuple(each.path for each in document.attached),
        complete=all(each.report.complete for each in (document, *document.attached)),
    )
