"""Typing without a text field: letters go to the query while the list or the wall has the focus."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.session.file_list import FileList


def type_query(files: FileList) -> bool:
    """Append the letters typed in this frame to the query; Backspace takes the last one away: True then.

    Call it in the focused window. A text field that is in use takes the letters itself.
    """
    if imgui.get_io().want_text_input:
        return False
    files.takes_text = True
    typed = "".join(map(chr, imgui.get_io().input_queue_characters))
    files.query += "".join(filter(str.isprintable, typed)) if files.query else typed.strip()
    if files.query and imgui.is_key_pressed(imgui.Key.backspace):
        files.query = files.query[:-1]
        return True
    return False
