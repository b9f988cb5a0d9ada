"""The export dialog: format, clips, level of detail, textures, axes, pose, materials."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui
from msgspec.structs import replace

from viewer.actions.action import has_model, refusal
from viewer.errors import counted
from viewer.scene.choices import (
    AXES,
    CLIPS,
    EXPORT_FORMATS,
    EXPORT_SUFFIXES,
    SCENES,
    TEXTURES,
    WITH_MATERIALS,
    ExportChoices,
)
from viewer.scene.names import file_name
from viewer.session.requests import ExportFiles, ExportModel, Post, SaveAs
from viewer.session.state import State
from viewer.ui.kit.dialogs import destination, dialog_buttons, field_name, settings_window
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.widgets import faint

FILE_CLIPS, FILE_CLIP_TITLES = ("all", "none"), ("All", "None")
"""The choices of clips for several files."""
POSES = ("Current pose, without skeleton", "Rest pose, without skeleton")
"""The titles of a pose without a skeleton, for the model in view and for several files."""
CLIP_TITLES = ("All", "Playing", "Selected ({})", "None")
TEXTURE_TITLES = ("In the file", "As files beside it", "None")
AXES_TITLES = ("As in glTF (+Y up)", "As in the file")
USUAL_RATE, FASTEST = 30.0, 1000.0


def export_dialog(state: State, post: Post) -> None:
    """Draw the dialog while `state.interface.exports` is set. Its title names the model in view."""
    if not state.interface.exports:
        return
    shown = None if state.files.exported else state.document
    name = "" if shown is None else f" {label_text(file_name(shown.path))}"
    if not settings_window(f"Export{name}###export", lambda: _inside(state, post)):
        state.interface.exports = False


def _inside(state: State, post: Post) -> None:
    wanted = state.interface.exporter
    field_name("Format")
    titles = [each.title for each in EXPORT_FORMATS]
    wanted = replace(wanted, suffix=_choice("##format", wanted.suffix, EXPORT_SUFFIXES, titles))
    several = bool(state.files.exported)
    if state.documents.lods > 1 and not several:
        wanted = replace(wanted, lod=_level(wanted.lod, state.documents.lods))
    choices = wanted.choices
    if wanted.suffix in SCENES:
        field_name("Pose")
        baked = imgui.checkbox(POSES[several], choices.bake_pose)[1]
        choices = choices._replace(bake_pose=baked)
    if not choices.is_posed(wanted.suffix):
        field_name("Clips")
        count = len(state.playback.selected)
        titles = [each.format(count) for each in CLIP_TITLES]
        if several:
            clips = wanted.clips if wanted.clips in FILE_CLIPS else FILE_CLIPS[0]
            wanted = replace(wanted, clips=_choice("##clips", clips, FILE_CLIPS, FILE_CLIP_TITLES))
        else:
            wanted = replace(wanted, clips=_choice("##clips", wanted.clips, CLIPS, titles))
        choices = _rate(choices)
    if wanted.suffix in WITH_MATERIALS:
        field_name("Materials")
        choices = choices._replace(materials=imgui.checkbox("##materials", choices.materials)[1])
        if choices.materials:
            field_name("Textures")
            shown = _choice("##textures", choices.textures, TEXTURES, TEXTURE_TITLES)
            choices = choices._replace(textures=shown)
    field_name("Axes")
    choices = choices._replace(axes=_choice("##axes", choices.axes, AXES, AXES_TITLES))
    state.interface.exporter = wanted = replace(wanted, choices=choices)
    _end(state, post, wanted)


def _choice(label: str, chosen: str, values: Sequence[str], titles: Sequence[str]) -> str:
    """Draw a list of values, shown by their titles; return the chosen value."""
    return values[imgui.combo(label, values.index(chosen), list(titles))[1]]


def _level(chosen: int | None, levels: int) -> int | None:
    """Draw the choice of the level of detail; return its number, None for the level in the view."""
    field_name("Level of detail")
    titles = ["As in the view", *map(str, range(levels))]
    row = 0 if chosen is None or chosen >= levels else chosen + 1
    row = imgui.combo("##lod", row, titles)[1]
    return row - 1 if row else None


def _rate(choices: ExportChoices) -> ExportChoices:
    """Draw the choice between the stored keyframes and samples at a frame rate."""
    field_name("Tracks")
    sampled = imgui.checkbox("Sampled", choices.fps is not None)[1]
    if not sampled:
        return choices._replace(fps=None)
    field_name("Frames per second")
    fps = imgui.input_float("##fps", choices.fps or USUAL_RATE, 1.0, 5.0, "%.4g")[1]
    return choices._replace(fps=max(1.0, min(FASTEST, fps)))


def _end(state: State, post: Post, wanted: ExportModel) -> None:
    """Draw the buttons and the folder of the exports."""
    imgui.separator()
    if state.files.exported:
        _end_files(state, post, wanted)
        return
    pressed = dialog_buttons("Export", "Export as…", refused=refusal(has_model, state))
    if pressed in ("Export", "Export as…"):
        post(wanted if pressed == "Export" else SaveAs(wanted))
    state.interface.exports &= pressed in ("", "Export as…")  # the chosen file closes the dialog
    destination(state.interface.preferences.exports)


def _end_files(state: State, post: Post, wanted: ExportModel) -> None:
    """Draw the buttons for several files."""
    paths = state.files.exported
    pressed = dialog_buttons("Export to a folder…")
    if pressed == "Export to a folder…":
        post(ExportFiles(paths, wanted))
    state.interface.exports &= pressed != "Cancel"
    faint(f"{counted(len(paths), 'selected file')}; subfolders are kept, existing files are not replaced")
