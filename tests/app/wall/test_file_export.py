"""The export of listed models."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import model_bytes
from viewer.app.tasks import Task
from viewer.app.wall.file_export import export_files
from viewer.commands.cli import main
from viewer.family.registry import suffixes
from viewer.library.file_sources import source_files
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.scene.choices import ExportChoices
from viewer.session.file_batches import BatchResult, FileResult
from viewer.session.requests import ExportModel


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A model in a folder, a model in its subfolder."""
    top = tmp_path / "models"
    for name in ("Box.mdl", "more/Box.mdl"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(model_bytes())
    return top


def exported(
    models: Path, out: Path, choices: ExportModel, task: Task | None = None, others: tuple[str, ...] = ()
) -> BatchResult:
    files = list(source_files([str(models)], suffixes("model"), pytest.fail))
    return export_files(
        files, others, choices, ThumbnailTask(), str(out), 1, task or Task("export", None, None, None)
    )


def written(folder: Path) -> dict[str, bytes]:
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def test_the_files_are_those_of_the_command_line(models: Path, tmp_path: Path) -> None:
    task = Task("export", None, None, None)
    result = exported(models, tmp_path / "out", ExportModel(), task)
    assert (result.text, result.failed) == (f"Exported 2 models to {tmp_path / 'out'}", False)
    assert result.written == str(tmp_path / "out") and task.progress == ("exporting 2 of 2", 1.0)
    assert main(["export", str(models), "-o", f"{tmp_path}/command/"]) == 0
    assert written(tmp_path / "out") == written(tmp_path / "command")
    assert set(written(tmp_path / "out")) == {"Box.glb", "more/Box.glb"}


def test_the_choices_hold_for_all_files(models: Path, tmp_path: Path) -> None:
    choices = ExportModel(".ply", choices=ExportChoices(axes="file"))
    exported(models, tmp_path / "out", choices)
    assert main(["export", str(models), "-o", f"{tmp_path}/command/{{name}}.ply", "--axes", "file"]) == 0
    assert written(tmp_path / "out") == written(tmp_path / "command")


def test_existing_and_broken_files_are_results_of_their_own(models: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "Box.glb").write_text("mine")
    (models / "Cut.mdl").write_bytes(b"UMD2")
    result = exported(models, tmp_path / "out", ExportModel())
    assert result.failed and result.text == f"Exported 1 model to {tmp_path / 'out'}; 2 failed"
    failed = {Path(each.path).name: each.text for each in result.files}
    assert all(each.failed for each in result.files)
    assert "exists already" in failed["Box.mdl"] and failed["Cut.mdl"]
    assert (tmp_path / "out" / "Box.glb").read_text() == "mine"


def test_selected_files_that_are_no_models_are_named(models: Path, tmp_path: Path) -> None:
    result = exported(models, tmp_path / "out", ExportModel(), others=("/files/Walk.ani",))
    assert result.text == f"Exported 2 models to {tmp_path / 'out'}; 1 selected file left out"
    assert not result.failed
    assert result.files == (
        FileResult("/files/Walk.ani", "is no model, so it is not exported", failed=False),
    )
