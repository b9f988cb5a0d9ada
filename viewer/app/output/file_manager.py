"""Shows files in the file manager of the desktop. The calls wait: run `show_files` in a task.

Source: https://www.freedesktop.org/wiki/Specifications/file-manager-interface/
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from viewer.app.open_files.portal import ANSWER_TIMEOUT, has_session_bus, reply_of
from viewer.errors import ResourceError
from viewer.storage.package_path import on_disk

NAME, PATH, INTERFACE = (
    "org.freedesktop.FileManager1",
    "/org/freedesktop/FileManager1",
    "org.freedesktop.FileManager1",
)
SECONDS = 10.0
"""Seconds to wait for a program that starts the file manager."""


def show_files(paths: Sequence[str], timeout: float = ANSWER_TIMEOUT) -> None:
    """Select files in their folders, or open folders, in the file manager. For a file in a package, the
    package is selected.

    The D-Bus service has `timeout` seconds to answer. ResourceError if there is no file manager.
    """
    real = list(dict.fromkeys(os.path.abspath(on_disk(each)) for each in paths))
    folders = [each for each in real if os.path.isdir(each)]
    files = [each for each in real if each not in folders]
    if has_session_bus():
        calls = (("ShowFolders", folders), ("ShowItems", files))
        if all(_ask(method, some, timeout) for method, some in calls if some):
            return
    for command in commands(folders, files, sys.platform):
        _run(command)


def commands(folders: Sequence[str], files: Sequence[str], platform: str) -> Sequence[tuple[str, ...]]:
    """Return the commands that show folders and files without D-Bus. Linux shows only the folders of files,
    and Windows selects one file of each folder.
    """
    first = {os.path.dirname(each): each for each in reversed(files)}
    if platform == "darwin":
        return [("open", each) for each in folders] + ([("open", "-R", *files)] if files else [])
    if platform == "win32":
        return [("explorer", each) for each in folders] + [
            ("explorer", f"/select,{each}") for each in first.values()
        ]
    return [("xdg-open", each) for each in dict.fromkeys((*folders, *first))]


def _ask(method: str, paths: Sequence[str], timeout: float) -> bool:
    """Call a method of the D-Bus service; return whether it has answered."""
    try:
        from jeepney import DBusAddress, new_method_call
        from jeepney.io.blocking import open_dbus_connection
        from jeepney.wrappers import DBusErrorResponse

        with open_dbus_connection() as bus:
            uris = [Path(each).as_uri() for each in paths]
            call = new_method_call(DBusAddress(PATH, NAME, INTERFACE), method, "ass", (uris, ""))
            try:
                reply_of(bus, call, timeout)
            except DBusErrorResponse:  # no file manager offers the service
                return False
    except (ImportError, OSError, ValueError, LookupError, RuntimeError):  # D-Bus cannot be used
        return False
    return True


def _run(command: Sequence[str]) -> None:
    """Run a command. The exit status of the Explorer of Windows is ignored, because this status is 1 even
    after success.
    """
    nowhere = subprocess.DEVNULL
    try:
        done = subprocess.run(
            command, stdin=nowhere, stdout=nowhere, stderr=nowhere, timeout=SECONDS, start_new_session=True
        )
    except subprocess.TimeoutExpired:
        return  # some of these programs run until the file manager is closed
    except OSError as error:
        raise ResourceError(f"no file manager can be started: {command[0]}: {error.strerror}") from error
    if done.returncode and command[0] != "explorer":
        raise ResourceError(f"no file manager can be started: {command[0]} failed")
