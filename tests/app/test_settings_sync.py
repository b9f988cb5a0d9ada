"""Settings apply when they change, and display options become settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.synthetic import write_pair
from viewer.app.settings_sync import SettingsSync
from viewer.errors import FormatError
from viewer.scene.choices import MissingTextures, Quality
from viewer.scene.reading_context import DEFAULT
from viewer.session.state import State
from viewer.storage.documents import open_document


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


def test_the_limit_of_files_and_the_search_apply_at_once(tmp_path: Path) -> None:
    state, path = State(), write_pair(tmp_path)
    state.interface.preferences.max_size, state.interface.preferences.search = 100, "none"
    assert (state.context.size_limit, state.context.search) == (100, "none")
    with pytest.raises(FormatError, match="more than the limit of 100"):
        open_document(path, state.context)
    state.interface.preferences.max_size, state.interface.preferences.search = None, "project"
    assert state.context == DEFAULT and open_document(path, state.context).model is not None


def game_of(path: Path) -> tuple[str, str]:
    """The client and the file with the order of archives in a window with these settings."""
    state = State()
    SettingsSync(path, state)
    return state.context.client, state.context.archive_order


def test_the_client_and_the_order_of_its_archives_apply_at_the_start(tmp_path: Path) -> None:
    path, order = tmp_path / "settings.json", str(tmp_path / "order.txt")
    path.write_text(json.dumps({"version": 1, "client": "1.12", "archive_order": order}))
    assert game_of(path) == ("1.12", order)
    path.write_text(json.dumps({"version": 1, "client": "automatic"}))
    assert game_of(path) == ("", "")


def test_a_wrong_value_of_the_file_is_a_message_and_the_rest_applies(tmp_path: Path) -> None:
    path, state = tmp_path / "settings.json", State()
    path.write_text(json.dumps({"version": 1, "theme": "pink", "grid": False}))
    SettingsSync(path, state)
    assert not state.options.grid and state.interface.preferences.theme == "dark"
    assert [message.text.split(";")[0] for message in state.messages] == ['settings: theme cannot be "pink"']
