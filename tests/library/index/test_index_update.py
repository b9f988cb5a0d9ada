"""Bringing the index up to date, whatever happens to the files and to the index meanwhile."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import ogre_files
from tests.conftest import ROOT
from tests.packages import write_package
from tests.synthetic import animation_bytes, model_bytes
from viewer.errors import ViewerError
from viewer.family.registry import suffixes
from viewer.library.file_sources import source_files
from viewer.library.index.database import DamagedIndexError, default_path
from viewer.library.index.index import Index
from viewer.library.outcome import Outcome
from viewer.scene.files import FileEntry
from viewer.scene.reading_context import DEFAULT, reading_context
from viewer.storage.cache_folder import FOLDER_VARIABLE


class InProcess:
    """A runner that performs the task here; `before` is called with each path that is `read`."""

    def __init__(self, before: Callable[[str], object] = str) -> None:
        self.before = before
        self.read: list[str] = []

    def run(self, task: Any, calls: Iterable[tuple[Any, ...]]) -> Iterator[Outcome]:
        for (path,) in calls:
            self.before(path)
            self.read.append(path)
            yield Outcome(path, task(path))


class Library:
    """A folder of files and an index; `said` are the lines about what is wrong, `read` the files of the last
    update that were read.
    """

    def __init__(self, folder: Path) -> None:
        self.place, self.file = folder / "files", folder / "cache" / "index.sqlite"
        self.place.mkdir()
        self.said: list[str] = []
        self.read: list[str] = []
        self.index = Index(self.file, self.said.append)

    def put(self, name: str, data: bytes | None = None) -> Path:
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(model_bytes() if data is None else data)
        return path

    def fail(self, unread: Outcome) -> None:
        """Record the line for a file that cannot be read."""
        self.said.append(unread.line)

    def update(
        self, *places: Path, index: Index | None = None, read: Container[str] | None = None
    ) -> list[str]:
        """The names of the files that were read."""
        return [os.path.basename(each) for each in self.steps(*places, index=index, read=read)]

    def steps(
        self,
        *places: Path,
        index: Index | None = None,
        before: Callable[[str], None] = str,
        read: Container[str] | None = None,
    ) -> list[str]:
        named, runner = list(map(str, places or [self.place])), InProcess(before)
        files = source_files(named, suffixes(), self.fail, DEFAULT)
        for _ in (index or self.index).update(files, named, runner, read):
            pass
        return runner.read

    def entries(self, index: Index | None = None) -> dict[str, FileEntry]:
        return {each.name: each for each in (index or self.index).entries([str(self.place)])}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path)
    yield made
    made.index.close()


def later(path: Path, seconds: int = 5) -> None:
    """Give a file another time."""
    time = os.stat(path).st_mtime_ns + seconds * 10**9
    os.utime(path, ns=(time, time))


def test_only_what_has_changed_is_read_again(library: Library) -> None:
    first, _ = library.put("a.mdl"), library.put("deep/b.mdl")
    assert library.update() == ["a.mdl", "b.mdl"]
    assert library.update() == []
    library.put("a.mdl", model_bytes("UMD3"))
    later(first)
    assert library.update() == ["a.mdl"]
    assert [each.facts and each.facts.version for each in library.entries().values()] == [
        "UMD3 version 2",
        "UMD2",
    ]


def test_a_listing_reads_nothing_and_leaves_the_reading_to_later(library: Library) -> None:
    first, _ = library.put("a.mdl"), library.put("deep/b.mdl")
    assert library.update(read=()) == [] and list(library.entries()) == ["a.mdl", "deep/b.mdl"]
    assert library.update(read=[str(first)]) == ["a.mdl"]
    assert library.update() == ["b.mdl"]
    library.put("a.mdl", model_bytes("UMD3"))
    later(first)
    assert library.update(read=()) == []
    changed = library.entries()["a.mdl"]
    assert (changed.size, changed.modified) == (first.stat().st_size, first.stat().st_mtime_ns)
    library.put("deep/c.ani", animation_bytes())
    assert library.update(read=()) == []
    assert sorted(library.update()) == ["a.mdl", "b.mdl", "c.ani"]


def test_what_is_gone_is_removed(library: Library) -> None:
    path = library.put("a.mdl")
    library.put("b.mdl")
    library.update()
    path.unlink()
    assert library.update() == []
    assert list(library.entries()) == ["b.mdl"]
    assert not library.index.query("name:a", [str(library.place)])


def test_a_file_with_another_time_and_the_same_bytes_is_not_read(library: Library) -> None:
    path = library.put("a.mdl")
    library.update()
    later(path)
    assert library.update() == []
    assert library.entries()["a.mdl"].modified == os.stat(path).st_mtime_ns


def test_a_place_that_is_gone_keeps_its_files(library: Library) -> None:
    library.put("a.mdl")
    library.update()
    library.place.rename(library.place.with_name("away"))
    library.update()
    library.place.with_name("away").rename(library.place)
    assert library.update() == [] and list(library.entries()) == ["a.mdl"]


def test_other_places_are_left_alone(library: Library) -> None:
    library.put("one/a.mdl")
    library.put("two/b.mdl")
    library.update()
    assert library.update(library.place / "one") == []
    assert len(library.entries()) == 2


def test_an_index_is_kept_between_programs(library: Library) -> None:
    library.put("a.mdl")
    library.update()
    again = Index(library.file, library.said.append)
    assert library.update(index=again) == [] and library.entries(again) == library.entries()
    again.close()
    assert not again.in_memory and not library.said


def test_an_update_that_was_ended_goes_on(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abcd":
        library.put(f"{name}.mdl")

    def end(path: str) -> None:
        if path.endswith("c.mdl"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        library.steps(before=end)
    assert [name for name, each in library.entries().items() if each.facts] == ["a.mdl", "b.mdl"]
    assert library.update() == ["c.mdl", "d.mdl"]


def test_new_files_are_listed_before_they_are_read(library: Library) -> None:
    library.put("a.mdl")
    files = source_files([str(library.place)], suffixes(), library.fail, DEFAULT)
    updating = library.index.update(files, [str(library.place)], InProcess())
    assert next(updating) == (0, 1)
    assert library.entries()["a.mdl"].facts is None
    assert not library.index.query("bones:..9", [str(library.place)])
    assert len(library.index.query("not bones:..9", [str(library.place)])) == 1
    assert list(updating) == [(1, 1)]


def test_a_file_is_read_again_when_a_missing_part_appears(library: Library) -> None:
    library.put("a.mesh", ogre_files.rich_mesh(ogre_files.NEWEST, link="bones.skeleton"))
    library.put("other/b.mdl")
    library.update()
    assert library.index.query("missing:skeleton", [str(library.place)])
    library.put("bones.skeleton", (ROOT / "assets/ogre/models/Linglong.skeleton").read_bytes())
    assert library.update() == ["a.mesh", "bones.skeleton"]
    assert not library.index.query("missing:skeleton", [str(library.place)])


def test_a_file_is_read_again_when_a_part_changes(library: Library) -> None:
    library.put("a.mesh", ogre_files.rich_mesh(ogre_files.NEWEST, link="bones.skeleton"))
    skeleton = library.put("bones.skeleton", (ROOT / "assets/ogre/models/Linglong.skeleton").read_bytes())
    library.update()
    library.put("bones.skeleton", (ROOT / "assets/ogre/models/LinglongTLBB.skeleton").read_bytes())
    later(skeleton)
    assert library.update() == ["a.mesh", "bones.skeleton"]
    assert library.update() == []


def test_a_model_is_read_again_when_the_animations_beside_it_change(library: Library) -> None:
    library.put("a.mdl")
    library.put("deep/b.mdl")
    library.update()
    clip = library.put("a_Bend.ani", animation_bytes("Bend"))
    assert library.update() == ["a_Bend.ani", "a.mdl"]
    assert [each.title for each in library.index.query("clip:bend", [str(library.place)])] == [
        "a.mdl",
        "a_Bend.ani",
    ]
    clip.unlink()
    assert library.update() == ["a.mdl"]
    assert library.update() == [] and not library.index.query("clip:bend", [str(library.place)])


def test_a_thumbnail_may_be_tried_again_when_the_bytes_change(library: Library) -> None:
    path = library.put("a.mdl")
    library.update()
    library.index.set_thumbnail_errors({str(path): "hangs"})
    later(path)
    library.update()
    assert library.entries()["a.mdl"].thumbnail_error == "hangs"
    library.put("a.mdl", model_bytes("UMD3"))
    library.update()
    assert library.entries()["a.mdl"].thumbnail_error == ""


def test_files_of_a_package_are_indexed(library: Library) -> None:
    package = write_package(library.place)
    assert "Post.mdl" in library.update(package)
    found = library.index.query("kind:model", [str(package)])
    assert [(each.name, each.path) for each in found] == [("Models/Post.mdl", f"{package}::Models/Post.mdl")]
    assert library.update(package) == []
    assert not library.index.query("data", [str(package)])


@pytest.mark.parametrize("hostile", ["fifo.mdl", "empty.mdl", "cut.mdl", "text.mdl", "folder.mdl"])
def test_a_hostile_file_has_an_error_and_the_others_go_on(library: Library, hostile: str) -> None:
    path = library.put(hostile, {"cut": model_bytes()[:300], "text": b"hello"}.get(hostile[:-4], b""))
    if hostile in ("fifo.mdl", "folder.mdl"):
        path.unlink()
        (os.mkfifo if hostile[1] == "i" else os.mkdir)(path)
    library.put("good.mdl")
    library.update()
    assert [each.name for each in library.index.query("kind:model not error", [str(library.place)])] == [
        "good.mdl"
    ]
    assert bool(library.index.query("error", [str(library.place)])) != (hostile in ("fifo.mdl", "folder.mdl"))


def test_links_that_go_round_end(library: Library) -> None:
    library.put("deep/a.mdl")
    (library.place / "deep/round").symlink_to(library.place)
    (library.place / "self.mdl").symlink_to("self.mdl")
    assert library.update() == ["a.mdl"] and len(library.said) == 1


def test_an_empty_folder_is_an_empty_list(library: Library) -> None:
    assert library.update() == [] and library.entries() == {}


def test_a_file_that_vanishes_while_it_is_read_is_removed(library: Library) -> None:
    library.put("a.mdl")
    library.put("b.mdl")
    library.steps(before=lambda path: os.unlink(path) if path.endswith("a.mdl") else None)
    assert list(library.entries()) == ["b.mdl"]


def test_a_file_that_changes_while_it_is_read_is_read_again(library: Library) -> None:
    path = library.put("a.mdl")
    library.steps(before=lambda _: path.write_bytes(model_bytes("UMD3")))
    later(path)
    assert library.update() == ["a.mdl"] or "UMD3" in str(library.entries()["a.mdl"])


def test_names_that_are_not_utf_8_survive(library: Library) -> None:
    name = os.fsdecode(b"b\xe4r.mdl")
    library.put(name)
    library.put("b.mdl")
    library.update()
    assert list(library.entries()) == ["b.mdl", name]
    found = library.index.query("r.mdl", [str(library.place)])
    assert found[0].path == str(library.place / name) and found.row_of(found[0].path) == 0
    assert library.update() == []


@pytest.mark.parametrize("time", [0, -1, 1 << 62])
def test_odd_times_are_kept(library: Library, time: int) -> None:
    path = library.put("a.mdl")
    os.utime(path, ns=(time, time))
    assert library.update() == ["a.mdl"] and library.update() == []


def test_what_a_worker_cannot_read_has_its_reason(library: Library) -> None:
    class Slow(InProcess):
        def run(self, task: Any, calls: Iterable[tuple[Any, ...]]) -> Iterator[Outcome]:
            return (Outcome(path, error=ViewerError("takes longer than 60 s")) for (path,) in calls)

    library.put("a.mdl")
    files = source_files([str(library.place)], suffixes(), library.fail, DEFAULT)
    list(library.index.update(files, [str(library.place)], Slow()))
    facts = library.entries()["a.mdl"].facts
    assert facts is not None and facts.errors == ("takes longer than 60 s",)
    assert library.update() == []


@pytest.mark.parametrize("what", ["text", "zeros", "cut"])
def test_a_damaged_index_is_set_aside_and_made_again(library: Library, what: str) -> None:
    for number in range(20):
        library.put(f"{number}.mdl")
    library.update()
    library.index.close()
    data = library.file.read_bytes()
    damaged = {"text": b"hello" * 1000, "zeros": data[:4096] + bytes(len(data) - 4096), "cut": data[:9000]}[
        what
    ]
    library.file.write_bytes(damaged)
    index = Index(library.file, library.said.append)
    with pytest.raises(DamagedIndexError, match="was damaged and is rebuilt"):
        library.update(index=index)
    assert len(library.update(index=index)) == 20
    assert not index.in_memory
    assert Path(f"{library.file}.broken").read_bytes() == damaged
    index.close()


def test_a_cache_that_cannot_be_made_is_done_without(library: Library, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    said: list[str] = []
    index = Index(tmp_path / "file" / "cache" / "index.sqlite", said.append)
    library.put("a.mdl")
    assert library.update(index=index) == ["a.mdl"]
    assert index.in_memory and library.update(index=index) == []
    assert len(said) == 1 and "the index cannot be written" in said[0]
    assert said[0].endswith("memory: Not a directory")
    index.close()


def test_resource_folders_have_an_index_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, "/cache")
    paths = [default_path()]
    for resources in (("/a",), ("/b",), ()):
        paths.append(default_path(reading_context(resources=resources)))
    assert len(set(paths)) == 3 and paths[0] == paths[-1]
    assert {path.parent for path in paths} == {Path("/cache")}


def test_a_full_disk_loses_nothing(library: Library) -> None:
    library.put("a.mdl")
    library.update()
    with library.index._connections.use() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
    for number in range(60):
        library.put(f"{number}.mdl")
    assert len(library.update()) == 60
    assert library.index.in_memory and len(library.entries()) == 61
    assert len(library.said) == 1 and "full" in library.said[0]


def test_two_programs_at_once_are_safe(library: Library, tmp_path: Path) -> None:
    for number in range(30):
        library.put(f"{number}.mdl")
        library.put(f"{number}.ani", animation_bytes())
    code = (
        "import sys; from pathlib import Path; from viewer.library.index.index import Index\n"
        "from viewer.library.workers.batches import LocalRunner\n"
        "from viewer.library.file_sources import source_files\n"
        "from viewer.scene.reading_context import DEFAULT\n"
        "index = Index(Path(sys.argv[1]), sys.exit); place = sys.argv[2:]\n"
        "files = source_files(place, ('.mdl', '.ani'), print, DEFAULT)\n"
        "for _ in index.update(files, place, LocalRunner(1)): pass\n"
        "assert len(index.query('kind:model', place)) == 30"
    )
    command = [sys.executable, "-c", code, str(library.file), str(library.place)]
    with subprocess.Popen(command, cwd=ROOT) as other:
        while not library.entries():
            assert other.poll() is None
        library.update()
        assert other.wait(60) == 0
    assert library.update() == [] and len(library.entries()) == 60
    with sqlite3.connect(library.file) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
