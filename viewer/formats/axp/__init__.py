"""AXP archives of 天龙八部 (TLBB)."""

from __future__ import annotations

from viewer.formats.axp.probe import MAGIC, SUFFIX, is_axp
from viewer.formats.registry import Format, later
from viewer.scene.files import PACKAGE

LOAD = later("viewer.formats.axp.load:load_axp")
FORMATS = (Format("AXP archive", (SUFFIX,), is_axp, LOAD, PACKAGE, (MAGIC,), True),)
