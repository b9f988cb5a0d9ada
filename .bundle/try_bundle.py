"""Tries the bundle on a system without Python: `python3 .bundle/try_bundle.py [ARCHIVE]` on Debian or Ubuntu.

Packages of the distribution are unpacked into a folder, the root of the system. `try_in_root.sh` uses the
bundle there, and this script compares the results with those of the installed wheel. `dev.py bundle` comes
first, because the wheel is in its environment. The results stay in `build/bundle/root/out`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "bundle"
PYTHON = BUILD / "venv" / "bin" / "python"
SYSTEM, PACKAGES = BUILD / "root", BUILD / "packages"
INSTALLED = (
    *("libc6", "dash", "coreutils", "findutils", "grep", "mount"),
    *("libegl1", "libgl1", "libgl1-mesa-dri", "libx11-6", "libxext6", "libxrender1", "libxrandr2"),
    *("xvfb", "xdotool"),
)
"""The packages that the root has, together with what they need."""
PLACE = "opt/Drei Modelle 三个模型"
"""The folder that the bundle is unpacked into: with spaces and letters of other scripts."""
CACHES = ("home/one", "home/two", "out")
GL = {"MESA_GL_VERSION_OVERRIDE": "3.3", "MESA_GLSL_VERSION_OVERRIDE": "330", "LP_NUM_THREADS": "0"}
BROKEN = "raise RuntimeError('made to fail')\n"


def main(arguments: list[str]) -> int:
    """Prepare the root, use the bundle in it and compare; return the exit status."""
    if Path(sys.prefix) != BUILD / "venv":
        return subprocess.run([PYTHON, __file__, *arguments], check=False).returncode
    archive = Path(arguments[0]) if arguments else newest()
    make_root()
    bundle = unpack(archive)
    add_plugins(bundle / "plugins")
    write_figure(SYSTEM / "out" / "figure.iqm")
    use(f"/{bundle.relative_to(SYSTEM)}")
    compare(SYSTEM / "out")
    return 0


def newest() -> Path:
    """The path of the archive that was written last."""
    return max((ROOT / "dist").glob("*.tar.xz"), key=lambda path: path.stat().st_mtime)


def make_root() -> None:
    """Unpack the packages into the folder of the root."""
    shutil.rmtree(SYSTEM, ignore_errors=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        (SYSTEM / "usr" / name).mkdir(parents=True)
        (SYSTEM / name).symlink_to(f"usr/{name}")
    for name in ("proc", "dev", "tmp", "etc", "opt", *CACHES):
        (SYSTEM / name).mkdir(parents=True)
    PACKAGES.mkdir(parents=True, exist_ok=True)
    left_out = [
        f"--no-{kind}" for kind in ("recommends", "suggests", "conflicts", "breaks", "replaces", "enhances")
    ]
    command = ["apt-cache", "depends", "--recurse", *left_out, *INSTALLED]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names = {line for line in listed.splitlines() if line and not line.startswith((" ", "<", "|"))}
    names = {name for name in names if ":" not in name and not name.startswith(("python", "libpython"))}
    missing = sorted(name for name in names if not any(PACKAGES.glob(f"{name}_*.deb")))
    if missing:
        subprocess.run(["apt-get", "-qq", "download", *missing], cwd=PACKAGES, check=True)
    for package in sorted(each for name in names for each in PACKAGES.glob(f"{name}_*.deb")):
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as files:
            unpack = ["tar", "-x", "--keep-directory-symlink", "--no-same-owner", "-C", SYSTEM]
            subprocess.run(unpack, stdin=files.stdout, check=True)
    subprocess.run(["ldconfig", "-r", SYSTEM], check=False)


def unpack(archive: Path) -> Path:
    """Unpack the bundle into the root; return its folder."""
    place = SYSTEM / PLACE
    place.mkdir(parents=True)
    subprocess.run(["tar", "-xf", archive, "-C", place], check=True)
    (bundle,) = place.iterdir()
    return bundle


def add_plugins(folder: Path) -> None:
    """Install the sample plugin into the folder of plugins, and a plugin that cannot be imported."""
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--target", folder, ROOT / "tests/plugin_iqm"], check=True)
    (folder / "made_broken.py").write_text(BROKEN)
    record = folder / "made_broken-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: made-broken\nVersion: 1.0\n")
    (record / "entry_points.txt").write_text("[rigscope.families]\nbroken = made_broken:FAMILY\n")


def write_figure(path: Path) -> None:
    """Write a file of the sample plugin's format."""
    code = f"from tests.plugin_iqm.samples import data; open({str(path)!r}, 'wb').write(data())"
    places = os.pathsep.join([str(ROOT), str(ROOT / "tests/plugin_iqm")])
    subprocess.run([PYTHON, "-c", code], env=os.environ | {"PYTHONPATH": places}, check=True)


def use(bundle: str) -> None:
    """Run `try_in_root.sh` in the root; exit if it fails."""
    shutil.copy(HERE / "try_in_root.sh", SYSTEM)
    mounts = f"""
        mount -t proc none {SYSTEM}/proc
        mount --rbind /dev {SYSTEM}/dev
        mount -t tmpfs none {SYSTEM}/tmp
        mkdir /{SYSTEM}/tmp/.X11-unix
        mount --bind "{SYSTEM}{bundle}" "{SYSTEM}{bundle}"
        mount -o remount,bind,ro "{SYSTEM}{bundle}"
        exec chroot {SYSTEM} /bin/sh /try_in_root.sh "$1"
    """
    spaces = ["unshare", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child"]
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"} | GL
    done = subprocess.run([*spaces, "sh", "-ec", mounts, "sh", bundle], env=environment, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def compare(out: Path) -> None:
    """Compare the results with those of the wheel; exit at the first difference."""
    import av
    import numpy as np
    from PIL import Image

    model = ROOT / "assets/urho3d/Models/Beacon.mdl"
    wanted = out / "wheel.png"
    picture = ("--size", "400x300", "--animation", "Beacon_Dance", "--time", "0.3")
    render = [PYTHON, "-m", "viewer", "render", model, "-o", wanted, *picture]
    subprocess.run(render, cwd=out, env=os.environ | GL, check=True)
    ours, theirs = (
        np.asarray(Image.open(path).convert("RGB"), np.int16) for path in (out / "picture.png", wanted)
    )
    check(bool(ours.std() > 5), "the picture shows something")
    check(ours.shape == theirs.shape and int(np.abs(ours - theirs).max()) <= 1, "the picture is the wheel's")
    with av.open(str(out / "film.mp4")) as film:
        frames = [frame.to_ndarray(format="rgb24").astype(np.int16) for frame in film.decode(video=0)]
        check(film.streams.video[0].codec_context.name == "h264", "the film is H.264")
    check(len(frames) > 10 and int(np.abs(frames[0] - frames[len(frames) // 2]).max()) > 50, "the film moves")
    check((out / "page.html").stat().st_size > 10000, "the gallery is a page")
    check("3 files" in (out / "thumbs.txt").read_text(), "the gallery has every sample")
    check("# Start" in (out / "help.txt").read_text(), "help shows a page of the manual")
    check("IQM" in (out / "families.txt").read_text(), "the plugin is listed")
    check(json.loads((out / "figure.json").read_text())["complete"], "the plugin reads its file")
    window, manual = (screen(out / f"{name}.xwd") for name in ("window", "manual"))
    check(len(np.unique(window.reshape(-1, 3), axis=0)) > 500, "the window shows the sample")
    check(float((window != manual).any(axis=2).mean()) > 0.05, "the manual opens in the window")


def screen(path: Path):
    """The picture [height, width, 3] of a screen in a file of Xvfb, which is written as PNG beside it."""
    import numpy as np
    from PIL import Image

    data = path.read_bytes()
    header = np.frombuffer(data, ">u4", 25)
    size, width, height, row, colours = (int(header[n]) for n in (0, 4, 5, 12, 19))
    pixels = np.frombuffer(data, np.uint8, row * height, size + 12 * colours).reshape(height, row // 4, 4)
    picture = pixels[:, :width, 2::-1]
    Image.fromarray(np.ascontiguousarray(picture)).save(path.with_suffix(".png"))
    return picture


def check(fine: bool, what: str) -> None:
    """Print what is true; exit if it is not."""
    if not fine:
        sys.exit(f"try_bundle: FAILED: {what}")
    print(f"try_bundle: {what}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
