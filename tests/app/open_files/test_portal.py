"""The file dialog of a Linux desktop, with a portal of our own on a private bus."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from viewer.app.open_files import portal
from viewer.app.open_files.file_chooser import FileChooser
from viewer.app.open_files.portal import FileAnswer, FileQuestion, choose_files, glob_of, path_of_uri
from viewer.app.output import file_manager
from viewer.app.tasks import Tasks
from viewer.session.requests import Open, OpenFolder, SaveAs, Screenshot
from viewer.session.state import State

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("dbus-daemon") is None, reason="needs dbus-daemon"
)
CONFIG = """<busconfig><type>session</type><listen>unix:path={}</listen>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>"""


class FakePortal:
    """A portal that answers each question with `response`, a code and URIs; None: the dialog stays open.

    With `silent`, no call is answered. `calls` are the methods and their values.
    """

    def __init__(self, version: int = 4, silent: bool = False) -> None:
        from jeepney import message_bus
        from jeepney.io.blocking import Proxy, open_dbus_connection

        self.version, self.silent = version, silent
        self.response: tuple[int, list[str]] | None = (0, ["file:///here/a%20b.mdl"])
        self.calls: list[tuple[str, Any]] = []
        self.called, self.closed = threading.Event(), threading.Event()
        self._bus = open_dbus_connection()
        Proxy(message_bus, self._bus).RequestName(portal.NAME)
        self._on = True
        self._thread = threading.Thread(target=self._serve, name="fake portal")
        self._thread.start()

    def _serve(self) -> None:
        while self._on:
            with suppress(TimeoutError):
                self._answer(self._bus.receive(timeout=0.02))

    def _answer(self, message: Any) -> None:
        from jeepney import DBusAddress, HeaderFields, MessageType, new_method_return, new_signal

        fields = message.header.fields
        if message.header.message_type is not MessageType.method_call or self.silent:
            return
        member, sender = fields[HeaderFields.member], fields[HeaderFields.sender]
        if member == "Get":
            self._bus.send(new_method_return(message, "v", (("u", self.version),)))
            return
        self.calls.append((member, message.body))
        self.called.set()
        if member == "Close":
            self.closed.set()
            return
        if member.startswith("Show"):
            self._bus.send(new_method_return(message))
            return
        token = message.body[2]["handle_token"][1]
        handle = f"{portal.PATH}/request/{sender[1:].replace('.', '_')}/{token}"
        self._bus.send(new_method_return(message, "o", (handle,)))
        if self.response is not None:
            code, uris = self.response
            request = DBusAddress(handle, interface=portal.REQUEST)
            self._bus.send(new_signal(request, "Response", "ua{sv}", (code, {"uris": ("as", uris)})))

    def leave(self) -> None:
        self._on = False
        self._thread.join()
        self._bus.close()


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A session bus of its own."""
    config, socket = tmp_path / "bus.conf", tmp_path / "bus"
    config.write_text(CONFIG.format(socket))
    command = ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout is not None
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", daemon.stdout.readline().strip())
        yield
        daemon.terminate()


@pytest.fixture
def fake(bus: None) -> Iterator[FakePortal]:
    made = FakePortal()
    yield made
    made.leave()


def never() -> bool:
    return False


def test_files_to_open(fake: FakePortal) -> None:
    question = FileQuestion(
        "Open", "/models", filters=(("Models", (".mdl", ".m2")), ("All files", ())), parent="x11:4a00007"
    )
    assert choose_files(question, never) == FileAnswer(("/here/a b.mdl",))
    [(method, (parent, title, options))] = fake.calls
    assert (method, parent, title) == ("OpenFile", "x11:4a00007", "Open")
    assert options["multiple"] == ("b", True)
    assert bytes(options["current_folder"][1]) == b"/models\0"
    assert options["filters"][1] == [
        ("Models", [(0, "*.[mM][dD][lL]"), (0, "*.[mM]2")]),
        ("All files", [(0, "*")]),
    ]


def test_a_folder(fake: FakePortal) -> None:
    choose_files(FileQuestion("Open a folder", "/", folders=True), never)
    [(method, (_, _, options))] = fake.calls
    assert method == "OpenFile" and options["directory"] == ("b", True) and "multiple" not in options


def test_a_file_to_save(fake: FakePortal) -> None:
    choose_files(FileQuestion("Save image as", "/pictures", name="Fox.png"), never)
    [(method, (_, _, options))] = fake.calls
    assert method == "SaveFile" and options["current_name"] == ("s", "Fox.png")


def test_a_cancelled_dialog_has_no_paths_and_needs_no_other_dialog(fake: FakePortal) -> None:
    fake.response = (1, [])
    assert choose_files(FileQuestion("Open", ""), never) == FileAnswer()


def test_a_portal_that_is_too_old_for_folders_asks_for_files_alone(fake: FakePortal) -> None:
    fake.version = 2
    assert not choose_files(FileQuestion("Open a folder", "", folders=True), never).shown
    assert choose_files(FileQuestion("Open", ""), never).shown


def test_a_cancelled_task_closes_the_dialog(fake: FakePortal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portal, "POLL", 0.01)
    fake.response = None
    assert choose_files(FileQuestion("Open", ""), fake.called.is_set) == FileAnswer()
    assert fake.closed.wait(60)


def test_a_portal_that_ends_closes_the_dialog(fake: FakePortal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portal, "POLL", 0.01)
    fake.response = None
    ended = threading.Thread(target=lambda: (fake.called.wait(60), fake.leave()))
    ended.start()
    assert choose_files(FileQuestion("Open", ""), never) == FileAnswer()
    ended.join()


def test_without_a_portal_another_dialog_is_used_at_once(bus: None) -> None:
    assert choose_files(FileQuestion("Open", ""), never) == FileAnswer(shown=False)


def test_without_a_bus_another_dialog_is_used_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("unix:path=/nowhere/bus", "", "tcp:host=localhost", "nonsense"):
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        assert choose_files(FileQuestion("Open", ""), never) == FileAnswer(shown=False)


def test_a_silent_portal_is_reported(fake: FakePortal) -> None:
    fake.silent = True
    answer = choose_files(FileQuestion("Open", ""), never, timeout=0.05)
    assert answer == FileAnswer(shown=False, problem=portal.NO_ANSWER)


@pytest.mark.parametrize(
    ("uri", "path"), [("file:///a%C3%A4%23", "/aä#"), ("http://a/b", ""), ("file:///", "/")]
)
def test_paths_of_uris(uri: str, path: str) -> None:
    assert path_of_uri(uri) == path


def test_globs_accept_both_cases() -> None:
    assert (glob_of(".m2"), glob_of("")) == ("*.[mM]2", "*")


class HelperDialog:
    """Stands in for the dialog of a helper program."""

    parent, waiting, available = "x11:1", False, True

    def __init__(self) -> None:
        self.shown: list[tuple[str, bool, str | None]] = []

    def show(self, folder: str = "", folders: bool = False, name: str | None = None) -> None:
        self.shown.append((folder, folders, name))

    def poll(self) -> tuple[str, ...]:
        return ()


Ask = Callable[..., Any]


@pytest.fixture
def chooser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.chdir(tmp_path)
    tasks = Tasks()
    made = FileChooser(State(), HelperDialog(), tasks)  # type: ignore[arg-type]
    made.tasks = tasks  # type: ignore[attr-defined]
    yield made
    tasks.close()


def settle(chooser: Any) -> Any:
    """The answer once no dialog is open."""
    while chooser.tasks.busy:
        chooser.tasks.wait(0.1)
        chooser.tasks.deliver()
    return chooser.poll()


def test_the_desktops_dialog_is_the_first_choice(fake: FakePortal, chooser: Any) -> None:
    chooser.ask(Open())
    assert settle(chooser) == Open(("/here/a b.mdl",))
    assert chooser.poll() is None and chooser._dialog.shown == []
    chooser.ask(OpenFolder())
    assert settle(chooser) == OpenFolder("/here/a b.mdl")


def test_the_desktops_dialog_asks_for_pictures_by_suffix(fake: FakePortal, chooser: Any) -> None:
    chooser.ask(SaveAs(Screenshot()))
    settle(chooser)
    [(_, (parent, title, options))] = fake.calls
    assert (parent, title) == ("x11:1", "Save image as")
    assert (0, "*.[pP][nN][gG]") in options["filters"][1][0][1]


def test_only_one_dialog_is_open(fake: FakePortal, chooser: Any) -> None:
    fake.response = None
    chooser.ask(Open())
    chooser.ask(OpenFolder())
    assert fake.called.wait(60)
    assert [call[0] for call in fake.calls] == ["OpenFile"] and not chooser._dialog.shown


def test_a_silent_portal_is_asked_once(
    fake: FakePortal, chooser: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choose_files, "__defaults__", (0.05,))
    fake.silent = True
    chooser.ask(Open())
    settle(chooser)
    assert chooser._state.interface.status == portal.NO_ANSWER and len(chooser._dialog.shown) == 1
    chooser.ask(Open())
    assert len(chooser._dialog.shown) == 2 and not chooser.tasks.busy


@pytest.mark.parametrize(("mode", "shown"), [("program", 1), ("own", 0)])
def test_the_setting_chooses_the_dialog(fake: FakePortal, chooser: Any, mode: Any, shown: int) -> None:
    chooser._state.interface.preferences.dialogs = mode
    chooser.ask(Open())
    assert len(chooser._dialog.shown) == shown
    assert (chooser._state.pending_files.browser is None) is bool(shown)
    assert fake.calls == []


def test_the_file_manager_of_the_desktop_selects_files(
    bus: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(portal, "NAME", file_manager.NAME)
    manager = FakePortal()
    file_manager.show_files([str(tmp_path), "/here/a b.mdl"])
    manager.leave()
    assert manager.calls == [
        ("ShowFolders", ([tmp_path.as_uri()], "")),
        ("ShowItems", (["file:///here/a%20b.mdl"], "")),
    ]
