"""The files of a WoW model, as its rules need them: records, referenced bytes, views and key files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from viewer.arrays import Array
from viewer.binary.references import ReferenceGroup, references
from viewer.binary.tables import RecordTables
from viewer.budget import BUDGET
from viewer.check.check_context import CheckContext
from viewer.errors import FormatError, Report, ResourceError
from viewer.families.wow.m2.clips.anim import NAME
from viewer.families.wow.m2.clips.key_references import KeyReferences, external, key_references, nested_tracks
from viewer.families.wow.m2.clips.sequences import ALIAS, keys_in
from viewer.families.wow.m2.load import model_of, model_records, rig_of
from viewer.families.wow.m2.model_files import ModelFiles, file_numbers
from viewer.families.wow.m2.probe import KEYS, model_called
from viewer.families.wow.rules.model_views import VIEW, ModelView, views_of
from viewer.scene.document import Document
from viewer.scene.reading_context import ReadingContext
from viewer.storage.package_path import as_path, folder_of, read_path

TIMES, VALUES = "times", "values"


class TrackColumn(NamedTuple):
    """The references of N tracks of one field: either the references to their times, or the references to
    their values.

    All arrays are [N]: `counts` are the numbers of keys, `sources` the offsets of the references, `rows`
    the row numbers in the table that `label` names, `numbers` the sequence numbers (-1: none).
    """

    label: str
    counts: Array
    sources: Array
    rows: Array
    numbers: Array

    def track(self, index: int) -> str:
        """The name of a track: `bones[3].rotation`, or `bones[3].rotation[0]` for its keys in sequence 0."""
        name = self.label.format(int(self.rows[index])).rpartition(".")[0]
        return name if self.numbers[index] < 0 else f"{name}[{int(self.numbers[index])}]"


ColumnPair = tuple[TrackColumn, TrackColumn]


def track_columns(records: RecordTables, groups: Sequence[ReferenceGroup]) -> Iterator[ColumnPair]:
    """Yield the times and the values of each field with tracks. If tracks are nested, yield also the times
    and the values of each sequence.
    """
    known = {group.label: group for group in groups if group.column in (TIMES, VALUES)}
    for times, values in _pairs(known):
        yield _column(known[times]), _column(known[values])
    if not records.generation.nested:
        return
    fields = {group.label: number for number, group in enumerate(nested_tracks(groups))}
    for elsewhere in (False, True):
        found = key_references(records, groups, elsewhere)
        for times, values in _pairs(fields):
            pair = _inner(found, times, fields[times]), _inner(found, values, fields[values])
            # A difference is reported by another rule.
            if len(pair[0].rows) == len(pair[1].rows):
                yield pair


def _pairs(labels: Collection[str]) -> Iterator[tuple[str, str]]:
    """For each field with tracks, yield the label of the times and the label of the values."""
    for label in labels:
        values = label.removesuffix(TIMES) + VALUES
        if label.endswith(TIMES) and values in labels:
            yield label, values


def _column(group: ReferenceGroup) -> TrackColumn:
    rows = np.arange(len(group.counts))
    return TrackColumn(group.label, group.counts, group.sources, rows, np.full(len(rows), -1))


def _inner(references: KeyReferences, label: str, field: int) -> TrackColumn:
    """The references of the nested tracks of field number `field`. `references` has the references of all
    fields, sorted by field number.
    """
    begin, end = np.searchsorted(references.fields, (field, field + 1)).tolist()
    part = slice(begin, end)
    return TrackColumn(
        label,
        references.counts[part],
        references.sources[part],
        references.rows[part],
        references.numbers[part],
    )


MODEL = "WoW M2 model"


class Ranges(NamedTuple):
    """N referenced byte ranges. All arrays are [N]: `begins` and `ends` are relative to the block; `sizes`
    are the bytes of one item. For the references to the ranges, `sources` are the offsets, `fields` the
    indices of the fields, `rows` the row numbers and `numbers` the sequence numbers (-1: none).
    """

    begins: Array
    ends: Array
    sizes: Array
    sources: Array
    fields: Array
    rows: Array
    numbers: Array

    def chosen(self, rows: Array) -> Ranges:
        """The ranges with the indices `rows`."""
        return Ranges(*(column[rows] for column in self))


class M2Block:
    """A block of `size` bytes at offset `base` of a file; the offsets in its references are relative to
    `base`. The first `head` bytes are the header; `labels` are the names of fields. `ranges` are the ranges
    inside the block that are not empty.
    """

    def __init__(
        self, path: str, data: bytes, span: tuple[int, int], head: int, labels: Sequence[str], ranges: Ranges
    ) -> None:
        self.path, self.data, self.head, self._labels = path, data, head, labels
        self.base, self.size = span
        inside = (ranges.ends > ranges.begins) & (ranges.begins >= 0) & (ranges.ends <= self.size)
        self.ranges = ranges.chosen(np.flatnonzero(inside))

    def name(self, index: int) -> str:
        """The name of the reference to a range: `bones[3].rotation.times[0]`."""
        ranges = self.ranges
        label = self._labels[int(ranges.fields[index])].format(int(ranges.rows[index]))
        return label if ranges.numbers[index] < 0 else f"{label}[{int(ranges.numbers[index])}]"

    @property
    def gaps(self) -> list[tuple[int, int]]:
        """The byte ranges to which no reference leads, as (offset in the file, size)."""
        order = np.argsort(self.ranges.begins, kind="stable")
        begins = np.append(self.ranges.begins[order], self.size)
        reached = np.maximum.accumulate(np.append(self.head, self.ranges.ends[order]))
        rows = np.flatnonzero(begins > reached)
        return [(self.base + int(reached[row]), int(begins[row] - reached[row])) for row in rows]


class KeyFile(NamedTuple):
    """The `.anim` file of sequence `number`. `found` are the references of the model's tracks into this file,
    and `is_time` is True for references to times. `keys` are the bytes of the file from offset `begin` on.
    """

    path: str
    number: int
    data: bytes
    begin: int
    keys: bytes
    found: KeyReferences
    is_time: Array
    labels: list[str]


class M2Files:
    """A model and its other files. `path` and `data` belong to the model. `only` is the path of the checked
    `.skin` or `.anim`; empty if the model is checked.
    """

    def __init__(self, path: PurePath, data: bytes, document: Document) -> None:
        self._document = document
        self.path, self.data = path, data
        chunks, self.records = model_records(data, Report())
        self.chunked = chunks[0].tag != "MD20"
        self.groups: list[ReferenceGroup] = references(self.records)
        files = ModelFiles(path, document.context, Report(), file_numbers(data, chunks))
        self.skeleton_file, rig = rig_of(files, self.records, self.groups, chunks)
        self.rig, self.rig_groups = rig.records, rig.groups
        self.only = "" if document.format == MODEL else document.path

    @classmethod
    def of(cls, document: Document) -> M2Files | None:
        """Find the model and its other files for a document that is a model, a view or the keys of a
        sequence. None for any other document, and if the model cannot be read.
        """
        path = as_path(document.path)
        try:
            if document.format == MODEL:
                return cls(path, document.data, document)
            model = _model_beside(path, document.format, document.context)
            return (
                None
                if model is None
                else cls(
                    path.with_name(model),
                    folder_of(path, document.context).read(model, BUDGET.model_bytes),
                    document,
                )
            )
        except (FormatError, ResourceError):
            return None

    @property
    def sequences(self) -> Array:
        """The rows of the sequences; empty if only a part of the model is checked."""
        rows = self.table("sequences")
        return rows[:0] if self.only else rows

    @property
    def aliases(self) -> Array:
        """[S] bool: the sequences that play the keys of another sequence."""
        return np.asarray(self.sequences["flags"] & ALIAS != 0)

    def table(self, name: str) -> Array:
        """The rows of a table. If the model has a `.skel` file, they come from this file."""
        rows = self.records.tables.get(name)
        if rows is None or (not len(rows) and self.skeleton_file is not None):
            rows = self.rig.tables.get(name, rows)
        return np.empty(0, np.int16) if rows is None else rows

    def place(self, table: str, row: int, field: str = "") -> tuple[str, int | None]:
        """The path of the file with a table's row, and the offset of a field of the row. The offset is None
        if the model's header does not refer to the table.
        """
        rows = self.records.tables.get(table)
        if rows is None or not len(rows):
            return (self.skeleton_file.path if self.skeleton_file else str(self.path)), None
        inner = rows.dtype.fields[field][1] if field else 0
        begin = self.records.base + int(self.records.header[table]["offset"])
        return str(self.path), begin + row * rows.dtype.itemsize + inner

    @cached_property
    def views(self) -> list[ModelView]:
        """The views inside the model and in attached files, or only the checked view."""
        parts = [self._document] if self.only else self._document.attached
        return list(views_of(str(self.path), self.records, parts))

    @cached_property
    def blocks(self) -> list[M2Block]:
        """The blocks of the model, of its `.skin` files and of its `.anim` files. If a `.skin` or `.anim`
        file is checked, there is only the block of this file.
        """
        found = [] if self.only else [self._model_block()]
        for view in self.views:
            if view.path != str(self.path):
                found.append(_block(view.path, view.records, references(view.records), None))
        return [*found, *(key_block(each) for each in self.key_files)]

    def _model_block(self) -> M2Block:
        inner = key_references(self.records, self.groups) if self.records.generation.nested else None
        return _block(str(self.path), self.records, self.groups, inner)

    @property
    def rig_path(self) -> str:
        """The path of the model, or of its `.skel` if the bones are in it."""
        return (
            str(self.path)
            if self.rig is self.records or self.skeleton_file is None
            else self.skeleton_file.path
        )

    @property
    def tracks(self) -> Iterator[tuple[TrackColumn, TrackColumn]]:
        """The times and the values of all fields with tracks, see `track_columns`."""
        return track_columns(self.rig, self.rig_groups)

    @cached_property
    def key_files(self) -> list[KeyFile]:
        """The `.anim` files of the model, or only the checked `.anim` file. Alias sequences have no file."""
        outside = external(self.rig) & (self.rig.tables["sequences"]["flags"] & ALIAS == 0)
        if not outside.any() or (self.only and self._document.format != KEYS):
            return []
        found = key_references(self.rig, self.rig_groups, elsewhere=True)
        tracks = nested_tracks(self.rig_groups)
        times = np.array([group.column == "times" for group in tracks], bool)
        labels = [group.label for group in tracks]
        made = []
        for path, number, data in self._outside(outside):
            rows = np.flatnonzero((found.numbers == number) & (found.counts > 0))
            chosen = KeyReferences(*(column[rows] for column in found))
            keys, begin = keys_in(data)
            made.append(KeyFile(path, number, data, begin, keys, chosen, times[chosen.fields], labels))
        return made

    def _outside(self, outside: Array) -> Iterator[tuple[str, int, bytes]]:
        """Yield the path, the sequence number and the bytes of each `.anim` file."""
        animations = self._document.animations
        if self.only:
            wanted = NAME.fullmatch(as_path(self.only).stem)
            sequences = self.rig.tables["sequences"]
            for number in np.flatnonzero(outside).tolist():
                each = int(sequences["id"][number]), int(sequences["variation"][number])
                if wanted is not None and each == (int(wanted["id"]), int(wanted["variation"])):
                    yield self.only, number, self._document.data
                    return
        for number in np.flatnonzero(outside[: len(animations)]).tolist() if not self.only else ():
            source = animations[number].source
            if source:
                try:
                    yield source, number, read_path(source, self._document.context)[1]
                except (FormatError, ResourceError):
                    continue


def m2_files(context: CheckContext) -> M2Files | None:
    """The files of a WoW model; None for other documents and for an unreadable model. Rules get them from
    `context.once`.
    """
    return M2Files.of(context.document) if context.family == "WoW" else None


def _model_beside(path: PurePath, format: str, context: ReadingContext) -> str | None:
    """Find the file name of the model to which the file `path`, a view or the keys of a sequence, belongs."""
    if format == VIEW:
        return model_of(path, context)
    named = NAME.fullmatch(path.stem) if format == KEYS else None
    return model_called(folder_of(path, context), named["model"]) if named else None


def _block(
    path: str, records: RecordTables, groups: Sequence[ReferenceGroup], inner: KeyReferences | None
) -> M2Block:
    """Make the block of the tables `records`. `groups` has the references in the tables, `inner` the
    references to the keys of sequences.
    """
    counts = [len(group.offsets) for group in groups]
    each = Ranges(
        np.concatenate([group.offsets for group in groups]),
        np.concatenate([group.ends for group in groups]),
        np.repeat([group.dtype.itemsize for group in groups], counts),
        np.concatenate([group.sources for group in groups]),
        np.repeat(np.arange(len(groups)), counts),
        np.concatenate([np.arange(count) for count in counts]),
        np.full(sum(counts), -1),
    )
    labels = [group.label for group in groups]
    if inner is not None:
        more = _ranges(inner)._replace(fields=inner.fields + len(labels))
        each = Ranges(*(np.concatenate(columns) for columns in zip(each, more, strict=True)))
        labels += [group.label for group in nested_tracks(groups)]
    head = records.layout.dtype(records.generation).itemsize
    return M2Block(path, records.data, (records.base, records.size), head, labels, each)


def _ranges(references: KeyReferences) -> Ranges:
    ends = references.offsets + references.counts * references.sizes
    return Ranges(
        references.offsets,
        ends,
        references.sizes,
        references.sources,
        references.fields,
        references.rows,
        references.numbers,
    )


def key_block(file: KeyFile) -> M2Block:
    """Make the block of a `.anim` file. The references to its bytes are in the model."""
    span = file.begin, len(file.keys)
    return M2Block(file.path, file.data, span, 0, file.labels, _ranges(file.found))
