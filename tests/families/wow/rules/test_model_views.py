"""The views of a model, and errors that lead to their rows."""

from __future__ import annotations

from pathlib import Path

from tests import m2_files
from tests.check.m2_folder import write_model
from viewer.families.wow.rules.files import M2Files
from viewer.families.wow.rules.model_views import ModelView
from viewer.storage.documents import open_document


def views(path: Path) -> list[ModelView]:
    files = M2Files.of(open_document(path))
    assert files is not None
    return files.views


def test_views_inside_the_model(tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(views=[m2_files.view(), m2_files.view()]))
    first, second = views(path)
    assert (first.name, second.name, second.path) == ("view 0", "view 1", str(path))
    error = second.error("odd", "joints", 2)
    assert (error.why, error.path, error.file) == ("view 1: odd", "views[1].joints[2]", str(path))
    assert open_document(path).root.at(error.offset)[-1].name == "[2]"


def test_views_in_files_of_their_own(tmp_path: Path) -> None:
    path = write_model(tmp_path)
    (view,) = views(path)
    assert view.name == "Made00.skin" and view.path == str(tmp_path / "Made00.skin")
    assert views(tmp_path / "Made00.skin")[0].name == "Made00.skin"
    error = view.error("odd", "submeshes", 1)
    assert error.path == "submeshes[1]"
    submeshes = open_document(view.path).root.child("submeshes")
    assert error.offset == submeshes.children[1].offset


def test_a_view_without_a_header_is_left_out(tmp_path: Path) -> None:
    path = write_model(tmp_path)
    (tmp_path / "Made00.skin").write_bytes(b"SKIN")
    assert views(path) == []


def test_an_error_of_a_table_outside_the_file_is_at_its_end(tmp_path: Path) -> None:
    path = write_model(tmp_path)
    (view,) = views(path)
    row = view.row.copy()
    row["joints"]["offset"] = 1 << 30
    size = (tmp_path / "Made00.skin").stat().st_size
    assert view._replace(row=row).error("odd", "joints", 0).offset == size
