"""The table of the code that draws each panel of `viewer.session.interface.PANELS`.

A panel is named `module:thing` and imported when it is first shown: a function `(state, post) -> None`, or a
class whose objects are called with these arguments.
"""

from __future__ import annotations

PANEL_DRAWS = {
    "files": "viewer.ui.files.files_panel:FilesPanel",
    "outline": "viewer.ui.outline.outline_panel:OutlinePanel",
    "animations": "viewer.ui.panels.animations:AnimationsPanel",
    "properties": "viewer.ui.properties.properties_panel:PropertiesPanel",
    "morphs": "viewer.ui.panels.morphs:MorphsPanel",
    "transport": "viewer.ui.timeline.transport:transport",
    "timeline": "viewer.ui.timeline.timeline_panel:TimelinePanel",
    "curves": "viewer.ui.timeline.curves:CurvesPanel",
    "chunks": "viewer.ui.bytes.bytes_panel:BytesPanel",
    "problems": "viewer.ui.problems.problems_panel:ProblemsPanel",
    "differences": "viewer.ui.differences.differences_panel:DifferencesPanel",
}
"""What draws each panel, by the panel's name."""
COUNTED = frozenset({"problems", "differences"})
"""Panels whose objects have a `badge(state) -> str` for the tab, which shows even behind other tabs."""
