"""Every file of Puff, by its name below the game's data folder."""

from __future__ import annotations

from typing import Any

import numpy as np

from generate.blp import palette_blp, raw_blp
from generate.mesh import Mesh, join
from generate.puff import acting, coats, effects, ember, shape, sparkle
from viewer.arrays import Array
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.families.wow.m2.layout.records import VERTEX
from viewer.families.wow.m2.layout.writer import WrittenTrack, model_bytes

Fields = dict[str, Any]

CLASSIC = VersionTraits(256)
FOLDER = "Creature/Puff"
TEXTURES = (
    "PuffSkin.blp",
    "PuffSteam.blp",
    "PuffFade.blp",
    "PuffGlint.blp",
    "PuffFire.blp",
    "PuffSmoke.blp",
    "PuffSpark.blp",
    "PuffTrail.blp",
)
UPWARDS = (0, 2, 0, 0, 0, 0, 0, 0)
"""Which of them wrap, along v."""
UNLIT_CARD = 1 | 4 | 16
"""Unlit, two-sided, without depth."""
OPAQUE, ALPHA, ADD = 0, 2, 4
BILLBOARD, UPRIGHT_BILLBOARD, ANIMATED = 0x8, 0x40, 0x200
FLAGS = {"Steam": UPRIGHT_BILLBOARD, "Glint": BILLBOARD}
PLAIN, FLOWER = 101, 102
HEAD = 11
EVERY_INFLUENCE = 255


def m2() -> dict[str, bytes]:
    """The model and its textures."""
    cards = (coats.steam(), coats.fade(), coats.glint())
    sprites = (sparkle.flames(), sparkle.smoke(), sparkle.spark(), sparkle.trail())
    pictures = (palette_blp(coats.skin()), *map(raw_blp, cards), *map(palette_blp, sprites))
    out = {f"{FOLDER}/{name}": data for name, data in zip(TEXTURES, pictures, strict=True)}
    return {f"{FOLDER}/Puff.m2": model_bytes(CLASSIC, _fields()), **out}


def _parts() -> list[tuple[int, Mesh]]:
    """Geosets and their meshes: the pot, two lids to choose from, steam, glint."""
    return [
        (0, shape.pot()),
        (PLAIN, shape.plain_lid()),
        (FLOWER, shape.flower_lid()),
        (0, shape.card("Steam", 0.26, -0.02, 0.62)),
        (0, shape.card("Glint", 0.36, -0.18, 0.18)),
    ]


def _fields() -> Fields:
    parts = _parts()
    whole = join([mesh for _, mesh in parts])
    vertices = _vertices(whole)
    low, high = whole.positions.min(axis=0), whole.positions.max(axis=0)
    stand, walk = acting.STAND, acting.WALK
    return {
        "name": "Puff",
        "global_sequences": [acting.GLINT_LOOP, acting.STEAM_LOOP],
        "sequences": [_sequence(0, stand, low, high), _sequence(4, walk, low, high, speed=0.9)],
        "sequence_lookup": [0, -1, -1, -1, 1],
        "bones": _bones(),
        "vertices": vertices,
        "views": [_view(parts, vertices)],
        "bone_combos": range(len(shape.BONES)),
        "bounds": (*low, *high),
        "radius": float(np.linalg.norm(whole.positions, axis=1).max()),
        **_paint(),
        **_extras(),
        "particles": effects.particles(),
        "ribbons": effects.ribbons(),
    }


def _vertices(mesh: Mesh) -> Array:
    out = np.zeros(len(mesh.positions), VERTEX)
    out["position"], out["normal"], out["uv0"] = mesh.positions, mesh.normals, mesh.uvs
    out["weights"][:, 0] = EVERY_INFLUENCE
    out["bones"][:, 0] = mesh.influence.argmax(axis=1)
    return out


def _sequence(number: int, stretch: tuple[int, int], low: Array, high: Array, speed: float = 0.0) -> Fields:
    return {
        "id": number,
        "start": stretch[0],
        "end": stretch[1],
        "speed": speed,
        "flags": 0x20,
        "probability": 32767,
        "blend_time": 150,
        "bounds": (*low, *high),
        "next_variation": -1,
    }


def _bones() -> list[Fields]:
    tracks = {**acting.tracks(), "Ember": ember.tracks()}
    return [
        {
            "key_bone": -1,
            "flags": FLAGS.get(name, 0) | (ANIMATED if name in tracks else 0),
            "parent": parent,
            "pivot": pivot,
            **tracks.get(name, {}),
        }
        for name, parent, pivot in zip(shape.BONES, shape.PARENTS, shape.PIVOTS, strict=True)
    ]


def _view(parts: list[tuple[int, Mesh]], vertices: Array) -> Fields:
    submeshes: list[Fields] = []
    indices: list[Array] = []
    start = 0
    for geoset, mesh in parts:
        submeshes.append(
            {
                "id": geoset,
                "vertex_start": start,
                "vertex_count": len(mesh.positions),
                "index_start": sum(len(each) for each in indices),
                "index_count": mesh.triangles.size,
                "bone_count": len(shape.BONES),
                "influences": 1,
                "center": mesh.positions.mean(axis=0),
            }
        )
        indices.append(mesh.triangles.ravel() + start)
        start += len(mesh.positions)
    return {
        "vertices": range(len(vertices)),
        "indices": np.concatenate(indices),
        "joints": vertices["bones"],
        "submeshes": submeshes,
        "batches": _batches(),
        "bone_limit": 64,
    }


def _batches() -> list[Fields]:
    """Porcelain, then the cards; the glint in a plane above the steam."""
    skin = [{"submesh": part, "geoset": part, "color": -1, "texture_count": 1} for part in range(3)]
    steam = {"submesh": 3, "geoset": 3, "color": -1, "material": 1, "texture": 1, "texture_count": 2}
    moving = {"transparency": 1, "transform": 1}
    glint = {"submesh": 4, "geoset": 4, "color": 0, "material": 2, "texture": 3, "texture_count": 1}
    return [*skin, steam | moving, glint | {"priority": 1}]


def _paint() -> Fields:
    """Textures, materials and their tracks."""
    folder = FOLDER.replace("/", "\\")
    return {
        "textures": [
            {"flags": wrap, "name": f"{folder}\\{name}"} for wrap, name in zip(UPWARDS, TEXTURES, strict=True)
        ],
        "materials": [
            {"blend": OPAQUE},
            {"flags": UNLIT_CARD, "blend": ALPHA},
            {"flags": UNLIT_CARD, "blend": ADD},
        ],
        "colors": [{"rgb": WrittenTrack([0], [(1.0, 0.93, 0.72)]), "alpha": acting.glint_alpha()}],
        "transparency": [{"weight": WrittenTrack([0], [acting.ONE])}, {"weight": acting.steam_weight()}],
        "transforms": [{"translation": acting.steam_rise()}],
        "texture_lookup": [0, 1, 2, 3],
        "uv_lookup": [0, 0],
        "transparency_lookup": [0, 1],
        "transform_lookup": [-1, 0, -1],
    }


def _extras() -> Fields:
    """The parts that games use: an attachment for a hat, sound events, a portrait camera."""
    steps = [acting.WALK[0] + landing for landing in acting.LANDINGS]
    return {
        "attachments": [{"id": HEAD, "bone": shape.BONES.index("Lid"), "position": shape.KNOB}],
        "attachment_lookup": [-1] * HEAD + [0],
        "events": [
            {
                "id": b"$DSO",
                "bone": shape.BONES.index("Lid"),
                "position": shape.KNOB,
                "fired": WrittenTrack([acting.DROP]),
            },
            {"id": b"$FSD", "bone": 0, "fired": WrittenTrack(steps, (), ((0, 0), (0, 1)))},
        ],
        "cameras": [
            {
                "type": 0,
                "fov": 0.95,
                "far": 50.0,
                "near": 0.1,
                "position": (2.6, 0.7, 0.95),
                "target": (0, 0.1, 0.5),
            }
        ],
        "camera_lookup": [0],
    }
