"""The user interface: panels, the ImGui context, mouse and keyboard.

A panel reads the State and posts requests.
"""

from viewer.ui.kit.native_bundle import import_native_parts

import_native_parts()
