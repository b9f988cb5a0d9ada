"""Checks the keys of sequences that lie in a model: tables of references lead to them, which `check` in
`references` does not follow.
"""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.binary import Cursor
from viewer.errors import FormatError, counted
from viewer.formats.m2.record import REF
from viewer.formats.m2.records import M2Records
from viewer.formats.m2.references import ReferenceGroup, external, global_sequences, target_of


def check_keys(records: M2Records, groups: list[ReferenceGroup]) -> None:
    """Report keys outside the file: an error for each field, at its first reference to such keys.

    The tables of all fields are looked at together, because most models have few tracks and many fields.
    """
    nested = [group for group in groups if group.dtype is REF and len(group.counts)]
    if not nested:
        return
    lengths = [len(group.counts) for group in nested]
    owners = np.repeat(np.arange(len(nested)), lengths)
    sizes = np.repeat([target_of(group)[0].itemsize for group in nested], lengths)
    tracks, numbers, sources = _listed(records, nested)
    stored = Cursor(records.data).gather(records.base + sources, REF)
    counts, offsets = stored["count"].astype(np.int64), stored["offset"].astype(np.int64)
    lost = np.flatnonzero((counts > 0) & (offsets + counts * sizes[tracks] > records.size))
    fields, firsts, times = np.unique(owners[tracks[lost]], return_index=True, return_counts=True)
    begins = np.cumsum(lengths) - lengths
    for field, first, many in zip(fields.tolist(), lost[firsts].tolist(), times.tolist(), strict=True):
        more = f", and {many - 1} more of this field" if many > 1 else ""
        keys = counted(int(counts[first]), "key")
        why = f"{keys} of sequence {numbers[first]} at 0x{offsets[first]:X} lie outside the file{more}"
        path = nested[field].who(int(tracks[first] - begins[field])).replace(".", "/")
        records.report.fail(FormatError(why, path, records.base + int(sources[first])))


def _listed(records: M2Records, groups: list[ReferenceGroup]) -> tuple[Array, Array, Array]:
    """The references of all tracks of the groups to keys in this file, [K] each: the number of the track
    among them, the number of the sequence, the offset of the reference. Tables outside the file are left out.
    """
    outside = external(records)
    offsets = np.concatenate([group.offsets for group in groups])
    counts = np.concatenate([group.counts for group in groups])
    own = np.concatenate([global_sequences(records, group) for group in groups]) < 0
    inside = offsets + counts * REF.itemsize <= records.size
    counts = np.where(inside, np.minimum(counts, max(len(outside), 1)), 0)
    counts[np.cumsum(counts) > records.size // REF.itemsize] = 0  # only hostile files
    tracks = np.repeat(np.arange(len(counts)), counts)
    numbers = np.arange(len(tracks)) - np.repeat(np.cumsum(counts) - counts, counts)
    elsewhere = np.append(outside, False)[np.minimum(numbers, len(outside))] & own[tracks]
    tracks, numbers = tracks[~elsewhere], numbers[~elsewhere]
    return tracks, numbers, offsets[tracks] + numbers * REF.itemsize
