"""Panels: functions over the state that post requests; the ImGui context they live in; mouse and keyboard."""
