"""`python3 dev.py fuzz [FORMAT …]`: mutated files through everything that reads, poses and draws them.

One execution is one mutated file through open, tree and info; poses, textures, pictures, bakes, exports,
checks and comparisons are counted apart. Each distinct finding is written once, made small, with the command
that repeats it. The same seed makes the same files. With the package atheris in .venv, --guided follows the
coverage of the readers instead.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from tests.fuzzing.cases import case_of
from tests.fuzzing.executor import Executor
from tests.fuzzing.findings import Findings
from tests.fuzzing.run import REFUSED_MOST, Plan, Run, prepare, summed, table
from tests.fuzzing.samples import FORMATS, ROOT, corpus_files, corpus_samples
from viewer.errors import counted

MINUTES = 5.0
FOLDER = ROOT / ".fuzz"


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="dev.py fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument(
        "formats", nargs="*", metavar="FORMAT", help=f"of {', '.join(FORMATS)}; all if none is named"
    )
    made.add_argument("--minutes", type=float, help=f"end after so many minutes (default {MINUTES:g})")
    made.add_argument("--executions", type=int, help="end after so many executions")
    made.add_argument("--seed", type=int, help="of all random choices (default: the time, which is printed)")
    made.add_argument("--corpus", default="", metavar="DIR", help="mutate the files below a folder too")
    made.add_argument("--jobs", type=int, default=1, help="processes at the same time")
    made.add_argument(
        "--findings", type=Path, default=FOLDER, metavar="DIR", help="where findings are written"
    )
    made.add_argument("--case", type=int, help="do only this execution of one format")
    made.add_argument("--repeat", type=Path, metavar="FILE", help="with --case: do it with this file")
    made.add_argument(
        "--guided", action="store_true", help="follow the coverage of one FORMAT; needs atheris"
    )
    return made


def main(words: list[str]) -> int:
    """Fuzz, and print a table; 1 if something was found."""
    options = parser().parse_args(words)
    unknown = [each for each in options.formats if each not in FORMATS]
    if unknown:
        parser().error(f"{unknown[0]} is not a format: {', '.join(FORMATS)}")
    if (options.case is not None or options.guided) and len(options.formats) != 1:
        parser().error("--case and --guided need one FORMAT")
    seed = int(time.time()) if options.seed is None else options.seed
    if options.case is not None:
        return repeat(options.formats[0], seed, options.case, options.corpus, options.repeat)
    if options.guided:
        seconds = 60 * (options.minutes or MINUTES)
        return guide(options.formats[0], str(seed), str(seconds), str(options.findings))
    minutes = options.minutes if options.minutes or options.executions else MINUTES
    deadline = time.monotonic() + 60 * minutes if minutes else None
    formats = tuple(options.formats or FORMATS)
    plan = Plan(formats, seed, options.corpus, options.executions, deadline, max(options.jobs, 1))
    return run(plan, options.findings)


def run(plan: Plan, folder: Path) -> int:
    """Run a plan and print what came of it."""
    print(f"seed {plan.seed}", flush=True)
    done = Run(plan, Findings(folder, partial(print, flush=True)))
    if plan.corpus:
        print(corpus_line(plan.corpus, plan.formats), flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the table is printed then, too
    try:
        done.run()
    except KeyboardInterrupt:
        print("interrupted")
    for line in table(done.tally, done.seconds):
        print(line)
    whole = summed(done.tally)
    if whole["refused"] > REFUSED_MOST * whole["executions"]:
        print(f"more than {REFUSED_MOST:.0%} were refused at the magic")
    return 1 if done.findings.written else 0


def corpus_line(folder: str, formats: Sequence[str]) -> str:
    """How many files below the folder are mutated, and how many are not of a format that opens."""
    mutated = sum(len(corpus_samples(folder, each)) for each in formats)
    left = sum(len(corpus_files(folder, each)) for each in formats) - mutated
    return f"corpus: {counted(mutated, 'file')} mutated, {left} cannot be opened"


def guide(*words: str) -> int:
    """Follow the coverage in a process of its own, which instruments the readers when it imports them."""
    if find_spec("atheris") is None:
        parser().error("--guided needs atheris: .venv/bin/python -m pip install atheris")
    return subprocess.run([sys.executable, "-m", "tests.fuzzing.guided", *words], check=False).returncode


def repeat(format: str, seed: int, number: int, corpus: str, path: Path | None) -> int:
    """Do one execution and print what is wrong with it."""
    prepare()
    case, executor = case_of(format, seed, number, corpus), Executor()
    try:
        data = path.read_bytes() if path else case.data(executor.places(case.sample))
        progress, finding = executor.run(case.sample, data, case.stages(), case.key)
    finally:
        executor.close()
    print(f"{case.sample.name}, {len(data)} bytes, {', '.join(sorted(case.stages())) or 'read only'}")
    print(finding.text if finding else f"nothing is wrong{', refused' if progress.refused else ''}")
    return 1 if finding else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
