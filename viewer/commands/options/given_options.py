"""The options of the command line for the pose and the picture."""

from __future__ import annotations

from typing import Any, NamedTuple

from viewer.arrays import Color
from viewer.scene.choices import ExportChoices, MissingTextures, Shading, UpAxis
from viewer.scene.comparison import CompareMode
from viewer.session.preferences import Theme

Values = dict[str, Any]
"""The values of the given options, by the names of the options."""

THUMBNAIL_SIZE = (256, 256)
"""The size of thumbnails in pixels if none is chosen."""


class Options(NamedTuple):
    """The options as given; None if the option was not given. Names are not looked up yet."""

    animation: tuple[str, ...] = ()
    time: float | None = None
    loop: bool = True
    morph: tuple[tuple[str, float], ...] = ()
    lod: int | None = None
    geoset: tuple[int, ...] = ()
    texture: tuple[tuple[int, str], ...] = ()
    seed: int = 0
    emitter: tuple[int, ...] = ()
    particles: bool = True
    cold: bool = False
    size: tuple[int, int] = (1280, 720)
    background: Color | None = None
    view: str | None = None
    yaw: float | None = None
    pitch: float | None = None
    distance: float = 1.0
    camera: str | None = None
    ortho: bool = False
    shading: Shading = Shading.LIT
    wireframe: bool = False
    bone: str | None = None
    skeleton: bool = False
    file_lights: bool = False
    grid: bool | None = None
    samples: int = 4
    missing: MissingTextures | None = None
    up: UpAxis | None = None
    frames: tuple[int, int] | None = None
    fps: float = 30.0
    turntable: bool = False
    seamless: bool = False
    watch: bool = False
    ui: bool = False
    theme: Theme = "dark"
    scale: float = 1.0
    compare: CompareMode | None = None
    split: float = 0.5
    align: bool = True


def export_options(values: Values) -> tuple[Options, ExportChoices]:
    """The options of `export`."""
    own = {name: value for name, value in values.items() if name in ExportChoices.__struct_fields__}
    shared = {name: value for name, value in values.items() if name not in own}
    return Options(**shared), ExportChoices(**own)
