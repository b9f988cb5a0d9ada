"""The user interface: panels, the ImGui context, mouse and keyboard.

A panel reads the State and posts requests.
"""
