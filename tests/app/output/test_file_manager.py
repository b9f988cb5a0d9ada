"""Files in the file manager of the desktop."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packages import write_package
from viewer.app.output import file_manager
from viewer.app.output.file_manager import commands, show_files
from viewer.errors import ResourceError

FILES = ("/a/one.mdl", "/a/two.mdl", "/b/three.mdl")


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", [("xdg-open", "/out"), ("xdg-open", "/b"), ("xdg-open", "/a")]),
        ("darwin", [("open", "/out"), ("open", "-R", *FILES)]),
        (
            "win32",
            [("explorer", "/out"), ("explorer", "/select,/b/three.mdl"), ("explorer", "/select,/a/one.mdl")],
        ),
    ],
)
def test_each_system_has_its_commands(platform: str, expected: list[tuple[str, ...]]) -> None:
    assert commands(["/out"], FILES, platform) == expected


def test_the_service_of_the_desktop_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(file_manager, "has_session_bus", lambda: True)

    def answer(method: str, paths: list[str], timeout: float) -> bool:
        asked.append((method, paths))
        return True

    monkeypatch.setattr(file_manager, "_ask", answer)
    monkeypatch.setattr(file_manager, "_run", pytest.fail)
    package = write_package(tmp_path)
    show_files([str(tmp_path), f"{package}::Models/Post.mdl", f"{package}::Models/Other.mdl"])
    assert asked == [("ShowFolders", [str(tmp_path)]), ("ShowItems", [str(package)])]


def test_without_the_service_a_program_opens_the_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[tuple[str, ...]] = []
    monkeypatch.setattr(file_manager, "has_session_bus", lambda: True)
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/nothing")
    monkeypatch.setattr(file_manager.sys, "platform", "linux")
    monkeypatch.setattr(file_manager, "_run", ran.append)
    show_files([str(tmp_path / "a b.mdl")])
    assert ran == [("xdg-open", str(tmp_path))]


@pytest.mark.parametrize("program", ["missing", "failing"])
def test_a_program_that_fails_is_an_error(
    program: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    command = (str(tmp_path / "missing"),) if program == "missing" else ("false",)
    monkeypatch.setattr(file_manager, "commands", lambda *given: [command])
    with pytest.raises(ResourceError, match="no file manager can be started"):
        show_files([str(tmp_path)])
