"""Each of many models has an output of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.commands.options.given_options import pattern_of
from viewer.commands.options.parser import UsageError
from viewer.library.batch.output_names import plan_outputs, plan_unused, written_line
from viewer.library.file_sources import SourceFile


def models(*names: str, root: str = "in", joint: str = "/") -> list[SourceFile]:
    return [SourceFile(f"{root}{joint}{name}", name, root, 1, 1) for name in names]


def test_a_folder_gets_files_of_the_first_ending() -> None:
    assert pattern_of("out", (".npz", ".ply")) == "out/{name}.npz"
    assert pattern_of("out/{name}.PLY", (".npz", ".ply")) == "out/{name}.PLY"
    with pytest.raises(UsageError, match=r"must end with \.npz or \.ply"):
        pattern_of("{name}.png", (".npz", ".ply"))


@pytest.mark.parametrize(
    ("pattern", "root", "name"),
    [
        ("out/{name}.png", "out/", "a/b/Cat.png"),
        ("{name}.png", ".", "a/b/Cat.png"),
        ("/{name}.png", "/", "a/b/Cat.png"),
        ("out/pre_{name}_x.png", "out/", "a/b/pre_Cat_x.png"),
        ("out/{name}/front_{frame:04}.png", "out/", "a/b/Cat/front_{frame:04}.png"),
        ("out/{name}/{name}.png", "out/", "a/b/Cat/Cat.png"),
    ],
)
def test_the_name_is_put_in_and_folders_stay(pattern: str, root: str, name: str) -> None:
    plan = plan_outputs(models("a/b/Cat.mdl"), pattern)
    assert plan == (root, {"in/a/b/Cat.mdl": name}, ())


def test_models_of_the_same_name_keep_their_suffixes() -> None:
    plan = plan_outputs(models("Cat.mdl", "cat.mesh", "Dog.mdl"), "{name}.png")
    assert plan.names == {
        "in/Cat.mdl": "Cat.mdl.png",
        "in/cat.mesh": "cat.mesh.png",
        "in/Dog.mdl": "Dog.png",
    }


def test_models_of_several_places_keep_the_folders_that_differ() -> None:
    apart = [*models("Cat.mdl", "Dog.mdl"), *models("Cat.mdl", root="more/in")]
    assert plan_outputs(apart, "{name}.png").names == {
        "in/Cat.mdl": "in/Cat.png",
        "in/Dog.mdl": "Dog.png",
        "more/in/Cat.mdl": "more/in/Cat.png",
    }
    packed = [*models("x/Cat.mdl", root="a.pak", joint="::"), *models("x/Cat.mdl", root="b.pak", joint="::")]
    assert [*plan_outputs(packed, "{name}.png").names.values()] == ["a.pak/x/Cat.png", "b.pak/x/Cat.png"]


def test_names_that_differ_only_in_case_get_numbers() -> None:
    plan = plan_outputs(models("a/Cat.mdl", "a/cat.mdl", "A/CAT.mdl", "a/cat (2).mdl"), "{name}.png")
    assert plan.names == {
        "in/a/Cat.mdl": "a/Cat.png",
        "in/a/cat.mdl": "a/cat (3).png",
        "in/A/CAT.mdl": "A/CAT (4).png",
        "in/a/cat (2).mdl": "a/cat (2).png",
    }
    assert not plan.refused


def test_a_name_of_a_package_that_leads_out_is_refused() -> None:
    packed = models("../a.mdl", "con.mdl", "b.mdl", root="x.pak", joint="::")
    plan = plan_outputs(packed, "out/{name}.png")
    assert plan.names == {"x.pak::b.mdl": "b.png"}
    reasons = {each.path: each.why for each in plan.refused}
    assert reasons["x.pak::../a.mdl"] == "not written, the name leads out of the folder"
    assert set(reasons) == {"x.pak::../a.mdl", "x.pak::con.mdl"}


def test_characters_that_some_systems_cannot_store_are_replaced_in_names_of_packages() -> None:
    packed = plan_outputs(
        models("a:b.mdl", "d/a_b.mdl", "d/a?b.mesh", root="x.pak", joint="::"), "{name}.png"
    )
    assert packed.names == {
        "x.pak::a:b.mdl": "a_b.png",
        "x.pak::d/a_b.mdl": "d/a_b.mdl.png",
        "x.pak::d/a?b.mesh": "d/a_b.mesh.png",
    }
    assert plan_outputs(models("a:b.mdl"), "{name}.png").names == {"in/a:b.mdl": "a:b.png"}


def test_pictures_beside_others_get_numbers(tmp_path: Path) -> None:
    (tmp_path / "Box.png").touch()
    files = [SourceFile(f"/m/{name}", name, "/m", 1, 1) for name in ("a/Box.mdl", "b/Box.mdl", "Cut.mdl")]
    plan = plan_unused(files, str(tmp_path), ".png")
    assert list(plan.names.values()) == ["Box-1.png", "Box-2.png", "Cut.png"]
    assert plan.root == str(tmp_path) and not plan.refused


def test_the_last_line_has_the_numbers_and_the_folder() -> None:
    assert written_line(1, 1, "file", "out/") == "1 file written to out"
    assert written_line(999, 1_000, "picture", "") == "999 of 1,000 pictures written to ."
