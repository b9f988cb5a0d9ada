"""The ImGui context, theme, docking and widgets that all panels share."""
