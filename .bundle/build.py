"""Makes the bundle: the program with Python and all libraries in one archive, `dist/rigscope-…`.

The program is installed as a wheel into an environment of its own. PyInstaller collects its modules and
libraries from there, as `rigscope.spec` says. `try_bundle.py` tests the result.
"""

from __future__ import annotations

import lzma
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD, DIST = ROOT / "build" / "bundle", ROOT / "dist"
VENV = BUILD / "venv"
WINDOWS, MAC, LINUX = (sys.platform.startswith(each) for each in ("win", "darwin", "linux"))
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
SYSTEM = {"win": "windows", "dar": "macos", "lin": "linux"}[sys.platform[:3]]
MACHINE = {"amd64": "x86_64", "aarch64": "arm64"}.get(platform.machine().lower(), platform.machine().lower())
INSIDE = "--inside"
"""The word with which this script runs itself with the Python of the bundle's environment."""
LARGEST = 75_000_000
"""The largest number of bytes of the archive."""
WINDOW = 1 << 26
"""The number of bytes in which equal parts are found: the pictures of the manual are there twice."""
PLUGINS = """\
Plugins are Python packages that open more formats. Install one into this folder from a computer with Python:

    pip install --no-deps --target PATH-OF-THIS-FOLDER NAME-OF-THE-PLUGIN

The folder NAME-VERSION.dist-info that comes with the package has to stay beside it.
"""


def main(arguments: list[str]) -> int:
    """Make the archive and print its path; return the exit status."""
    if arguments == [INSIDE]:
        complete(BUILD / "out" / "rigscope")
        return 0
    if arguments:
        print("dev.py: bundle accepts no arguments", file=sys.stderr)
        return 2
    BUILD.mkdir(parents=True, exist_ok=True)
    call(sys.executable, "-m", "venv", VENV)
    call(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{ROOT}[bundle]")
    places = ("--workpath", BUILD / "work", "--distpath", BUILD / "out")
    call(PYTHON, "-m", "PyInstaller", "-y", "--log-level", "WARN", *places, HERE / "rigscope.spec")
    call(PYTHON, __file__, INSIDE)
    return 0


def complete(folder: Path) -> None:
    """Strip the libraries, add the files for people and licences, and write the archive."""
    if LINUX:
        strip_libraries(folder / "lib")
        print(f"needs glibc {oldest_glibc(folder)} or newer")
    add_files(folder)
    add_licences(folder)
    archive = write_archive(folder)
    size = archive.stat().st_size
    print(f"{archive} ({size / 1e6:.1f} MB)")
    if LINUX and size > LARGEST:
        sys.exit(f"the archive is larger than {LARGEST / 1e6:g} MB")


def libraries(folder: Path) -> Iterator[Path]:
    """Yield the native programs and libraries of a folder on Linux."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def strip_libraries(folder: Path) -> None:
    """Remove the symbols that only debuggers need. A library that would not load afterwards stays as it is:
    in some libraries of wheels, `strip` misplaces the segments that were added to them.
    """
    with tempfile.TemporaryDirectory() as temporary:
        stripped = Path(temporary) / "stripped"
        for path in libraries(folder):
            call("strip", "--strip-unneeded", "-o", stripped, path)
            if has_aligned_segments(stripped.read_bytes()):
                stripped.chmod(path.stat().st_mode)
                shutil.move(stripped, path)


def has_aligned_segments(data: bytes) -> bool:
    """Whether the loader can map every segment of a 64-bit ELF file: its offset and its address are equal
    modulo its alignment.
    """
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for n in range(count):
        kind, _, offset, address, _, _, _, alignment = struct.unpack_from("<IIQQQQQQ", data, table + n * size)
        if kind == 1 and (offset - address) % alignment:
            return False
    return True


def oldest_glibc(folder: Path) -> str:
    """The oldest version of glibc that has all symbols that the bundle's libraries import."""
    command = ["objdump", "-T", *map(str, libraries(folder))]
    symbols = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    wanted = re.findall(r"\*UND\*.*GLIBC_([\d.]+)", symbols)
    return max(wanted, key=lambda version: [int(part) for part in version.split(".")])


def add_files(folder: Path) -> None:
    """Add the icon, the desktop entry, the manual and the folder of plugins."""
    from viewer.library.desktop.entries import desktop_entry

    shutil.copy(ROOT / "assets/icon/rigscope.svg", folder)
    shutil.copytree(ROOT / "assets/manual", folder / "manual", ignore=shutil.ignore_patterns("*.py"))
    if LINUX:
        (folder / "rigscope.desktop").write_text(desktop_entry(("rigscope",)), encoding="utf-8")
    (folder / "plugins").mkdir()
    (folder / "plugins/README.txt").write_text(PLUGINS, encoding="utf-8")


def add_licences(folder: Path) -> None:
    """Add the licence texts of everything inside, and the list of it. Exit if a text is missing."""
    texts = shutil.copytree(HERE / "licenses", folder / "licenses")
    rows = ["| what | version | texts |", "|---|---|---|"]
    for name, version, files in (*packages(folder), *python(), *system_libraries(folder)):
        if not files:
            sys.exit(f"{name} has no licence text")
        kept = []
        for file in files:
            copy = texts / f"{name}-{file.name}".replace("-copyright", ".txt")
            shutil.copy(file, copy)
            kept.append(f"`{copy.name}`")
        rows.append(f"| {name} | {version} | {', '.join(kept)} |")
    shutil.copy(ROOT / "LICENSE", folder)
    said = (HERE / "LICENSES.md").read_text(encoding="utf-8")
    (folder / "LICENSES.md").write_text(said + "\n".join([*rows, ""]), encoding="utf-8")


Part = tuple[str, str, list[Path]]
"""A part of the bundle: its name, its version, its licence texts."""


def packages(folder: Path) -> Iterator[Part]:
    """Yield the Python packages in the bundle, and PyInstaller, whose bootloader is in it."""
    inside = {path.name.partition("-")[0] for path in folder.rglob("*.dist-info")}
    for name in sorted(inside | {"pyinstaller"}, key=str.lower):
        found = metadata.distribution(name)
        paths = [Path(str(found.locate_file(each))) for each in found.files or ()]
        named = re.compile(r"(licen[sc]e|copying|authors|notice)[^/]*$", re.IGNORECASE)
        texts = [each for each in paths if ".dist-info" in each.as_posix() and named.match(each.name)]
        yield (
            found.name,
            found.version,
            list({each.name: each for each in texts if each.suffix != ".py"}.values()),
        )


def python() -> Iterator[Part]:
    """Yield Python itself."""
    places = (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix))
    texts = [place / "LICENSE.txt" for place in places if (place / "LICENSE.txt").is_file()]
    texts = texts or [
        each for each in (Path("/usr/share/doc/libpython3-stdlib/copyright"),) if each.is_file()
    ]
    yield "Python", platform.python_version(), texts[:1]


def system_libraries(folder: Path) -> Iterator[Part]:
    """Yield the packages of Debian or Ubuntu whose libraries are in the bundle."""
    names = {path.name for path in (folder / "lib").glob("lib*.so*") if not path.is_symlink()}
    for name in sorted(names if LINUX else ()):
        if name.startswith("libpython"):
            continue
        done = subprocess.run(["dpkg", "-S", f"*/{name}"], capture_output=True, text=True, check=False)
        owner = done.stdout.partition(":")[0]
        if not owner:
            sys.exit(f"no package of the system has {name}")
        show = ["dpkg-query", "-W", "-f", "${Version}", owner]
        version = subprocess.run(show, capture_output=True, text=True, check=True).stdout.split("\n")[0]
        yield owner, version, [Path(f"/usr/share/doc/{owner}/copyright")]


def write_archive(folder: Path) -> Path:
    """Write the archive of the folder; return its path."""
    name = f"rigscope-{metadata.version('rigscope')}-{SYSTEM}-{MACHINE}"
    DIST.mkdir(exist_ok=True)
    if LINUX:
        path = DIST / f"{name}.tar.xz"
        filters = [{"id": lzma.FILTER_X86}] if MACHINE == "x86_64" else []
        filters.append({"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": WINDOW})
        with (
            lzma.open(path, "w", filters=filters) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            archive.add(folder, name, filter=of_nobody)
        return path
    shutil.rmtree(BUILD / name, ignore_errors=True)
    shutil.copytree(folder, BUILD / name, symlinks=True)
    path = DIST / f"{name}.zip"
    if MAC:
        shutil.rmtree(BUILD / name / "lib")
        (BUILD / name / "rigscope").unlink()
        shutil.copytree(folder.parent / "Rigscope.app", BUILD / name / "Rigscope.app", symlinks=True)
        call("ditto", "-c", "-k", "--keepParent", BUILD / name, path)  # keeps links and rights
        return path
    return Path(shutil.make_archive(str(path.with_suffix("")), "zip", BUILD, name))


def of_nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """An entry of the archive without the names of the user who built it."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry


def call(*command: str | Path) -> None:
    """Run a program; exit with its status if it fails."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    # Not in the checkout: Python would find its modules before those of the wheel.
    done = subprocess.run([str(word) for word in command], cwd=BUILD, env=environment, check=False)
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
