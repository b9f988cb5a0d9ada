"""Check, export and pictures of listed files: the same files and lines as those of the command line."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests import m2_files
from tests.conftest import ROOT
from tests.packages import MATERIAL, png
from tests.synthetic import model_bytes
from viewer.app.tasks import Task
from viewer.app.wall import file_tasks
from viewer.app.wall.file_tasks import run_work
from viewer.app.wall.file_work import FileWork, interrupted_batches
from viewer.check.baseline import write_baseline
from viewer.check.checking import check_file
from viewer.commands.cli import main
from viewer.errors import CancelledError, ResourceError
from viewer.family.registry import suffixes
from viewer.library.file_sources import source_files
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import LocalRunner, SameProcess
from viewer.scene.choices import ExportChoices
from viewer.scene.finding import Severity
from viewer.scene.reading_context import DEFAULT
from viewer.session.file_batches import BatchResult, FileResult
from viewer.session.preferences import Preferences
from viewer.session.reading import ReadingChoices
from viewer.session.requests import ExportModel
from viewer.storage.image import decode_image


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))


class InThisProcess(LocalRunner, frozen=True):
    """Runs batches without worker processes, whose start takes 0.6 s."""

    def run(self, task: Any, calls: Any) -> Iterator[Outcome]:
        return SameProcess().run(task, calls)


@pytest.fixture
def worker_processes() -> None:
    """The tasks of a test run in worker processes, as a user's do."""


@pytest.fixture(autouse=True)
def tasks_in_this_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.commands.output.CALM", 1000.0)
    monkeypatch.setattr("viewer.commands.batches.LocalRunner", lambda *limits: SameProcess())
    if "worker_processes" not in request.fixturenames:
        monkeypatch.setattr(file_tasks, "LocalRunner", InThisProcess)


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A model in a folder, a model in its subfolder; each has a material."""
    top = tmp_path / "models"
    for name in ("Box.mdl", "more/Box.mdl"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(model_bytes())
        (top / name).with_suffix(".txt").write_text("Box.xml\n")
        (top / name).with_suffix(".xml").write_text("<material/>")
    return top


class Ending(Task):
    """A task that is cancelled after so many reports."""

    def __init__(self, after: int = 1 << 30) -> None:
        super().__init__("files", None, None, None)
        self._after = after

    def report(self, step: str, share: float | None = None) -> None:
        self._after -= 1
        self.cancelled |= self._after <= 0
        super().report(step, share)


def work_on(models: Path, kind: Any, out: Path, **more: Any) -> FileWork:
    files = tuple(source_files([str(models)], suffixes("model"), pytest.fail, DEFAULT))
    return FileWork(kind, files, DEFAULT, str(out), **more)


def run(work: FileWork, task: Task | None = None) -> BatchResult:
    return run_work(work, 1, task or Ending())


def written(folder: Path) -> dict[str, bytes]:
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def said_by(capsys: pytest.CaptureFixture[str], words: Sequence[str]) -> list[str]:
    """The lines of a command, without the name of the program."""
    capsys.readouterr()
    main(list(words))
    output, errors = capsys.readouterr()
    return [each.removeprefix("rigscope: ") for each in (*output.splitlines(), *errors.splitlines())]


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        (ExportModel(), ("{name}.glb",)),
        (
            ExportModel(".ply", choices=ExportChoices(axes="file", materials=False)),
            ("{name}.ply", "--axes", "file", "--no-materials"),
        ),
    ],
)
def test_an_export_writes_the_files_of_the_command_line_and_says_its_lines(
    models: Path, tmp_path: Path, capsys: Any, choices: ExportModel, words: tuple[str, ...]
) -> None:
    task = Ending()
    result = run(work_on(models, "export", tmp_path / "out", choices=choices), task)
    assert (result.text, result.failed) == (f"2 files written to {tmp_path / 'out'}", False)
    assert result.written == f"{tmp_path / 'out'}/" and task.progress == ("exporting 2 of 2", 1.0)
    name, *more = words
    said = said_by(capsys, ["export", str(models), "-o", f"{tmp_path}/command/{name}", *more])
    assert said == [f"2 files written to {tmp_path / 'command'}"]
    assert written(tmp_path / "out") == written(tmp_path / "command")
    assert interrupted_batches() == []


def test_existing_and_broken_files_are_named_as_on_the_command_line(
    models: Path, tmp_path: Path, capsys: Any
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "Box.glb").write_text("mine")
    (models / "Cut.mdl").write_bytes(b"nothing")
    result = run(work_on(models, "export", out))
    texts = [f"1 of 3 files written to {out}", f"{out}/Box.glb exists already", "1 of 2 files failed"]
    assert result.failed and result.text == "; ".join(texts)
    assert [(Path(each.path).name, each.failed) for each in result.files] == [("Cut.mdl", True)]
    (out / "more/Box.glb").unlink()
    said = said_by(capsys, ["export", str(models), "-o", str(out)])
    assert {each.removesuffix("; --force replaces files") for each in said} == {
        *texts,
        f"{models}/Cut.mdl: {result.files[0].text}",
    }
    assert (out / "Box.glb").read_text() == "mine"


def test_a_file_that_is_not_read_completely_is_written_and_named(models: Path, tmp_path: Path) -> None:
    (models / "Cut.mdl").write_bytes(b"UMD2")
    result = run(work_on(models, "export", tmp_path / "out"))
    out = tmp_path / "out"
    incomplete = "1 of 3 files could not be read completely, or a required file is missing"
    assert result.text == f"3 files written to {out}; {incomplete}"
    assert result.failed and [each.failed for each in result.files] == [False] * len(result.files)
    assert {Path(each.path).name for each in result.files} == {"Cut.mdl"}


@pytest.mark.parametrize("kind", ["export", "pictures"])
def test_missing_parts_are_named_as_on_the_command_line(
    models: Path, tmp_path: Path, capsys: Any, kind: str
) -> None:
    path = models / "Rabbit.m2"
    path.write_bytes(m2_files.model(m2_files.WRATH))
    result = run(work_on(models, kind, tmp_path / "out"))
    assert result.failed and {each.path for each in result.files if "missing" in each.text} == {str(path)}
    verb = ["export", "{name}.glb"] if kind == "export" else ["thumbs", "{name}.png"]
    said = said_by(capsys, [verb[0], str(models), "-o", f"{tmp_path}/command/{verb[1]}"])
    assert [each.text for each in result.files] == [
        each.removeprefix(f"{path}: ") for each in said if each.startswith(f"{path}: ")
    ]
    incomplete = "1 of 3 files could not be read completely, or a required file is missing"
    assert incomplete in said and result.text.endswith(incomplete)


def test_selected_files_that_are_no_models_are_named(models: Path, tmp_path: Path) -> None:
    result = run(work_on(models, "export", tmp_path / "out", others=("/files/Walk.ani",)))
    assert result.text == f"2 files written to {tmp_path / 'out'}; 1 selected file left out"
    assert not result.failed
    assert result.files == (
        FileResult("/files/Walk.ani", "is no model, so it is not exported", failed=False),
    )


@pytest.mark.usefixtures("worker_processes")
def test_a_task_reads_with_the_resource_folders_of_the_window(models: Path, tmp_path: Path) -> None:
    """Also when it goes on, in a window that has other folders."""
    for model in (models / "Box.mdl", models / "more/Box.mdl"):
        model.with_suffix(".txt").write_text("Box.xml\n")
        model.with_suffix(".xml").write_text(MATERIAL)
    (models / ".git").mkdir()
    (tmp_path / "given/Textures").mkdir(parents=True)
    (tmp_path / "given/Textures/P.png").write_bytes(png())
    choices = ReadingChoices()
    choices.folders.append(str(tmp_path / "given"))
    work = replace(work_on(models, "export", tmp_path / "out"), context=choices.context(Preferences()))
    assert run(work, Ending(1)).continues
    ((_, again),) = interrupted_batches()
    assert again.context == work.context and run(again).text.startswith("1 file written")
    exported = written(tmp_path / "out")
    assert len(exported) == 2 and all(b"image/png" in data for data in exported.values())
    assert run(work_on(models, "export", tmp_path / "without")).text.startswith("2 files written")
    assert not any(b"image/png" in data for data in written(tmp_path / "without").values())


def test_an_export_goes_on_after_a_restart_and_writes_nothing_twice(models: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ended = run(work_on(models, "export", out), Ending(1))
    assert ended.continues and list(written(out)) == ["Box.glb"]
    before = (out / "Box.glb").stat().st_mtime_ns
    ((batch, work),) = interrupted_batches()
    assert batch.title == "Export of 2 models" and batch.result is not None
    assert batch.result.text == "Interrupted: 1 of 2 files are done" and batch.result.continues
    result = run(work)
    assert result.text == f"1 file written to {out}; 1 of 2 files were written by the same task before"
    assert not result.failed and set(written(out)) == {"Box.glb", "more/Box.glb"}
    assert (out / "Box.glb").stat().st_mtime_ns == before and interrupted_batches() == []


def test_a_changed_file_is_exported_again_by_the_continued_task(models: Path, tmp_path: Path) -> None:
    run(work_on(models, "export", tmp_path / "out"), Ending(1))
    (models / "Box.mdl").write_bytes(model_bytes() + b"more")
    ((_, work),) = interrupted_batches()
    assert run(work).text.startswith(f"2 files written to {tmp_path / 'out'}")


def test_a_task_that_begins_again_with_other_options_replaces_nothing(
    models: Path, tmp_path: Path, capsys: Any
) -> None:
    """As the command line does."""
    out = tmp_path / "out"
    run(work_on(models, "export", out), Ending(1))
    before = written(out)
    other = work_on(models, "export", out, choices=ExportModel(choices=ExportChoices(materials=False)))
    text = run(other).text
    assert text == f"1 of 2 files written to {out}; {out}/Box.glb exists already"
    assert written(out)["Box.glb"] == before["Box.glb"]
    assert len(interrupted_batches()) == 1, "the first task can still be continued"


def test_folders_that_vanish_are_failures_of_files(models: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(work_on(models, "export", out), Ending(1))
    shutil.rmtree(out)
    shutil.rmtree(models / "more")
    ((_, work),) = interrupted_batches()
    result = run(work)
    assert result.text == f"1 of 2 files written to {out}; 1 of 2 files failed"
    assert [(each.path, each.text) for each in result.files] == [
        (str(models / "more/Box.mdl"), "cannot be read: no such file")
    ] or result.files[0].path == str(models / "more/Box.mdl")
    assert list(written(out)) == ["Box.glb"]


def test_a_full_disk_ends_the_pictures_and_the_task_goes_on(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    fsync = os.fsync

    def full(handle: int) -> None:
        if [each for each in out.iterdir() if each.suffix == ".png"]:
            raise OSError(28, "No space left on device")
        fsync(handle)

    work = work_on(models, "pictures", out)
    with monkeypatch.context() as patch:
        patch.setattr("viewer.storage.writing.os.fsync", full)
        ended = run(work)
    assert ended.failed and ended.continues and ended.text == f"{out}/Box-1.png: No space left on device"
    assert list(written(out)) == ["Box.png"]
    ((_, again),) = interrupted_batches()
    assert run(again).text == f"2 pictures written to {out}"
    assert set(written(out)) == {"Box.png", "Box-1.png"}


def test_two_windows_do_not_run_one_task(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.library.batch.journal.LOCK_TIMEOUT", 0.01)
    work, seen = work_on(models, "export", tmp_path / "out"), list[Any]()

    class Other(Ending):
        def report(self, step: str, share: float | None = None) -> None:
            seen.append((interrupted_batches(), run(work).text))

    run(work, Other())
    assert seen[0] == ([], "This task is running already")


def test_pictures_are_saved_one_by_one_or_as_a_sheet(models: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (models / "Cut.mdl").write_bytes(b"UMD2")
    (out / "Box.png").write_text("mine")
    task = Ending()
    told = run(work_on(models, "pictures", out), task)
    assert task.progress[0] == "saving 3 of 3"
    assert told.failed and told.text == f"2 pictures written to {out}; 1 of 3 files failed"
    assert [Path(each.path).name for each in told.files] == ["Cut.mdl"] and told.files[0].text
    assert sorted(written(out)) == ["Box-1.png", "Box-2.png", "Box.png"]
    assert (out / "Box.png").read_text() == "mine"
    sheet = out / "contact-sheet.png"
    text = run(work_on(models, "sheet", sheet)).text
    assert text == f"A sheet with 3 pictures written to {sheet}; 1 of 3 files failed"
    assert decode_image(sheet.read_bytes(), "sheet.png").levels[0].shape[1] > 2 * 256
    assert run(work_on(models, "sheet", sheet)).written == str(sheet)
    gone = run(work_on(models, "sheet", tmp_path / "gone" / "a.png"))
    assert gone.failed and gone.text.endswith(": its folder does not exist")


def test_pictures_keep_their_names_when_they_go_on(models: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    work = work_on(models, "pictures", out)
    assert run(work, Ending(1)).continues and list(written(out)) == ["Box.png"]
    assert run(work).text == f"2 pictures written to {out}"
    assert set(written(out)) == {"Box.png", "Box-1.png"}


def test_the_picture_of_a_changed_file_is_replaced_when_the_task_goes_on_and_no_other_file(
    models: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    work = work_on(models, "pictures", out)
    run(work, Ending(1))
    before = written(out)["Box.png"]
    (out / "Box-1.png").write_text("mine")
    (models / "Box.mdl").write_bytes((ROOT / "assets/urho3d/Models/Beacon.mdl").read_bytes())
    result = run(work)
    assert result.text == f"1 picture written to {out}" and result.failed
    assert [each.text for each in result.files] == ["not written, the file exists already"]
    assert written(out)["Box.png"] != before and written(out)["Box-1.png"] == b"mine"


def test_too_many_pictures_for_a_sheet_are_refused_for_good(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> None:
        raise ResourceError("too many for a sheet")

    monkeypatch.setattr(file_tasks, "Sheet", refuse)
    result = run(work_on(models, "sheet", tmp_path))
    assert result == BatchResult("Too many for a sheet", True) and interrupted_batches() == []


@pytest.fixture
def checked(tmp_path: Path) -> FileWork:
    """The check of a model, and of a model that is cut."""
    folder = tmp_path / "checked"
    folder.mkdir()
    (folder / "Whole.mdl").write_bytes(model_bytes())
    (folder / "Cut.mdl").write_bytes(model_bytes()[:300])
    return work_on(folder, "check", folder)


def test_a_check_lists_the_files_with_their_numbers_the_worst_first_and_says_the_line_of_the_command(
    checked: FileWork, capsys: Any
) -> None:
    task = Ending()
    result = run(checked, task)
    expected = {each.path: check_file(each.path) for each in checked.files}
    assert task.progress == ("checking 2 of 2", 1.0) and result.failed and not result.continues
    assert Path(result.files[0].path).name == "Cut.mdl"
    assert result.files[0].counts[0][0] is Severity.ERROR
    for each in result.files:
        assert sum(count for _, count in each.counts) == len(expected[each.path])
        assert each.text == expected[each.path][0].text
    assert result.text == said_by(capsys, ["check", checked.folder])[-1] and "error" in result.text


def test_known_findings_are_left_out(checked: FileWork) -> None:
    folder, paths = Path(checked.folder), [each.path for each in checked.files]
    found = [each for path in paths for each in check_file(path)]
    write_baseline(str(folder / "known.json"), found, paths)
    (folder / "rigscope.toml").write_text('[check]\nbaseline = "known.json"\n')
    assert run(checked) == BatchResult(f"Nothing found in 2 files; {len(found)} known findings left out")


def test_wrong_settings_of_a_check_are_an_error(checked: FileWork) -> None:
    (Path(checked.folder) / "rigscope.toml").write_text("[check]\nselect = 3\n")
    with pytest.raises(ResourceError, match=r"rigscope\.toml"):
        run(checked)


def test_a_cancelled_check_ends(checked: FileWork) -> None:
    task = Ending()
    task.cancelled = True
    with pytest.raises(CancelledError):
        run(checked, task)
