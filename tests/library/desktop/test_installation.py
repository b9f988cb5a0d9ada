"""Files are installed and removed; what others wrote is left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from viewer.errors import FormatError
from viewer.library.desktop import installation
from viewer.library.desktop.installation import RECORD, Database, data_home, install, remove

ENTRY, TYPES = "applications/a.desktop", "mime/packages/a.xml"
FILES = {ENTRY: b"entry", TYPES: b"types"}


@pytest.fixture(autouse=True)
def databases(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One database, which a shell script makes."""
    program = tmp_path / "tool"
    program.write_text('#!/bin/sh\nls "$1" | grep desktop > "$1/made.cache"; mkdir -p "$1/sub"\n')
    program.chmod(0o755)
    made = (Database(str(program), "a-package", "applications", "applications", ".desktop"),)
    monkeypatch.setattr(installation, "DATABASES", made)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home/share"


def below(folder: Path) -> dict[str, bytes | None]:
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*")}
    return {name: path.read_bytes() if path.is_file() else None for name, path in found.items()}


def test_files_are_written_and_the_database_is_made(home: Path) -> None:
    changes = install(str(home), FILES)
    assert changes.written == [str(home / ENTRY), str(home / TYPES)]
    assert (home / ENTRY).read_bytes() == b"entry"
    assert (home / "applications/made.cache").read_text() == "a.desktop\n"
    assert not changes.remarks


def test_nothing_is_left_after_removing(home: Path, tmp_path: Path) -> None:
    before = below(tmp_path)
    install(str(home), FILES)
    changes = remove(str(home))
    assert below(tmp_path) == before
    assert len(changes.removed) == 2


def test_removing_leaves_what_was_there(home: Path) -> None:
    (home / "applications").mkdir(parents=True)
    (home / "applications/other.desktop").write_text("other")
    (home / "applications/made.cache").write_text("other.desktop\n")
    before = below(home)
    install(str(home), FILES)
    remove(str(home))
    assert below(home) == before


def test_installing_again_replaces_the_files_and_is_removed_whole(home: Path, tmp_path: Path) -> None:
    before = below(tmp_path)
    install(str(home), FILES)
    changes = install(str(home), FILES | {ENTRY: b"newer"})
    assert not changes.left
    assert (home / ENTRY).read_bytes() == b"newer"
    remove(str(home))
    assert below(tmp_path) == before


def test_a_file_of_somebody_else_is_left(home: Path) -> None:
    (home / "applications").mkdir(parents=True)
    (home / ENTRY).write_text("other")
    changes = install(str(home), FILES)
    assert changes.left == [str(home / ENTRY)]
    remove(str(home))
    assert (home / ENTRY).read_text() == "other"


@pytest.mark.parametrize("again", [False, True])
def test_a_file_that_was_changed_is_left(home: Path, again: bool) -> None:
    install(str(home), FILES)
    (home / ENTRY).write_text("changed")
    changes = install(str(home), FILES) if again else remove(str(home))
    assert changes.left == [str(home / ENTRY)]
    assert (home / ENTRY).read_text() == "changed"


def test_a_link_is_left(home: Path, tmp_path: Path) -> None:
    (home / "applications").mkdir(parents=True)
    (home / ENTRY).symlink_to(tmp_path / "elsewhere")
    assert install(str(home), FILES).left == [str(home / ENTRY)]
    assert not (tmp_path / "elsewhere").exists()


def test_an_interrupted_installation_can_be_removed(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = below(tmp_path)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(installation, "_update", lambda *given: (_ for _ in ()).throw(KeyboardInterrupt))
        install(str(home), FILES)
    remove(str(home))
    assert below(tmp_path) == before


def test_a_missing_program_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    none = Database("no-such-program", "a-package", "applications", "applications", ".desktop")
    monkeypatch.setattr(installation, "DATABASES", (none,))
    (remark,) = install(str(home), FILES).remarks
    assert "no-such-program is missing (Debian: a-package)" in remark


def test_a_program_that_fails_is_told(home: Path, tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\necho it is\necho broken >&2; exit 3\n")
    (remark,) = install(str(home), FILES).remarks
    assert remark.endswith("failed: broken")


@pytest.mark.parametrize(
    "text", ["", "[]", '{"files": {}}', '{"files": 3, "made": []}', '{"files": {}, "made": [1]}']
)
def test_a_damaged_record_changes_nothing(home: Path, text: str) -> None:
    install(str(home), FILES)
    (home / RECORD).write_text(text)
    before = below(home)
    with pytest.raises(FormatError, match="damaged"):
        remove(str(home))
    assert below(home) == before


def test_removing_where_nothing_is_installed_makes_nothing(home: Path, tmp_path: Path) -> None:
    assert not remove(str(home)).removed
    assert not home.exists()


def test_the_record_has_the_hash_of_each_file(home: Path) -> None:
    install(str(home), FILES)
    assert set(json.loads((home / RECORD).read_text())["files"]) == set(FILES)


def test_a_relative_data_folder_is_ignored_as_the_specification_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    assert data_home({"XDG_DATA_HOME": "relative"}) == "/home/somebody/.local/share"
    assert data_home({"XDG_DATA_HOME": "/data"}) == "/data"
