"""Opening the folder of a game: a client of 20 archives with 400,000 names."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import zlib
from functools import partial
from pathlib import Path
from statistics import median

import moderngl
import pytest
from msgspec.structs import replace

from tests.benchmarks.m2 import CHARACTER
from tests.benchmarks.measure import ROOT, Row, Rows, best, peak_bytes
from tests.benchmarks.window import FRAME, settle
from tests.character_files import write_character
from tests.conftest import SHARED
from tests.creature_files import write_creature
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.families.wow.mpq.layout import COMPRESSED
from viewer.families.wow.mpq.writer import MpqFile, mpq_bytes
from viewer.gpu.target import RenderTarget
from viewer.scene.characters import CharacterLook
from viewer.scene.reading_context import DEFAULT
from viewer.session.state import State
from viewer.storage import package_path, place
from viewer.storage.cache_folder import FOLDER_VARIABLE
from viewer.storage.documents import open_document
from viewer.storage.package_path import open_package

ARCHIVES = (
    *("dbc", "speech", "fonts", "interface", "misc", "sound", "wmo", "terrain", "texture", "model", "patch"),
    *(f"patch-{letter}" for letter in "23456789A"),
)
FILES = 20_000
"""Files of an archive."""
LISTED, AGAIN, READ = 2.5, 0.3, 1e-3
"""Seconds until all files are listed, until the next program has listed them, and to read a file by name."""
MEMORY, ENTRY = 64 << 20, 24
"""Bytes of memory that a list may take, and more for each entry of a hash table."""
ENTRIES = 1 << (2 * (FILES + 2)).bit_length()
"""Entries of the hash table of an archive."""
OLD = 1_600_000_000
"""A time in seconds, long ago: the list of a client that changed just now is not kept."""
CHANGED = 0.1
"""Seconds until another choice of a character is shown."""
WINDOW = (1280, 800)
TRIES = 200
GOBLIN = SHARED / "corpus" / "character" / CHARACTER
SKIN = ROOT / "assets/m2/Creature/Puff/PuffSkin.blp"
SECTOR = 4096


def rows() -> Rows:
    """List all files of a client, and read files by their names. Seconds are those of the processor."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER_VARIABLE, f"{folder}/cache")
        make_client(Path(folder) / "game")
        listed, again = _listed(f"{folder}/game"), _listed(f"{folder}/game")
        game = open_package(f"{folder}/game", DEFAULT)
        assert game is not None
        for number in range(len(ARCHIVES)):  # opens the archives
            game.read(name(number, 1))
        begun = time.thread_time()
        for number in range(TRIES):
            assert game.read(name(number % len(ARCHIVES), number * 50)) == b"x"
        read = (time.thread_time() - begun) / TRIES
        base, peak = peak_bytes("info", str(SKIN)), peak_bytes("info", f"{folder}/game")
        shutil.rmtree(f"{folder}/cache")
        first = peak_bytes("info", f"{folder}/game")
    count = len(ARCHIVES) * FILES
    yield Row(f"list a client of {count:,} files, cold", listed, LISTED, 1, "2.5 s")
    yield Row("list it from the kept list", again, AGAIN, 1, "0.3 s")
    yield Row("read a file of it by name", read, READ, 1, "1 ms")
    most, text = MEMORY + ENTRY * ENTRIES * len(ARCHIVES), "64 MiB and 24 bytes a hash entry"
    yield Row("list it cold, memory", first - base, most, 1, text, bytes=True)
    yield Row("list it from the kept list, memory", peak - base, most, 1, text, bytes=True)
    with tempfile.TemporaryDirectory() as folder:
        yield from _creatures(Path(folder))
        made = write_character(Path(folder) / "character")
        yield _choices("another choice of a character until it is shown", made, (1, 0), 1)
    if GOBLIN.is_file():
        yield _choices("the same of a real character", GOBLIN, (7, 0), 4)


def _listed(folder: str) -> float:
    """Seconds of the processor until a program that has opened no archive has listed all files of a game."""
    place._opened.cache_clear()
    package_path._opened.cache_clear()
    begun = time.thread_time()
    game = open_package(folder, DEFAULT)
    assert game is not None
    count = len([*game.names(deep=True)])
    listed = time.thread_time() - begun
    assert count == len(ARCHIVES) * FILES
    return listed


def _choices(name: str, model: Path, body: tuple[int, int], hair: int) -> Row:
    """Frames from a change of a character's look until the frame that shows it, in turns over its choices;
    the seconds that a user waits. `body` is another skin and a face of it, `hair` another style.
    """
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    target = RenderTarget(context, WINDOW)
    app = App(context, State(), DrawSurface(target.framebuffer, WINDOW, WINDOW), [str(model)])
    settle(app)
    first = app.state.view.display
    assert isinstance(first, CharacterLook), "the model is a character"
    skin, face = body
    looks = [
        replace(first, skin=skin, face=face),
        replace(first, hair=hair),
        replace(first, facial_hair=1),
        first,
    ]
    times = []
    for look in looks * 3:
        begun = time.perf_counter()
        app.state.view.display = look
        while app.state.document is None or app.state.document.worn != look:
            app.frame(FRAME)
        context.finish()
        times.append(time.perf_counter() - begun)
        settle(app)
    app.close()
    target.release()
    context.release()
    return Row(name, median(times), CHANGED, 1, "100 ms")


def _creatures(folder: Path) -> Rows:
    """A creature with its skins and tables out of an archive against the same files in a folder."""
    loose = write_creature(folder / "game", textures=[{"type": 11}, {"type": 12}, {"type": 13}])
    for skin in loose.parent.glob("*.blp"):
        shutil.copy(SKIN, skin)
    files = [path for path in (folder / "game").rglob("*") if path.is_file()]
    data = {str(path.relative_to(folder / "game")).replace("/", "\\"): path.read_bytes() for path in files}
    for name, flags in (("stored", 0), ("packed", COMPRESSED)):
        made = [MpqFile(each, content, flags) for each, content in data.items()]
        (folder / f"{name}.MPQ").write_bytes(mpq_bytes(made))
    time.sleep(2.1)  # tables that changed a moment ago are not kept
    floor = best(lambda: _shown(str(loose)), clock=time.thread_time)
    read = [content for name, content in data.items() if not name.endswith(".dbc")]
    sectors = [zlib.compress(each[at : at + SECTOR]) for each in read for at in range(0, len(each), SECTOR)]
    inflating = best(lambda: [zlib.decompress(each) for each in sectors], clock=time.thread_time)
    for name, more, what in (
        ("stored", 0.0, "the same files in a folder"),
        ("packed", inflating, "the same in a folder, and zlib for its sectors"),
    ):
        path = f"{folder}/{name}.MPQ::Creature/Made/Made.m2"
        ours = best(partial(_shown, path), clock=time.thread_time)
        yield Row(f"a creature out of an archive, {name}", ours, floor + more, 1.3, what)


def _shown(path: str) -> None:
    """Open a creature and decode its pictures."""
    model = open_document(path).model
    assert model is not None
    for texture in model.textures:
        assert texture.decode is not None, texture.name
        texture.decode()


def name(archive: int, number: int) -> str:
    """The name of a file of an archive."""
    return f"World/Sub{archive}/Folder{number // 100}/File_{number}.blp"


def make_client(folder: Path) -> None:
    """Write the archives of a client."""
    (folder / "Data").mkdir(parents=True)
    for number, archive in enumerate(ARCHIVES):
        files = [MpqFile(name(number, each).replace("/", "\\"), b"x", 0) for each in range(FILES)]
        (folder / f"Data/{archive}.MPQ").write_bytes(mpq_bytes(files))
    for path in (*(folder / "Data").iterdir(), folder / "Data", folder):
        os.utime(path, (OLD, OLD))
