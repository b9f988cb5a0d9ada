"""How a row is measured: the best of many runs of ours against the best of the floor or peer."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import moderngl
from msgspec import Struct

from viewer.gpu.target import RenderTarget

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "assets" / "urho3d" / "Models"
SHARED = ROOT.parent / "shared" / "corpus"
CORPUS = SHARED / "urho3d"

Run = Callable[[], object]


class Row(Struct, frozen=True):
    """`ours` and `floor` in seconds, in bytes or as counts; the claim is that ours stays under `limit` times
    the floor. If the wanted limit was not reached, it is the `aim`, and `limit` is what was reached.
    """

    name: str
    ours: float
    floor: float
    limit: float
    floor_name: str
    bytes: bool = False
    counts: bool = False
    aim: float | None = None

    @property
    def ratio(self) -> float:
        """Ours in floors."""
        return self.ours / self.floor

    @property
    def kept(self) -> bool:
        """Whether the claim holds."""
        return self.ratio < self.limit


Rows = Iterator[Row]


def budget(name: str, seconds: float, most: float) -> Row:
    """A row that claims that something takes less than `most` seconds."""
    return Row(name, seconds, most, 1, f"{most * 1e3:g} ms")


def best(run: Run, seconds: float = 1.0, clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest of the runs that fit into `seconds` (three at least)."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        start = clock()
        run()
        times.append(clock() - start)
    return min(times)


def cpu(run: Run, seconds: float = 1.0) -> float:
    """The shortest time of this thread; what other threads and programs take does not count."""
    return best(run, seconds, time.thread_time)


@contextmanager
def offscreen(size: tuple[int, int]) -> Iterator[RenderTarget]:
    """A target of one sample in a context of its own."""
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    target = RenderTarget(context, size, 0)
    yield target
    target.release()
    context.release()


def with_bytecode(folder: str) -> dict[str, str]:
    """The environment of a program that finds what Python compiled, as an installed one: below `folder`."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode")}


def process(environment: Mapping[str, str], *arguments: str) -> float:
    """Seconds of a whole process of this Python."""
    start = time.perf_counter()
    command = [sys.executable, *arguments]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    return time.perf_counter() - start


def best_processes(*commands: Sequence[str], runs: int = 7) -> tuple[float, ...]:
    """The shortest wall time of whole processes of this Python for each command line, run in turn."""
    with tempfile.TemporaryDirectory() as folder:
        environment = with_bytecode(folder)
        return alternated([partial(process, environment, *each) for each in commands], runs)


PEAK = """
import sys
from viewer.commands.cli import main
status = main(sys.argv[1:])
print([each.split()[1] for each in open("/proc/self/status") if each.startswith("VmHWM")][0])
sys.exit(status)
"""


def peak_bytes(*arguments: str) -> int:
    """The most memory that the program has at once, in bytes. `getrusage` would count that of its parent."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", PEAK, *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env=with_bytecode(folder), check=True, capture_output=True, text=True
        )
    return int(done.stdout.split()[-1]) << 10


def alternated(measures: Sequence[Callable[[], float]], runs: int) -> tuple[float, ...]:
    """The shortest time that each measures, in turn; the first time of each does not count."""
    rounds = [[measure() for measure in measures] for _ in range(runs + 1)]
    return tuple(map(min, zip(*rounds[1:], strict=True)))


def character() -> tuple[Path, Path]:
    """A skinned model and an animation: the corpus' Jack who walks, or the bundled sample that dances."""
    if CORPUS.is_dir():
        return CORPUS / "Data/Models/Jack.mdl", CORPUS / "Data/Models/Jack_Walk.ani"
    return SAMPLES / "Beacon.mdl", SAMPLES / "Beacon_Dance.ani"
