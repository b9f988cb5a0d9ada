"""The drawing code of each panel and overlay, as `module:name`, which is imported when it is first shown."""

from __future__ import annotations

PANEL_CODE = {
    "files": "viewer.ui.files.files_panel:FilesPanel",
    "outline": "viewer.ui.outline.outline_panel:OutlinePanel",
    "animations": "viewer.ui.panels.animations:AnimationsPanel",
    "properties": "viewer.ui.properties.properties_panel:PropertiesPanel",
    "morphs": "viewer.ui.panels.morphs:MorphsPanel",
    "texture": "viewer.ui.textures.texture_panel:TexturePanel",
    "looks": "viewer.ui.looks.looks_panel:LooksPanel",
    "manual": "viewer.ui.manual.manual_panel:ManualPanel",
    "transport": "viewer.ui.timeline.transport:transport",
    "timeline": "viewer.ui.timeline.timeline_panel:TimelinePanel",
    "curves": "viewer.ui.timeline.curves:CurvesPanel",
    "motion": "viewer.ui.motion.motion_panel:MotionPanel",
    "chunks": "viewer.ui.bytes.bytes_panel:BytesPanel",
    "problems": "viewer.ui.problems.problems_panel:ProblemsPanel",
    "differences": "viewer.ui.differences.differences_panel:DifferencesPanel",
}
"""By the name of a panel in `session.layouts`: a function `(state, post) -> None`, or a class whose objects
are called with these arguments.
"""
OVERLAY_CODE = {
    "palette": "viewer.ui.dialogs.palette:CommandPalette",
    "###keys": "viewer.ui.dialogs.key_sheet:KeySheet",
    "shading pie": "viewer.ui.view.shading_pie:ShadingPie",
    "###record": "viewer.ui.dialogs.record_dialog:record_dialog",
    "###export": "viewer.ui.dialogs.export_dialog:export_dialog",
    "###settings": "viewer.ui.settings.settings_window:SettingsWindow",
    "###about": "viewer.ui.dialogs.about_dialog:about_dialog",
    "###dropped": "viewer.ui.dialogs.dropped_dialog:dropped_dialog",
    "###batches": "viewer.ui.files.batch_window:batch_window",
    "###browser": "viewer.ui.dialogs.file_browser:file_browser",
    "###quit": "viewer.ui.dialogs.quit_dialog:quit_dialog",
}
"""By the window of an overlay in `ui.kit.overlays`. The code of an opened overlay is called in each frame."""
