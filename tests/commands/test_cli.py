"""The command line as a shell sees it: exit status, stdout, one line on stderr for each error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.program import PROGRAM, SHELL
from tests.synthetic import animation_bytes, model_bytes, write_pair
from viewer import __version__
from viewer.actions import ACTIONS
from viewer.app.open_files.model_files import open_path
from viewer.commands.cli import main
from viewer.commands.options.table import LISTS
from viewer.commands.usage import VERBS, WINDOW
from viewer.errors import FormatError
from viewer.scene.reading_context import DEFAULT

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def post(tmp_path: Path) -> str:
    return str(write_pair(tmp_path))


def test_version(capsys: Captured) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"rigscope {__version__}\n"


@pytest.mark.parametrize("words", [["--help"], ["-h", "--all"], ["--all"], ["a.mdl", "--help"]])
def test_help_is_complete(words: list[str], capsys: Captured) -> None:
    assert main(words) == 0
    text = capsys.readouterr().out
    for option in (*WINDOW.options, *LISTS):
        assert option.spelled in text
    assert ("\nexit status:\n" in text) == ("--all" in words)
    assert "--all" in words or len(text.splitlines()) <= 44
    for verb in VERBS:
        assert f"rigscope {verb.name} " in text
    assert max(map(len, text.splitlines())) <= 105


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_each_verb_has_help(verb: str, capsys: Captured) -> None:
    assert main([verb, "--help"]) == 0
    assert f"usage: rigscope {verb}" in capsys.readouterr().out


def test_bindings_are_the_actions(capsys: Captured) -> None:
    assert main(["--list-bindings"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [action.name for action in ACTIONS if action.keys]


def test_formats_are_listed(capsys: Captured) -> None:
    assert main(["--list-formats"]) == 0
    assert ".mdl" in capsys.readouterr().out


def test_info_json(post: str, capsys: Captured) -> None:
    assert main(["info", post, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == post


def test_info_text(post: str, capsys: Captured) -> None:
    assert main(["info", post]) == 0
    assert "bones 2" in capsys.readouterr().out


def test_tree_both_ways(post: str, capsys: Captured) -> None:
    assert main(["tree", post, "--depth", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert main(["tree", "--depth", "1", "--json", post]) == 0
    assert len(json.loads(capsys.readouterr().out)["children"]) == len(lines) - 1


def test_a_file_that_is_not_there_is_status_1(capsys: Captured) -> None:
    assert main(["info", "nowhere.mdl"]) == 1
    assert capsys.readouterr().err == "nowhere.mdl: cannot be read: No such file or directory\n"


@pytest.mark.skipif(sys.platform == "win32", reason="FIFOs have no names in folders")
@pytest.mark.parametrize("line", ["info FIFO", "tree FIFO", "render FIFO -o a.png", "list FIFO"])
def test_a_fifo_is_status_1(line: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "x.mdl"
    os.mkfifo(path)
    assert main([word.replace("FIFO", str(path)) for word in line.split()]) == 1
    assert capsys.readouterr().err == f"{path}: cannot be read: it is a FIFO, not a regular file\n"


@pytest.mark.skipif(sys.platform == "win32", reason="FIFOs have no names in folders")
def test_a_fifo_as_a_camera_file_is_status_1(post: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "camera.json"
    os.mkfifo(path)
    assert main(["render", post, "-o", str(tmp_path / "a.png"), "--camera", str(path)]) == 1
    assert capsys.readouterr().err == f"{path}: cannot be read: it is a FIFO, not a regular file\n"


@pytest.mark.parametrize("text", ["[" * 100_000, '{"view": ' * 100_000, '{"view": ' + "[" * 900])
def test_a_camera_file_of_nothing_but_brackets_is_status_1(
    text: str, post: str, tmp_path: Path, capsys: Captured
) -> None:
    path = tmp_path / "camera.json"
    path.write_text(text)
    assert main(["render", post, "-o", str(tmp_path / "a.png"), "--camera", str(path)]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"{path}: ") and len(err.splitlines()) == 1


def test_a_camera_file_has_a_limit(post: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "camera.json"
    path.write_bytes(b" " * ((1 << 20) + 1))
    assert main(["render", post, "-o", str(tmp_path / "a.png"), "--camera", str(path)]) == 1
    assert "1,048,577 bytes are more than the limit of 1,048,576" in capsys.readouterr().err


def test_max_size_is_of_one_command(post: str, capsys: Captured) -> None:
    assert main(["info", post, "--max-size", "10"]) == 1
    assert "more than the limit of 10; --max-size" in capsys.readouterr().err
    assert main(["info", post]) == 0


def test_a_file_that_breaks_off_is_shown_and_status_1(tmp_path: Path, capsys: Captured) -> None:
    cut = tmp_path / "Cut.mdl"
    cut.write_bytes(model_bytes()[:700])
    assert main(["info", str(cut), "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["complete"] is False
    (line,) = err.splitlines()
    assert line.startswith(f"{cut}: ") and "(model/" in line and " at 0x" in line


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("info", "needs a FILE"),
        ("info FILE --jsno", "no option '--jsno'; near: --json"),
        ("render FILE", "needs -o FILE"),
        ("render -o a.png", "needs a FILE"),
        ("render FILE -o a.jpg", "must end with .png"),
        ("render FILE -o a.png --size big", "not a size such as 1280x720"),
        ("render FILE -o a.png --animation Bent", "no animation 'Bent'; near: Bend"),
        ("render FILE -o a.png --morph tall=1", "no morph 'tall'; near: taller"),
        ("render FILE -o a.png --bone top", "no bone 'top'; near: tip"),
        ("render FILE -o a.png --lod 7", "the model has no level of detail 7; its levels are 0, 1"),
        ("render FILE -o a.gif --turntable --ui", "--ui draws a single picture"),
        ("bake FILE -o a.png", "must end with .npz or .ply"),
        ("bake FILE -o a.npz --size 2x2", "no option '--size'"),
        ("tree FILE --depth x", "'x' is not a whole number"),
    ],
)
def test_bad_usage_is_status_2(
    line: str, why: str, post: str, capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # what is not refused would be written there
    assert main([word.replace("FILE", post) for word in line.split()]) == 2
    out, err = capsys.readouterr()
    assert why in err and err.startswith("rigscope: ") and len(err.splitlines()) == 1
    assert out == ""


def test_two_models_are_refused(post: str, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "Other.mdl").write_bytes(model_bytes())
    assert main(["render", post, str(tmp_path / "Other.mdl"), "-o", str(tmp_path / "a.png")]) == 2
    assert "only one model can be written to one file" in capsys.readouterr().err


def test_a_verb_counts_only_as_the_first_word(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "info").write_bytes(animation_bytes())
    assert main(["info", str(tmp_path / "info")]) == 0
    assert "Urho3D animation" in capsys.readouterr().out


def shell(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program as a process of its own."""
    command = [*PROGRAM, *words]
    return subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, timeout=60)


def test_utf8_whatever_the_locale(tmp_path: Path) -> None:
    path = tmp_path / "Añi→.ani"
    path.write_bytes(animation_bytes("Größe"))
    done = shell("info", str(path), LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0 and done.stderr == b""
    assert "Größe" in done.stdout.decode() and "Añi→" in done.stdout.decode()


def test_a_name_that_is_no_utf8_is_still_json(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff.ani"
    with open(name, "wb") as file:
        file.write(animation_bytes())
    done = shell("info", os.fsdecode(name), "--json")
    assert json.loads(done.stdout.decode("utf-8"))["file"] == os.fsdecode(name)


def test_a_reader_that_goes_away_is_no_error(post: str) -> None:
    command = f"{SHELL} tree {post} --depth 9 | head -c 10"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], cwd=ROOT, capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_an_output_that_cannot_be_written_is_status_2(post: str) -> None:
    command = f"{SHELL} tree {post} > /dev/full"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, timeout=60)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and b"No space left" in done.stderr


def test_info_and_tree_import_no_graphics(post: str) -> None:
    program = (
        "import sys; from viewer.commands.cli import main; main(['info', sys.argv[1]]); "
        "main(['tree', sys.argv[1]]); "
        "sys.exit(any(name in sys.modules for name in ('moderngl', 'PIL', 'pyglet', 'imgui_bundle', 'pyrr')))"
    )
    done = subprocess.run([sys.executable, "-c", program, post], cwd=ROOT, capture_output=True, timeout=60)
    assert done.returncode == 0


def in_bash(line: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A line of bash, in which `rigscope` runs this program; `words` are $1, $2 …"""
    text = f'rigscope() {{ {SHELL} "$@"; }}; {line}'
    return subprocess.run(["bash", "-c", text, "bash", *words], capture_output=True, text=True, cwd=ROOT)


bash = pytest.mark.skipif(sys.platform == "win32", reason="needs bash")


@bash
@pytest.mark.parametrize(
    ("line", "status", "err"),
    [
        ('rigscope info "$1" >&-', 2, "rigscope: output: Bad file descriptor\n"),
        ('rigscope info "$1" >/dev/full', 2, "rigscope: output: No space left on device\n"),
        ("rigscope --version >&-", 2, "rigscope: output: Bad file descriptor\n"),
        ('rigscope info "$1" 2>&-', 0, ""),
        ("rigscope info nowhere.mdl 2>&-", 1, ""),
        ("rigscope info nowhere.mdl 2>/dev/full", 1, ""),
        ('rigscope info "$1" <&- >&- 2>&-', 2, ""),
        ("rigscope info nowhere.mdl <&- >&- 2>&-", 1, ""),
        ("rigscope info nowhere.mdl 2> >(exit 0)", 1, ""),
        ('rigscope info "$1" | true; exit "${PIPESTATUS[0]}"', 0, ""),
    ],
)
def test_a_closed_stream_is_one_line_and_a_status(line: str, status: int, err: str, post: str) -> None:
    done = in_bash(line, post)
    assert (done.returncode, done.stderr) == (status, err)


@bash
def test_a_model_is_not_opened_as_a_closed_stream(post: str, tmp_path: Path) -> None:
    before = Path(post).read_bytes()
    done = in_bash('rigscope render "$1" -o "$2" --size 32x32 <&- >&- 2>&-', post, str(tmp_path / "a.png"))
    assert done.returncode == 0 and (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert Path(post).read_bytes() == before


def test_the_process_ends_after_what_modules_registered_and_after_its_threads() -> None:
    script = (
        "import atexit, sys, threading, time\n"
        "from viewer.commands.cli import main\n"
        "def late(): time.sleep(0.5); print('thread')\n"
        "if sys.argv.pop() == 'thread': threading.Thread(target=late).start()\n"
        "atexit.register(print, 'end'); sys.argv[1:] = ['--version']; sys.exit(main())"
    )
    for word, lines in (("", ["end"]), ("thread", ["thread", "end"])):
        command = [sys.executable, "-c", script, word]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        assert (done.returncode, done.stdout.splitlines()[1:]) == (0, lines)


def test_the_process_ends_while_a_file_is_read() -> None:
    script = (
        "import sys, threading, time; from viewer.app.tasks import THREAD\n"
        "from viewer.commands.cli import main\n"
        "threading.Thread(target=time.sleep, args=(60,), name=THREAD).start()\n"
        "sys.argv = ['rigscope', '--version']; sys.exit(main())"
    )
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, f"rigscope {__version__}\n")
    assert time.monotonic() - begun < 30


@pytest.mark.usefixtures("wow")
@bash
def test_too_little_memory_is_one_line_and_status_1(tmp_path: Path) -> None:
    path = tmp_path / "x.anim"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    done = in_bash('ulimit -v 700000; rigscope info "$1"', str(path))
    assert (done.returncode, done.stderr) == (1, "rigscope: there is not enough memory\n")


@bash
@pytest.mark.parametrize("kilobytes", [450_000, 700_000])
def test_too_little_memory_for_a_driver_is_one_line_and_status_3(
    post: str, tmp_path: Path, kilobytes: int
) -> None:
    done = in_bash(f'ulimit -v {kilobytes}; rigscope render "$1" -o "$2"', post, str(tmp_path / "a.png"))
    line = f"rigscope: OpenGL 3.3 needs more memory: ulimit -v is {kilobytes}; raise it to 921600\n"
    assert (done.returncode, done.stderr) == (3, line)
    assert not (tmp_path / "a.png").exists()


def test_a_picture_beyond_the_driver_is_one_line_and_status_3(
    post: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.commands.options.option_types.LARGEST", 1 << 20)
    assert main(["render", post, "-o", str(tmp_path / "a.png"), "--size", "1000000x1"]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(
        "rigscope: OpenGL on this machine cannot draw a picture of 1000000 × 1 pixels, 4 samples each: "
    )
    assert not (tmp_path / "a.png").exists()


@pytest.mark.parametrize(
    ("line", "status", "why"),
    [
        ("rendr x", 2, "rigscope: no verb or file 'rendr'; near: render\n"),
        ("rendr x -o y.png", 2, "rigscope: no verb or file 'rendr'; near: render\n"),
        ("nofile.mdl", 1, "nofile.mdl: cannot be read: No such file or directory\n"),
        ("nofile.mdl -o y.png", 1, "nofile.mdl: cannot be read: No such file or directory\n"),
        ("nofile.pak::a.mdl", 1, "nofile.pak::a.mdl: cannot be read: No such file or directory\n"),
    ],
)
def test_a_misspelt_verb_or_file_opens_no_window(
    line: str, status: int, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(line.split()) == status
    assert capsys.readouterr().err == why


def test_no_window_opens_if_one_of_the_files_does_not_exist(post: str, capsys: Captured) -> None:
    assert main([post, "nofile.ani"]) == 1
    assert capsys.readouterr().err.startswith("nofile.ani: cannot be read")


def test_a_misspelt_global_option_names_it(capsys: Captured) -> None:
    assert main(["--verison"]) == 2
    assert "near: --version" in capsys.readouterr().err


def test_info_prints_each_file_by_itself(post: str, tmp_path: Path, capsys: Captured) -> None:
    other = tmp_path / "Other.mdl"
    other.write_bytes(Path(post).read_bytes())
    assert main(["info", post]) == main(["info", str(other)]) == 0
    alone = capsys.readouterr().out
    assert main(["info", post, str(other)]) == 0
    assert capsys.readouterr().out.replace("\n\n" + str(other), "\n" + str(other)) == alone
    assert main(["info", "--json", post, str(other)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["file"] for line in lines] == [post, str(other)]


def test_info_goes_on_after_a_file_that_cannot_be_read(post: str, capsys: Captured) -> None:
    assert main(["info", "nofile.mdl", post]) == 1
    out, err = capsys.readouterr()
    assert "bones 2" in out and err == "nofile.mdl: cannot be read: No such file or directory\n"


def test_info_of_a_file_that_is_mostly_unexplained_is_status_1(
    post: str, tmp_path: Path, capsys: Captured
) -> None:
    data = Path(post).read_bytes()
    for extra, status in ((len(data) // 20, 0), (len(data), 1)):
        path = tmp_path / f"{status}.mdl"
        path.write_bytes(data + b"\x55" * extra)
        assert main(["info", str(path)]) == status
        assert ("% of the bytes are unexplained" in capsys.readouterr().err) == bool(status)


def test_a_folder_of_models_needs_no_slash_behind_the_output(
    post: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models, out = tmp_path / "models", tmp_path / "out"
    models.mkdir()
    (models / "Post.mdl").write_bytes(Path(post).read_bytes())
    assert main(["export", str(models), "-o", str(out), "--jobs", "1"]) == 0
    assert [each.name for each in out.iterdir()] == ["Post.glb"]
    assert main(["export", post, "-o", str(tmp_path / "other")]) == 2


def test_an_unreadable_folder_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    closed, scandir = tmp_path / "closed", os.scandir
    closed.mkdir()

    def refuse(path: str) -> Any:
        if str(path) == str(closed):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr("viewer.storage.listing.os.scandir", refuse)
    assert main(["find", str(closed), "bones>1"]) == 1
    assert "the folder cannot be read: Permission denied" in capsys.readouterr().err
    assert main(["check", str(closed)]) == 1
    assert "this user may read it" in capsys.readouterr().out
    with pytest.raises(FormatError, match="the folder cannot be read: Permission denied"):
        open_path(str(closed), DEFAULT)
