"""Opening the folder of a game: a client of 20 archives with 400,000 names; creatures and characters."""

from __future__ import annotations

import shutil
import tempfile
import time
import zlib
from functools import partial
from pathlib import Path
from statistics import median

import pytest
from msgspec.structs import replace

from tests.benchmarks.made import CLIENT, CLIENT_FILES, client, client_name
from tests.benchmarks.measure import ROOT, SHARED, Row, Rows, budget, cpu, peak_bytes
from tests.benchmarks.window import FRAME, settle, window
from tests.character_files import write_character
from tests.creature_files import write_creature
from viewer.families.wow.mpq.layout import COMPRESSED
from viewer.families.wow.mpq.writer import MpqFile, mpq_bytes
from viewer.scene.characters import CharacterLook
from viewer.scene.reading_context import DEFAULT
from viewer.session.pending_files import ItemSearch
from viewer.session.state import State
from viewer.storage import package_path, place
from viewer.storage.cache_folder import FOLDER_VARIABLE
from viewer.storage.documents import open_document
from viewer.storage.package_path import open_package

COUNT = len(CLIENT) * CLIENT_FILES
ENTRIES = len(CLIENT) << (2 * (CLIENT_FILES + 2)).bit_length()
"""Entries of the hash tables of the archives."""
TRIES, SECTOR = 200, 4096
SKIN = ROOT / "assets/m2/Creature/Puff/PuffSkin.blp"
GOBLIN = SHARED / "character/Character/Goblin/Male/GoblinMale.M2"


def rows() -> Rows:
    """List all files of a client, and read files by their names. Seconds are those of the processor."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER_VARIABLE, f"{folder}/cache")
        path = client(Path(folder) / "game")
        listed, again = _listed(path), _listed(path)
        game = open_package(path, DEFAULT)
        assert game is not None
        for number in range(len(CLIENT)):  # opens the archives
            game.read(client_name(number, 1))
        begun = time.thread_time()
        for number in range(TRIES):
            assert game.read(client_name(number % len(CLIENT), number * 50)) == b"x"
        read = (time.thread_time() - begun) / TRIES
        base, kept = peak_bytes("info", str(SKIN)), peak_bytes("info", path)
        shutil.rmtree(f"{folder}/cache")
        cold = peak_bytes("info", path)
    yield budget(f"list a client of {COUNT:,} files, cold", listed, 2.5)
    yield budget("list it from the kept list", again, 0.3)
    yield budget("read a file of it by name", read, 1e-3)
    most, text = (64 << 20) + 24 * ENTRIES, "64 MiB and 24 bytes a hash entry"
    yield Row("list it cold, memory", cold - base, most, 1, text, bytes=True)
    yield Row("list it from the kept list, memory", kept - base, most, 1, text, bytes=True)
    with tempfile.TemporaryDirectory() as folder:
        yield from _creatures(Path(folder))
        made = write_character(Path(folder) / "character")
        yield budget("another choice of a character until it is shown", _choice_time(made, (1, 0), 1), 0.1)
    if GOBLIN.is_file():
        yield budget("the same of a real character", _choice_time(GOBLIN, (7, 0), 4), 0.1)
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            patch.setenv(FOLDER_VARIABLE, folder)
            first, longest = _items_time(GOBLIN)
        yield budget("first rows of a slot's items, empty cache", first, 0.1)
        yield budget("the longest frame until all of them are there", longest, 0.1)


def _listed(folder: str) -> float:
    """Seconds of the processor until a program that has opened no archive has listed all files of a game."""
    place._opened.cache_clear()
    package_path._opened.cache_clear()
    begun = time.thread_time()
    game = open_package(folder, DEFAULT)
    assert game is not None
    count = len([*game.names(deep=True)])
    listed = time.thread_time() - begun
    assert count == COUNT
    return listed


def _choice_time(model: Path, body: tuple[int, int], hair: int) -> float:
    """Seconds that a user waits from a change of a character's look until the frame that shows it, in turns
    over its choices. `body` is another skin and a face of it, `hair` another style.
    """
    times = []
    with window(State(), model) as app:
        first = app.state.view.display
        assert isinstance(first, CharacterLook), "the model is a character"
        dressed = replace(first, skin=body[0], face=body[1])
        for look in [dressed, replace(first, hair=hair), replace(first, facial_hair=1), first] * 3:
            begun = time.perf_counter()
            app.state.view.display = look
            while app.state.document is None or app.state.document.worn != look:
                app.frame(FRAME)
            app.surface.framebuffer.ctx.finish()
            times.append(time.perf_counter() - begun)
            settle(app)
    return median(times)


def _items_time(model: Path) -> tuple[float, float]:
    """Seconds from the opening of a list of items until its first row, and of the longest frame until it is
    complete.
    """
    with window(State(), model) as app:
        character = app.state.document.character if app.state.document is not None else None
        assert character is not None, "the model is a character"
        search = app.state.pending_files.items = ItemSearch(character, "chest", "")
        begun, first, longest = time.perf_counter(), 0.0, 0.0
        while not search.done:
            start = time.perf_counter()
            app.frame(FRAME)
            longest = max(longest, time.perf_counter() - start)
            if search.entries and not first:
                first = time.perf_counter() - begun
    return first, longest


def _creatures(folder: Path) -> Rows:
    """A creature with its skins and tables out of an archive against the same files in a folder."""
    game = folder / "game"
    loose = write_creature(game, textures=[{"type": 11}, {"type": 12}, {"type": 13}])
    for skin in loose.parent.glob("*.blp"):
        shutil.copy(SKIN, skin)
    files = [path for path in game.rglob("*") if path.is_file()]
    data = {str(path.relative_to(game)).replace("/", "\\"): path.read_bytes() for path in files}
    for name, flags in (("stored", 0), ("packed", COMPRESSED)):
        packed = [MpqFile(each, content, flags) for each, content in data.items()]
        (folder / f"{name}.MPQ").write_bytes(mpq_bytes(packed))
    time.sleep(2.1)  # tables that changed a moment ago are not kept
    floor = cpu(lambda: _shown(str(loose)))
    read = [content for name, content in data.items() if not name.endswith(".dbc")]
    sectors = [zlib.compress(each[at : at + SECTOR]) for each in read for at in range(0, len(each), SECTOR)]
    inflating = cpu(lambda: [zlib.decompress(each) for each in sectors])
    for name, more, what in (
        ("stored", 0.0, "the same files in a folder"),
        ("packed", inflating, "the same in a folder, and zlib for its sectors"),
    ):
        ours = cpu(partial(_shown, f"{folder}/{name}.MPQ::Creature/Made/Made.m2"))
        yield Row(f"a creature out of an archive, {name}", ours, floor + more, 1.3, what)


def _shown(path: str) -> None:
    """Open a creature and decode its pictures."""
    model = open_document(path).model
    assert model is not None
    for texture in model.textures:
        assert texture.decode is not None, texture.name
        texture.decode()
