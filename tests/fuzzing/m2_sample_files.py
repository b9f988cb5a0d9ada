"""The M2 files behind the samples, by name."""

from __future__ import annotations

import struct
from functools import cache

import numpy as np

import tests.wow  # noqa: F401
from tests import m2_files, named_models
from tests.fuzzing.picture_files import blp_pictures
from tests.m2_files import CLASSIC, CRUSADE, WRATH
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.families.wow.m2.layout.writer import WrittenTrack
from viewer.families.wow.m2.layout.writer import model_bytes as m2_bytes

Files = dict[str, bytes]
NO_PARTS: dict[str, tuple[()]] = dict.fromkeys(
    ("events", "attachments", "lights", "cameras", "particles", "ribbons"), ()
)
"""The fields of a model that has only bones and geometries."""


def chunked(data: bytes) -> bytes:
    """A model of a later client, in chunks."""
    return m2_files.chunk("MD21", data) + m2_files.chunk("TXID", m2_files.numbers(1))


def parts(generation: VersionTraits) -> Files:
    """Models of a generation with few parts each, which are opened in a fraction of the time."""
    whole = m2_files.fields(generation)
    bare = dict.fromkeys(("sequences", "bones", "vertices", "sequence_lookup"), ()) | NO_PARTS
    parts = {
        "bones": {name: whole[name] for name in ("sequences", "bones", "vertices", "sequence_lookup")},
        "marks": {name: whole[name] for name in ("sequences", "events", "attachments", "lights", "cameras")},
        "effects": {name: whole[name] for name in ("particles", "ribbons")},
    }
    version = generation.version
    return {f"{name}{version}.m2": m2_bytes(generation, whole | bare | part) for name, part in parts.items()}


def models() -> Files:
    """Every generation, and models of effects alone."""
    found = {f"m{each.version}.m2": m2_files.model(each) for each in (CLASSIC, CRUSADE)}
    for version in (261, 262, 263):
        found[f"m{version}.m2"] = found["m260.m2"][:4] + struct.pack("<I", version) + found["m260.m2"][8:]
    return found | {
        "shard.m2": named_models.shard(),
        "sparks.m2": named_models.alone(named_models.emitter()),
        **parts(CLASSIC),
        **parts(WRATH),
    }


def models_with_views() -> Files:
    """Models whose view, and one whose skeleton, are in other files."""
    model = m2_files.model(WRATH)
    return {
        "m264.m2": model,
        "chunked.m2": chunked(model),
        "rigged.m2": m2_files.model_file(m2_files.chunk("SKID", m2_files.numbers(1))),
    }


def textures() -> Files:
    """The texture that all models name."""
    return {"Skin.blp": blp_pictures()["palette.blp"]}


def neighbours() -> Files:
    """The views and the skeleton of the models."""
    skin = m2_files.skin()
    views = {f"{stem}00.skin": skin for stem in ("m264", "chunked", "rigged")}
    return views | {
        "rigged.skel": m2_files.skeleton_file(),
        **textures(),
    }


def skins() -> Files:
    """A view."""
    return {"m26400.skin": m2_files.skin()}


def without_effects() -> Files:
    """The model of the view."""
    return {"m264.m2": m2_files.model(WRATH, **NO_PARTS)}


@cache
def with_keys() -> Files:
    """A model one of whose sequences has its keys in another file."""
    bones = m2_files.bones(WRATH)
    rows = [[0], [0], [0], [0, 1000]]
    places = [[(0, 0, 0)], [(2, 0, 0)], [(0, 0, 0)], [(0, 0, 0), (0, 4, 0)]]
    bones[0]["translation"] = WrittenTrack(rows, places)
    model = m2_files.model(WRATH, bones=bones, **NO_PARTS)
    return {"Made.m2": model, "Made00.skin": m2_files.skin()}


def keys(chunked: bool = False) -> Files:
    """The keys of a sequence, plain or in a chunk."""
    keys = np.array([0, 1000], "<u4").tobytes() + np.array([(0, 0, 0), (0, 4, 0)], "<f4").tobytes()
    whole = keys + bytes(200)
    return {"Made0060-00.anim": m2_files.chunk("AFM2", whole) if chunked else whole}


def skeletons() -> Files:
    """The bones, sequences and attachments of a model."""
    return {"made.skel": m2_files.skeleton_file()}
