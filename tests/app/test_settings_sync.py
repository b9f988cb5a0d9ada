"""Settings apply when they change, and display options become settings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from viewer.app.settings_sync import SettingsSync
from viewer.scene.choices import MissingTextures, Quality
from viewer.session.state import State
from viewer.storage.place import given_game, prefer_game
from viewer.storage.reading import DEFAULT_SIZE, prefer_size, size_limit
from viewer.storage.resource_folders import prefer_search, search_mode


@pytest.fixture(autouse=True)
def unchanged() -> Iterator[None]:
    """The process has its own settings again at the end."""
    yield
    prefer_size(None)
    prefer_search("project")
    prefer_game("", "")


def ticked(state: State, *sync: SettingsSync, starting: bool = False) -> SettingsSync:
    made = sync[0] if sync else SettingsSync(None, state)
    made.tick(state, starting)
    return made


def test_a_changed_setting_becomes_the_display_option() -> None:
    state = State()
    sync = ticked(state)
    state.interface.preferences.missing = MissingTextures.CHECKER
    state.interface.preferences.grid = False
    ticked(state, sync)
    assert state.options.missing is MissingTextures.CHECKER and not state.options.grid


def test_a_changed_display_option_becomes_the_setting() -> None:
    state = State()
    sync = ticked(state)
    state.options.quality = Quality.FULL
    ticked(state, sync)
    assert state.interface.preferences.quality is Quality.FULL


def test_options_of_the_command_line_are_no_settings() -> None:
    state = State()
    sync = ticked(state, starting=True)
    state.options.grid = False
    ticked(state, sync, starting=True)
    ticked(state, sync)
    assert state.interface.preferences.grid and not state.options.grid


def test_the_limit_of_files_and_the_search_apply_at_once() -> None:
    state = State()
    sync = ticked(state)
    state.interface.preferences.max_size, state.interface.preferences.search = 1 << 20, "none"
    ticked(state, sync)
    assert (size_limit(), search_mode()) == (1 << 20, "none")
    state.interface.preferences.max_size = None
    ticked(state, sync)
    assert size_limit() == DEFAULT_SIZE


@pytest.mark.usefixtures("wow")
def test_the_client_and_the_order_of_its_archives_apply_at_the_start(tmp_path: Path) -> None:
    path, order = tmp_path / "settings.json", str(tmp_path / "order.txt")
    path.write_text(json.dumps({"version": 1, "client": "1.12", "archive_order": order}))
    SettingsSync(path, State())
    assert given_game() == ("1.12", order)
    path.write_text(json.dumps({"version": 1, "client": "automatic"}))
    SettingsSync(path, State())
    assert given_game() == ("", "")


def test_a_wrong_value_of_the_file_is_a_message_and_the_rest_applies(tmp_path: Path) -> None:
    path, state = tmp_path / "settings.json", State()
    path.write_text(json.dumps({"version": 1, "theme": "pink", "grid": False}))
    SettingsSync(path, state)
    assert not state.options.grid and state.interface.preferences.theme == "dark"
    assert [message.text.split(";")[0] for message in state.messages] == ['settings: theme cannot be "pink"']
