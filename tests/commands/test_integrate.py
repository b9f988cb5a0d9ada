"""`rigscope integrate` on the real programs of the desktop."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.conftest import ROOT
from tests.program import PROGRAM
from tests.synthetic import model_bytes
from viewer.commands import integrate
from viewer.commands.cli import main
from viewer.family.registry import formats
from viewer.library.desktop.entries import media_type, thumbnailer_entry

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux desktops only")
ASSETS = ROOT / "assets"
SAMPLES = {
    "Urho3D model": ASSETS / "urho3d/Models/Beacon.mdl",
    "Urho3D animation": ASSETS / "urho3d/Models/Beacon_Idle.ani",
    "OGRE mesh": ASSETS / "ogre/models/Linglong.mesh",
    "OGRE skeleton": ASSETS / "ogre/models/Linglong.skeleton",
    "WoW M2 model": ASSETS / "m2/Creature/Puff/Puff.m2",
    "BLP picture": ASSETS / "m2/Creature/Puff/PuffSkin.blp",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which Rigscope is installed."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        patch.setattr(integrate, "command", lambda: ("/usr/bin/env",))
        assert main(["integrate"]) == 0
    return folder


def needs(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"needs {program}")


def kind(path: Path, home: Path) -> str:
    """The media type that the desktop sees in a file."""
    environment = os.environ | {"XDG_DATA_HOME": str(home), "XDG_CURRENT_DESKTOP": "GNOME"}
    command = ["xdg-mime", "query", "filetype", str(path)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def test_the_desktop_entry_is_valid(home: Path) -> None:
    needs("desktop-file-validate")
    entry = home / "applications/rigscope.desktop"
    done = subprocess.run(["desktop-file-validate", entry], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("format", [*formats()], ids=lambda format: format.name)
def test_the_desktop_knows_a_file_of_every_format(format: object, home: Path, tmp_path: Path) -> None:
    needs("update-mime-database")
    needs("gio")
    needs("xdg-mime")
    sample = SAMPLES.get(format.name)  # type: ignore[attr-defined]
    if sample is None:
        sample = tmp_path / f"a{format.suffixes[0]}"  # type: ignore[attr-defined]
        sample.write_bytes((*format.magics, b"")[0] + bytes(60))  # type: ignore[attr-defined]
    assert kind(sample, home) == media_type(format)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "data", "seen"),
    [
        ("cursor.ani", b"RIFF\x24\0\0\0ACONanih", "application/x-navi-animation"),
        ("quake.pak", b"PACK" + bytes(60), "application/x-pak"),
        ("letter.asc", b"-----BEGIN PGP SIGNATURE-----\n\nx\n", "application/pgp-signature"),
        ("before2011.mdl", b"\1\0\0\0" + bytes(60), "model/x-urho3d-model"),
        ("no_suffix", model_bytes(), "model/x-urho3d-model"),
    ],
)
def test_shared_suffixes_are_told_apart(
    name: str, data: bytes, seen: str, home: Path, tmp_path: Path
) -> None:
    needs("update-mime-database")
    needs("gio")
    needs("xdg-mime")
    (tmp_path / name).write_bytes(data)
    assert kind(tmp_path / name, home) == seen


def test_models_open_in_rigscope(home: Path) -> None:
    needs("update-desktop-database")
    cache = (home / "applications/mimeinfo.cache").read_text()
    assert "model/x-ogre-mesh=rigscope.desktop;" in cache


def sandbox(sample: Path, folder: Path) -> list[str]:
    """The words before a command that let it see `/usr`, the program and one file, and write into `/tmp`.

    Source: `add_bwrap` of gnome-desktop, `gnome-desktop-thumbnail-script.c`.
    """
    program = {str(Path(each).resolve()) for each in (sys.prefix, sys.base_prefix, ROOT)} | {sys.prefix}
    links = [word for name in ("bin", "lib", "lib64") for word in ("--symlink", f"usr/{name}", f"/{name}")]
    seen = ["/usr", "/etc/ld.so.cache", "/etc/alternatives", *sorted(program)]
    words = ["bwrap", *links, "--proc", "/proc", "--dev", "/dev", "--chdir", "/", "--unshare-all"]
    words += [
        "--clearenv",
        "--bind",
        str(folder),
        "/tmp",
        *(word for path in seen for word in ("--ro-bind-try", path, path)),
    ]
    words += ["--ro-bind", str(sample), f"/tmp/in{sample.suffix}", "--setenv", "PYTHONPATH", str(ROOT)]
    if not shutil.which("bwrap") or subprocess.run([*words, "true"], capture_output=True).returncode:
        pytest.skip("needs bwrap, and user namespaces")
    return words


@pytest.mark.usefixtures("wow")
@pytest.mark.parametrize("name", ["Urho3D model", "BLP picture"])
def test_a_thumbnail_is_drawn_in_a_sandbox_without_neighbours(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    before = sandbox(sample, tmp_path)
    entry = thumbnailer_entry(PROGRAM)
    (line,) = (line for line in entry.splitlines() if line.startswith("Exec="))
    values = {"%i": f"/tmp/in{sample.suffix}", "%o": "/tmp/out.png", "%sx%s": "128x128"}
    command = [values.get(word, word) for word in shlex.split(line.removeprefix("Exec="))]
    done = subprocess.run([*before, *command], capture_output=True, text=True, timeout=60)
    missing = (
        ["rigscope: /tmp/in.mdl: material Materials/in.xml is missing"] if sample.suffix == ".mdl" else []
    )
    assert (done.returncode, done.stderr.splitlines()) == (0, missing)
    with Image.open(tmp_path / "out.png") as picture:
        assert picture.size == (128, 128)
        assert len(picture.convert("RGB").getcolors(128 * 128)) > 100


def test_removing_leaves_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(integrate, "command", lambda: ("/usr/bin/env",))
    assert main(["integrate"]) == 0
    written = capsys.readouterr().out.splitlines()
    assert all(Path(path).is_file() for path in written) and len(written) == 8
    assert main(["integrate", "--remove"]) == 0
    assert capsys.readouterr().out.splitlines() == written
    assert list(tmp_path.iterdir()) == []


def test_shells_find_the_completion(home: Path) -> None:
    assert b"complete " in (home / "bash-completion/completions/rigscope").read_bytes()
    assert b"complete " in (home / "fish/vendor_completions.d/rigscope.fish").read_bytes()
    assert (home / "zsh/site-functions/_rigscope").read_bytes().startswith(b"#compdef rigscope\n")


def test_zsh_needs_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(integrate, "command", lambda: ("/usr/bin/env",))
    monkeypatch.setattr(integrate.shutil, "which", lambda name: f"/bin/{name}" if name == "zsh" else None)
    assert main(["integrate"]) == 0
    assert f"fpath+=({tmp_path}/zsh/site-functions)" in capsys.readouterr().err


def test_a_file_of_somebody_else_is_told_and_changes_the_exit_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "thumbnailers/rigscope.thumbnailer"
    other.parent.mkdir()
    other.write_text("other")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(integrate, "command", lambda: ("/usr/bin/env",))
    assert main(["integrate"]) == 2
    assert f"{other}: left as it is" in capsys.readouterr().err
    assert other.read_text() == "other"


def test_a_command_outside_usr_is_not_seen_by_gnome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(integrate, "command", lambda: ("/opt/rigscope",))
    main(["integrate"])
    assert "sandbox that can read only /usr/" in capsys.readouterr().err


def test_other_systems_are_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(integrate.sys, "platform", "darwin")
    assert main(["integrate"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "Linux and Windows" in line and "manual" in line


@pytest.mark.parametrize("words", [["a.mdl"], ["--remove", "x"]])
def test_no_file_is_taken(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["integrate", *words]) == 2
    assert "needs no FILE" in capsys.readouterr().err
