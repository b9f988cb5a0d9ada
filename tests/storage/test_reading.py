"""The gate for reading: regular files only, limits, and the beginning before the rest."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from tests.damage import peak
from tests.packages import write_package
from tests.synthetic import write_pair
from viewer.errors import CancelledError, FormatError
from viewer.scene.reading_context import DEFAULT, reading_context
from viewer.storage import reading
from viewer.storage.documents import open_document
from viewer.storage.listing import listed_entries, listed_once
from viewer.storage.reading import cancelled_by, open_regular, read_file
from viewer.storage.search import Missing, SearchPath, lone
from viewer.storage.versions import path_version, recorded

LITTLE = 1 << 20
posix = pytest.mark.skipif(sys.platform == "win32", reason="FIFOs and devices have no names in folders")


def fifo(path: Path) -> Path:
    os.mkfifo(path)
    return path


@posix
def test_a_fifo_is_refused_by_name(tmp_path: Path) -> None:
    path = fifo(tmp_path / "x.mdl")
    with pytest.raises(FormatError, match=r"x\.mdl: cannot be read: it is a FIFO, not a regular file"):
        open_document(path)


@posix
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/tty", "/dev/null"])
def test_a_device_is_refused(name: str) -> None:
    with pytest.raises(FormatError, match="it is a device, not a regular file"):
        read_file(name)


@posix
def test_a_link_to_a_device_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.mdl"
    path.symlink_to("/dev/zero")
    with pytest.raises(FormatError, match="it is a device"):
        open_document(path)


@posix
def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the names of sockets are short
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("x.mdl")
        with pytest.raises(FormatError, match="it is a socket"):
            read_file("x.mdl")


@posix
def test_a_file_that_becomes_a_fifo_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(b"x")
    path, status = fifo(tmp_path / "x.mdl"), os.stat(plain)
    monkeypatch.setattr(reading.os, "stat", lambda _path: status)
    with pytest.raises(OSError, match="it is a FIFO"):
        open_regular(path)


@posix
def test_a_fifo_in_the_search_path_is_passed_by(tmp_path: Path) -> None:
    model = write_pair(tmp_path)
    (tmp_path / "Autoload").mkdir()
    fifo(tmp_path / "Autoload" / "f.pak")
    fifo(tmp_path / "Data.pak")
    fifo(tmp_path / "stone.png")
    (tmp_path / "Post.txt").unlink(missing_ok=True)
    fifo(tmp_path / "Post.txt")
    assert open_document(model).model is not None
    assert isinstance(SearchPath.around(model, DEFAULT).find("stone.png"), Missing)


@posix
def test_a_fifo_as_a_texture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="it is a FIFO"):
        lone(str(fifo(tmp_path / "stone.png")), DEFAULT)


def refused(path: Path) -> None:
    with pytest.raises(FormatError):
        open_document(path)


def sparse(path: Path, size: int, head: bytes = b"") -> Path:
    with path.open("wb") as file:
        file.write(head)
        file.truncate(size)
    return path


def test_a_file_over_the_limit_is_refused_at_once(tmp_path: Path) -> None:
    path = sparse(tmp_path / "x.mdl", 5 << 30)
    with pytest.raises(
        FormatError, match=r"5,368,709,120 bytes are more than the limit of 2,147,483,648; --max"
    ):
        open_document(path)
    assert peak(lambda: refused(path)) < LITTLE


def test_the_beginning_is_tested_before_the_rest_is_read(tmp_path: Path) -> None:
    path = sparse(tmp_path / "x.mdl", 2 << 30)
    refused(sparse(tmp_path / "small.mdl", 2 << 10))  # imports the readers of all formats
    assert peak(lambda: refused(path)) < LITTLE
    with pytest.raises(FormatError, match="format is unknown: the file begins with 00 00 00 00"):
        open_document(path)


def test_a_known_beginning_is_followed_by_the_rest(tmp_path: Path) -> None:
    path = sparse(tmp_path / "x", 3 << 20, b"head")
    assert len(read_file(path, recognises=lambda head: head.startswith(b"head"))) == 3 << 20
    assert len(read_file(path, recognises=lambda head: False)) == reading.HEAD
    assert len(read_file(path)) == 3 << 20


def test_a_file_that_is_not_large_is_read_whole_whatever_it_begins_with(tmp_path: Path) -> None:
    assert (
        len(read_file(sparse(tmp_path / "x", reading.LARGE), recognises=lambda head: False)) == reading.LARGE
    )


def test_a_package_behind_another_file_is_known(tmp_path: Path) -> None:
    path = tmp_path / "setup.exe"
    path.write_bytes(b"MZ" + bytes(2 << 20) + write_package(tmp_path, "RPAK").read_bytes())
    assert open_document(path).format == "Urho3D package"


def test_the_limit_is_chosen(tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    chosen = reading_context(max_size=100)
    assert (chosen.size_limit, chosen.unpacked_limit(1)) == (100, 100)
    with pytest.raises(FormatError, match="more than the limit of 100"):
        open_document(path, chosen)
    assert open_document(path).model is not None


def test_packages_have_a_limit_of_their_own() -> None:
    assert DEFAULT.unpacked_limit(1 << 20) == 1 << 30
    assert DEFAULT.unpacked_limit(1 << 30) == 16 << 30


def test_a_limit_of_the_caller_names_no_option(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"limit of 1$"):
        read_file(write_pair(tmp_path), 1)


def test_a_folder_and_a_missing_file_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=os.strerror(21)):
        read_file(tmp_path)
    with pytest.raises(FormatError, match="No such file"):
        read_file(tmp_path / "missing")


def test_a_cancelled_job_opens_nothing(tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    with cancelled_by(lambda: True), pytest.raises(CancelledError):
        open_document(path)
    assert open_document(path).model is not None


def test_nobody_asks_for_the_status_of_a_listed_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.png", "b.png"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "link.png").symlink_to(tmp_path / "b.png")
    asked: list[str] = []
    status = os.stat

    def spy(path: object, **options: object) -> os.stat_result:
        asked.append(os.path.basename(str(path)))
        return status(path, **options)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(os, "stat", spy)
    with listed_once():
        listed_entries(str(tmp_path))
        asked.clear()
        with recorded() as versions:
            assert read_file(tmp_path / "a.png") == b"a.png" and not asked
        assert versions == {str(tmp_path / "a.png"): path_version(tmp_path / "a.png")}
        assert read_file(tmp_path / "link.png") == b"b.png" and "link.png" in asked
    asked.clear()
    assert read_file(tmp_path / "a.png") and asked == ["a.png"]


@posix
def test_a_listed_file_that_becomes_a_fifo_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").touch()
    with listed_once():
        listed_entries(str(tmp_path))
        (tmp_path / "a.png").unlink()
        os.mkfifo(tmp_path / "a.png")
        with pytest.raises(FormatError, match="FIFO"):
            read_file(tmp_path / "a.png")
