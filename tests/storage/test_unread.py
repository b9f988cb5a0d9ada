"""A file that no format reads, as bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.binary import unexplained
from viewer.errors import FormatError
from viewer.scene.reading_context import DEFAULT
from viewer.storage.foreign_formats import UNKNOWN_FORMAT, unread_document


def test_all_bytes_of_an_unknown_file_are_there_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "x.mesh"
    path.write_bytes(b"locked away")
    error = FormatError("is encrypted", file=str(path))
    document = unread_document(str(path), error, DEFAULT)
    assert (document.format, document.content, document.data) == (UNKNOWN_FORMAT, None, b"locked away")
    assert document.report.errors == [error] and document.unread
    assert (document.root.size, document.root.error) == (11, "is encrypted")
    assert unexplained(document.root) == 11


def test_a_recognised_file_has_the_name_of_its_format(tmp_path: Path) -> None:
    (tmp_path / "x.mdl").write_bytes(b"IDPO" + bytes(80))
    assert unread_document(str(tmp_path / "x.mdl"), FormatError("no"), DEFAULT).format == "Quake model (.mdl)"


def test_a_file_that_does_not_exist_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read: No such file"):
        unread_document(str(tmp_path / "x.mdl"), FormatError("cannot be opened"), DEFAULT)


def test_an_empty_file_is_a_document_without_bytes(tmp_path: Path) -> None:
    (tmp_path / "x.mdl").write_bytes(b"")
    error = FormatError("the file is empty")
    document = unread_document(str(tmp_path / "x.mdl"), error, DEFAULT)
    assert document.data == b"" and document.content is None and document.report.errors == [error]
