"""Writes the keys that pop, and the contacts of feet, as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Literal

from viewer.scene.skeleton import Skeleton
from viewer.session.motion import MotionResult
from viewer.storage.writing import replaced

Row = tuple[object, ...]


def write_motion(
    result: MotionResult, skeleton: Skeleton | None, what: Literal["keys", "contacts"], path: str
) -> None:
    """Write a table of the motion to a file: all keys, the worst first, or the contacts by foot. OSError if
    the file cannot be written.
    """
    text = io.StringIO()
    rows = _keys(result) if what == "keys" else _contacts(result, skeleton)
    csv.writer(text, lineterminator="\n").writerows(rows)
    with replaced(path) as file:
        file.write(text.getvalue().encode())


def _keys(result: MotionResult) -> Iterator[Row]:
    yield "bone", "key", "seconds", "degrees", "ratio"
    for each in result.outliers.rows():
        yield each.bone, each.key, f"{each.time:.6g}", f"{each.angle:.4g}", f"{each.ratio:.4g}"


def _contacts(result: MotionResult, skeleton: Skeleton | None) -> Iterator[Row]:
    yield "bone", "start in seconds", "end in seconds"
    names = () if skeleton is None else skeleton.names
    for each in result.footwork.contacts if result.footwork is not None else ():
        yield names[each.bone], f"{each.start:.6g}", f"{each.end:.6g}"
