"""The picture of a dressed character is that of one command line."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.character_files import write_character
from tests.desktop import Desktop
from tests.ui.looks.test_looks_panel import look, places, right
from viewer.commands.cli import main


def client(folder: Path) -> Path:
    """A client whose only archive smpq made, with a character."""
    if shutil.which("smpq") is None:
        pytest.skip("needs smpq")
    made, data = folder / "made", folder / "World of Warcraft" / "Data"
    write_character(made)
    data.mkdir(parents=True)
    files = sorted(str(path.relative_to(made)) for path in made.rglob("*") if path.is_file())
    command = ["smpq", "-c", "-M", "1", "-C", "ZLIB", str(data / "common-2.MPQ"), *files]
    subprocess.run(command, cwd=made, check=True, capture_output=True)
    return data.parent


def test_a_look_of_the_window_has_one_picture_by_command_and_by_file(
    ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = Desktop(ctx, Path(f"{client(tmp_path)}::Character/Made/Male/MadeMale.m2"), size=(1280, 1500))
    desktop.rest()
    desktop.click(*right(desktop, 0))  # the next skin
    assert look(desktop).skin == 1
    desktop.click(*right(desktop, 2))  # the next hair
    assert look(desktop).hair == 1
    desktop.click(*places(desktop)["##item 2"])
    desktop.frames(3)
    desktop.type("shirt")
    desktop.frames(3)
    desktop.click(*places(desktop)[next(name for name in places(desktop) if "(101)" in name)])
    assert look(desktop).items == (("shirt", 101),)
    copied = {}
    for button in ("Copy command", "Copy JSON"):
        desktop.click(*places(desktop)[f"{button} 0"])
        desktop.frames(4)
        copied[button] = imgui.get_clipboard_text()
    desktop.close()
    words = shlex.split(copied["Copy command"])
    assert words[:2] == ["rigscope", "render"]
    (tmp_path / "look.json").write_text(copied["Copy JSON"])
    monkeypatch.chdir(tmp_path)
    assert main([*words[1:], "--size", "96x96"]) == 0
    assert main([*words[1:3], "--character", "look.json", "-o", "other.png", "--size", "96x96"]) == 0
    assert main([*words[1:3], "-o", "first.png", "--size", "96x96"]) == 0
    by_command, by_file, first = (
        (tmp_path / f"{name}.png").read_bytes() for name in ("look", "other", "first")
    )
    assert by_command == by_file != first
