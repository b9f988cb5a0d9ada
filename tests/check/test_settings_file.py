"""Settings are read from TOML, those of the nearest folder count, and mistakes are told with their key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.packages import write_package
from viewer.budget import BUDGET
from viewer.check.limits import NO_LIMITS, Limits
from viewer.check.settings import PathRules, Settings
from viewer.check.settings_file import SettingsSearch, read_settings
from viewer.errors import ResourceError
from viewer.scene.finding import Severity

WHOLE = """\
select = ["animation", "mesh"]
ignore = ["mesh/unused-vertex"]
fail-on = "warning"
baseline = "known-findings.json"

[severity]
mesh = "note"
"mesh/zero-normal" = "error"

[limits]
bones = 60
texture-size = 2048

[per-path]
"old/" = ["animation/loop-jump"]
"heroes/*.mdl" = { limits = { triangles = 60000, unjudged-bones = ["Hand"] }, severity = { mesh = "error" } }
"""


def written(folder: Path, text: str, name: str = "rigscope.toml") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_all_settings_are_read(tmp_path: Path) -> None:
    path = written(tmp_path, WHOLE)
    assert read_settings(path) == Settings(
        path,
        ("animation", "mesh"),
        ("mesh/unused-vertex",),
        Severity.WARNING,
        {"mesh": Severity.NOTE, "mesh/zero-normal": Severity.ERROR},
        Limits(bones=60, texture_size=2048),
        (
            PathRules("old/", ("animation/loop-jump",)),
            PathRules(
                "heroes/*.mdl",
                (),
                {"mesh": Severity.ERROR},
                Limits(triangles=60000, unjudged_bones=("Hand",)),
            ),
        ),
        "known-findings.json",
    )


def test_the_settings_of_the_manual_are_right(tmp_path: Path) -> None:
    (text,) = re.findall(
        r"```toml\n(.*?)```", (ROOT / "assets/manual/check.md").read_text("utf-8"), re.DOTALL
    )
    settings = read_settings(written(tmp_path, text))
    assert settings.choice(str(tmp_path / "heroes" / "Jack.mdl")).limits == Limits(60, 4, 60000, 2048)
    assert settings.choice(str(tmp_path / "old" / "Jack.mdl")).ignore[1:] == ("mesh", "weights/sum")


def test_a_table_of_check_holds_the_same_keys(tmp_path: Path) -> None:
    path = written(tmp_path, 'ignore = ["mesh"]\n[check]\nfail-on = "note"\n')
    assert read_settings(path) == Settings(path, ignore=("mesh",), fail_on=Severity.NOTE)


@pytest.mark.parametrize("table", ["tool.rigscope", "tool.rigscope.check"])
def test_pyproject_has_a_table_of_its_own(tmp_path: Path, table: str) -> None:
    path = written(tmp_path, f'[project]\nname = "game"\n[{table}]\nignore = ["mesh"]\n', "pyproject.toml")
    assert read_settings(path) == Settings(path, ignore=("mesh",))


def ignored(path: Path) -> tuple[str, ...]:
    return SettingsSearch().of(str(path)).ignore


def test_the_nearest_settings_count(tmp_path: Path) -> None:
    written(tmp_path, 'ignore = ["mesh"]')
    written(tmp_path / "a", '[tool.rigscope]\nignore = ["weights"]', "pyproject.toml")
    written(tmp_path / "a" / "b", "[tool.other]", "pyproject.toml")
    written(tmp_path / "a" / "b" / "c", 'ignore = ["skeleton"]')
    written(tmp_path / "a" / "b" / "c", '[tool.rigscope]\nignore = ["file"]', "pyproject.toml")
    assert ignored(tmp_path / "x" / "gone.mdl") == ("mesh",)
    assert ignored(tmp_path / "a" / "gone.mdl") == ("weights",)
    assert ignored(tmp_path / "a" / "b" / "gone.mdl") == ("weights",)
    assert ignored(tmp_path / "a" / "b" / "c" / "d" / "gone.mdl") == ("skeleton",)


def test_a_file_of_a_package_has_the_settings_of_the_package(tmp_path: Path) -> None:
    written(tmp_path, 'ignore = ["mesh"]')
    package = write_package(tmp_path)
    assert ignored(Path(f"{package}::Models/Post.mdl")) == ("mesh",)


def test_given_settings_are_for_all_files(tmp_path: Path) -> None:
    written(tmp_path, 'ignore = ["mesh"]')
    assert SettingsSearch(Settings()).of(str(tmp_path / "a.mdl")) == Settings()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ignroe = []", "no key 'ignroe'; near: ignore"),
        ("[check]\nfailon = 1", "no key 'failon'; near: fail-on"),
        ("check = 1", "check has to be a table"),
        ("select = 'mesh'", "select has to be a list of rules"),
        ("ignore = ['weights/sums']", "ignore: no rule 'weights/sums'; near: weights/sum"),
        ("fail-on = 'fatal'", "fail-on has to be error, warning, note, not 'fatal'"),
        ("baseline = ''", "baseline has to be a text"),
        ("limits = 3", "limits has to be a table"),
        ("[limits]\nbone = 3", "limits: no key 'bone'; near: bones"),
        ("[limits]\nbones = -1", "limits.bones has to be a whole number, not -1"),
        ("[limits]\nbones = true", "limits.bones has to be a whole number, not True"),
        ("[severity]\nmeshes = 'note'", "severity: no rule 'meshes'; near: mesh"),
        ("[severity]\nmesh = 2", "severity.mesh has to be error, warning, note, not 2"),
        ("[per-path]\n'*.mdl' = 1", "per-path.'*.mdl' has to be a table"),
        ("[per-path]\n'*.mdl' = {ignored = []}", "per-path.'*.mdl': no key 'ignored'; near: ignore"),
        ("[per-path]\n'*.mdl' = ['bones']", "per-path.'*.mdl'.ignore: no rule 'bones'"),
        ("ignore = [", "Invalid"),
        ("x=" + "[" * 5000, ""),
        ("#" * (BUDGET.text_bytes + 1), "bytes"),
    ],
)
def test_a_mistake_is_told_with_its_key(tmp_path: Path, text: str, why: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ResourceError) as told:
        SettingsSearch().of(str(tmp_path / "a.mdl"))
    assert str(told.value).startswith(path) and why in str(told.value)


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "rigscope.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ResourceError, match=r"rigscope\.toml"):
        read_settings(str(tmp_path / "rigscope.toml"))
    with pytest.raises(ResourceError, match="cannot be read"):
        read_settings(str(tmp_path / "gone.toml"))


def test_a_table_of_pyproject_that_is_none_is_told(tmp_path: Path) -> None:
    written(tmp_path, "[tool]\nrigscope = 1", "pyproject.toml")
    with pytest.raises(ResourceError, match=r"tool\.rigscope has to be a table"):
        SettingsSearch().of(str(tmp_path / "a.mdl"))


def test_no_limit_is_chosen_without_settings() -> None:
    assert Settings().limits == NO_LIMITS
