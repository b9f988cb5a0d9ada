"""Files of packages that were added, removed, renamed or changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compared_files import compared, lines
from viewer.families.urho3d.package.writer import package_bytes

FILES = [("a.txt", b"first"), ("b.txt", b"second"), ("c.txt", b"third file")]


@pytest.mark.parametrize("magic", ["UPAK", "ULZ4"])
@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (FILES[::-1], []),
        (FILES[:2], ["files removed c.txt: 10 bytes"]),
        ([*FILES, ("d.txt", b"new")], ["files added d.txt: 3 bytes"]),
        ([*FILES[:2], ("e.txt", b"third file")], ["files renamed c.txt: now e.txt"]),
        ([*FILES[:2], ("c.txt", b"third files")], ["files changed c.txt: 10 → 11 bytes"]),
        (
            [*FILES[:2], ("c.txt", b"third FILE")],
            ["files changed c.txt: other content of the same size, 10 bytes"],
        ),
    ],
)
def test_files_are_compared_by_name_and_content(
    others: list[tuple[str, bytes]], expected: list[str], magic: str, tmp_path: Path
) -> None:
    one, other = package_bytes(FILES, magic), package_bytes(others, magic)
    assert lines(compared(tmp_path, one, other, "Data.pak")) == expected


def test_a_wrong_checksum_hides_no_change(tmp_path: Path) -> None:
    one = package_bytes(FILES)
    found = compared(tmp_path, one, one.replace(b"third", b"THIRD"), "Data.pak")
    assert lines(found) == ["files changed c.txt: other content with the same checksum, 10 bytes"]


def test_packages_of_other_kinds_hold_the_same_files(tmp_path: Path) -> None:
    found = compared(tmp_path, package_bytes(FILES, "UPAK"), package_bytes(FILES, "ULZ4"), "Data.pak")
    assert [each.group.word for each in found.found] == ["version"] and found.minor
