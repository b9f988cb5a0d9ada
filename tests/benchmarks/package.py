"""Packages: their directory, their blocks, their checksum, and a model inside against one in a folder."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import moderngl
import numpy as np

from tests.benchmarks.measure import ROOT, Row, Rows, Run, best
from viewer.commands.extract import Extraction
from viewer.formats import open_document
from viewer.formats.urho3d.checksum import sdbm
from viewer.formats.urho3d.package.layout import BLOCK
from viewer.formats.urho3d.package.writer import package_bytes
from viewer.gpu.target import RenderTarget
from viewer.render.frame import Frame
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions
from viewer.scene.package import Package
from viewer.scene.texture_decoding import decode_textures
from viewer.view.framing import fit, posed_bounds

MANY = 100_000
LARGE, FILES = 500_000_000, 25
RATE = 800e6
SIZE = (640, 360)
RUNS = 5


def rows() -> Rows:
    """The four claims."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.pak"
        path.write_bytes(package_bytes((f"Models/Set{n % 97}/Thing{n}.mdl", b"x" * 40) for n in range(MANY)))
        yield Row(
            f"open a package of {MANY:,} files",
            best(lambda: open_document(path), 2, time.thread_time),
            0.150,
            1,
            "150 ms",
        )
    data = np.random.default_rng(1).integers(0, 256, 1 << 26, np.uint8).tobytes()
    yield Row(
        "checksum of 64 MB", best(lambda: sdbm(data), 2, time.thread_time), len(data) / RATE, 1, "800 MB/s"
    )
    yield from _extraction()
    yield from _first_model()


def _extraction() -> Rows:
    import lz4.block

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.pak"
        path.write_bytes(_large())
        document = open_document(path)
        package = document.content
        assert isinstance(package, Package), "it was made as one"
        blocks = list(_blocks(document.data, package))
        out = Path(folder) / "out"

        def loop() -> None:
            out.mkdir()
            with open(out / "all.bin", "wb") as file:
                for packed, size in blocks:
                    file.write(lz4.block.decompress(packed, uncompressed_size=size))

        def ours() -> None:
            Extraction(str(path), package, str(out), force=False).run(range(len(package)), len(document.data))

        yield Row(
            "extract a ULZ4 package of 500 MB, CPU",
            _onto_nothing(ours, out),
            _onto_nothing(loop, out),
            1.5,
            "lz4.block.decompress in a loop, to one file",
        )


def _onto_nothing(run: Run, out: Path) -> float:
    """The shortest thread time of some runs, each without the files of the one before."""
    times = []
    for _ in range(RUNS):
        shutil.rmtree(out, ignore_errors=True)
        start = time.thread_time()
        run()
        times.append(time.thread_time() - start)
    return min(times)


def _large() -> bytes:
    """Files of records of which many are alike, as vertices are: LZ4 takes more than half of them away."""
    random = np.random.default_rng(2)
    records = random.integers(0, 256, (512, 32), np.uint8)
    body = records[random.integers(0, len(records), LARGE // FILES // 32)].tobytes()
    return package_bytes(((f"{n}.bin", body) for n in range(FILES)), "ULZ4", 3)


def _blocks(data: bytes, package: Package) -> Iterator[tuple[bytes, int]]:
    """Every block's packed bytes and how many it makes."""
    for offset, size in zip(package.offsets.tolist(), package.sizes.tolist(), strict=True):
        at, left = offset, size
        while left:
            made, packed = np.frombuffer(data, BLOCK, 1, at)[0].tolist()
            yield data[at + 4 : at + 4 + packed], made
            at, left = at + 4 + packed, left - made


def _first_model() -> Rows:
    """The bundled sample from bytes to its first frame. The package is touched before each, so that nothing
    of it is at hand."""
    root, name = ROOT / "assets" / "urho3d", "Models/Beacon.mdl"
    files = [each for each in sorted(root.rglob("*")) if each.is_file()]
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    renderer, target = Renderer(context), RenderTarget(context, SIZE, 0)

    def show(path: str) -> None:
        document = open_document(path)
        model = document.model
        assert model is not None, "the sample is a model"
        mesh, extent = renderer.upload(model, decode_textures(document)), posed_bounds(model)
        renderer.draw(
            mesh, Frame(None, DisplayOptions(), fit(Orbit(), extent, SIZE), extent), target.framebuffer, SIZE
        )
        mesh.release()

    with tempfile.TemporaryDirectory() as place:
        package = Path(place) / "Data.pak"
        named = [(each.relative_to(root).as_posix(), each.read_bytes()) for each in files]
        package.write_bytes(package_bytes(named, "ULZ4"))
        shutil.copytree(root, Path(place) / "Data")

        def packed() -> None:
            package.touch()
            show(f"{package}::{name}")

        yield Row(
            "first frame of a model in a ULZ4 package",
            best(packed, 3, time.thread_time),
            best(lambda: show(f"{place}/Data/{name}"), 3, time.thread_time),
            1.2,
            "the same in a folder",
        )
    for owned in (target, renderer, context):
        owned.release()
