"""Writes Inter-Quake Models, for tests: a description becomes the bytes of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from rigscope_iqm import layout
from rigscope_iqm.tables import Numbers
from viewer.plugin import Struct


class Mesh(NamedTuple):
    """A part of the model. `material` is a name; the other fields are as in the file."""

    name: str
    material: str = ""
    first_vertex: int = 0
    num_vertexes: int = 0
    first_triangle: int = 0
    num_triangles: int = 0


class VertexArray(NamedTuple):
    """The values [V, C] of an attribute, stored in their own type. `name` is the name of a custom array."""

    type: int
    values: Numbers
    name: str = ""


class Joint(NamedTuple):
    """A joint with its base pose."""

    name: str
    parent: int = -1
    translate: Sequence[float] = (0, 0, 0)
    rotate: Sequence[float] = (0, 0, 0, 1)
    scale: Sequence[float] = (1, 1, 1)


class Clip(NamedTuple):
    """An animation of successive frames."""

    name: str
    first_frame: int
    num_frames: int
    framerate: float = 0.0
    flags: int = 0


class Extension(NamedTuple):
    """Data of a tool."""

    name: str
    data: bytes = b""


@dataclass
class Iqm:
    """A file. `triangles` and `adjacency` are [T, 3]. `frames` [F, P, 10] are the channels of all poses.
    Those that change are stored as 16-bit numbers. `parents` [P] or [1] are those of the poses; if empty,
    those of the joints, else -1. `bounds` [F, 8] are the rows of the bounds.
    """

    arrays: Sequence[VertexArray] = ()
    meshes: Sequence[Mesh] = ()
    triangles: Any = ()
    adjacency: Any = ()
    joints: Sequence[Joint] = ()
    frames: Numbers = field(default_factory=lambda: np.empty((0, 0, 10)))
    parents: Sequence[int] = ()
    clips: Sequence[Clip] = ()
    bounds: Any = ()
    comment: str = ""
    extensions: Sequence[Extension] = ()
    flags: int = 0


class _Writer:
    """Places tables one after another, at multiples of 8 bytes, behind the header."""

    def __init__(self) -> None:
        self.bytes = bytearray(124)
        self.text = bytearray(1)

    def place(self, data: bytes) -> int:
        """Append data and return their offset; 0 without data."""
        if not data:
            return 0
        self.bytes += bytes(-len(self.bytes) % 8)
        self.bytes += data
        return len(self.bytes) - len(data)

    def name(self, name: str) -> int:
        """The offset of a name in the text. A name that ends another name is not stored again."""
        word = name.encode() + b"\0"
        if word not in self.text:
            self.text += word
        return self.text.index(word)


def rows(dtype: Any, items: Sequence[Any]) -> bytes:
    """The bytes of rows, each a tuple."""
    return np.array([tuple(map(_plain, item)) for item in items], dtype).tobytes()


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list | np.ndarray) else value


def pack(iqm: Iqm) -> bytes:
    """The bytes of a file."""
    out = _Writer()
    name, place = out.name, out.place
    parents = iqm.parents or [each.parent for each in iqm.joints] or [-1]
    poses, channels, frames = quantised(iqm.frames, parents)
    meshes = [(name(each.name), name(each.material), *each[2:]) for each in iqm.meshes]
    joints = [(name(each.name), *each[1:]) for each in iqm.joints]
    clips = [(name(each.name), *each[1:]) for each in iqm.clips]
    arrays = [
        (
            each.type + (name(each.name) if each.name else 0),
            0,
            layout.FORMATS.index(f"{each.values.dtype.kind}{8 * each.values.dtype.itemsize}"),
            each.values.shape[1],
            place(each.values.tobytes()),
        )
        for each in iqm.arrays
    ]
    following = 0
    for each in reversed(iqm.extensions):
        extension = (name(each.name), len(each.data), place(each.data), following)
        following = place(rows(layout.EXTENSION, [extension]))
    header = Struct(
        magic=layout.MAGIC.decode(),
        version=layout.VERSION,
        flags=iqm.flags,
        num_text=len(out.text),
        ofs_text=place(bytes(out.text)),
        num_meshes=len(meshes),
        ofs_meshes=place(rows(layout.MESH, meshes)),
        num_vertexarrays=len(arrays),
        num_vertexes=len(iqm.arrays[0].values) if arrays else 0,
        ofs_vertexarrays=place(rows(layout.VERTEX_ARRAY, arrays)),
        num_triangles=len(iqm.triangles),
        ofs_triangles=place(np.array(iqm.triangles, layout.U32).tobytes()),
        ofs_adjacency=place(np.array(iqm.adjacency, layout.U32).tobytes()),
        num_joints=len(joints),
        ofs_joints=place(rows(layout.JOINT, joints)),
        num_poses=len(poses),
        ofs_poses=place(poses.tobytes()),
        num_anims=len(clips),
        ofs_anims=place(rows(layout.ANIM, clips)),
        num_frames=len(iqm.frames),
        num_framechannels=channels,
        ofs_frames=place(frames.tobytes()),
        ofs_bounds=place(np.array(iqm.bounds, layout.F32).tobytes()),
        num_comment=len(iqm.comment.encode()),
        ofs_comment=place(iqm.comment.encode()),
        num_extensions=len(iqm.extensions),
        ofs_extensions=following,
        filesize=len(out.bytes),  # last, behind all that is placed
    )
    out.bytes[:124] = layout.HEADER.pack(header)
    return bytes(out.bytes)


def quantised(frames: Numbers, parents: Sequence[int]) -> tuple[Numbers, int, Numbers]:
    """The rows of the poses, the number of channels that change, and their numbers [F, C] u16, of frames
    [F, P, 10].
    """
    poses = np.zeros(frames.shape[1], layout.POSE)
    if not frames.size:
        return poses, 0, np.empty((0, 0), layout.U16)
    low, high = frames.min(axis=0), frames.max(axis=0)
    moving = high > low
    poses["parent"], poses["offset"], poses["scale"] = parents, low, (high - low) / layout.LARGEST
    poses["mask"] = (moving << np.arange(10)).sum(axis=1)
    numbers = (frames - low)[:, moving] / ((high - low)[moving] / layout.LARGEST)
    return poses, int(moving.sum()), np.rint(numbers).astype(layout.U16)
