"""Completion in the real shells: a line is typed at a terminal, Tab and Enter follow, and the program notes
the words that it gets."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.packages import write_package
from tests.program import SHELL
from tests.synthetic import animation_bytes, bone, model_bytes
from viewer.commands.cli import main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
SECONDS = 60
PROGRAM = f"""#!/bin/sh
[ "$1" = completion ] && PYTHONPATH={shlex.quote(str(ROOT))} exec {SHELL} "$@"
{{ printf '%s\\t' "$@"; echo; }} >>"$NOTED"
"""
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source <(rigscope completion bash)"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "autoload -Uz compinit; compinit -u -D; source <(rigscope completion zsh); LISTMAX=1000",
    ),
    "fish": (["fish", "--no-config", "-i"], "rigscope completion fish | source"),
}
LINES = {
    "ren": ["render"],
    "render --shadi": ["render", "--shading"],
    "render --shading sil": ["render", "--shading", "silhouette"],
    "render --shading=sil": ["render", "--shading=silhouette"],
    "info my\\ mod": ["info", "my models"],
    "info my\\ models/Post.": ["info", "my models/Post.mdl"],
    "extract a.pak -o my\\ m": ["extract", "a.pak", "-o", "my models"],
    "render 'my models/Post.mdl' --animation Wa": [
        "render",
        "my models/Post.mdl",
        "--animation",
        'Walk it\'s $5 "fast"',
    ],
    "render my\\ models/Post.mdl --bone upper\\ ": ["render", "my models/Post.mdl", "--bone", "upper arm"],
    'render my\\ models/Post.mdl --bone "upper': ["render", "my models/Post.mdl", "--bone", "upper arm"],
    "render my\\ models/Post.mdl --bone=upper": ["render", "my models/Post.mdl", "--bone=upper arm"],
    "info a.pak::Mo": ["info", "a.pak::Models"],
    "info a.pak::Models/Post.": ["info", "a.pak::Models/Post.mdl"],
    "extract a.pak -o x Models/Post.": ["extract", "a.pak", "-o", "x", "Models/Post.mdl"],
    "check --select uv,animation/unm": ["check", "--select", "uv,animation/unmatched-track"],
    "formats urho3d-sk": ["formats", "urho3d-sk"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with models, a package and the program."""
    folder = tmp_path_factory.mktemp("completion")
    models = folder / "my models"
    models.mkdir()
    bones = [bone("base", 0, 0, 0), bone("upper arm", 0, 0.2, 0.2), bone("tip", 0, 0.5, 0.5)]
    (models / "Post.mdl").write_bytes(model_bytes(bones=bones))
    (models / "Post_Walk.ani").write_bytes(animation_bytes('Walk it\'s $5 "fast"'))
    write_package(folder).rename(folder / "a.pak")
    program = folder / "bin/rigscope"
    program.parent.mkdir()
    program.write_text(PROGRAM)
    program.chmod(0o755)
    return folder


def typed(shell: str, lines: list[str], folder: Path) -> list[list[str]]:
    """The words of the program for each line to which Tab and Enter are pressed; the shell ends behind it."""
    import pty

    command, setup = SHELLS[shell]
    noted = folder / f"noted-{time.monotonic_ns()}"
    environment = os.environ | {
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "NOTED": str(noted),
        "HOME": str(folder),
        "TERM": "xterm",
        "INPUTRC": os.devnull,
    }
    leader, follower = pty.openpty()
    child = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        preexec_fn=_own_terminal,
    )
    os.close(follower)
    os.write(leader, f"{setup}\n".encode())
    for line in lines:
        os.write(leader, f"rigscope {line}\t\n".encode())
        _until_quiet(leader)
    os.write(leader, b"exit\n")
    end = time.monotonic() + SECONDS
    while child.poll() is None and time.monotonic() < end:
        _until_quiet(leader)
    child.kill()
    child.wait()
    os.close(leader)
    return [[word.rstrip("/") for word in line.split("\t")[:-1]] for line in noted.read_text().splitlines()]


def _own_terminal() -> None:
    """Make standard input the terminal of the new process, as fish needs."""
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _until_quiet(leader: int, seconds: float = 0.05) -> None:
    """Read what the shell writes, until it has written nothing for a while."""
    while select.select([leader], [], [], seconds)[0]:
        try:
            os.read(leader, 65536)
        except OSError:  # the shell has ended
            return


@pytest.mark.parametrize("shell", SHELLS)
def test_words_are_inserted_quoted(shell: str, folder: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    got = typed(shell, lines := [*LINES], folder)
    wrong = {line: got for line, got in zip(lines, got, strict=True) if got != LINES[line]}
    assert wrong == {}


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_lists_options_with_what_they_do(folder: Path) -> None:
    script = "rigscope completion fish | source; complete -C 'rigscope render --an'"
    environment = os.environ | {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["fish", "--no-config", "-c", script], env=environment, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("--animation\tplay this animation\n", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_has_no_errors(shell: str, capfd: pytest.CaptureFixture[str]) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    assert main(["completion", shell]) == 0
    script = capfd.readouterr().out
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
