"""The settings file: read, written, broken, older."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock
from msgspec.structs import replace

from viewer.errors import ResourceError
from viewer.scene.choices import LightKind, MissingTextures, Quality
from viewer.session import settings
from viewer.session.preferences import RECENT, Preferences
from viewer.session.settings import VERSION, StoredSettings, merged, merged_recent
from viewer.storage.writing import BROKEN


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "settings.json"


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_what_is_written_is_read(path: Path) -> None:
    preferences = Preferences("light", 1.5, "animate", {"wide": "[Docking]"}, ["bones"], grid=False)
    preferences.preset, preferences.keys, preferences.recent = "maya", {"play": ["P"]}, ["ü.mdl"]
    preferences.same_view = True
    preferences.missing = MissingTextures.CHECKER
    preferences.quality = Quality.FULL
    preferences.light, preferences.shadow = LightKind.HEADLAMP, True
    preferences.window = {"x": -5, "y": 20, "width": 800, "height": 600, "maximized": 0}
    settings.write(path, preferences)
    assert settings.read(path) == preferences
    assert [each.name for each in path.parent.iterdir()] == ["settings.json"]


def test_without_a_file_everything_is_as_it_is_meant(path: Path) -> None:
    assert settings.read(path) == Preferences()
    assert not path.exists()


def test_what_an_older_file_lacks_is_as_without_a_file(path: Path) -> None:
    put(path, json.dumps({"version": VERSION, "theme": "light", "gone": 1}))
    assert settings.read_stored(path) == StoredSettings(Preferences(theme="light"), {"gone": 1})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"version": "1"}',
        "[" * 100_000,
    ],
)
def test_a_broken_file_is_set_aside(path: Path, text: str) -> None:
    put(path, text)
    with pytest.raises(ResourceError, match="broken"):
        settings.read(path)
    assert not path.exists()
    assert path.with_name(path.name + BROKEN).read_text() == text
    assert settings.read(path) == Preferences()


def test_a_second_broken_file_is_set_aside_beside_the_first(path: Path) -> None:
    for text in ("first", "second"):
        put(path, text)
        with pytest.raises(ResourceError, match="broken"):
            settings.read(path)
    assert sorted(each.read_text() for each in path.parent.iterdir()) == ["first", "second"]


def test_a_folder_with_the_name_of_the_file_is_not_renamed(path: Path) -> None:
    path.mkdir(parents=True)
    (path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ResourceError, match="cannot be read"):
        settings.read(path)
    assert (path / "mine.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_named_pipe_is_not_renamed(path: Path) -> None:
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    with pytest.raises(ResourceError, match="cannot be read"):
        settings.read(path)
    assert path.is_fifo()


WRONG = [
    '"theme": "pink"',
    '"missing": "pink"',
    '"quality": "pink"',
    '"light": "pink"',
    '"scale": 3.01',
    '"scale": 0.49',
    '"scale": true',
    '"closed": 3',
    '"thumbnail_bytes": -1',
    '"keys": {"play": "P"}',
    '"recent": [1]',
    '"layout": "none of ours"',
    '"window": {"x": 1}',
    '"window": {"x": 1, "y": 1, "width": 1e9, "height": 1, "maximized": 0}',
]


@pytest.mark.parametrize("entry", WRONG)
def test_a_wrong_value_is_reported_and_costs_no_other_setting(path: Path, entry: str) -> None:
    put(path, f'{{"version": 1, {entry}, "same_view": true}}')
    stored = settings.read_stored(path)
    assert stored.preferences == Preferences(same_view=True)
    name = entry.split('"')[1]
    assert [remark.startswith(f"settings: {name} cannot be ") for remark in stored.remarks] == [True]


def test_a_wrong_value_stays_in_the_file_until_its_setting_changes(path: Path) -> None:
    put(path, '{"version": 1, "theme": "pink", "same_view": true}')
    before = settings.read(path)
    settings.update(path, before, replace(before, scale=2.0))
    assert json.loads(path.read_text())["theme"] == "pink"
    settings.update(path, before, replace(before, theme="light"))
    assert json.loads(path.read_text())["theme"] == "light"


def test_what_a_newer_version_added_stays_in_the_file(path: Path) -> None:
    put(path, '{"version": 7, "theme": "light", "hologram": {"depth": 3}}')
    stored = settings.read_stored(path)
    assert len(stored.remarks) == 1 and "newer version" in stored.remarks[0]
    settings.update(path, stored.preferences, replace(stored.preferences, scale=2.0))
    written = json.loads(path.read_text())
    assert (written["version"], written["hologram"], written["scale"]) == (7, {"depth": 3}, 2.0)


def test_numbers_may_be_at_their_limits(path: Path) -> None:
    put(path, '{"version": 1, "scale": 0.5, "thumbnail_bytes": 0}')
    assert settings.read(path) == Preferences(scale=0.5, thumbnail_bytes=0)


def test_bytes_that_are_no_text_are_set_aside(path: Path) -> None:
    put(path, "")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ResourceError):
        settings.read(path)
    assert not path.exists()


def test_what_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ResourceError, match="settings cannot be written"):
        settings.write(tmp_path / "file" / "settings.json", Preferences())


def test_a_failed_write_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.write(path, Preferences(theme="light"))

    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(ResourceError, match=r"settings\.json: No space left on device$"):
        settings.write(path, Preferences())
    monkeypatch.undo()
    assert settings.read(path).theme == "light"
    assert len(list(path.parent.iterdir())) == 1


def test_one_field_is_read_alone(path: Path) -> None:
    settings.write(path, Preferences(theme="light"))
    assert settings.read_field(path, "theme") == "light"


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"theme": "pink"}', "[" * 100_000])
def test_a_field_of_a_broken_file_has_its_default_and_the_file_stays(path: Path, text: str) -> None:
    put(path, text)
    assert settings.read_field(path, "theme") == Preferences().theme
    assert path.read_text() == text


def test_another_file_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIGSCOPE_SETTINGS", "/elsewhere/s.json")
    assert settings.default_path() == Path("/elsewhere/s.json")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folder is that of Linux")
def test_the_folder_is_the_platforms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RIGSCOPE_SETTINGS")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings.default_path() == tmp_path / "rigscope" / "settings.json"


def test_two_windows_lose_nothing_of_each_other(path: Path) -> None:
    before = Preferences()
    settings.update(path, before, Preferences(recent=["a.mdl"], theme="light"))
    result = settings.update(path, before, Preferences(recent=["b.mdl"], scale=1.5))
    assert result == settings.read(path)
    assert (result.recent, result.theme, result.scale) == (["b.mdl", "a.mdl"], "light", 1.5)


def test_a_file_that_was_removed_is_written_anew(path: Path) -> None:
    before = Preferences(theme="light")
    assert settings.update(path, before, Preferences(theme="light", scale=1.5)).theme == "light"


def test_windows_that_write_at_once_lose_nothing(path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from viewer.session import settings\n"
        "settings.LOCK_TIMEOUT = 60.0\n"
        "before = settings.Preferences()\n"
        "for number in range(5):\n"
        "    now = settings.Preferences(keys={**before.keys, f'{sys.argv[2]}{number}': ['P']})\n"
        "    settings.update(Path(sys.argv[1]), before, now)\n"
        "    before = now\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", script, str(path), name]) for name in "abcd"]
    assert [each.wait(60) for each in running] == [0] * 4
    assert sorted(settings.read(path).keys) == [f"{name}{number}" for name in "abcd" for number in range(5)]


def test_a_file_that_another_program_holds_is_an_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LOCK_TIMEOUT", 0.05)
    path.parent.mkdir(parents=True)
    with FileLock(f"{path}.lock"), pytest.raises(ResourceError, match="could not be acquired"):
        settings.update(path, Preferences(), Preferences(theme="light"))


def test_each_window_keeps_what_it_changed() -> None:
    before = Preferences()
    stored = replace(before, theme="light")
    result = merged(before, replace(before, scale=1.5), stored)
    assert (result.theme, result.scale) == ("light", 1.5)


def test_the_last_change_of_one_value_counts() -> None:
    before = Preferences(scale=1.0)
    assert merged(before, replace(before, scale=1.5), replace(before, scale=2.0)).scale == 1.5


def test_tables_are_merged_by_their_entries() -> None:
    before = Preferences(keys={"play": ["P"], "fit": ["F"], "home": ["H"]})
    now = replace(before, keys={"play": ["Space"], "fit": ["F"]})
    stored = replace(before, keys={"play": ["P"], "fit": ["G"], "home": ["H"], "undo": ["U"]})
    assert merged(before, now, stored).keys == {"play": ["Space"], "fit": ["G"], "undo": ["U"]}


def test_lists_are_merged_by_their_entries() -> None:
    before = Preferences(closed=["bones", "morphs"])
    now, stored = (
        replace(before, closed=["morphs", "chunks"]),
        replace(before, closed=["bones", "morphs", "log"]),
    )
    assert merged(before, now, stored).closed == ["morphs", "log", "chunks"]


def test_a_list_that_is_sorted_anew_keeps_its_order() -> None:
    before = Preferences(resources=["a", "b"])
    assert merged(before, replace(before, resources=["b", "a"]), before).resources == ["b", "a"]


@pytest.mark.parametrize(
    ("before", "now", "stored", "result"),
    [
        ("abc", "xabc", "yabc", "xyabc"),
        ("abc", "cab", "yabc", "cyab"),
        ("abc", "xcab", "abc", "xcab"),
        ("abc", "abc", "yabc", "yabc"),
        ("abc", "", "yabc", "y"),
        ("abc", "ac", "yabc", "yac"),
        ("", "x", "y", "xy"),
        ("", "x", "yx", "xy"),
    ],
)
def test_recent_files_of_both_windows_stay(before: str, now: str, stored: str, result: str) -> None:
    assert merged_recent([*before], [*now], [*stored]) == [*result]


def test_recent_files_have_a_limit_that_removes_nothing_else() -> None:
    before = [str(number) for number in range(RECENT)]
    assert merged_recent(before, ["x", *before[:-1]], before) == ["x", *before[:-1]]
    assert merged_recent(before, ["x", *before[:-1]], ["y", *before[:-1]]) == ["x", "y", *before[:-2]]
    assert merged_recent(before, ["x", *before[:-1]], before[1:]) == ["x", *before[1:]]


def placed(x: int, width: int) -> dict[str, int]:
    return {"x": x, "y": 0, "width": width, "height": 600, "maximized": 0}


def test_of_two_placements_of_the_window_the_last_counts_whole() -> None:
    before = Preferences(window=placed(1, 800))
    moved, stored = Preferences(window=placed(2, 800)), Preferences(window=placed(1, 900))
    assert merged(before, moved, stored).window == placed(2, 800)
    assert merged(before, before, stored).window == placed(1, 900)


def test_the_merged_settings_share_no_lists() -> None:
    now = Preferences(closed=["bones"])
    result = merged(Preferences(), now, Preferences())
    now.closed.append("morphs")
    assert result.closed == ["bones"]
