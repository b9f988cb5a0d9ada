"""The words of messages."""

from __future__ import annotations

import pytest

from viewer.errors import (
    DAMAGE,
    ERROR,
    MISSING_PART,
    MISSING_TEXTURE,
    NOTE,
    FormatError,
    NeededFile,
    Report,
    counted,
    printable,
)


def test_one_is_not_many() -> None:
    found = [counted(number, "byte") for number in (0, 1, 2)]
    assert found == ["0 bytes", "1 byte", "2 bytes"]
    assert [counted(number, "vertex", "vertices") for number in (1, 2)] == ["1 vertex", "2 vertices"]


@pytest.mark.parametrize(
    ("path", "offset", "text"),
    [
        ("", 0, "cut off"),
        ("bones", 0, "cut off (bones at 0x0)"),
        ("", 7, "cut off (at 0x7)"),
        ("bones", 7, "cut off (bones at 0x7)"),
    ],
)
def test_an_error_has_its_field_and_its_offset_unless_it_is_of_the_whole_file(
    path: str, offset: int, text: str
) -> None:
    assert str(FormatError("cut off", path, offset)) == text
    assert str(FormatError("cut off", path, offset, "a.mesh")) == f"a.mesh: {text}"


def filled() -> Report:
    report = Report()
    report.note("odd")
    report.warn("stray")
    report.fail(FormatError("cut off", "bones", 7, "a.mesh"))
    report.warn("no texture", MISSING_TEXTURE)
    report.warn("no skeleton", MISSING_PART)
    report.warn("no texture", MISSING_TEXTURE)
    return report


def test_messages_are_in_the_order_of_what_a_user_can_do() -> None:
    report = filled()
    assert [(each.kind, each.text) for each in report.messages] == [
        (MISSING_PART, "no skeleton"),
        (MISSING_TEXTURE, "no texture"),
        (ERROR, "a.mesh: cut off (bones at 0x7)"),
        (DAMAGE, "stray"),
        (NOTE, "odd"),
    ]
    assert report.warnings == ["no skeleton", "no texture", "stray"]
    assert report.notes == ["odd"]
    assert report.count == 5


def test_missing_files_are_kept_with_their_message_and_once_in_all() -> None:
    file = NeededFile("skeleton", "a.skeleton", ("/a.skeleton",))
    report, other = Report(), Report()
    report.warn("a.skeleton is missing", MISSING_PART, file)
    report.warn("again", MISSING_PART, file)
    other.adopt(report, "b")
    assert [(each.text, each.files) for each in other.messages] == [
        ("b: a.skeleton is missing", (file,)),
        ("b: again", (file,)),
    ]
    assert report.needed == other.needed == [file]


def test_notes_and_warnings_leave_a_report_complete() -> None:
    report = Report()
    report.note("odd")
    report.warn("stray")
    assert report.complete and not filled().complete


def test_a_report_adopts_the_messages_of_another() -> None:
    report = Report()
    report.adopt(filled(), "b.skeleton")
    assert report.warnings == ["b.skeleton: no skeleton", "b.skeleton: no texture", "b.skeleton: stray"]
    assert report.notes == ["b.skeleton: odd"] and len(report.errors) == 1


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Bip01 Köpf", "Bip01 Köpf"),
        ("a\nb\tc", r"a\nb\tc"),
        ("\x1b]0;owned\x07", r"\x1b]0;owned\x07"),
        ("evil\u202egnp.exe", r"evil\u202egnp.exe"),
        ("\x9b2J", r"\x9b2J"),
        ("\udcff", r"\udcff"),
        ("\udcc2\udc9b2J", r"\x9b2J"),
    ],
)
def test_names_are_printed_on_one_line_without_control_characters(name: str, shown: str) -> None:
    assert printable(name) == shown
