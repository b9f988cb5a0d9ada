"""The folder for what can be made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.storage.cache_folder import FOLDER_VARIABLE, cache_folder


def test_the_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert cache_folder() == tmp_path


def test_the_default_folder_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder().name == "rigscope"
    assert not cache_folder().exists()
