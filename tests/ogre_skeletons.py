"""Small OGRE skeleton files made with our own writer."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.ogre_files import Order, rows
from viewer.binary import Run, Struct, stream
from viewer.families.ogre import skeleton_layout as skeleton
from viewer.families.ogre.versions import HEADER_ID

HALF_TURN = (0.0, 0.0, 1.0, 0.0)
NO_TURN = (0.0, 0.0, 0.0, 1.0)


def bone(name: str, handle: int, position: Any = (0, 0, 0), scale: Any = None) -> tuple[Any, Struct]:
    """A bone without a turn."""
    given = {} if scale is None else {"scale": scale}
    return skeleton.BONE, Struct(name=name, handle=handle, position=position, rotation=NO_TURN, **given)


def keys(*values: tuple[Any, ...]) -> tuple[Run, Any]:
    """Keyframes (time, rotation, translation[, scale]) as chunks."""
    dtype = skeleton.KEYS.dtype(Struct(declared=50 if len(values[0]) > 3 else 38))  # type: ignore[operator]
    return skeleton.KEYS, np.array([(0, 0, *value) for value in values], dtype)


def track(bone: int, *chunks: tuple[Any, Any]) -> tuple[Any, Struct]:
    """A track of a bone by its handle."""
    return skeleton.TRACK, Struct(bone=bone, chunks=stream(*chunks))


def clip(name: str, length: float, *chunks: tuple[Any, Any]) -> tuple[Any, Struct]:
    """An animation of a skeleton."""
    return skeleton.ANIMATION, Struct(name=name, length=length, chunks=stream(*chunks))


def skeleton_bytes(*chunks: tuple[Any, Any], order: Order = "<", version: str = "1.80") -> bytes:
    """A file with these chunks."""
    record = Struct(header=HEADER_ID, version=f"[Serializer_v{version}]", chunks=stream(*chunks))
    return skeleton.SKELETON_FILE.pack(record, order)


def two_bones() -> list[tuple[Any, Any]]:
    """A root and, 1 above it, its child."""
    return [bone("root", 0), bone("tip", 1, (0, 1, 0)), parents((1, 0))]


def parents(*pairs: tuple[int, int]) -> tuple[Run, Any]:
    """(child, parent) handles."""
    return skeleton.PARENTS, rows(skeleton.PARENTS, *pairs)


def rich_skeleton(order: Order = "<", link: str | None = None) -> bytes:
    """Two bones, a clip of plain keys with and without scale, and one of listed keys."""
    listed = Struct(key_count=2, flags=7, keys=listed_keys())
    return skeleton_bytes(
        (skeleton.BLEND_MODE, Struct(mode=0)),
        *two_bones(),
        clip(
            "bend",
            1.0,
            track(0, keys((0.0, NO_TURN, (0, 0, 0)), (1.0, HALF_TURN, (2, 0, 0)))),
            track(1, keys((0.0, NO_TURN, (0, 0, 0), (1, 1, 1)), (1.0, NO_TURN, (0, 0, 0), (1, 3, 1)))),
        ),
        clip("list", 1.0, track(1, (skeleton.KEY_LIST, listed))),
        *([(skeleton.LINK, Struct(file=link, scale=0.5))] if link else []),
        order=order,
    )


def listed_keys() -> Any:
    """Two keys of a TLBB list with all parts."""
    dtype = skeleton.listed_key(Struct(flags=7))
    return np.array([(0.0, NO_TURN, (0, 0, 0), (1, 1, 1)), (1.0, HALF_TURN, (4, 0, 0), (2, 2, 2))], dtype)
