"""The project of a file: its roots, what is taken from it, and when its list is stale."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from tests.ogre_files import declared_geometry, mesh_bytes, submesh
from tests.project_tree import make_tree
from viewer.budget import BUDGET
from viewer.families.ogre.mesh_layout import SUBMESH
from viewer.families.ogre.versions import MESH_VERSIONS
from viewer.library.index.facts import index_file
from viewer.scene.needs import nearest
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.storage import guessed_project as guessing
from viewer.storage import project_index, tested
from viewer.storage.image import PICTURES
from viewer.storage.project import projects_of
from viewer.storage.project_roots import marked_roots
from viewer.storage.resource_folders import forget_resources
from viewer.storage.search import FoundResource, GivenFiles, Missing, SearchPath, find_part
from viewer.storage.source import FolderSource
from viewer.storage.tested import waits_at_most
from viewer.storage.versions import are_current, below, path_version, recorded


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    """Forget the projects after each test."""
    yield
    forget_resources()


def found(
    model: Path, name: str, from_: str = "", context: ReadingContext = DEFAULT, **options: object
) -> str:
    """The content of the file that a search finds, with the way of the search; empty if it is missing."""
    answer = SearchPath.around(model, context).find(name, from_=from_, **options)  # type: ignore[arg-type]
    return f"{answer.by}: {answer.read().decode()}" if isinstance(answer, FoundResource) else ""


def roots(path: Path) -> list[str]:
    return [os.path.basename(root) for root in marked_roots(str(path.parent))]


@pytest.mark.parametrize(
    "marker", [".git", ".hg", ".svn", "Data/", "CoreData/", "Resources.cfg", "plugins.cfg", "rigscope.toml"]
)
def test_the_folder_that_holds_a_marker_is_the_root(tmp_path: Path, marker: str) -> None:
    make_tree(tmp_path / "top", "a/b/c/Cat.mesh", marker="")
    (tmp_path / "top" / marker).mkdir() if marker.endswith("/") else (tmp_path / "top" / marker).touch()
    assert next(marked_roots(str(tmp_path / "top/a/b/c"))) == str(tmp_path / "top")


def test_roots_lead_outward_up_to_the_repository(tmp_path: Path) -> None:
    make_tree(tmp_path / "home/work", "game/bin/Data/Models/Cat.mdl", "game/resources.cfg", "other/.git/x")
    (tmp_path / "home/rigscope.toml").touch()
    assert roots(tmp_path / "home/work/game/bin/Data/Models/Cat.mdl") == ["bin", "game", "work"]


def test_a_file_is_found_anywhere_in_its_project_the_nearest_first(tmp_path: Path) -> None:
    make_tree(
        tmp_path,
        "models/a/Cat.mesh",
        "textures/skin.png",
        "far/below/skin.png",
        "models/b/fur.png",
        "b/fur.png",
    )
    assert found(tmp_path / "models/a/Cat.mesh", "skin.png") == "project: textures/skin.png"
    assert found(tmp_path / "models/a/Cat.mesh", "fur.png") == "project: models/b/fur.png"


def test_nearness_counts_from_the_file_that_names(tmp_path: Path) -> None:
    make_tree(
        tmp_path, "m/x/Cat.mesh", "m/y/tiles.png", "packs/light/scripts/a.material", "packs/light/tiles.png"
    )
    script = str(tmp_path / "packs/light/scripts/a.material")
    assert found(tmp_path / "m/x/Cat.mesh", "tiles.png", script) == "project: packs/light/tiles.png"
    assert found(tmp_path / "m/x/Cat.mesh", "tiles.png") == "project: m/y/tiles.png"


def test_a_folder_with_models_of_its_own_comes_after_folders_without(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/cat/Cat.m2", "m/ape/Ape.m2", "m/ape/skin.png", "m/shared/all/skin.png", "skin.png")
    assert found(tmp_path / "m/cat/Cat.m2", "skin.png") == "near: skin.png"
    (tmp_path / "skin.png").unlink()
    forget_resources()
    assert found(tmp_path / "m/cat/Cat.m2", "skin.png") == "project: m/shared/all/skin.png"


def test_what_lies_below_the_model_comes_before_its_neighbours(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/cat/Cat.m2", "m/cat/a/b/skin.png", "m/near/skin.png")
    assert found(tmp_path / "m/cat/Cat.m2", "skin.png") == "project: m/cat/a/b/skin.png"


def test_equally_near_files_of_other_bytes_are_rivals_and_copies_are_one_file(tmp_path: Path) -> None:
    make_tree(tmp_path, "cat/Cat.m2", "a/fur/skin.png", "b/fur/skin.png", "c/fur/skin.png")
    (tmp_path / "c/fur/skin.png").write_bytes(b"a/fur/skin.png")
    search = SearchPath.around(tmp_path / "cat/Cat.m2", DEFAULT)
    answer = search.find("old/fur/skin.png", sole=True)
    assert isinstance(answer, FoundResource)
    assert (answer.path, answer.rivals) == (
        str(tmp_path / "a/fur/skin.png"),
        (str(tmp_path / "b/fur/skin.png"),),
    )
    assert isinstance(search.find("old/hide/skin.png", sole=True), Missing)
    (tmp_path / "b/fur/skin.png").unlink()
    forget_resources()
    answer = search.find("old/hide/skin.png", sole=True)
    assert isinstance(answer, FoundResource) and answer.rivals == ()


def test_a_whole_path_beats_nearness(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/x/Cat.mesh", "m/y/skin.png", "far/away/Textures/skin.png")
    assert found(tmp_path / "m/x/Cat.mesh", "Textures/skin.png") == "project: far/away/Textures/skin.png"


def test_only_the_last_suffix_of_a_picture_is_exchanged(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/Cat.mesh", "t/skin.dds", "t/combine.jpg.dds", "m/../u/wood.txt")
    model = tmp_path / "m/Cat.mesh"
    assert found(model, "skin.tga", suffixes=PICTURES) == "project: t/skin.dds"
    assert not found(model, "combine.bmp", suffixes=PICTURES)
    assert not found(model, "wood.tga", suffixes=PICTURES)
    assert not found(model, "skin.tga")


def test_two_projects_below_one_folder_never_texture_each_other(tmp_path: Path) -> None:
    make_tree(tmp_path / "one", "m/Cat.mesh")
    make_tree(tmp_path / "two", "Textures/skin.png", "skin.png")
    make_tree(tmp_path / "three", "m/Cat.mesh", marker="")
    for model in (tmp_path / "one/m/Cat.mesh", tmp_path / "three/m/Cat.mesh"):
        assert not found(model, "Textures/skin.png")
        assert not found(model, "skin.png", str(model), suffixes=PICTURES)


def test_a_guessed_project_gives_whole_names_and_what_a_script_names(tmp_path: Path) -> None:
    make_tree(
        tmp_path,
        "a/b/m/Cat.mesh",
        "a/b/n/fur.png",
        "c/Textures/skin.png",
        "c/x.material",
        "c/eye.dds",
        marker="",
    )
    model, script = tmp_path / "a/b/m/Cat.mesh", str(tmp_path / "c/x.material")
    assert found(model, "Textures/skin.png") == "project: c/Textures/skin.png"
    assert found(model, "fur.png", script) == "project: a/b/n/fur.png"
    assert not found(model, "fur.png")
    assert not found(model, "skin.png")
    assert found(model, "skin.png", script) == "project: c/Textures/skin.png"
    assert not found(model, "eye.tga", script, suffixes=PICTURES)


@pytest.mark.usefixtures("wow")
@pytest.mark.parametrize("other", ["c/models/Dog.mdl", "c/Textures/Dog.M2", "c/Dog.mesh"])
def test_a_guessed_project_gives_no_whole_name_from_a_folder_with_models_of_its_own(
    tmp_path: Path, other: str
) -> None:
    make_tree(tmp_path, "a/m/Cat.mesh", "c/Textures/skin.png", marker="")
    model, script = tmp_path / "a/m/Cat.mesh", str(tmp_path / "a/x.material")
    assert found(model, "Textures/skin.png") == "project: c/Textures/skin.png"
    make_tree(tmp_path, other, marker="")
    forget_resources()
    assert not found(model, "Textures/skin.png") and not found(model, "Textures/skin.png", script)
    assert found(tmp_path / other, "Textures/skin.png"), "the models of the folder itself"


def test_a_guessed_project_gives_a_whole_name_below_a_folder_above_the_model(tmp_path: Path) -> None:
    make_tree(tmp_path, "a/m/Cat.mesh", "a/x/Textures/skin.png", "a/x/y/Textures/skin.png", marker="")
    index = next(projects_of(tmp_path / "a/m/Cat.mesh", DEFAULT))
    assert index.find("x/Textures/skin.png", model=str(tmp_path / "a/m/Cat.mesh")) == "a/x/Textures/skin.png"
    make_tree(tmp_path, "a/x/Dog.mesh", marker="")
    forget_resources()
    index = next(projects_of(tmp_path / "a/m/Cat.mesh", DEFAULT))
    assert index.find("x/Textures/skin.png", model=str(tmp_path / "a/m/Cat.mesh")) == "a/x/Textures/skin.png"
    assert index.find("Textures/skin.png", model=str(tmp_path / "a/m/Cat.mesh")) is None


def test_a_guessed_project_has_few_folders_and_lists_no_more(tmp_path: Path, listed: list[str]) -> None:
    inner = [f"one/{number}/x.png" for number in range(BUDGET.guessed_folders - 2)]
    make_tree(tmp_path, "one/m/Cat.mesh", *inner, marker="")
    guess = guessing.guessed_project(str(tmp_path / "one/m"))
    assert guess is not None and guess.root == str(tmp_path / "one")
    assert str(tmp_path) in listed and len(set(listed)) <= BUDGET.guessed_folders + 1
    make_tree(tmp_path, "one/another/x.png", marker="")
    forget_resources()
    guess = guessing.guessed_project(str(tmp_path / "one/m"))
    assert guess is not None and guess.root == str(tmp_path / "one/m")


def test_a_refused_guess_is_remembered_until_a_folder_changes(
    tmp_path: Path, listed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guessing, "BUDGET", replace(guessing.BUDGET, guessed_files=2))
    make_tree(tmp_path, "m/1", "m/2", "m/3", marker="")
    assert guessing.guessed_project(str(tmp_path / "m")) is None and listed
    listed.clear()
    with recorded() as asked:
        assert guessing.guessed_project(str(tmp_path / "m")) is None
    assert not listed and str(tmp_path / "m") in asked
    (tmp_path / "m/3").unlink()
    monkeypatch.setattr(tested, "PAUSE", 0.0)
    guess = guessing.guessed_project(str(tmp_path / "m"))
    assert guess is not None and guess.root == str(tmp_path / "m")


def test_a_folder_of_too_many_files_is_no_guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tree(tmp_path, "one/m/Cat.mesh", *(f"many/{number}" for number in range(50)), marker="")
    monkeypatch.setattr(guessing, "BUDGET", replace(guessing.BUDGET, guessed_files=20))
    guess = guessing.guessed_project(str(tmp_path / "one/m"))
    assert guess is not None and guess.root == str(tmp_path / "one")


def test_a_part_by_its_name_alone_is_the_only_one(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/Cat.m2", "x/Cat00.skin", "x/Dog00.skin", "y/Dog00.skin")
    part = find_part(FolderSource(tmp_path / "m"), "Cat00.skin", GivenFiles("", DEFAULT))
    assert isinstance(part, FoundResource) and part.by == "project"
    missing = find_part(FolderSource(tmp_path / "m"), "Dog00.skin", GivenFiles("", DEFAULT))
    assert missing == Missing(
        "Dog00.skin", (str(tmp_path / "m/Dog00.skin"), below(str(tmp_path), "Dog00.skin"))
    )


def test_near_and_none_search_less(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/Cat.mesh", "t/skin.png", "m/fur.png")
    near, none = reading_context(search="near"), reading_context(search="none")
    assert not found(tmp_path / "m/Cat.mesh", "skin.png", context=near)
    assert found(tmp_path / "m/Cat.mesh", "x/fur.png", context=near) == "near: m/fur.png"
    assert not found(tmp_path / "m/Cat.mesh", "x/fur.png", context=none)
    assert found(tmp_path / "m/Cat.mesh", "fur.png", context=none) == "near: m/fur.png"
    assert found(tmp_path / "m/Cat.mesh", "skin.png") == "project: t/skin.png"


def test_a_changed_listing_is_noticed_and_has_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tested, "PAUSE", 0.0)
    make_tree(tmp_path, "m/Cat.mesh", "t/x.png")
    searched = SearchPath.around(tmp_path / "m/Cat.mesh", DEFAULT).find("skin.png")
    assert isinstance(searched, Missing) and searched.searched[-1] == below(str(tmp_path), "skin.png")
    before = path_version(searched.searched[-1])
    make_tree(tmp_path, "t/skin.png")
    assert path_version(searched.searched[-1]) != before
    assert found(tmp_path / "m/Cat.mesh", "skin.png") == "project: t/skin.png"


def test_links_that_go_round_and_links_that_lead_out(tmp_path: Path) -> None:
    make_tree(tmp_path / "top", "m/Cat.mesh", "t/x.png")
    make_tree(tmp_path, "secret.png", marker="")
    (tmp_path / "top/t/round").symlink_to(tmp_path / "top")
    (tmp_path / "top/t/out.png").symlink_to(tmp_path / "secret.png")
    (tmp_path / "top/t/in.png").symlink_to(tmp_path / "top/t/x.png")
    model = tmp_path / "top/m/Cat.mesh"
    assert not found(model, "out.png")
    assert found(model, "in.png") == "project: t/x.png"


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    name = os.fsdecode(b"t/h\xe4user.png")
    make_tree(tmp_path, "m/Cat.mesh", name)
    answer = SearchPath.around(tmp_path / "m/Cat.mesh", DEFAULT).find(os.path.basename(name))
    assert isinstance(answer, FoundResource)


def test_a_search_that_may_not_wait_is_late_and_a_later_one_goes_on(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/Cat.mesh", "t/skin.png")
    with waits_at_most(0.0) as waited:
        assert not found(tmp_path / "m/Cat.mesh", "skin.png")
    assert waited.late
    with waits_at_most(10.0) as waited:
        assert found(tmp_path / "m/Cat.mesh", "skin.png")
    assert not waited.late


def test_a_folder_that_vanishes_or_cannot_be_read_has_no_files(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/Cat.mesh", "t/skin.png")
    index = next(projects_of(tmp_path / "m/Cat.mesh", DEFAULT))
    (tmp_path / "t/skin.png").unlink()
    (tmp_path / "t").rmdir()
    assert index.find("skin.png") is None
    forget_resources()
    assert not found(tmp_path / "m/Cat.mesh", "skin.png")


def test_a_project_of_too_many_files_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_index, "BUDGET", replace(project_index.BUDGET, listed_files=20))
    make_tree(
        tmp_path, "m/Cat.mesh", *(f"t/{number}/{file}.png" for number in range(10) for file in range(10))
    )
    index = next(projects_of(tmp_path / "m/Cat.mesh", DEFAULT))
    assert 20 <= len(index.names) < 40 and "only the first" in index.error
    assert found(tmp_path / "m/Cat.mesh", "3.png") == "project: t/0/3.png"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs folders without read rights")
def test_a_root_without_read_rights_has_no_files(tmp_path: Path) -> None:
    make_tree(tmp_path / "top", "m/Cat.mesh", "t/skin.png")
    (tmp_path / "top").chmod(0o300)
    try:
        assert not found(tmp_path / "top/m/Cat.mesh", "skin.png")
    finally:
        (tmp_path / "top").chmod(0o700)


def test_a_root_that_cannot_be_listed_has_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tree(tmp_path / "top", "m/Cat.mesh", "t/skin.png")
    scan = os.scandir

    def refuse(path: str) -> object:
        if path == str(tmp_path / "top"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert not found(tmp_path / "top/m/Cat.mesh", "skin.png")
    assert found(tmp_path / "top/m/Cat.mesh", "t/skin.png") == "near: t/skin.png"


@pytest.mark.parametrize("marker", [".git", ""])
def test_a_folder_that_cannot_be_listed_is_named_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marker: str
) -> None:
    make_tree(tmp_path / "top", "m/Cat.mesh", "t/secret/x.png", marker=marker)
    scan, secret = os.scandir, str(tmp_path / "top/t/secret")

    def refuse(path: str) -> object:
        if path == secret:
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    missing = SearchPath.around(tmp_path / "top/m/Cat.mesh", DEFAULT).find("a/skin.png")
    assert isinstance(missing, Missing)
    last = below(secret, "skin.png (cannot be listed: Permission denied)")
    assert [each for each in missing.searched if "denied" in each] == [last] == [missing.searched[-1]]
    assert "Permission denied" in nearest(missing.searched, 1) and path_version(last) is None
    monkeypatch.undo()
    forget_resources()
    assert path_version(last) is not None


def test_nothing_beyond_the_repository_is_read(tmp_path: Path) -> None:
    make_tree(tmp_path, "Data/Textures/skin.png", "Textures/fur.png", marker="")
    make_tree(tmp_path / "game", "m/Cat.mesh")
    model = tmp_path / "game/m/Cat.mesh"
    assert not found(model, "Textures/skin.png") and not found(model, "Textures/fur.png")
    near = reading_context(search="near")
    assert found(model, "Textures/fur.png", context=near) == "near: Textures/fur.png"


def test_of_two_equally_near_files_the_first_by_name_counts(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/Cat.mesh", "b/skin.png", "a/skin.png", "a/Skin.png")
    assert found(tmp_path / "m/Cat.mesh", "skin.png") == "project: a/skin.png"
    assert found(tmp_path / "m/Cat.mesh", "Skin.png") == "project: a/Skin.png"


def test_a_picture_in_an_archive_of_the_project_is_found(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/Cat.mesh", "packs/._broken.zip")
    with ZipFile(tmp_path / "packs/all.zip", "w") as packed:
        packed.writestr("Textures/skin.png", "zipped")
    assert found(tmp_path / "m/Cat.mesh", "Textures/skin.png") == "project: zipped"


def test_facts_of_a_model_with_something_missing_are_stale_when_the_project_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tested, "PAUSE", 0.0)
    mesh = make_tree(tmp_path, "m/Cat.mesh", "t/x.png") / "m/Cat.mesh"
    version = MESH_VERSIONS["[MeshSerializer_v1.100]"]
    mesh.write_bytes(mesh_bytes(version, (SUBMESH, submesh(declared_geometry()))))
    known = index_file(str(mesh)).companions
    assert known is not None and are_current(known)
    make_tree(tmp_path, "far/away/a.material")
    assert not are_current(known)
