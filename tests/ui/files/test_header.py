"""The texts of the header over listed files."""

from __future__ import annotations

import pytest

from viewer.session.file_table import FileTable
from viewer.ui.files.header import empty_text


@pytest.mark.parametrize(("root", "package"), [("/games/Data.pak", True), ("/games/Data", False)])
def test_an_empty_list_names_its_folder_or_package(root: str, package: bool) -> None:
    name = root.rpartition("/")[2]
    table = FileTable(root, package, [], [], [], [])
    assert empty_text(table) == f"{name} has no files that can be opened."
