"""The kept list and words of a project: read by the next program, made again where the disk has changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest

from tests.ogre_files import NEWEST, geometry_of, mesh_bytes, submesh
from tests.project_tree import make_tree
from viewer.families.ogre.materials.script_words import SCANNER
from viewer.families.ogre.mesh_layout import SUBMESH
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.storage import contents, kept_files, listing, project_folders, project_store, tested
from viewer.storage.cache_folder import FOLDER_VARIABLE
from viewer.storage.documents import open_document
from viewer.storage.kept_files import delete_least_used, keep_value, kept_value
from viewer.storage.project import projects_of
from viewer.storage.project_index import ProjectIndex
from viewer.storage.resource_folders import forget_resources
from viewer.storage.versions import unrecorded_version

OLD = 1_600_000_000
"""A time in seconds, long before the test."""
SCRIPT = "material stone {{ technique {{ pass {{ diffuse {color} }} }} }}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project that is kept, although it is small: a mesh whose material is far from it."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(project_store, "FEWEST", 1)
    root = make_tree(
        tmp_path / "top", "m/x/Hero.mesh", "far/a.txt", "far/scripts/b.txt", "far/other/skin.png"
    )
    own = submesh(geometry_of(NEWEST), material="stone")
    (root / "m/x/Hero.mesh").write_bytes(mesh_bytes(NEWEST, (SUBMESH, own)))
    (root / "far/scripts/a.material").write_text(SCRIPT.format(color="1 0 0"))
    age(root)
    yield root
    forget_resources()


def age(root: Path) -> None:
    for path in (*root.rglob("*"), root):
        os.utime(path, (OLD, OLD))


def next_program() -> None:
    """Forget what only the memory has."""
    forget_resources()


def script_of(root: Path) -> str:
    """The name of the script that the mesh uses; empty for none."""
    model = open_document(root / "m/x/Hero.mesh").model
    assert model is not None
    found = model.materials[0].found
    return os.path.relpath(found, root) if found else ""


def kept(root: Path) -> list[Path]:
    folder = root.parent / "cache" / project_store.FOLDER
    return [*folder.iterdir()] if folder.is_dir() else []


def index_of(root: Path, context: ReadingContext = DEFAULT) -> ProjectIndex:
    index = next(projects_of(root / "m/x/Hero.mesh", context))
    assert isinstance(index, ProjectIndex)
    return index


def test_the_next_program_lists_and_scans_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert script_of(project) == "far/scripts/a.material"
    known, version = index_of(project).names, index_of(project).version
    assert len(kept(project)) == 1
    next_program()
    monkeypatch.setattr(project_folders, "list_folder", lambda _: pytest.fail("a folder is listed"))
    monkeypatch.setattr(contents, "_words_of", lambda *_: pytest.fail("a script is scanned"))
    assert script_of(project) == "far/scripts/a.material"
    assert (index_of(project).names, index_of(project).version) == (known, version)


def test_only_a_changed_folder_is_listed_again(project: Path, listed: list[str]) -> None:
    assert script_of(project)
    make_tree(project, "far/other/new.png", marker="")
    next_program()
    listed.clear()
    assert index_of(project).find("new.png") == "far/other/new.png"
    assert {each for each in listed if "far" in each} == {str(project / "far/other")}


def test_only_a_changed_script_is_scanned_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "far/other/b.material").write_text(SCRIPT.format(color="0 1 0").replace("stone", "wood"))
    age(project)
    assert script_of(project) == "far/scripts/a.material"
    (project / "far/scripts/a.material").write_text("")
    (project / "far/other/b.material").write_text(SCRIPT.format(color="0 1 0"))
    os.utime(project / "far/scripts/a.material", (OLD, OLD))
    next_program()
    scanned, words_of = [], contents._words_of

    def scan(*given: object) -> str:
        scanned.append(given[2])
        return words_of(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(contents, "_words_of", scan)
    assert script_of(project) == "far/other/b.material"
    assert scanned == ["far/other/b.material", "far/scripts/a.material"]


def test_a_project_with_other_folders_left_out_or_at_another_path_is_another(project: Path) -> None:
    assert index_of(project).find("skin.png") == "far/other/skin.png"
    without = reading_context(left_out=[str(project / "far/other")])
    assert index_of(project, without).find("skin.png") is None
    assert len(kept(project)) == 2
    (project.parent / "link").symlink_to(project)
    assert index_of(project.parent / "link").find("skin.png") == "far/other/skin.png"
    assert len(kept(project)) == 2


def test_scripts_in_archives_are_kept_by_the_version_of_the_archive(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "far/scripts/a.material").unlink()
    with ZipFile(project / "far/all.zip", "w") as packed:
        packed.writestr("scripts/in.material", SCRIPT.format(color="1 1 0"))
    age(project)
    assert script_of(project) == "far/all.zip/scripts/in.material"
    next_program()
    with monkeypatch.context() as patch:
        patch.setattr(contents, "_words_of", lambda *_: pytest.fail("a script is scanned"))
        assert script_of(project) == "far/all.zip/scripts/in.material"
    with ZipFile(project / "far/all.zip", "w") as packed:
        packed.writestr("scripts/in.material", SCRIPT.format(color="1 1 0").replace("stone", "wood"))
    next_program()
    assert script_of(project) == ""


def words_replaced(data: bytes, **changes: object) -> bytes:
    """A kept project with other parts in the words of its scripts."""
    kept_project = kept_files.decoded(data, project_store.StoredProject)
    words = [(*key, msgspec.structs.replace(each, **changes)) for *key, each in kept_project.words]
    return kept_files.encoded(msgspec.structs.replace(kept_project, words=words))


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "longer": lambda data: data + b"x",
    "other bytes": lambda data: data[:40] + bytes(10) + data[50:],
    "another layout": lambda data: kept_files.encoded([project_store.LAYOUT + 1, {}, [], [0, 0], b"", []]),
    "other numbers": lambda data: kept_files.encoded([project_store.LAYOUT, {}, [], [0, 0], b"xxxx", []]),
    "numbers of other words": lambda data: words_replaced(data, packed=bytes((9, 0, 0, 0))),
    "words of other files": lambda data: words_replaced(data, starts=[0, 2]),
    "another kind": lambda data: kept_files.encoded({"layout": project_store.LAYOUT}),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_made_again(project: Path, damage: str) -> None:
    assert script_of(project)
    (path,) = kept(project)
    whole = path.read_bytes()
    path.write_bytes(DAMAGES[damage](whole))
    next_program()
    assert script_of(project) == "far/scripts/a.material"
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("files", "folders"),
    [("", ["a\0b"]), ("", [".."]), ("x", ["."]), ("../out.material", []), ("x", ["m/x"])],
)
def test_names_that_lead_out_of_their_folder_are_not_believed(
    project: Path, files: str, folders: list[str]
) -> None:
    root = project_folders.ProjectFolder(unrecorded_version(str(project)), files, folders)
    odd = project_store.StoredProject(folders={"": root}, packed_order=bytes(4 * root.count))
    keep_value(project_store.FOLDER, project_store.kept_name(str(project), ()), odd, project_store.MOST)
    assert project_store.stored_project(str(project), ()).folders == {}
    assert script_of(project) == "far/scripts/a.material"


@pytest.mark.parametrize("place", ["a file", "no rights"])
def test_a_cache_folder_that_cannot_be_written_costs_nothing(
    project: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place == "a file":
        (project.parent / "cache").write_text("")
    else:
        monkeypatch.setattr(kept_files, "written", refuse)
    assert script_of(project) == "far/scripts/a.material"
    assert kept(project) == []


def refuse(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_names_that_are_not_utf_8_are_in_memory_only(project: Path) -> None:
    make_tree(project, os.fsdecode(b"far/h\xe4user.png"))
    assert index_of(project).find(os.fsdecode(b"h\xe4user.png")) == os.fsdecode(b"far/h\xe4user.png")
    assert kept(project) == []


def test_a_small_project_is_in_memory_only(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_store, "FEWEST", 500)
    assert script_of(project) and kept(project) == []


def test_the_least_used_files_are_deleted_first(project: Path) -> None:
    folder = project.parent / "cache/x"
    for number, name in enumerate("abc"):
        before = {*folder.glob("*")}
        keep_value("x", name, "x" * 1000, 1 << 20)
        (path,) = {*folder.glob("*")} - before
        os.utime(path, (OLD + number, OLD + number))
    assert kept_value("x", "a", str) == "x" * 1000  # this use is the latest
    delete_least_used(folder, 1200)
    assert [kept_value("x", name, str) is not None for name in "abc"] == [True, False, False]


def test_two_programs_may_write_one_file(project: Path) -> None:
    for text in ("one", "two"):
        keep_value("x", "name", text, 1 << 20)
    assert kept_value("x", "name", str) == "two"
    assert len([*(project.parent / "cache/x").iterdir()]) == 1


def test_a_folder_that_changed_just_now_is_listed_again(project: Path) -> None:
    assert script_of(project)
    make_tree(project, "far/new/first.png", marker="")
    moment = os.stat(project / "far/new").st_mtime_ns
    next_program()
    assert index_of(project).find("first.png")
    make_tree(project, "far/new/second.png", marker="")
    os.utime(project / "far/new", ns=(moment, moment))  # a clock with coarse steps
    next_program()
    assert index_of(project).find("second.png") == "far/new/second.png"


def test_files_that_vanish_after_the_list_was_made_are_missing(project: Path) -> None:
    assert script_of(project)
    (project / "far/scripts/a.material").unlink()
    os.utime(project / "far/scripts", (OLD, OLD))  # the folder looks as it did
    next_program()
    assert script_of(project) == ""


def test_what_is_used_is_tested_at_once_and_the_rest_after_a_second(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert script_of(project) == "far/scripts/a.material"
    (project / "far/scripts/a.material").rename(project / "far/scripts/b.material")  # its folder is used
    assert script_of(project) == "far/scripts/b.material"
    (project / "far/scripts/b.material").write_text("material wood { }")  # it is used
    assert script_of(project) == ""
    (project / "m/x/near.material").write_text(SCRIPT.format(color="0 0 1"))  # the folder of the model
    assert script_of(project) == "m/x/near.material"
    (project / "m/x/near.material").unlink()
    assert script_of(project) == ""
    (project / "far/other/c.material").write_text(SCRIPT.format(color="0 0 1"))  # the rest
    monkeypatch.setattr(tested, "PAUSE", 0.0)
    assert script_of(project) == "far/other/c.material"
    (project / "far/other").rename(project / "far/renamed")
    assert script_of(project) == "far/renamed/c.material"


def test_a_second_is_the_longest_belief(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(tested.time, "monotonic", lambda: now[0])
    assert index_of(project).find("late.png") is None
    make_tree(project, "far/late.png", marker="")
    now[0] = tested.PAUSE - 0.1
    assert index_of(project).find("late.png") is None
    now[0] = tested.PAUSE + 0.1
    assert index_of(project).find("late.png") == "far/late.png"


def test_a_task_tests_a_project_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tested, "PAUSE", 0.0)
    assert index_of(project).find("late.png") is None
    with tested.tested_once():
        make_tree(project, "far/late.png", marker="")
        assert index_of(project).find("late.png") == "far/late.png"
        make_tree(project, "far/later.png", marker="")
        assert index_of(project).find("later.png") is None
    assert index_of(project).find("later.png") == "far/later.png"


def test_a_slow_test_ends_with_the_time_of_the_search(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert index_of(project).find("late.png") is None
    make_tree(project, "far/late.png", marker="")
    monkeypatch.setattr(tested, "PAUSE", 0.0)
    with tested.waits_at_most(0.0) as waited:
        assert index_of(project).find("late.png") is None
    assert waited.late
    assert index_of(project).find("late.png") == "far/late.png"


def test_scripts_are_scanned_within_the_time_of_the_search(project: Path) -> None:
    index = index_of(project)
    with tested.waits_at_most(0.0) as waited:
        assert index.having(SCANNER, ["stone"]) == []
    assert waited.late
    assert index.having(SCANNER, ["stone"]) == ["far/scripts/a.material"]


def test_a_folder_is_read_once_in_an_opening(project: Path) -> None:
    with listing.listed_once():
        assert listing.version_once(str(project))[1]
        assert not listing.version_once(str(project))[1]
