#!/usr/bin/env python3
"""Development tasks of Rigscope.

    python3 dev.py run [ARGS...]      run the viewer; without ARGS it opens the sample model, or without a
                                      display draws it into rigscope-sample.png
    python3 dev.py test [ARGS...]     run the tests; ARGS go to pytest
    python3 dev.py check [--fix]      check formatting, lint and types; --fix corrects them if possible
    python3 dev.py bench [ARGS...]    run the benchmarks
    python3 dev.py fuzz [FORMAT...]   open, pose and draw mutated files, and record failures (--help)
    python3 dev.py soak [ARGS...]     use the program at random for a long time, and measure growth (--help)
    python3 dev.py assets             write the sample models again
    python3 dev.py manual             write the manual as a site into build/manual; --facts writes the facts
                                      of the program into its pages, --pictures draws their pictures
    python3 dev.py bundle             write the program with Python and its libraries into dist, as an archive

Each command first prepares its environment: .venv, Python packages, system libraries.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SAMPLE = ROOT / "assets/urho3d/Models/Beacon.mdl"
PICTURE = "rigscope-sample.png"
PICTURE_VIEW = shlex.split("--animation Beacon_Dance --time 0.3 --yaw 15 --pitch 8 --distance 1.05")

VENV = ROOT / ".venv"
WINDOWS = sys.platform == "win32"
LINUX = sys.platform.startswith("linux")
BIN = VENV / ("Scripts" if WINDOWS else "bin")
PYTHON = BIN / ("python.exe" if WINDOWS else "python")
RIGSCOPE = BIN / ("rigscope.exe" if WINDOWS else "rigscope")
STAMP = VENV / "rigscope-stamp"  # written last: it marks a complete environment

LIBRARIES = {  # library: its Debian package
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",  # ImGui is linked against it, with or without a window
    "libXrender.so.1": "libxrender1",  # required by pyglet
    "libXrandr.so.2": "libxrandr2",  # pyglet: one screen of several
}
TEST_PROGRAMS = {
    "Xvfb": "xvfb",
    "xdotool": "xdotool",  # the window is tested with real keys
    "chromium": "chromium",  # galleries are tested with real clicks
    "dbus-daemon": "dbus",  # the bus on which a test stands in for the desktop's file dialog
    "bwrap": "bubblewrap",  # the sandbox in which desktops draw thumbnails
    "desktop-file-validate": "desktop-file-utils",
    "gio": "libglib2.0-bin",
    "update-mime-database": "shared-mime-info",
    "xdg-mime": "xdg-utils",
    "zsh": "zsh",  # completion is tested in real shells
    "fish": "fish",
    "smpq": "smpq",  # archives of StormLib are compared with ours
}
DRIVERS = ("/usr/lib/*/dri/*_dri.so", "/usr/lib*/dri/*_dri.so", "/run/opengl-driver/lib/dri/*_dri.so")
VENDORS = "/usr/share/glvnd/egl_vendor.d/*nvidia*.json"  # NVIDIA's driver replaces Mesa's
CJK_FONTS = (
    "/usr/share/fonts/**/*CJK*.tt?",
    "/usr/share/fonts/**/wqy-*.ttc",
    "/usr/share/fonts/**/DroidSansFallback*.ttf",
)  # names in game files are often Chinese
SOFTWARE_GL = {
    "MESA_GL_VERSION_OVERRIDE": "3.3",
    "MESA_GLSL_VERSION_OVERRIDE": "330",
}  # newer features fail
SINGLE_GL = SOFTWARE_GL | {"LP_NUM_THREADS": "0"} if LINUX else {}  # small pictures need no threads
ONE_BLAS_THREAD = {"OPENBLAS_NUM_THREADS": "1"}  # as in the program
TIDY_MEMORY = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "65536",
}  # so that memory kept by the C library does not hide growth
ALL_CORES = ["-q", "-n", "auto", "--maxprocesses", "8", "--dist", "worksteal"]


def main(argv: list[str]) -> int:
    """Run one command and return its exit status."""
    if not argv or argv[0] in ("-h", "--help", "help"):
        print((__doc__ or "").strip())
        return 0 if argv else 2
    command = COMMANDS.get(argv[0])
    if command is None:
        return complain(f"{argv[0]!r} is not a command; the commands are: {', '.join(COMMANDS)}")
    try:
        return command(argv[1:])
    except KeyboardInterrupt:
        return 130


def run(args: list[str]) -> int:
    """Run the viewer in the current folder; relative paths in `args` are relative to it."""
    prepare(libraries=True)
    if args:
        return call(RIGSCOPE, *args)
    if has_display():
        return call(RIGSCOPE, SAMPLE)
    say("no display found (DISPLAY and WAYLAND_DISPLAY are not set): drawing the sample into a picture")
    status = call(RIGSCOPE, "render", SAMPLE, "-o", PICTURE, *PICTURE_VIEW)
    if status == 0:
        print(Path(PICTURE).resolve())
    return status


def test(args: list[str]) -> int:
    """Run the tests with OpenGL 3.3; without `args` run all tests on all cores."""
    prepare(libraries=True, programs=True)
    chosen = args or ALL_CORES
    env = os.environ | SINGLE_GL | ONE_BLAS_THREAD
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # tests start the program hundreds of times
    return call(PYTHON, "-m", "pytest", *chosen, cwd=ROOT, env=env)


def check(args: list[str]) -> int:
    """Check formatting, lint and types; all three checks always run."""
    if args not in ([], ["--fix"]):
        return complain("check accepts only --fix")
    prepare()
    fix = args == ["--fix"]
    steps = [
        ("ruff", "format", *(() if fix else ("--check",)), "."),
        ("ruff", "check", *(("--fix",) if fix else ()), "."),
        ("mypy",),
    ]
    return max([call(PYTHON, "-m", *step, cwd=ROOT) for step in steps])


def bench(args: list[str]) -> int:
    """Run the benchmarks."""
    prepare(libraries=True)
    return call(PYTHON, "-m", "tests.benchmarks", *args, cwd=ROOT)


def fuzz(args: list[str]) -> int:
    """Open, pose and draw mutated files with OpenGL 3.3."""
    prepare(libraries=True)
    return call(PYTHON, "-m", "tests.fuzzing", *args, cwd=ROOT, env=os.environ | SINGLE_GL)


def soak(args: list[str]) -> int:
    """Use the program at random for a long time."""
    prepare(libraries=True)
    return call(PYTHON, "-m", "tests.soaking", *args, cwd=ROOT, env=os.environ | SINGLE_GL | TIDY_MEMORY)


def assets(args: list[str]) -> int:
    """Write the sample models again."""
    prepare()
    return call(PYTHON, ROOT / "assets" / "build.py", *args, cwd=ROOT)


def manual(args: list[str]) -> int:
    """Write the manual as a site, or its facts or pictures."""
    prepare(libraries="--pictures" in args)
    return call(PYTHON, ROOT / "assets" / "manual" / "build.py", *args, cwd=ROOT)


def bundle(args: list[str]) -> int:
    """Write the program with Python and its libraries as an archive that needs no installation."""
    prepare()
    return call(PYTHON, ROOT / ".bundle" / "build.py", *args)


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "run": run,
    "test": test,
    "check": check,
    "bench": bench,
    "fuzz": fuzz,
    "soak": soak,
    "assets": assets,
    "manual": manual,
    "bundle": bundle,
}


def prepare(libraries: bool = False, programs: bool = False) -> None:
    """Prepare the environment of a command; exit if this fails."""
    if LINUX and libraries:
        install_packages(sorted(set(missing_packages(programs))))
    wanted = fingerprint()
    if STAMP.is_file() and PYTHON.exists() and STAMP.read_text() == wanted:
        return
    if not usable(PYTHON):
        make_environment()
    say("installing Python packages into .venv (a minute or two the first time) …")
    STAMP.unlink(missing_ok=True)
    pip = (PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    if call(*pip, "--editable", f"{ROOT}[dev]"):
        sys.exit(
            complain("pip could not install the packages (see its message above); run the command again", 1)
        )
    STAMP.write_text(fingerprint())


def fingerprint() -> str:
    """Hash the requirements, the Python and the folder. After a change the packages are installed again."""
    parts = ((ROOT / "pyproject.toml").read_bytes(), str(PYTHON.resolve()).encode(), str(ROOT).encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def usable(python: Path) -> bool:
    """Whether this interpreter starts, is new enough and has pip."""
    probe = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    try:
        return subprocess.run([python, "-c", probe], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def make_environment() -> None:
    """Replace the .venv by a new one. On Debian the `venv` module is a separate package."""
    if VENV.exists():
        say(".venv is not usable: creating it again")
        shutil.rmtree(VENV)
    if LINUX and not has_module("ensurepip"):
        install_packages(["python3-venv"])
        if not has_module("ensurepip"):
            sys.exit(complain(f"{sys.executable} needs python3-venv to create a virtual environment", 1))
    if call(sys.executable, "-m", "venv", VENV) or not usable(PYTHON):
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(complain(f"{sys.executable} could not create a virtual environment in {VENV}", 1))


def has_module(name: str) -> bool:
    """Whether this Python has a module. A new process tests it, because the module may be just installed."""
    return (
        subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True, check=False).returncode
        == 0
    )


def missing_packages(programs: bool) -> Iterator[str]:
    """The Debian packages of missing libraries, drivers, fonts and programs."""
    yield from (package for library, package in LIBRARIES.items() if not loads(library))
    if not any(any(Path("/").glob(pattern[1:])) for pattern in (*DRIVERS, VENDORS)):
        yield "libgl1-mesa-dri"
    if not any(any(Path("/").glob(pattern[1:])) for pattern in CJK_FONTS):
        yield "fonts-wqy-microhei"
    if programs:
        yield from (package for program, package in TEST_PROGRAMS.items() if not shutil.which(program))


def loads(library: str) -> bool:
    """Whether the dynamic loader finds a library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def install_packages(packages: list[str]) -> None:
    """Install packages with apt-get as root; otherwise print the command and continue."""
    if not packages:
        return
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return say(f"missing: {' '.join(packages)}; on Debian and Ubuntu: sudo {shlex.join(install)}")
    say(f"installing system packages: {' '.join(packages)} …")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update"], install):
        wait = [command[0], "-qq", "-o", "DPkg::Lock::Timeout=300", *command[1:]]
        done = subprocess.run(
            wait, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    if done.returncode:
        say(f"apt-get failed; install them manually: {shlex.join(install)}\n{done.stderr.strip()}")


def has_display() -> bool:
    """Whether a window can be opened: always on macOS and Windows."""
    return not LINUX or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def call(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> int:
    """Run a program in the foreground and return its exit status. The signal SIGTERM ends the program too."""
    sys.stdout.flush()
    with subprocess.Popen([str(word) for word in command], cwd=cwd, env=env) as program:
        before = signal.signal(signal.SIGTERM, lambda number, frame: program.terminate())
        try:
            return program.wait()
        except KeyboardInterrupt:
            program.kill()
            raise
        finally:
            signal.signal(signal.SIGTERM, before)


def say(text: str) -> None:
    """Print one line for the user to stderr."""
    print(f"dev.py: {text}", file=sys.stderr, flush=True)


def complain(text: str, status: int = 2) -> int:
    """Print an error and return the exit status."""
    say(text)
    return status


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 (the system's Python may be older)
        sys.exit("dev.py needs Python 3.11 or newer; this is " + sys.version.split()[0])
    sys.exit(main(sys.argv[1:]))
