"""The icons and colours of severities."""

from __future__ import annotations

from viewer.scene.finding import Severity
from viewer.ui.kit.theme import ERROR, TEXT, WARNING, Color

COLORS: dict[Severity, Color] = {Severity.ERROR: ERROR, Severity.WARNING: WARNING, Severity.NOTE: TEXT}
ICONS = {Severity.ERROR: "\uf057", Severity.WARNING: "\uf071", Severity.NOTE: "\uf05a"}
