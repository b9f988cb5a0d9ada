"""Settings choose the rules of each file by its path."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.check.limits import Limits
from viewer.check.settings import PathRules, RuleChoice, Settings
from viewer.scene.finding import Severity
from viewer.storage.project_settings import matches, relative_name

PATTERNS = [
    ("*.ani", "Walk.ani", True),
    ("*.ani", "clips/deep/Walk.ani", True),
    ("*.ani", "Walk.mdl", False),
    ("clips/*.ani", "clips/Walk.ani", True),
    ("clips/*.ani", "clips/deep/Walk.ani", False),
    ("./clips/*.ani", "clips/Walk.ani", True),
    ("clips/**", "clips/deep/Walk.ani", True),
    ("clips/", "clips/deep/Walk.ani", True),
    ("clips/", "others/Walk.ani", False),
    ("**/clips/*.ani", "a/b/clips/Walk.ani", True),
    ("**/clips/*.ani", "clips/Walk.ani", True),
    ("a/**/b/*", "a/b/Walk.ani", True),
    ("a/**/b/*", "a/x/y/b/Walk.ani", True),
    ("a/**/b/*", "a/x/y/Walk.ani", False),
    ("Wal?.[am]*", "Walk.mdl", True),
    ("Data.pak::Models/*", "Data.pak::Models/Jack.mdl", True),
    ("Data.pak/**", "Data.pak::Models/Jack.mdl", True),
    ("Jack.mdl", "Data.pak::Models/Jack.mdl", True),
    ("../shared/*", "../shared/Jack.mdl", True),
]


@pytest.mark.parametrize(("pattern", "name", "found"), PATTERNS)
def test_a_pattern_matches_names(pattern: str, name: str, found: bool) -> None:
    assert matches(pattern, name) is found


def test_a_pattern_made_to_take_long_does_not() -> None:
    assert not matches("**/" * 200 + "*a" * 50 + "b", "a/" * 400 + "a" * 400)


def test_a_name_is_relative_to_a_folder(tmp_path: Path) -> None:
    assert relative_name(str(tmp_path / "a" / "b.mdl"), str(tmp_path)) == "a/b.mdl"
    assert relative_name(str(tmp_path / "b.mdl"), str(tmp_path / "a")) == "../b.mdl"
    assert relative_name(f"{tmp_path}/D.pak::../x//y", str(tmp_path)) == "D.pak::../x//y"


def settings(folder: Path, **fields: object) -> Settings:
    return Settings(str(folder / "rigscope.toml"), **fields)  # type: ignore[arg-type]


def test_without_settings_all_rules_hold() -> None:
    assert Settings().choice("a.mdl") == RuleChoice()


def test_the_command_line_chooses_before_the_settings(tmp_path: Path) -> None:
    made = settings(tmp_path, select=("mesh",), ignore=("mesh/zero-normal",))
    assert made.choice("a.mdl")[:2] == (("mesh",), ("mesh/zero-normal",))
    assert made.choice("a.mdl", ignore=["weights"])[:2] == (("mesh",), ("mesh/zero-normal", "weights"))
    assert made.choice("a.mdl", ["mesh/zero-normal"])[:2] == (("mesh/zero-normal",), ())


def test_a_path_has_rules_of_its_own(tmp_path: Path) -> None:
    paths = (
        PathRules("old/", ("mesh",), {"weights": Severity.NOTE}, Limits(triangles=9)),
        PathRules("*.mdl", limits=Limits(triangles=7, bones=3)),
    )
    made = settings(tmp_path, ignore=("file",), limits=Limits(triangles=5), per_path=paths)
    assert made.choice(str(tmp_path / "new" / "a.ani")) == RuleChoice((), ("file",), {}, Limits(triangles=5))
    old = made.choice(str(tmp_path / "old" / "a.mdl"))
    assert old == RuleChoice((), ("file", "mesh"), {"weights": Severity.NOTE}, Limits(bones=3, triangles=7))


def test_rules_of_a_path_hold_even_if_the_command_line_chooses(tmp_path: Path) -> None:
    made = settings(tmp_path, per_path=(PathRules("*.ani", ("animation",)),))
    assert made.choice(str(tmp_path / "a.ani"), ["animation"])[:2] == (("animation",), ("animation",))


def test_the_baseline_lies_beside_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = Settings("deep/rigscope.toml", baseline="known.json")
    assert Path(made.baseline_file) == Path("deep/known.json")
    assert Settings().baseline_file == ""
