"""The choices about reading of a session: options, settings, folders and files that are added."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.session.preferences import Preferences
from viewer.session.reading import AUTOMATIC, ReadingChoices
from viewer.session.state import State


def test_a_new_session_reads_as_the_command_line_does() -> None:
    assert State().context == DEFAULT == ReadingChoices().context(Preferences(client=AUTOMATIC))


def test_options_override_settings() -> None:
    preferences = Preferences(max_size=1, search="none", client="2.4.3", archive_order="/settings.txt")
    choices = ReadingChoices()
    assert choices.context(preferences) == ReadingContext(
        max_size=1, search="none", client="2.4.3", archive_order="/settings.txt"
    )
    choices.given = {"max_size": 2, "search": "near", "client": "1.12", "archive_order": "/option.txt"}
    assert choices.context(preferences) == ReadingContext(
        max_size=2, search="near", client="1.12", archive_order="/option.txt"
    )
    choices.given = {"search": "project"}
    assert (choices.context(preferences).search, choices.context(preferences).max_size) == ("project", 1)


def test_folders_of_the_command_line_come_first_then_of_the_session_then_of_the_settings() -> None:
    choices = ReadingChoices()
    choices.given = {"resources": ("/option", "/twice")}
    choices.folders += ["/session", "/twice"]
    made = choices.context(Preferences(resources=["/settings", "/session"]))
    assert made.resources == ("/option", "/twice", "/session", "/settings")


def test_a_chosen_file_counts_and_its_folder_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    state = State()
    before = state.context
    state.reading.choose("Models\\Cat.skin", "far/other.skin")
    made = state.context
    assert made.chosen_file("models/cat.SKIN") == str(tmp_path / "far/other.skin")
    assert made.resources == (str(tmp_path / "far"),)
    state.reading.choose("models/cat.skin", str(tmp_path / "near.skin"))
    assert state.context.chosen_file("Models/Cat.skin") == str(tmp_path / "near.skin")
    assert len(state.context.chosen) == 1 and before == DEFAULT, "a made context stays as it is"


def test_two_sessions_have_their_own_choices() -> None:
    one, other = State(), State()
    one.reading.choose("a", "/b/c")
    one.interface.preferences.search = "none"
    assert other.context == DEFAULT != one.context
    assert os.path.isabs(one.context.resources[0])
