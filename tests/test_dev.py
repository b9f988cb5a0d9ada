"""dev.py: what it decides, without installing anything."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
Calls = list[tuple[str, ...]]


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A fresh copy of dev.py that finds everything ready."""
    spec = importlib.util.spec_from_file_location("dev_under_test", ROOT / "dev.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "prepare", lambda **needs: None)
    return module


@pytest.fixture
def calls(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """The programs that dev.py starts, none of which runs."""
    made: Calls = []

    def call(*command: object, **options: object) -> int:
        made.append(tuple(map(str, command)))
        return 0

    monkeypatch.setattr(dev, "call", call)
    return made


def test_help_names_every_command(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"dev.py {name}" in shown for name in dev.COMMANDS)


def test_an_unknown_command_is_bad_usage(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main(["tset"]) == 2
    assert "'tset'" in capsys.readouterr().err


def test_run_passes_its_arguments_on(dev: ModuleType, calls: Calls) -> None:
    dev.main(["run", "info", "model.mdl", "--json"])
    assert calls == [(str(dev.RIGSCOPE), "info", "model.mdl", "--json")]


def test_run_opens_the_sample(dev: ModuleType, calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    dev.main(["run"])
    assert calls == [(str(dev.RIGSCOPE), str(dev.SAMPLE))]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_run_draws_a_picture_without_a_display(
    dev: ModuleType, calls: Calls, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert dev.main(["run"]) == 0
    assert calls[0][1:3] == ("render", str(dev.SAMPLE))
    shown = capsys.readouterr()
    assert "no display" in shown.err
    assert shown.out.strip() == str(Path(dev.PICTURE).resolve())


def test_check_runs_all_three_and_keeps_the_worst(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    results = iter([0, 1, 0])
    monkeypatch.setattr(dev, "call", lambda *command, **options: next(results))
    assert dev.main(["check"]) == 1
    assert next(results, None) is None


def test_an_old_or_half_made_environment_is_not_usable(dev: ModuleType, tmp_path: Path) -> None:
    assert not dev.usable(tmp_path / "bin" / "python")
    assert dev.usable(Path(sys.executable))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="system packages are Linux's")
def test_what_cannot_be_installed_is_said_with_the_command(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev.os, "geteuid", lambda: 1000)
    dev.install_packages(["libegl1", "xvfb"])
    assert "sudo apt-get install -y --no-install-recommends libegl1 xvfb" in capsys.readouterr().err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="system packages are Linux's")
def test_only_what_is_missing_is_named(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dev, "loads", lambda library: library != "libEGL.so.1")
    monkeypatch.setattr(dev.shutil, "which", lambda program: None if program == "Xvfb" else program)
    named = set(dev.missing_packages(programs=True)) - {"libgl1-mesa-dri", "fonts-wqy-microhei"}
    assert named == {"libegl1", "xvfb"}


@pytest.mark.parametrize(("fonts", "named"), [(("/etc/*",), False), (("/no/such/font",), True)])
def test_a_font_for_chinese_names_is_installed_where_there_is_none(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, fonts: tuple[str, ...], named: bool
) -> None:
    monkeypatch.setattr(dev, "CJK_FONTS", fonts)
    assert ("fonts-wqy-microhei" in dev.missing_packages(programs=False)) is named


def test_the_whole_suite_runs_on_all_cores_and_a_chosen_part_on_one(dev: ModuleType, calls: Calls) -> None:
    dev.test([])
    dev.test(["tests/meta"])
    whole, part = (words for words in calls if "pytest" in words)
    assert "-n" in whole and part[-1] == "tests/meta" and "-n" not in part


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM of other programs")
def test_the_signal_term_ends_the_program_too(tmp_path: Path) -> None:
    mark = tmp_path / "ended"
    program = (
        "import pathlib, signal, sys, time\n"
        f"def end(*_): pathlib.Path({str(mark)!r}).touch(); sys.exit(7)\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)"
    )
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import dev; "
    script = f"{start}sys.exit(dev.call(sys.executable, '-c', {program!r}))"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == "ready\n"
        starter.terminate()
        assert starter.wait(30) == 7
    assert mark.exists()
