"""The folders of the user, also of one without a home folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.synthetic import model_bytes
from viewer.paths import user_folder

ROOT = Path(__file__).resolve().parents[1]
HOMELESS = """
import os, pwd, sys
def unknown(*_):
    raise KeyError("uid not found")
if __name__ == "__main__":
    pwd.getpwuid = pwd.getpwnam = unknown
    os.environ.pop("HOME", None)
    from viewer.commands.cli import main
    sys.exit(main(sys.argv[1:]))
"""
"""Runs the program as a user whom the system does not know."""


def test_a_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_FOLDER", str(tmp_path))
    assert user_folder("data", "SOME_FOLDER") == tmp_path
    monkeypatch.delenv("SOME_FOLDER")
    assert user_folder("data", "SOME_FOLDER").name == "rigscope"


@pytest.mark.skipif(os.name == "nt", reason="Windows knows its users otherwise")
@pytest.mark.parametrize("verb", ["find", "thumbs", "export"])
def test_a_user_without_a_home_folder_works(verb: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/Post.mdl").write_bytes(model_bytes())
    (tmp_path / "program.py").write_text(HOMELESS)
    words = {"find": ["vertices>0"], "thumbs": ["-o", "out"], "export": ["-o", "out"]}[verb]
    kept = ("PATH", "MESA_GL_VERSION_OVERRIDE", "MESA_GLSL_VERSION_OVERRIDE", "LP_NUM_THREADS")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    done = subprocess.run(
        [sys.executable, "program.py", verb, "in", *words],
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Traceback" not in done.stderr and done.returncode == 0, done.stderr
    made = [each.name for each in tmp_path.rglob("Post*") if each.suffix in (".png", ".glb")]
    assert "Post.mdl" in done.stdout if verb == "find" else made
