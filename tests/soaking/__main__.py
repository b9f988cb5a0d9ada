"""`python3 dev.py soak`: the program without a window, used at random for a long time.

It uses each action once; then it opens, closes, plays, watches, clicks and resizes as a seed decides. At the
start, at each quarter of the time and at the end all documents are closed, and GL objects, documents,
descriptors, threads and memory are counted.
What has grown between the first quarter and the end is told, with exit status 1, and so are documents that
are still in memory; the kinds of GL objects and of memory are compared.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import moderngl

from tests.desktop import Desktop
from tests.soaking.steps import Hand
from tests.soaking.usage import Usage, by_kind, growth, usage
from viewer.families.urho3d import load
from viewer.storage.versions import KeptAnswers

MINUTES = 5.0
QUARTERS = 4


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="dev.py soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--minutes", type=float, default=MINUTES, help=f"how long (default {MINUTES:g})")
    made.add_argument("--steps", type=int, help="end after so many steps instead")
    made.add_argument("--seed", type=int, help="of all random choices (default: the time, which is printed)")
    return made


def main(words: list[str]) -> int:
    """Use the program, and print the counts; 1 if something has grown."""
    options = parser().parse_args(words)
    seed = int(time.time()) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="rigscope-soak-") as folder:
        os.chdir(folder)  # pictures are saved in the current folder
        os.environ["RIGSCOPE_SETTINGS"] = str(Path(folder) / "settings.json")
        os.environ["RIGSCOPE_DATA"] = str(Path(folder) / "data")
        return soak(Path(folder), seed, options.minutes, options.steps)


def soak(folder: Path, seed: int, minutes: float, steps: int | None) -> int:
    """Take steps until the time or their number ends."""
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    context.gc_mode = "context_gc"
    bare = usage(context)
    load._CLIPS = KeptAnswers(0)  # it keeps documents of animations, which models of a folder share
    desktop = Desktop(context, settings=folder / "settings.json", drawn=True)
    hand, taken = Hand(desktop, seed, folder), Counter[str]()
    if steps is None:
        hand.warm_up()
    errors, counts = _gl_error(context, "each action once"), [usage(context)]
    print(f"start: {counts[0]}", flush=True)
    begin = time.monotonic()
    for quarter in range(1, QUARTERS + 1):
        while _share(taken.total(), begin, minutes, steps) < quarter / QUARTERS:
            step = hand.step()
            taken[step] += 1
            errors += _gl_error(context, f"{step}, step {taken.total()}")
        hand.leave()
        errors += _gl_error(context, f"closing all, step {taken.total()}")
        counts.append(usage(context))
        print(f"{quarter} of {QUARTERS}, {taken.total()} steps: {counts[-1]}", flush=True)
    print(", ".join(f"{name} {count}" for name, count in taken.most_common()))
    return _verdict(bare, counts, context, hand, errors)


def _gl_error(context: moderngl.Context, after: str) -> list[str]:
    """The GL error that a step left, also printed at once; nothing without one."""
    error = context.error
    if error == "GL_NO_ERROR":
        return []
    print(f"{error} after {after}", flush=True)
    return [f"{error} after {after}"]


def _share(taken: int, begin: float, minutes: float, steps: int | None) -> float:
    """How much of the time or the steps has passed."""
    return taken / steps if steps else (time.monotonic() - begin) / (60 * minutes)


def _verdict(
    bare: Usage, counts: list[Usage], context: moderngl.Context, hand: Hand, errors: list[str]
) -> int:
    print("\n".join(by_kind(counts[1], counts[-1])))
    lines = [*growth(counts[1:]), *errors]
    hand.desktop.close()
    hand.close()
    left = usage(context)
    print(f"closed: {left}")
    left_over = left.gl_objects - bare.gl_objects
    lines += [f"{left_over} GL objects are left after the end"] if left_over else []
    print("\n".join(lines) or "nothing has grown")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
