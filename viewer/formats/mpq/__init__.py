"""MPQ archives of World of Warcraft and other games of Blizzard."""

from __future__ import annotations

from viewer.formats.mpq.probe import IDS, SUFFIXES, is_mpq
from viewer.formats.registry import Format, later
from viewer.scene.files import PACKAGE

FORMATS = (
    Format("MPQ archive", SUFFIXES, is_mpq, later("viewer.formats.mpq.load:load_mpq"), PACKAGE, IDS, True),
)
