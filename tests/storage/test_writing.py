"""The gate for writing: whole files or none, links stay, inputs are not replaced."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from viewer.storage import writing
from viewer.storage.writing import appended, install, part_folder, replaced, target_of, written

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs links, FIFOs and permissions")
LIMITED = """
import resource, signal, sys
sys.dont_write_bytecode = True  # a cut file of bytecode would stay
from viewer.storage.writing import appended, replaced
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
with replaced(sys.argv[1]) as file:
    file.write(bytes(100_000))
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    with replaced(path) as file:
        file.write(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["a.png"]


def test_an_earlier_file_stays_until_then(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"old")
    with replaced(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt, ValueError])
def test_what_fails_leaves_nothing(error: type[BaseException], tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"old")
    with pytest.raises(error), replaced(path) as file:
        file.write(b"half")
        raise error
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.png"]


@posix
def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.endswith(f"File too large: {str(path)!r}\n")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.png"]


def test_an_error_without_a_file_names_the_target(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    for error, name in (
        (OSError(errno.ENOSPC, "the disk is full"), str(path)),
        (OSError(errno.EACCES, "not allowed", "input.png"), "input.png"),
    ):
        with pytest.raises(OSError) as caught, replaced(path):
            raise error
        assert caught.value.filename == name


@pytest.mark.parametrize("write", [replaced, target_of, part_folder])
def test_a_missing_folder_is_named_as_such(write: Callable[[Path], Any], tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, write(tmp_path / "no" / "a.png"):
        pass
    assert (caught.value.filename, caught.value.strerror) == (
        str(tmp_path / "no" / "a.png"),
        "its folder does not exist",
    )


@posix
def test_an_error_never_names_the_unfinished_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(part: str, name: str) -> None:
        raise PermissionError(errno.EACCES, "not allowed", part)

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(PermissionError) as caught, replaced(tmp_path / "a.png") as file:
        file.write(b"new")
    assert caught.value.filename == str(tmp_path / "a.png")


@posix
@pytest.mark.parametrize("folder", ["", "there"])
def test_the_folder_of_a_new_file_is_synced(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced, real = list[int](), os.fsync

    def fsync(handle: int) -> None:
        synced.append(os.fstat(handle).st_ino)
        real(handle)

    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(writing.os, "fsync", fsync)
    with written(os.path.join(folder, "a.png")) as file:
        file.write(b"new")
    assert synced == [(tmp_path / folder / "a.png").stat().st_ino, (tmp_path / folder).stat().st_ino]


@posix
def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "b.png", tmp_path / "a.png"
    target.write_bytes(b"old")
    link.symlink_to(target)
    with replaced(link) as file:
        file.write(b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"
    assert names(tmp_path / "there") == ["b.png"]


@posix
def test_a_link_to_nothing_makes_its_file(tmp_path: Path) -> None:
    link = tmp_path / "a.png"
    link.symlink_to(tmp_path / "b.png")
    with replaced(link) as file:
        file.write(b"new")
    assert link.is_symlink() and (tmp_path / "b.png").read_bytes() == b"new"


@posix
def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "a.png"
    link.symlink_to(link)
    with pytest.raises(OSError, match="not a regular file"):
        target_of(link)


@posix
def test_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with replaced(path) as file:
        file.write(b"new")
    assert path.stat().st_mode & 0o777 == 0o640


@posix
def test_new_files_have_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    with replaced(tmp_path / "new"):
        pass
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode
    with written(str(tmp_path / "private"), permissions=0o600):
        pass
    assert (tmp_path / "private").stat().st_mode & 0o777 == 0o600


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError), replaced(tmp_path):
        pass


@posix
@pytest.mark.parametrize("kind", ["fifo", "device"])
def test_what_is_no_regular_file_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    os.mkfifo(path) if kind == "fifo" else path.symlink_to("/dev/null")
    with pytest.raises(OSError, match="not a regular file"), replaced(path):
        pass


def test_an_input_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"read")
    os.link(path, tmp_path / "b.png")
    with pytest.raises(OSError, match="being read"), replaced(tmp_path / "b.png", ("missing", str(path))):
        pass
    assert path.read_bytes() == b"read"


def test_leavings_of_a_killed_program_are_no_obstacle(tmp_path: Path) -> None:
    following = int(repr(writing._numbers)[6:-1])
    left = tmp_path / f".rigscope-{os.getpid()}-{following}.part"
    left.write_bytes(b"left")
    with replaced(tmp_path / "a.png") as file:
        file.write(b"new")
    assert (tmp_path / "a.png").read_bytes() == b"new" and left.read_bytes() == b"left"


def test_a_finished_file_is_installed(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    folder = Path(part_folder(path))
    assert folder.parent == tmp_path
    for text, existed in ((b"first", False), (b"second", True)):
        (folder / "made").write_bytes(text)
        assert install(folder / "made", path) == existed
        assert path.read_bytes() == text
    assert names(folder) == []


@posix
def test_a_finished_file_goes_to_another_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, made, real = tmp_path / "a.mp4", tmp_path / "made", os.replace
    made.write_bytes(b"film")

    def replace(part: str, target: str) -> None:
        if part == str(made):
            raise OSError(errno.EXDEV, "another disk")
        real(part, target)

    monkeypatch.setattr(writing.os, "replace", replace)
    install(made, path)
    assert names(tmp_path) == ["a.mp4"] and path.read_bytes() == b"film"


def test_a_file_that_is_added_to_grows(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for line in (b"one\n", b"two\n"):
        with appended(path) as file:
            file.write(line)
    assert path.read_bytes() == b"one\ntwo\n"
    with pytest.raises(IsADirectoryError):
        appended(tmp_path)
