"""A creature of World of Warcraft below a folder: a model, its skins, and tables with its displays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import tests.wow  # noqa: F401
from tests import m2_files
from tests.table_files import Cell, table_bytes
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.storage.image import save_png

SKINS = {"MadeBlack": (20, 20, 20, 255), "MadeWhite": (240, 240, 240, 255), "MadeEyes": (0, 0, 250, 255)}
MODEL = "Creature\\Made\\Made.mdx"
WRATH_MODELS, WRATH_DISPLAYS = 28, 16

DISPLAYS: Sequence[Sequence[Cell]] = (
    (30, 7, 0, 0, 1.0, 255, "MadeGone"),
    (20, 7, 0, 0, 2.0, 255, "MadeBlack"),
    (40, 7, 0, 0, 1.0, 255, "MadeWhite", "MadeEyes"),
    (21, 7, 0, 0, 1.5, 255, "madeblack"),
    (50, 7, 0, 5, 1.0, 128, "MadeBlack"),
    (99, 8, 0, 0, 1.0, 255, "Nobody"),
)
"""Rows of CreatureDisplayInfo of 1.12.1. The model has the number 7; the skin of display 30 is missing."""


def models(path: str = MODEL, scale: float = 1.0, columns: int = 16) -> bytes:
    """CreatureModelData with a frog and with one model, whose number is 7."""
    return table_bytes([(3, 0, "Creature\\Frog\\Frog.mdx", 0, 1.0), (7, 0, path, 1, scale)], columns)


def creature_tables(
    rows: Sequence[Sequence[Cell]] = DISPLAYS, *, path: str = MODEL, scale: float = 1.0
) -> dict[str, bytes]:
    """The tables of 1.12.1 by file name."""
    return {
        "CreatureModelData.dbc": models(path, scale),
        "CreatureDisplayInfo.dbc": table_bytes(rows, 12),
    }


def wrath_tables(*rows: Sequence[Cell]) -> dict[str, bytes]:
    """The tables of 3.3.5a by file name, with these rows of displays, and with particle colours 4."""
    colors = (0xFF010203, 0x00FF0000, 0, 0xFF040506, 0xFF00FF00, 0, 0xFF070809, 0xFF0000FF, 0)
    return {
        "CreatureModelData.dbc": models(columns=WRATH_MODELS),
        "CreatureDisplayInfo.dbc": table_bytes(rows, WRATH_DISPLAYS),
        "ParticleColor.dbc": table_bytes([(4, *colors)]),
    }


def write_tables(folder: Path, tables: Mapping[str, bytes]) -> Path:
    """Write tables into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in tables.items():
        (folder / name).write_bytes(data)
    return folder


def write_creature(
    root: Path,
    tables: Mapping[str, bytes] | None = None,
    generation: VersionTraits = m2_files.CLASSIC,
    **changes: Any,
) -> Path:
    """Write a model with its skins to `Creature/Made` below a root, and the tables to `DBFilesClient`; return
    the path of the model.
    """
    folder = root / "Creature" / "Made"
    folder.mkdir(parents=True, exist_ok=True)
    for name, color in SKINS.items():
        save_png(folder / f"{name}.blp", np.full((1, 1, 4), color, np.uint8))
    path = folder / "Made.m2"
    path.write_bytes(m2_files.model(generation, **{"textures": [{"type": 11}], **changes}))
    if generation.nested:
        (folder / "Made00.skin").write_bytes(m2_files.skin())
    write_tables(root / "DBFilesClient", creature_tables() if tables is None else tables)
    return path
