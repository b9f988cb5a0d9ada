"""Build lights, whose colours, attenuation and visibility follow tracks.

Source: wowdev.wiki M2, lights.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.binary.tables import RecordTables
from viewer.families.wow.m2.clips.tracks import TrackColumns
from viewer.families.wow.m2.effects.curves import Stretches
from viewer.families.wow.m2.effects.extras import triple
from viewer.families.wow.m2.effects.motion import TrackSource, TrackValue
from viewer.scene.material import AT_FIRST, ClipTime
from viewer.scene.model import Light

LIGHTS = {0: "directional", 1: "point"}
DEFAULTS = {
    "diffuse": np.ones(3),
    "diffuse_intensity": np.ones(1),
    "ambient": np.ones(3),
    "ambient_intensity": np.ones(1),
    "attenuation_start": np.zeros(1),
    "attenuation_end": np.zeros(1),
    "visible": np.ones(1),
}
"""The values of tracks that have no keys, by track name."""


class LightTracks(Struct, frozen=True, eq=False):
    """The tracks of a light by name. `still` is the light without tracks."""

    still: Light
    tracks: dict[str, TrackValue]

    def __call__(self, clip_time: ClipTime) -> Light:
        """Return the light at a time. NaN and infinite numbers of a damaged file are replaced."""
        now = {name: np.nan_to_num(track(clip_time)) for name, track in self.tracks.items()}
        return replace(
            self.still,
            diffuse=triple(np.nan_to_num(now["diffuse"] * now["diffuse_intensity"])),
            ambient=triple(np.nan_to_num(now["ambient"] * now["ambient_intensity"])),
            attenuation=(float(now["attenuation_start"][0]), float(now["attenuation_end"][0])),
            visible=bool(now["visible"][0] > 0),
        )

    @property
    def moves(self) -> bool:
        """Whether the light changes over time."""
        return not all(track.still for track in self.tracks.values())


def lights_of(records: RecordTables, stretches: Stretches) -> tuple[Light, ...]:
    """Return the lights, in file order."""
    columns = TrackColumns(records)
    rows = records.tables["lights"]
    return tuple(_light(columns, number, row, stretches) for number, row in enumerate(rows))


def _light(columns: TrackColumns, number: int, row: Any, stretches: Stretches) -> Light:
    def track(name: str, default: Array) -> TrackValue:
        return TrackValue(columns, TrackSource("lights", number, name, default), stretches)

    still = Light(LIGHTS.get(int(row["type"]), "unknown"), int(row["bone"]), triple(row["position"]))
    tracks = LightTracks(still, {name: track(name, default) for name, default in DEFAULTS.items()})
    first = tracks(AT_FIRST)
    return replace(first, motion=tracks) if tracks.moves else first
