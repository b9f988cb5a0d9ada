"""The file dialog of the Linux desktop, through the portal `org.freedesktop.portal.FileChooser` on D-Bus.

The calls wait: run `choose_files` in a task.

Source: https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileChooser.html
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import unquote_to_bytes

from msgspec import Struct

NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
CHOOSER, REQUEST = "org.freedesktop.portal.FileChooser", "org.freedesktop.portal.Request"
ANSWER_TIMEOUT = 4.0
"""Seconds to wait for the portal's answer to a call. The portal may have to be started first."""
POLL = 0.2
"""Seconds between two checks whether the task is cancelled."""
FOLDERS_SINCE = 3
"""The first version of the interface that can ask for a folder."""
CHOSEN = 0
"""The response code of a dialog in which the user chose files."""
NO_ANSWER = "The file dialog of the desktop does not answer: another dialog is used"
FILE_SCHEME = "file://"

SuffixFilter = tuple[str, tuple[str, ...]]
"""A choice of file types in the dialog: its title, and the suffixes of the files, in lower case with dots. A
choice without suffixes shows all files.
"""


class FileQuestion(Struct, frozen=True):
    """What a dialog asks for.

    The dialog starts in `folder`. With a suggested `name`, it asks for a file to save; with `folders`, for a
    folder; otherwise for files to open. `parent` is the window of the program as `x11:` and its id in
    hexadecimal digits, empty if unknown.
    """

    title: str
    folder: str
    folders: bool = False
    name: str | None = None
    filters: tuple[SuffixFilter, ...] = ()
    parent: str = ""


class FileAnswer(Struct, frozen=True):
    """The chosen paths, empty if the user cancelled. `shown` is False if the portal could not show its
    dialog. If the user had to wait for the portal in vain, `problem` is a message about it.
    """

    paths: tuple[str, ...] = ()
    shown: bool = True
    problem: str = ""


def has_session_bus() -> bool:
    """Whether this is a Linux session with a D-Bus address."""
    return sys.platform.startswith("linux") and bool(os.environ.get("DBUS_SESSION_BUS_ADDRESS"))


def choose_files(
    question: FileQuestion, cancelled: Callable[[], bool], timeout: float = ANSWER_TIMEOUT
) -> FileAnswer:
    """Show the dialog and wait until the user closes it, or until `cancelled()`.

    The portal has `timeout` seconds to answer each call; the time of the user is not limited.
    """
    try:
        from jeepney.io.blocking import open_dbus_connection
        from jeepney.wrappers import DBusErrorResponse

        with open_dbus_connection() as bus:
            try:
                return _ask(bus, question, cancelled, timeout)
            except DBusErrorResponse:  # no portal is installed, or it has no file dialog
                return FileAnswer(shown=False)
    except TimeoutError:
        return FileAnswer(shown=False, problem=NO_ANSWER)
    except (ImportError, OSError, ValueError, LookupError, RuntimeError):  # D-Bus cannot be used
        return FileAnswer(shown=False)


def _ask(bus: Any, question: FileQuestion, cancelled: Callable[[], bool], timeout: float) -> FileAnswer:
    """Call the portal, then wait for the signal with the user's choice."""
    from jeepney import DBusAddress, MatchRule, Properties, message_bus, new_method_call
    from jeepney.io.blocking import Proxy

    portal = DBusAddress(PATH, NAME, CHOOSER)
    reply = reply_of(bus, Properties(portal).get("version"), timeout)
    if question.folders and reply[0][1] < FOLDERS_SINCE:
        return FileAnswer(shown=False)
    token = f"rigscope_{os.urandom(8).hex()}"
    handle = f"{PATH}/request/{bus.unique_name[1:].replace('.', '_')}/{token}"
    closed = MatchRule(type="signal", interface=REQUEST, member="Response", path=handle)
    left = MatchRule(type="signal", sender=message_bus.bus_name, member="NameOwnerChanged")
    left.add_arg_condition(0, NAME)
    for rule in (closed, left):
        Proxy(message_bus, bus, timeout=timeout).AddMatch(rule)
    method, options = options_of(question, token)
    with bus.filter(closed) as responses, bus.filter(left) as departures:
        call = new_method_call(portal, method, "ssa{sv}", (question.parent, question.title, options))
        reply_of(bus, call, timeout)
        while not responses and not departures and not cancelled():
            with suppress(TimeoutError):
                bus.recv_messages(timeout=POLL)
        if responses:
            code, results = responses.popleft().body
            uris = results["uris"][1] if code == CHOSEN and "uris" in results else ()
            return FileAnswer(tuple(filter(None, map(path_of_uri, uris))))
        if not departures:
            bus.send(new_method_call(DBusAddress(handle, NAME, REQUEST), "Close"))
    return FileAnswer()


def reply_of(bus: Any, message: Any, timeout: float) -> Any:
    """Return the values that a method returns. TimeoutError without a reply, DBusErrorResponse for an
    error.
    """
    from jeepney.wrappers import unwrap_msg

    return unwrap_msg(bus.send_and_get_reply(message, timeout=timeout))


def options_of(question: FileQuestion, token: str) -> tuple[str, dict[str, tuple[str, Any]]]:
    """Return the portal's method for a question, and its options as D-Bus variants."""
    options: dict[str, tuple[str, Any]] = {"handle_token": ("s", token), "modal": ("b", True)}
    if question.folder:
        options["current_folder"] = "ay", os.fsencode(question.folder) + b"\0"
    if question.filters and not question.folders:
        options["filters"] = (
            "a(sa(us))",
            [
                (title, [(0, pattern) for pattern in map(glob_of, suffixes or ("",))])
                for title, suffixes in question.filters
            ],
        )
    if question.name is not None:
        options["current_name"] = "s", question.name
        return "SaveFile", options
    if question.folders:
        options["directory"] = "b", True
    else:
        options["multiple"] = "b", True
    return "OpenFile", options


def glob_of(suffix: str) -> str:
    """Return the file pattern of a suffix: `*.[mM]2` for `.m2`. It has both cases of each letter, because the
    portal compares patterns exactly.
    """
    return "*" + "".join(f"[{each}{each.upper()}]" if each.isalpha() else each for each in suffix)


def path_of_uri(uri: str) -> str:
    """Return the path of a `file://` URI; empty for any other URI."""
    return os.fsdecode(unquote_to_bytes(uri[len(FILE_SCHEME) :])) if uri.startswith(FILE_SCHEME) else ""
