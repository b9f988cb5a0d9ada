"""A small M2 model of every generation, made with our own writer."""

from __future__ import annotations

from typing import Any

import numpy as np

import tests.wow  # noqa: F401
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.families.wow.m2.layout.records import VERTEX
from viewer.families.wow.m2.layout.writer import WrittenTrack, layout_bytes, model_bytes, skin_bytes
from viewer.families.wow.m2.skel import CHUNKS, GENERATION

CLASSIC = VersionTraits(256)
CRUSADE = VersionTraits(260, bone_names=True)
WRATH = VersionTraits(264, bone_names=True, split_blend=True)
GENERATIONS = (CLASSIC, CRUSADE, WRATH)

QUARTER = (0.0, 0.0, 0.5**0.5, 0.5**0.5)
"""A quarter turn around Z, xyzw."""
HALF = 32767


def keys(
    generation: VersionTraits,
    rows: list[tuple[list[int], list[Any]]],
    global_sequence: int = -1,
    interpolation: int = 1,
) -> WrittenTrack:
    """The keys of each sequence, times from its start; up to 263 they are put on one line, as the sequences
    of `model` lie there."""
    times, values = [row[0] for row in rows], [row[1] for row in rows]
    if generation.nested:
        return WrittenTrack(times, values, (), interpolation, global_sequence)
    if global_sequence >= 0:
        return WrittenTrack(times[0], values[0], (), interpolation, global_sequence)
    line = [start + time for (start, _), row in zip(STRETCHES, times, strict=False) for time in row]
    ends = np.cumsum([len(row) for row in times])
    ranges = [(int(end) - len(row), int(end) - 1) for end, row in zip(ends, times, strict=True)]
    flat = [value for row in values for value in row]
    return WrittenTrack(line, flat, ranges if len(line) > 1 else (), interpolation, global_sequence)


STRETCHES = ((1000, 2000), (5000, 7000))
"""Start and end of the two sequences on the line, ms."""


def rotation(generation: VersionTraits, xyzw: tuple[float, ...]) -> Any:
    """A rotation as this generation stores it."""
    if generation.version < 260:
        return xyzw
    return [round((part + 1) * HALF) for part in xyzw]


def sequences(generation: VersionTraits) -> list[dict[str, Any]]:
    """Stand, 1 s, and Walk, 2 s; since 264 also an alias of Walk and one whose keys lie outside."""
    made = []
    for number, (start, end) in zip((0, 4), STRETCHES, strict=True):
        when = {"duration": end - start} if generation.nested else {"start": start, "end": end}
        made.append({"id": number, "flags": 0x20, "next_variation": -1, **when})
    if generation.nested:
        made.append({"id": 13, "flags": 0x40, "alias": 1, "duration": 2000, "next_variation": -1})
        made.append({"id": 60, "flags": 0, "duration": 1000, "next_variation": -1})
    return made


def bones(generation: VersionTraits) -> list[dict[str, Any]]:
    """Three in a chain, the parent of the second behind it, and one that faces the camera."""
    turned = rotation(generation, QUARTER)
    still = rotation(generation, (0.0, 0.0, 0.0, 1.0))
    return [
        {
            "key_bone": 26,
            "parent": -1,
            "pivot": (0, 0, 0),
            "translation": keys(generation, [([0, 1000], [(0, 0, 0), (0, 0, 1)]), ([0], [(2, 0, 0)])]),
        },
        {"key_bone": -1, "parent": 2, "pivot": (2, 0, 0), "scale": keys(generation, [([0], [(1, 1, 2)])])},
        {
            "key_bone": 6,
            "parent": 0,
            "pivot": (1, 0, 0),
            "rotation": keys(generation, [([0, 1000], [still, turned]), ([0], [turned])]),
        },
        {
            "key_bone": -1,
            "parent": 0,
            "pivot": (0, 1, 0),
            "flags": 8,
            "translation": keys(generation, [([0, 500], [(0, 0, 0), (1, 0, 0)])], 0),
        },
    ]


def view() -> dict[str, Any]:
    """Two triangles in two submeshes; the view's vertices are in another order than the model's."""
    submesh = {"vertex_count": 3, "index_count": 3, "bone_count": 2, "influences": 1}
    return {
        "vertices": [3, 4, 5, 0, 1, 2],
        "indices": [0, 1, 2, 3, 4, 5],
        "joints": [(0, 0, 0, 0)] * 3 + [(1, 0, 0, 0)] * 3,
        "submeshes": [
            {"id": 0, **submesh},
            {"id": 702, "vertex_start": 3, "index_start": 3, "bone_start": 1, **submesh},
        ],
        "batches": [
            {"submesh": 0, "color": -1, "texture_count": 1},
            {"submesh": 0, "color": -1, "texture_count": 1, "layer": 1},
            {"submesh": 1, "color": -1, "texture_count": 1},
        ],
        "bone_limit": 64,
    }


def vertices() -> np.ndarray:
    """[6] vertices; the first three follow bone 2 (the second of the window at 1), the others bone 0."""
    made = np.zeros(6, VERTEX)
    made["position"] = [(1, 0, 0), (2, 0, 0), (1, 1, 0), (0, 0, 0), (0, 1, 0), (0, 0, 1)]
    made["normal"] = (0, 0, 1)
    made["weights"][:, 0] = 255
    made["bones"][:3, 0] = 2
    return made


def fields(generation: VersionTraits = CLASSIC) -> dict[str, Any]:
    """The header's fields of the model."""
    found: dict[str, Any] = {
        "name": "Made",
        "global_sequences": [500],
        "sequences": sequences(generation),
        "sequence_lookup": [0, -1, -1, -1, 1],
        "bones": bones(generation),
        "vertices": vertices(),
        "textures": [{"type": 0, "flags": 3, "name": "Made\\Skin.blp"}, {"type": 11}],
        "materials": [{"blend": 1}],
        "bone_combos": [0, 0, 2],
        "texture_lookup": [0, 1],
        "uv_lookup": [0],
        "transparency": [{"weight": WrittenTrack() if generation.nested else WrittenTrack([0], [HALF])}],
        "transparency_lookup": [0],
        "transform_lookup": [-1],
        "bounds": (0, 0, 0, 2, 1, 1),
        "attachments": [{"id": 1, "bone": 2, "position": (1, 0, 0)}],
        "events": [{"id": b"$CSD", "data": 7, "bone": 0, "fired": keys(generation, [([250], []), ([], [])])}],
        "lights": [{"type": 1, "bone": -1, "position": (0, 0, 3)}],
        "cameras": [
            {"type": 0, "fov": 1.0, "far": 100, "near": 0.1, "position": (5, 0, 1), "target": (0, 0, 1)}
        ],
        "particles": [
            {"type": 1, "bone": 1, "blend": 4, "flags": 0x11, "speed": keys(generation, [([0], [3.0])])}
        ],
        "ribbons": [{"bone": 1, "textures": [0], "materials": [0], "edges_per_second": 10}],
    }
    return found | ({"view_count": 1} if generation.nested else {"views": [view()]})


def model(generation: VersionTraits = CLASSIC, **changes: Any) -> bytes:
    """The model as a file."""
    return model_bytes(generation, fields(generation) | changes)


def skin() -> bytes:
    """Its view as a file."""
    return skin_bytes(WRATH, view())


LEGION = VersionTraits(274, True, True)


def chunk(tag: str, content: bytes) -> bytes:
    """A chunk of a chunked file."""
    return tag.encode() + len(content).to_bytes(4, "little") + content


def numbers(*values: int) -> bytes:
    """32 bits each."""
    return np.array(values, "<u4").tobytes()


def skeleton_file() -> bytes:
    """The bones, sequences and attachments of the small model."""
    given = fields(WRATH)
    parts = {
        "SKL1": {"name": "Made"},
        "SKA1": {"attachments": given["attachments"]},
        "SKB1": {"bones": given["bones"]},
        "SKS1": {name: given[name] for name in ("global_sequences", "sequences")},
    }
    return b"".join(chunk(tag, layout_bytes(CHUNKS[tag], GENERATION, each)) for tag, each in parts.items())


def model_file(*chunks: bytes, **changes: Any) -> bytes:
    """The model without bones and sequences, and more chunks behind it."""
    plain = model(
        LEGION,
        bones=[],
        sequences=[],
        attachments=[],
        particles=[],
        ribbons=[],
        textures=[{"type": 0}],
        texture_lookup=[0],
        **changes,
    )
    return chunk("MD21", plain) + b"".join(chunks)
