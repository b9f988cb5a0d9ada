"""The check of listed files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import model_bytes
from viewer.app.tasks import Task
from viewer.app.wall.file_check import check_files
from viewer.check.baseline import write_baseline
from viewer.check.checking import check_file
from viewer.errors import ResourceError
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.scene.finding import Severity
from viewer.session.file_batches import BatchResult


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """A model, and a model that is cut."""
    (tmp_path / "Whole.mdl").write_bytes(model_bytes())
    (tmp_path / "Cut.mdl").write_bytes(model_bytes()[:300])
    return [str(tmp_path / name) for name in ("Whole.mdl", "Cut.mdl")]


def checked(paths: list[str], task: Task | None = None) -> BatchResult:
    return check_files(paths, ThumbnailTask(), 1, task or Task("check", None, None, None))


def test_files_with_findings_are_listed_with_their_numbers_the_worst_first(paths: list[str]) -> None:
    task = Task("check", None, None, None)
    result = checked(paths, task)
    expected = {path: check_file(path) for path in paths}
    assert task.progress == ("checking 2 of 2", 1.0) and result.failed
    assert result.files[0].path == paths[1] and result.files[0].counts[0][0] is Severity.ERROR
    for each in result.files:
        assert sum(count for _, count in each.counts) == len(expected[each.path])
        assert each.text == expected[each.path][0].text
    assert result.text.startswith("Checked 2 files: ") and "error" in result.text


def test_known_findings_are_left_out(paths: list[str], tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    write_baseline(str(known), [each for path in paths for each in check_file(path)], paths)
    (tmp_path / "rigscope.toml").write_text('[check]\nbaseline = "known.json"\n')
    assert checked(paths) == BatchResult("Checked 2 files: no findings")


def test_wrong_settings_are_an_error(paths: list[str], tmp_path: Path) -> None:
    (tmp_path / "rigscope.toml").write_text("[check]\nselect = 3\n")
    with pytest.raises(ResourceError, match=r"rigscope\.toml"):
        checked(paths)


def test_a_cancelled_check_ends(paths: list[str]) -> None:
    task = Task("check", None, None, None)
    task.cancelled = True
    assert checked(paths, task).files == ()
