"""A short run, and what counts as growth."""

from __future__ import annotations

import subprocess
import sys
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from tests.desktop import Desktop
from tests.fuzzing.samples import ROOT
from tests.soaking.steps import Hand
from tests.soaking.usage import Usage, by_kind, growth, usage
from viewer.lru import RecentValues
from viewer.session.requests import Open

BEFORE = Usage(50, 6, 2, 100 << 20)


def test_a_short_run_ends_with_what_it_began_with() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.soaking", "--steps", "16", "--seed", "3"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "seed 3" and "4 of 4, 16 steps" in done.stdout
    assert "small C blocks in use: " in done.stdout and "mapped files: " in done.stdout
    grown = ("descriptors: ", "threads: ")
    assert not [line for line in lines if line.startswith(grown) or "left" in line or "in memory" in line]


@pytest.mark.parametrize(
    ("last", "line"),
    [
        (Usage(53, 6, 2, 100 << 20), "GL objects: [50, 52, 53]"),
        (Usage(50, 6, 2, 100 << 20, documents=2), "2 closed documents in memory"),
        (Usage(50, 7, 2, 100 << 20), "descriptors: 6 before, 7 after"),
        (Usage(50, 6, 3, 100 << 20), "threads: 2 before, 3 after"),
        (Usage(50, 6, 2, 106 << 20), "memory: 6.0% more"),
    ],
)
def test_what_has_grown_is_told(last: Usage, line: str) -> None:
    between = Usage(52, 6, 2, 100 << 20)
    assert growth([BEFORE, between, last]) == [line]


def test_what_a_pass_keeps_and_a_little_memory_are_no_growth() -> None:
    kept = Usage(52, 5, 1, 104 << 20)
    assert growth([BEFORE, kept, kept]) == []


def test_gl_objects_are_counted_until_they_are_released(ctx: Any) -> None:
    before = usage().gl_objects
    buffer = ctx.buffer(reserve=4)
    assert usage().gl_objects == before + 1
    buffer.release()
    assert usage().gl_objects == before


def test_gl_objects_that_were_lost_without_a_release_are_counted(ctx: Any) -> None:
    before = usage(ctx)
    ctx.buffer(reserve=4).release()
    ctx.buffer(reserve=4)
    after = usage(ctx)
    assert by_kind(before, after)[0] == "lost Buffer: 0 before, 1 after"
    (lost,) = ctx.objects
    assert after.gl_objects == before.gl_objects + 1
    lost.release()
    ctx.objects.clear()


def test_the_kinds_of_gl_objects_that_changed_are_told_and_all_kinds_of_memory() -> None:
    first = replace(BEFORE, kinds={"Buffer": 3, "Texture": 2}, memory_kinds={"heap": 3 << 19})
    last = replace(BEFORE, kinds={"Buffer": 5, "Texture": 2}, memory_kinds={"heap": 3 << 19})
    assert by_kind(first, last) == ["Buffer: 3 before, 5 after", "heap: 1.5 MiB before, 1.5 MiB after"]


def test_the_kinds_of_memory_are_nearly_all_memory() -> None:
    found = usage()
    areas = sum(size for name, size in found.memory_kinds.items() if "C blocks" not in name)
    assert areas == pytest.approx(found.memory, rel=0.05)


def test_nothing_is_open_after_leaving_while_a_file_is_loaded(ctx: Any, tmp_path: Path) -> None:
    before = usage().documents
    desktop = Desktop(ctx, settings=tmp_path / "settings.json")
    hand = Hand(desktop, 1, tmp_path)
    desktop.app.post(Open((str(hand.models[0]),)))
    hand.leave()
    assert not desktop.state.documents.opened and not desktop.app.loading
    assert usage().documents == before
    desktop.close()
    hand.close()


def test_caches_of_limited_size_are_emptied_before_the_count_and_others_are_not() -> None:
    recent, limited, unlimited = RecentValues[str, str](10), lru_cache(8)(len), cache(len)
    recent.keep("a", "value", 5)
    assert limited("two") == unlimited("two") == 3
    usage()
    assert len(recent) == limited.cache_info().currsize == 0
    assert unlimited.cache_info().currsize == 1
    recent.keep("b", "other", 10)
    assert recent.find("b") == "other"


def test_the_hand_leaves_the_program_as_it_was_at_the_start(ctx: Any, tmp_path: Path) -> None:
    desktop = Desktop(ctx, settings=tmp_path / "settings.json")
    hand = Hand(desktop, 1, tmp_path)
    before = replace(desktop.state.options)
    options, interface = desktop.state.options, desktop.state.interface
    options.samples, options.shadow = 8, True
    interface.zoom(1)
    interface.read("window")
    desktop.frames(4)
    hand.leave()
    assert options == before and interface.preferences.scale == 1.0 and not interface.manual
    assert len(imgui.get_platform_io().textures) == 1, "those of the manual are deleted"
    hand.close()
    desktop.close()
