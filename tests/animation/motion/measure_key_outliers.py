"""Measures the list of keys that leave their neighbours, on real clips in which one key was turned.

`python -m tests.animation.motion.measure_key_outliers [--step 10] [--half 0|1|all] [PLACE ...]` turns each
tenth rotation key of every clip in turn, by 40 and by 15 degrees around a random axis. It prints in how many
cases this key is the first or second entry of the list, and in how many the rule reports it. Without places
the clips are those of the samples and of the corpus. The constants of `key_outliers` were chosen with half 0.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
from msgspec.structs import replace

from viewer.animation.motion.key_outliers import KeyOutlier, key_outliers, line_deviations
from viewer.animation.motion.rotation_keys import rotation_keys
from viewer.errors import ViewerError
from viewer.scene.animation import Animation, Track
from viewer.scene.maths import quaternion_product
from viewer.storage.documents import open_document

ROOT = Path(__file__).parents[3]
PLACES = (ROOT / "assets", ROOT.parent / "shared" / "corpus")
SUFFIXES = (".m2", ".mdl", ".ani", ".skeleton", ".mesh")
TURNS = (40.0, 15.0)


class RealClip(NamedTuple):
    """A clip of a file, and the `half` of the clips to which it belongs, 0 or 1."""

    name: str
    animation: Animation
    half: int


class Case(NamedTuple):
    """A turned key: its `rank` in the list from 0 (None: it is not in the list), whether the rule reports it,
    and the usual residual of its track in degrees, which is the 95th percentile.
    """

    clip: RealClip
    bone: str
    key: int
    turn: float
    usual: float
    rank: int | None
    reported: bool


def real_clips(places: Iterable[Path]) -> Iterator[RealClip]:
    """Yield the clips below `places` that have rotation keys, clips with the same keys once."""
    known = set()
    paths = (path for place in places for path in place.rglob("*") if path.suffix.lower() in SUFFIXES)
    for path in sorted(paths, key=lambda path: (path.suffix == ".ani", path)):
        try:
            document = open_document(path)
        except ViewerError:
            continue
        for animation in document.animations:
            content = hashlib.sha1(usedforsecurity=False)
            for track in animation.tracks:
                content.update(f"{track.target} {track.path}".encode())
                content.update(track.times.tobytes() + track.values.tobytes())
            if content.digest() not in known and len(rotation_keys(animation).times):
                known.add(content.digest())
                name = f"{path.name}:{animation.name}"
                yield RealClip(name, animation, crc32(f"x{name}".encode()) % 2)


def cases(clip: RealClip, step: int, start: int = 5) -> Iterator[Case]:
    """Turn each key number `start`, `start + step` … of the clip in turn. Tracks of one or two keys have no
    usual residual and are left out.
    """
    keys = rotation_keys(clip.animation)
    residuals, tracks = line_deviations(keys), keys.tracks
    rotating = [
        number
        for number, track in enumerate(clip.animation.tracks)
        if track.path == "rotation" and track.period is None
    ]
    random = np.random.default_rng(crc32(clip.name.encode()))
    for place in range(start, len(keys.times), step):
        own = keys.track(int(tracks[place]))
        inner = residuals[own][1:-1]
        axis = random.normal(size=3)
        if not len(inner):
            continue
        for turn in TURNS:
            half_turn = np.append(axis / np.linalg.norm(axis) * np.sin(np.radians(turn) / 2), 0)
            half_turn[3] = np.cos(np.radians(turn) / 2)
            number, key = rotating[int(tracks[place])], int(keys.numbers[place])
            turned = with_turned_key(clip.animation, number, key, half_turn)
            target = keys.targets[int(tracks[place])]
            listed = list(key_outliers(turned).rows())
            ranks = [rank for rank, row in enumerate(listed) if (row.bone, row.key) == (target, key)]
            told = any(listed[rank].pops for rank in ranks)
            usual = float(np.percentile(inner, 95))
            yield Case(clip, target, key, turn, usual, ranks[0] if ranks else None, told)


def with_turned_key(animation: Animation, number: int, key: int, turn: np.ndarray) -> Animation:
    """A copy of the clip. The key number `key` of its track number `number` is turned by the quaternion
    `turn`.
    """
    tracks: list[Track] = list(animation.tracks)
    values = np.array(tracks[number].values, np.float32)
    values[key] = quaternion_product(values[key].astype(np.float64), turn)
    tracks[number] = replace(tracks[number], values=values)
    return Animation(animation.name, animation.duration, tuple(tracks), animation.targets)


def share(found: list[Case], turn: float, least: float, most: float) -> tuple[int, float, float]:
    """The number of the cases of a turn in tracks whose usual residual is above `least` and at most `most`
    degrees; the share of them in the first two entries; the share that the rule reports.
    """
    chosen = [case for case in found if case.turn == turn and least < case.usual <= most]
    first = sum(case.rank is not None and case.rank < 2 for case in chosen)
    told = sum(case.reported for case in chosen)
    return len(chosen), first / max(len(chosen), 1), told / max(len(chosen), 1)


def untouched(clips: Iterable[RealClip]) -> list[tuple[RealClip, list[KeyOutlier]]]:
    """The clips that the rule reports as they are, with the keys."""
    reports = ((clip, [row for row in key_outliers(clip.animation).rows() if row.pops]) for clip in clips)
    return [(clip, rows) for clip, rows in reports if rows]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("places", nargs="*", type=Path, default=PLACES)
    parser.add_argument("--step", type=int, default=10)
    parser.add_argument("--half", default="all", choices=("0", "1", "all"))
    options = parser.parse_args()
    clips = [clip for clip in real_clips(options.places) if options.half in ("all", str(clip.half))]
    started = time.process_time()
    reports = untouched(clips)
    print(f"{len(clips)} clips, {len(reports)} reported as they are ({len(reports) / len(clips):.1%})")
    for clip, rows in reports:
        text = ", ".join(f"{row.bone} #{row.key} {row.angle:.0f}° ×{row.ratio:.1f}" for row in rows[:4])
        print(f"  {clip.name} (half {clip.half}): {text}")
    found = [case for clip in clips for case in cases(clip, options.step)]
    for half in sorted({case.clip.half for case in found}):
        own = [case for case in found if case.clip.half == half]
        for turn in TURNS:
            for least, most in ((-1, turn / 3), (turn / 3, turn), (turn, 360)):
                count, first, told = share(own, turn, least, most)
                print(
                    f"half {half} {turn:g}° residual {max(least, 0):.1f} to {most:.1f}°: "
                    f"{count} keys, first or second {first:.1%}, reported {told:.1%}"
                )
    print(f"{time.process_time() - started:.0f} s")


if __name__ == "__main__":
    main()
