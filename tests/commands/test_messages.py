"""Messages about outputs are in words of the user: the file that he named, what is wrong, what to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.synthetic import write_pair
from viewer.commands.cli import main
from viewer.storage.image import save_png

OUTPUTS = (
    *("render -o {}.png", "render --turntable -o {}.gif", "render --turntable -o {}{{frame}}.png"),
    *("render --image #0 -o {}.png", "render --ui -o {}.png"),
    *("export -o {}.glb", "export -o {}.gltf", "export -o {}.obj", "export -o {}.ply"),
    *("bake -o {}.npz", "bake -o {}.ply", "thumbs -o {}.png", "thumbs -o {}.html"),
    *("check --write-baseline {}.json",),
)
FULL = """
import resource, signal, sys
sys.dont_write_bytecode = True  # a cut file of bytecode would stay
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
from viewer.commands.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def post(tmp_path: Path) -> Path:
    """A model with a clip, a material and a texture."""
    model = write_pair(tmp_path)
    (tmp_path / "Post.txt").write_text("Post.xml\n")
    (tmp_path / "Post.xml").write_text('<material><texture unit="diffuse" name="Post.png"/></material>')
    save_png(tmp_path / "Post.png", np.full((64, 64, 3), 200, np.uint8))
    return model


@pytest.mark.parametrize("words", OUTPUTS)
def test_a_missing_folder_is_named_as_such_by_every_verb(
    words: str, post: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verb, *options = words.format(post.parent / "no" / "x").split()
    assert main([verb, str(post), *options]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == f"rigscope: {options[-1]}: its folder does not exist"
    assert not (post.parent / "no").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of POSIX")
@pytest.mark.parametrize("words", [each for each in OUTPUTS if "{{" not in each and "html" not in each])
def test_a_full_disk_names_the_output_once(words: str, post: Path, tmp_path: Path) -> None:
    verb, *options = words.format(tmp_path / "x").split()
    command = [sys.executable, "-c", FULL, verb, str(post), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.replace(".bin", ".gltf") == f"rigscope: {options[-1]}: File too large"


@pytest.mark.parametrize(("words", "told"), [("--time 1", True), ("", False), ("--animation none", False)])
@pytest.mark.parametrize(("verb", "output"), [("render", "x.png"), ("bake", "x.npz"), ("export", "x.obj")])
def test_a_time_without_a_clip_says_that_the_rest_pose_is_drawn(
    verb: str, output: str, words: str, told: bool, post: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = str(post.with_name("Post_Bend.ani"))
    assert main([verb, str(post), clip, *words.split(), "-o", str(post.parent / output)]) == 0
    assert ("the rest pose is drawn; --animation plays a clip: " in capsys.readouterr().err) is told
