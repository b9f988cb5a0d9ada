"""OGRE files of the shapes that games use, made with our own writer: many tracks, keys and vertices."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from tests.ogre_files import NEWEST, Order, declared_geometry, mesh_bytes, submesh
from tests.ogre_skeletons import bone, clip, parents, skeleton_bytes, track
from viewer.binary import Struct
from viewer.families.ogre import mesh_layout as mesh
from viewer.families.ogre import skeleton_layout as skeleton

SECONDS = 2.0
BARE = ((0, 2, 1, 0, 0), (0, 2, 4, 12, 0))
"""Vertex elements: positions and normals as floats."""


@cache
def many_tracks(order: Order = "<") -> bytes:
    """A skeleton with 20 clips that move 28 bones each by three keys: 560 tracks."""
    return animated(bones=28, clips=20, keys=20 * 28 * 3, order=order)


@cache
def both_key_sizes(order: Order = "<") -> bytes:
    """A skeleton with 13 clips that move 69 bones, 9,353 keys in all: some tracks have scaled keys, and
    every hundredth track has keys of both sizes.
    """
    return animated(bones=69, clips=13, keys=9353, scaled=3, mixed=100, order=order)


@cache
def runs_of_both_sizes(order: Order = "<") -> bytes:
    """A skeleton with 30 bones and 19 clips, 500 tracks with 6,000 keys in all: in six of ten tracks runs of
    plain keys and of scaled keys take turns, each of 1 to 40 keys.
    """
    random = np.random.default_rng(31)
    counts = np.diff(np.linspace(0, 6000, 501).astype(int)).tolist()
    tracks = [
        (number % 30, *(_turns(count, random) if number % 10 < 6 else _keys(count, False, False)))
        for number, count in enumerate(counts)
    ]
    clips = [
        clip(f"clip {number}", SECONDS, *(track(*tracks[each]) for each in part.tolist()))
        for number, part in enumerate(np.array_split(np.arange(len(tracks)), 19))
    ]
    return skeleton_bytes(*_chain(30), *clips, order=order)


@cache
def long_tracks(order: Order = "<") -> bytes:
    """A skeleton with 6 clips that move 51 bones, 66,402 keys in all."""
    return animated(bones=51, clips=6, keys=66_402, mixed=100, order=order)


def animated(bones: int, clips: int, keys: int, scaled: int = 0, mixed: int = 0, order: Order = "<") -> bytes:
    """A skeleton of a chain of bones and `keys` keys. Every track of number n × `scaled` has scaled keys, of
    n × `mixed` a scaled key behind its plain keys.
    """
    counts = np.diff(np.linspace(0, keys, bones * clips + 1).astype(int)).reshape(clips, bones)
    number = 0
    made = []
    for which, row in enumerate(counts.tolist()):
        tracks = []
        for handle, count in enumerate(row):
            number += 1
            tracks.append(
                track(
                    handle, *_keys(count, bool(scaled) and not number % scaled, mixed and not number % mixed)
                )
            )
        made.append(clip(f"clip {which}", SECONDS, *tracks))
    return skeleton_bytes(*_chain(bones), *made, order=order)


def _chain(bones: int) -> list[tuple[Any, Any]]:
    """Bones one above the other, with their parents."""
    made = [bone(f"bone {handle}", handle, (0, 1, 0)) for handle in range(bones)]
    return [*made, parents(*((handle, handle - 1) for handle in range(1, bones)))]


def _turns(count: int, random: Any) -> list[tuple[Any, Any]]:
    """Runs of plain keys and of scaled keys in turn, `count` keys in all."""
    times = np.linspace(0, SECONDS, count, dtype=np.float32)
    ends = np.cumsum(np.minimum(random.geometric(0.3, count), 40))
    parts = np.split(times, ends[ends < count])
    return [_run(part, (skeleton.KEY, skeleton.SCALED_KEY)[number % 2]) for number, part in enumerate(parts)]


def _keys(count: int, scaled: bool, mixed: Any) -> list[tuple[Any, Any]]:
    """The runs of keys of one track."""
    times = np.linspace(0, SECONDS, count, dtype=np.float32)
    if mixed and count > 1:
        return [_run(times[:-1], skeleton.KEY), _run(times[-1:], skeleton.SCALED_KEY)]
    return [_run(times, skeleton.SCALED_KEY if scaled else skeleton.KEY)]


def _run(times: Any, dtype: Any) -> tuple[Any, Any]:
    rows = np.zeros(len(times), dtype)
    rows["time"] = times
    rows["rotation"][:, 3] = 1
    rows["translation"][:, 0] = np.sin(times)
    if "scale" in dtype.names:
        rows["scale"] = 1
    return skeleton.KEYS, rows


@cache
def static_mesh(parts: int = 16, side: int = 72) -> bytes:
    """A mesh of 3 MB: grids of `side` × `side` vertices with positions and normals."""
    made = [(mesh.SUBMESH, grid(side, f"part {number}", number)) for number in range(parts)]
    return mesh_bytes(NEWEST, *made, (mesh.BOUNDS, _bounds(side, parts)))


def grid(side: int, material: str, depth: float = 0) -> Struct:
    """A submesh of `side` × `side` vertices in a plane."""
    across, up = np.meshgrid(np.arange(side), np.arange(side))
    normals = np.tile(np.array((0, 0, 1), np.float32), (side * side, 1))
    first = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).reshape(-1, 1)
    indices = (first + np.array((0, 1, side, side, 1, side + 1))).astype(np.uint16).reshape(-1)
    positions = np.stack((across, up, np.full_like(up, depth)), axis=-1).reshape(-1, 3)
    columns = {"position": positions.astype(np.float32), "normal": normals}
    return submesh(declared_geometry(columns, BARE, 24), indices=indices, material=material)


def _bounds(side: int, parts: int) -> Any:
    return Struct(min=(0, 0, 0), max=(side, side, parts), radius=2.0 * side)
