"""Puff's emitters and its ribbon: the records, with every kind that a viewer should support."""

from __future__ import annotations

from typing import Any

from generate.puff import acting, shape
from generate.puff.sparkle import FLAME_CELLS, SMOKE_CELLS
from viewer.families.wow.m2.layout.writer import WrittenTrack

Fields = dict[str, Any]

PLANE, SPHERE, SPLINE = 1, 2, 3
ALPHA, ADD = 2, 4
HEAD, TAIL, BOTH = 0, 1, 2
UNLIT, SORTED, NO_FOG, MODEL_SPACE, KILLED = 0x1, 0x2, 0x8, 0x10, 0x80
TUMBLER, TAIL_GROWS = 0x200, 0x400
ALL_ROUND, TURN = 1.5708, 6.2832
FIRE, SMOKE, SPARK, TRAIL, GLINT = 4, 5, 6, 7, 3
"""Numbers of the textures."""
UNLIT_ADD = 2
"""Number of the material."""
HANDLE = ((-0.28, 0, 0.52), (-0.62, 0, 0.66), (-0.88, 0, 0.34), (-0.30, 0, 0.12))
"""The curve of the handle; y of the model is x of an emitter."""


def particles() -> list[Fields]:
    """Fire below the pot, sparks and smoke behind the ember, motes that fly into the knob, glitter of the
    handle."""
    return [_fire(), _smoke(), _core(), _sparks(), _motes(), _glitter()]


def ribbons() -> list[Fields]:
    """The ember's trail."""
    return [
        {
            "id": -1,
            "bone": shape.BONES.index("Ember"),
            "position": shape.EMBER,
            "textures": [TRAIL],
            "materials": [UNLIT_ADD],
            "color": _held((1.0, 0.86, 0.62)),
            "alpha": WrittenTrack([0], [round(0.9 * acting.ONE)]),
            "above": _by_sequence(0.10, 0.05),
            "below": _by_sequence(0.10, 0.05),
            "edges_per_second": 60.0,
            "edge_lifetime": 1.0,
            "gravity": 0.02,
            "rows": 1,
            "columns": 1,
            "texture_slot": _held(0),
            "visible": _held(1),
        }
    ]


def _held(value: Any) -> WrittenTrack:
    """A track with a constant value."""
    return WrittenTrack([0], [value], interpolation=0)


def _by_sequence(standing: Any, walking: Any) -> WrittenTrack:
    """A track with one value for the stand and another value for the walk."""
    moments = [begin for begin, _ in (acting.STAND, acting.WALK)]
    return WrittenTrack(moments, [standing, walking], ((0, 0), (1, 1)), interpolation=0)


def _emitter(bone: str, texture: int, kind: int, **given: Any) -> Fields:
    """A record; parameters that change with time are given as plain numbers."""
    usual: Fields = {
        "id": -1,
        "flags": UNLIT | NO_FOG,
        "bone": shape.BONES.index(bone),
        "position": shape.PIVOTS[shape.BONES.index(bone)],
        "texture": texture,
        "blend": ADD,
        "type": kind,
        "rows": 1,
        "columns": 1,
        "middle": 0.5,
        "head_cells": (0, 0, 1, 0, 0, 1),
        "tail_cells": (0, 0, 0, 0),
        "tail_length": 0.1,
        "twinkle_speed": 10.0,
        "twinkle_share": 1.0,
        "twinkle_scale": (1.0, 1.0),
        "burst": 1.0,
        "follow": (2.5, 0.7, 7.0, 0.9),
        "enabled": _held(1),
    }
    tracks = ("speed", "speed_variation", "vertical_range", "horizontal_range", "gravity", "lifespan")
    tracks += ("rate", "length", "width", "z_source")
    numbers = {name: _held(given.pop(name, 0.0)) for name in tracks}
    return usual | numbers | given


def _fire() -> Fields:
    """A ring of flames that lean outwards: they flee a point below."""
    return _emitter(
        "Root",
        FIRE,
        SPHERE,
        flags=UNLIT | NO_FOG | MODEL_SPACE,
        position=(0, 0, 0.17),
        rows=FLAME_CELLS[0],
        columns=FLAME_CELLS[1],
        speed=0.30,
        speed_variation=0.4,
        horizontal_range=TURN / 2,
        gravity=-0.25,
        lifespan=0.7,
        rate=64.0,
        length=0.33,
        width=0.42,
        z_source=-1.2,
        middle=0.3,
        colors=(0x00FFC070, 0xB0FFD8B0, 0x00FF4810),
        scales=(0.09, 0.18, 0.06),
        head_cells=(0, 7, 1, 0, 7, 2),
        enabled=_by_sequence(1, 0),
    )


def _smoke() -> Fields:
    """It stays where the ember was, and rises."""
    return _emitter(
        "Ember",
        SMOKE,
        PLANE,
        flags=UNLIT | SORTED | NO_FOG | TUMBLER,
        blend=ALPHA,
        rows=SMOKE_CELLS[0],
        columns=SMOKE_CELLS[1],
        speed=0.12,
        speed_variation=0.5,
        vertical_range=TURN / 2,
        horizontal_range=TURN / 2,
        gravity=-0.35,
        lifespan=1.9,
        rate=26.0,
        length=0.03,
        width=0.03,
        drag=1.2,
        spin=0.2,
        middle=0.25,
        colors=(0x00FFB070, 0x60B0A8B0, 0x00707880),
        scales=(0.02, 0.08, 0.17),
        head_cells=(0, 3, 1, 0, 3, 1),
    )


def _core() -> Fields:
    """The ember itself."""
    return _emitter(
        "Ember",
        SPARK,
        PLANE,
        flags=UNLIT | NO_FOG | MODEL_SPACE,
        lifespan=0.4,
        rate=12.0,
        colors=(0x00FFE0A0, 0xE0FFC878, 0x00FF7020),
        scales=(0.05, 0.13, 0.03),
    )


def _sparks() -> Fields:
    """They fly off to all sides, fall, and draw tails."""
    return _emitter(
        "Ember",
        SPARK,
        PLANE,
        flags=UNLIT | NO_FOG | TAIL_GROWS,
        head_or_tail=BOTH,
        speed=0.75,
        speed_variation=0.6,
        vertical_range=TURN / 2,
        horizontal_range=TURN / 2,
        gravity=2.4,
        lifespan=0.85,
        rate=55.0,
        drag=0.6,
        tail_length=0.07,
        middle=0.4,
        colors=(0xFFFFF8D0, 0xFFFFB040, 0x00FF3010),
        scales=(0.022, 0.018, 0.008),
    )


def _motes() -> Fields:
    """They are drawn into the knob, where they end."""
    return _emitter(
        "Lid",
        GLINT,
        SPHERE,
        flags=UNLIT | NO_FOG | MODEL_SPACE | KILLED,
        position=(0, 0, shape.KNOB[2] - 0.05),
        speed=-0.24,
        speed_variation=0.2,
        vertical_range=ALL_ROUND,
        horizontal_range=TURN / 2,
        lifespan=1.5,
        rate=16.0,
        length=0.26,
        width=0.34,
        spin=0.5,
        middle=0.5,
        colors=(0x0080C8FF, 0xD0C0E8FF, 0xFFFFE8A0),
        scales=(0.02, 0.045, 0.012),
        twinkle_speed=12.0,
        twinkle_scale=(0.6, 1.2),
    )


def _glitter() -> Fields:
    """It rises from the handle."""
    return _emitter(
        "Body",
        GLINT,
        SPLINE,
        flags=UNLIT | NO_FOG | MODEL_SPACE,
        position=(0, 0, 0),
        speed=0.16,
        speed_variation=0.4,
        vertical_range=0.5,
        lifespan=1.3,
        rate=14.0,
        length=0.0,
        width=1.0,
        spin=0.3,
        middle=0.35,
        colors=(0x0080FFD0, 0xE0A0FFD8, 0x0080C0FF),
        scales=(0.012, 0.04, 0.01),
        spline=HANDLE,
        twinkle_share=0.85,
    )
