"""The check of open documents in the background."""

from __future__ import annotations

import gc
import time
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

from tests.app.conftest import Make, until
from tests.packages import write_package
from tests.synthetic import animation_bytes, bone, model_bytes, track, write_pair
from viewer.app import opened_check
from viewer.app.loop import App
from viewer.families.urho3d.package.files import PackageFiles
from viewer.scene.document import Document
from viewer.scene.package import Package
from viewer.session.requests import CloseDocument, Open, Reload
from viewer.session.state import State
from viewer.storage.versions import KeptAnswers
from viewer.ui.problems.problem_rows import problem_rows

WING = animation_bytes("Wing", 1.0, [track("wing", [0], scale=[[1, 1, 1]])])


@pytest.fixture
def app(make: Make, tmp_path: Path) -> App:
    return make(write_pair(tmp_path))


def rules(state: State) -> list[str]:
    """The rules that found something in the document in view."""
    checked = state.view.checked
    return [each.rule for each in checked.findings] if checked is not None else []


def test_a_document_is_checked_after_it_is_shown(app: App) -> None:
    until(app, lambda state: state.view.checked and not app.busy)
    assert rules(app.state)


def top(app: App) -> list[str]:
    """The rules of the first three lines of the panel, once everything is checked."""
    state = until(app, lambda state: state.view.checked and not app.busy)
    return [row.rule for row in problem_rows(state) if row.rule][:3]


def test_an_animation_that_does_nothing_is_at_the_top(make: Make, tmp_path: Path) -> None:
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips" / "Wing.ani").write_bytes(WING)
    app = make(write_pair(tmp_path), tmp_path / "clips" / "Wing.ani")
    app.state.show(0)
    assert top(app)[0] == "animation/no-match"


def test_a_missing_material_is_at_the_top(app: App) -> None:
    assert top(app)[0] == "material/missing"


def test_a_loop_that_twitches_is_at_the_top(make: Make, tmp_path: Path) -> None:
    names = [f"bone {number}" for number in range(12)]
    bones = [bone(name, max(number - 1, 0), 0, 0.1) for number, name in enumerate(names)]
    loop = [[1, 0, 0, 0], [0.9, 0.1, 0, 0], [1, 0, 0, 0]]
    tracks = [track(name, [0, 0.5, 1], rotation=loop) for name in names[1:]]
    tracks.append(track(names[0], [0, 0.5, 1], rotation=[*loop[:2], [0.7, 0.7, 0, 0]]))
    (tmp_path / "Post.mdl").write_bytes(model_bytes(bones=bones))
    (tmp_path / "Post_Loop.ani").write_bytes(animation_bytes("Loop", 1.0, tracks))
    assert "animation/loop-jump" in top(make(tmp_path / "Post.mdl"))


def test_nothing_is_checked_if_the_user_does_not_want_it(make: Make, tmp_path: Path) -> None:
    app = make()
    app.state.interface.preferences.check_files = False
    app.post(Open((str(write_pair(tmp_path)),)))
    until(app, lambda state: state.documents.opened and not state.pending_files.loading)
    for _ in range(5):
        app.frame(0.0)
    assert not app.busy and app.state.view.checked is None
    app.state.interface.preferences.check_files = True
    until(app, lambda state: state.view.checked)


def test_a_file_that_is_read_again_is_checked_again(app: App, tmp_path: Path) -> None:
    before = until(app, lambda state: state.view.checked).view.checked
    app.post(Reload())
    until(app, lambda state: state.view.checked not in (None, before))


def test_an_animation_that_is_opened_later_is_checked_with_the_model(app: App, tmp_path: Path) -> None:
    until(app, lambda state: state.view.checked)
    assert "animation/no-match" not in rules(app.state)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "Wing.ani").write_bytes(WING)
    app.post(Open((str(tmp_path / "other" / "Wing.ani"),)))
    until(app, lambda state: "animation/no-match" in rules(state))


def test_the_files_of_a_package_are_read_once(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    verify = PackageFiles.verify

    def note(files: PackageFiles, number: int, *more: Any) -> Any:
        read.append(number)
        return verify(files, number, *more)

    monkeypatch.setattr(PackageFiles, "verify", note)
    app = make(write_package(tmp_path, "UPAK"))
    package = next(each for each in app.state.documents.opened if isinstance(each.content, Package))
    app.state.show(app.state.documents.opened.index(package))
    until(app, lambda state: state.documents.view_of(package).checked)
    assert sorted(read) == [*range(len(read))] and read


def test_results_for_closed_documents_are_dropped(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    until(app, lambda state: not app.busy)
    monkeypatch.setattr("viewer.families.urho3d.load._CLIPS", KeptAnswers(0))
    (tmp_path / "Next.mdl").write_bytes(model_bytes())
    app.post(Open((str(tmp_path / "Next.mdl"),)))
    until(app, lambda state: len(state.documents.opened) == 2 and app.busy)
    held = ref(app.state.documents.opened[1])
    app.post(CloseDocument(1))
    until(app, lambda state: len(state.documents.opened) == 1 and not app.busy)
    end = time.monotonic() + 60
    while held() is not None and time.monotonic() < end:  # the cancelled check ends at its next rule
        time.sleep(0.01)
        gc.collect()
    assert held() is None, "the thread that waits holds no document"


def test_a_check_that_fails_is_told_and_not_repeated(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Document] = []

    def fail(document: Document, *more: object) -> None:
        calls.append(document)
        raise ValueError("made to fail")

    monkeypatch.setattr(opened_check, "check_opened", fail)
    app = make(write_pair(tmp_path))
    until(app, lambda state: calls and not app.busy)
    for _ in range(5):
        app.frame(0.0)
    assert len(calls) == 1 and app.state.view.checked is None
    assert any("made to fail" in each.text for each in app.state.messages)


def test_new_messages_of_a_file_lead_to_another_check(app: App) -> None:
    until(app, lambda state: state.view.checked)
    document = app.state.document
    assert document is not None
    document.report.warn("found later")
    until(app, lambda state: any(each.text == "found later" for each in _findings(state)))


def test_a_file_that_tells_more_each_time_is_checked_a_few_times(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def tell(document: Document, *more: object) -> tuple[()]:
        calls.append(1)
        document.report.warn(f"message {len(calls)}")
        return ()

    monkeypatch.setattr(opened_check, "check_opened", tell)
    app = make(write_pair(tmp_path))
    until(app, lambda state: len(calls) > 3 and not app.busy)
    for _ in range(5):
        app.frame(0.0)
    assert len(calls) == 4


def _findings(state: State) -> tuple[object, ...]:
    return state.view.checked.findings if state.view.checked is not None else ()
