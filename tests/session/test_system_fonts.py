"""Which of the system's fonts draws CJK names."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.session import system_fonts
from viewer.session.system_fonts import best_listed, cjk_font, first_file, usual_files


def test_windows_fonts_lie_in_its_own_folder() -> None:
    assert usual_files("win32", {"WINDIR": r"D:\Win"})[0] == r"D:\Win\Fonts\msyh.ttc"


@pytest.mark.parametrize(("platform", "part"), [("darwin", "Hiragino"), ("linux", "wqy-microhei")])
def test_other_systems_have_fixed_places(platform: str, part: str) -> None:
    assert part in usual_files(platform, {})[0]


def test_the_first_that_exists_is_taken() -> None:
    assert first_file(["a", "b", "c"], lambda path: path in "bc") == "b"
    assert first_file(["a"], lambda path: False) is None


def test_plain_sans_fonts_go_before_bold_and_serif_ones() -> None:
    listing = "/f/Serif-Regular.otf: \n/f/Sans-Bold.ttc: \n/f/Sans-Regular.ttc: \n/f/old.pcf.gz: \n"
    assert best_listed(listing)[0] == "/f/Sans-Regular.ttc"
    assert len(best_listed(listing)) == 3


def test_fontconfig_is_asked_where_the_usual_files_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    font = tmp_path / "Own Sans.ttf"
    font.write_bytes(b"")
    monkeypatch.setattr(system_fonts, "usual_files", lambda platform, environment: [])
    monkeypatch.setattr(system_fonts, "_ask_fontconfig", lambda: f"/gone/A Sans.ttf: \n{font}: \n")
    monkeypatch.setattr(system_fonts.sys, "platform", "linux")
    assert cjk_font() == str(font)


def test_a_system_without_fontconfig_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_fonts.shutil, "which", lambda name: None)
    assert system_fonts._ask_fontconfig() == ""
