"""Rules for the keys of WoW models: `.anim` files of another model, and different numbers of times and
values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from viewer.arrays import Array
from viewer.binary import Cursor
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, error_found
from viewer.errors import FormatError, counted
from viewer.families.wow.rules.files import m2_files
from viewer.scene.finding import Severity

if TYPE_CHECKING:
    from viewer.families.wow.rules.files import KeyFile, M2Files

U32 = np.dtype("<u4")


def foreign(context: CheckContext) -> Iterator[Found]:
    """Report `.anim` files that do not fit their model."""
    files = context.once(m2_files)
    for file in files.key_files if files is not None else ():
        assert files is not None
        yield from _misfit(files, file)


def _misfit(files: M2Files, file: KeyFile) -> Iterator[Found]:
    """Report why the keys of a file do not belong to the model: ranges end outside the file, or times do not
    fit the sequence.
    """
    found = file.found
    ends = found.offsets + found.counts * found.sizes
    lost = np.flatnonzero(ends > len(file.keys))
    if len(lost):
        first = int(lost[np.argmax(ends[lost])])
        text = f"{len(lost)} of {counted(len(ends), 'range')} of keys end outside the file"
        why = f"{text}; the farthest ends at 0x{ends[first]:X}, and the file at 0x{len(file.keys):X}"
        yield _placed(file, why, first, min(int(found.offsets[first]), len(file.keys)))
        return
    rows = np.flatnonzero(file.is_time)
    length = int(files.table("sequences")["duration"][file.number])
    lasts, rising = _times(file, rows)
    bad = np.flatnonzero(~rising | (lasts > length))
    if len(bad):
        row = int(rows[bad[0]])
        what = "fall" if not rising[bad[0]] else f"end at {lasts[bad[0]]} ms, but the sequence at {length} ms"
        why = f"the times of {len(bad)} of {counted(len(rows), 'track')} do not fit: the first {what}"
        yield _placed(file, why, row, int(found.offsets[row]))


def _placed(file: KeyFile, text: str, row: int, offset: int) -> Found:
    label = file.labels[int(file.found.fields[row])].format(int(file.found.rows[row]))
    return error_found(FormatError(text, label.replace(".", "/"), file.begin + offset, file.path))


def _times(file: KeyFile, rows: Array) -> tuple[Array, Array]:
    """Return two arrays [R]: the last time of each range in ms, and whether its times are ascending."""
    counts, offsets = file.found.counts[rows], file.found.offsets[rows]
    if not len(rows):
        return np.empty(0), np.empty(0, bool)
    begins = np.cumsum(counts) - counts
    inside = np.arange(int(counts.sum())) - np.repeat(begins, counts)
    places = file.begin + np.repeat(offsets, counts) + U32.itemsize * inside
    times = Cursor(file.data).gather(places, U32).astype(np.int64)
    falls = np.append(np.diff(times) < 0, False)
    falls[begins[1:] - 1] = False
    return times[begins + counts - 1], np.add.reduceat(falls, begins) == 0


def unequal(context: CheckContext) -> Iterator[Found]:
    """Report tracks with different numbers of times and values, in one finding for each field."""
    files = context.once(m2_files)
    if files is None or files.only:
        return
    for times, values in files.tracks:
        bad = np.flatnonzero(times.counts != values.counts)
        if len(bad):
            first = int(bad[0])
            text = f"{times.track(first)} has {times.counts[first]} times and {values.counts[first]} values"
            more = f", and {len(bad) - 1} more tracks of this field" if len(bad) > 1 else ""
            offset = files.rig.base + int(times.sources[first])
            yield Found(text + more, file=files.rig_path, offset=offset)


RULES = (
    Rule(
        "m2/keys",
        Severity.ERROR,
        "A .anim file does not fit its model",
        foreign,
        {"WoW": "The client reads unrelated bytes as keys: the model tears, or the client stops."},
        "Use the .anim file that was exported with this model.",
        "12 of 240 ranges of keys end outside the file; the farthest ends at 0x4100, and the file at 0x3F00",
    ),
    Rule(
        "m2/unequal-track",
        Severity.WARNING,
        "A track has different numbers of times and values",
        unequal,
        {
            "WoW": (
                "The client reads as many values as there are times: unrelated bytes take the place of "
                "missing values."
            )
        },
        "Export the model again.",
        "bones[3].rotation[0] has 12 times and 10 values",
    ),
)
