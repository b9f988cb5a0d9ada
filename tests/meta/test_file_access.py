"""Files are read, written and listed in one module each: `storage.reading`, `writing` and `listing`."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from tests.meta.modules import PACKAGE, modules, nodes

MODULES = [path.relative_to(PACKAGE).with_suffix("").as_posix() for path in modules().values()]

READS = {"read_bytes", "read_text"}
WRITES = {"write_bytes", "write_text", "touch", "savez", "savez_compressed", "tofile", "mkstemp", "mkdtemp"}
MOVES = {
    "os.replace",
    "os.rename",
    "os.link",
    "shutil.move",
    "shutil.copy",
    "shutil.copyfile",
    "shutil.copy2",
}
OPENS = {"open", "os.open", "os.fdopen", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open"}
LOADS = {"np.load", "np.fromfile", "np.memmap", "np.loadtxt", "np.genfromtxt", "mmap.mmap"}
STATS = {"os.stat"}
PICTURES = {"PIL.Image.open", "Image.open", "Pillow.open"}

READING = {
    "storage/reading": "the gate",
    "storage/versions": "the status of files alone; nothing is opened",
    "storage/writing": "a file of its own, whose target is on another disk",
    "gpu/shader": "the program's own shaders",
    "family/installed": "the entry points of installed distributions, below storage",
}
WRITING = {
    "storage/writing": "the gate",
    "commands/cli": "the null device, in place of a closed stream",
    "library/workers/worker": "the null device, in place of the standard streams",
}


@cache
def calls(source: str) -> tuple[tuple[int, str, ast.Call], ...]:
    """Line, dotted name and node of every call; the name of a call on an expression begins with a dot."""
    found = (node for node in nodes(source) if isinstance(node, ast.Call))
    return tuple((node.lineno, dotted(node.func), node) for node in found)


def dotted(node: ast.expr) -> str:
    """`a.b.c` of names; `.c` if the object is not a name."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def mode(call: ast.Call) -> str:
    """The mode of a call of `open`; `w` if it is not a constant."""
    given = [*call.args[1:2], *(each.value for each in call.keywords if each.arg == "mode")]
    if not given:
        return "r"
    return str(given[0].value) if isinstance(given[0], ast.Constant) else "w"


def text(module: str) -> str:
    """The source of a module."""
    return (PACKAGE / f"{module}.py").read_text(encoding="utf-8")


def reads(source: str) -> list[str]:
    """Where a module opens or tests a file for reading, as `line: name`."""
    found = []
    for line, name, call in calls(source):
        opens = name in OPENS and not set(mode(call)) & set("wax+")
        if opens or name in LOADS | STATS | PICTURES or name.rpartition(".")[2] in READS:
            found.append(f"{line}: {name}")
    return found


def writes(source: str) -> list[str]:
    """Where a module opens a file for writing or moves one, as `line: name`."""
    found = []
    for line, name, call in calls(source):
        opens = name in OPENS and bool(set(mode(call)) & set("wax+"))
        if name == "os.open":
            opens = "O_RDONLY" not in ast.unparse(call)
        into_file = bool(call.args) and dotted(call.args[0]) == "file"
        if opens or name in MOVES or (name.rpartition(".")[2] in WRITES and not into_file):
            found.append(f"{line}: {name}")
    return found


def test_files_are_read_through_the_gate() -> None:
    found = {module: reads(text(module)) for module in MODULES if module not in READING}
    assert {module: lines for module, lines in found.items() if lines} == {}


@pytest.mark.parametrize("module", READING)
def test_what_may_read_does(module: str) -> None:
    assert reads(text(module))


@pytest.mark.parametrize(
    "source",
    [
        "open(path)",
        "open(path, 'rb')",
        "open(path, mode='r')",
        "os.fdopen(handle)",
        "Path(path).read_bytes()",
        "folder.joinpath(name).read_text()",
        "np.load(path)",
        "os.stat(path)",
        "PIL.Image.open(path)",
    ],
)
def test_reading_is_seen(source: str) -> None:
    assert reads(source)


def test_other_methods_are_no_reading() -> None:
    assert reads("tree.open(3); loader.open(path); source.read(name); open(path, 'wb')") == []


def test_files_are_written_through_the_gate() -> None:
    found = {module: writes(text(module)) for module in MODULES if module not in WRITING}
    assert {module: lines for module, lines in found.items() if lines} == {}


@pytest.mark.parametrize("module", WRITING)
def test_what_may_write_does(module: str) -> None:
    assert writes(text(module))


@pytest.mark.parametrize(
    "source",
    [
        "open(path, 'wb')",
        "open(path, mode='a')",
        "open(path, kind)",
        "os.open(path, flags)",
        "os.open(path, os.O_WRONLY)",
        "os.fdopen(handle, 'w')",
        "Path(path).write_text(text)",
        "np.savez(path)",
        "tempfile.mkstemp()",
        "os.replace(part, path)",
    ],
)
def test_writing_is_seen(source: str) -> None:
    assert writes(source)


def test_other_methods_are_no_writing() -> None:
    assert writes("out.write(data); open(path); text.replace(a, b); np.savez(file, a=1)") == []


LISTS = {"os.scandir", "os.walk", "os.listdir", "glob"}
LISTING = {
    "family/installed": "the folders of installed distributions",
    "storage/listing": "the gate",
    "library/file_sources": "the patterns of the command line",
}


def lists(source: str) -> list[str]:
    """Where a module lists a folder, as `line: name`."""
    walks = {"rglob", "iterdir", "scandir"}
    return [
        f"{line}: {name}"
        for line, name, _ in calls(source)
        if name in LISTS or name.rpartition(".")[2] in walks
    ]


def test_folders_are_listed_through_the_gate() -> None:
    found = {module: lists(text(module)) for module in MODULES if module not in LISTING}
    assert {module: lines for module, lines in found.items() if lines} == {}


@pytest.mark.parametrize("module", LISTING)
def test_what_may_list_does(module: str) -> None:
    assert lists(text(module))


@pytest.mark.parametrize(
    "source", ["os.scandir(path)", "os.walk(top)", "Path(path).rglob('*')", "path.iterdir()"]
)
def test_listing_is_seen(source: str) -> None:
    assert lists(source)
