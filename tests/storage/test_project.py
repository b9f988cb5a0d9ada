"""The project of a file: its roots, what is taken from it, and when its list is stale."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.project_tree import make_tree
from viewer.storage import project
from viewer.storage.image import PICTURES
from viewer.storage.project import guessed_project, marked_roots, projects_of, waits_at_most
from viewer.storage.resource_folders import forget_resources, give_resources, give_search
from viewer.storage.search import FoundResource, Missing, SearchPath, find_part
from viewer.storage.source import FolderSource
from viewer.storage.versions import below, path_version


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    """Forget the projects after each test."""
    yield
    give_search(None)
    give_resources(())


def found(model: Path, name: str, from_: str = "", **options: object) -> str:
    """The content of the file that a search finds, with the way of the search; empty if it is missing."""
    answer = SearchPath.around(model).find(name, from_=from_, **options)  # type: ignore[arg-type]
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


def test_a_folder_of_too_many_files_is_no_guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tree(tmp_path, "one/m/Cat.mesh", *(f"many/{number}" for number in range(50)), marker="")
    monkeypatch.setattr(project, "BUDGET", replace(project.BUDGET, guessed_files=20))
    guess = guessed_project(str(tmp_path / "one/m"))
    assert guess is not None and guess.root == str(tmp_path / "one")


def test_a_part_by_its_name_alone_is_the_only_one(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/Cat.m2", "x/Cat00.skin", "x/Dog00.skin", "y/Dog00.skin")
    part = find_part(FolderSource(tmp_path / "m"), "Cat00.skin")
    assert isinstance(part, FoundResource) and part.by == "project"
    missing = find_part(FolderSource(tmp_path / "m"), "Dog00.skin")
    assert missing == Missing(
        "Dog00.skin", (str(tmp_path / "m/Dog00.skin"), below(str(tmp_path), "Dog00.skin"))
    )


def test_near_and_none_search_less(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/Cat.mesh", "t/skin.png", "m/fur.png")
    give_search("near")
    assert not found(tmp_path / "m/Cat.mesh", "skin.png")
    assert found(tmp_path / "m/Cat.mesh", "x/fur.png") == "near: m/fur.png"
    give_search("none")
    assert not found(tmp_path / "m/Cat.mesh", "x/fur.png")
    assert found(tmp_path / "m/Cat.mesh", "fur.png") == "near: m/fur.png"


def test_a_changed_listing_is_noticed_and_has_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project, "FRESH", 0.0)
    monkeypatch.setattr(project, "SHARE", 0)
    make_tree(tmp_path, "m/Cat.mesh", "t/x.png")
    searched = SearchPath.around(tmp_path / "m/Cat.mesh").find("skin.png")
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
    answer = SearchPath.around(tmp_path / "m/Cat.mesh").find(os.path.basename(name))
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
    index = next(projects_of(tmp_path / "m/Cat.mesh"))
    (tmp_path / "t/skin.png").unlink()
    (tmp_path / "t").rmdir()
    assert index.find("skin.png") == "t/skin.png"
    forget_resources()
    assert not found(tmp_path / "m/Cat.mesh", "skin.png")
