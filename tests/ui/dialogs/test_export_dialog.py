"""The dialog for exports, and what it asks for."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from tests.labels import drawn_labels
from viewer.scene.choices import ExportChoices
from viewer.session.requests import ExportFiles, ExportModel, SaveAs
from viewer.ui.dialogs import export_dialog


@pytest.fixture
def dialog(bent: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The desk with the dialog open; `push` has the buttons to click, `drawn` the labels of its widgets, and
    `chosen` the rows and values that are chosen in them.
    """
    bent.pushed, bent.drawn, bent.chosen = set(), set(), {}

    def clicked(label: str, *more: Any) -> bool:
        return button(label, *more) or label in bent.pushed

    def answered(draw: Any) -> Any:
        def run(label: str, value: Any, *more: Any) -> Any:
            bent.drawn.add(label)
            shown = draw(label, value, *more)
            return (True, bent.chosen[label]) if label in bent.chosen else shown

        return run

    button = imgui.button
    monkeypatch.setattr(imgui, "button", clicked)
    for name in ("combo", "checkbox", "input_float"):
        monkeypatch.setattr(imgui, name, answered(getattr(imgui, name)))
    bent.state.interface.exports = True
    bent.show(export_dialog.export_dialog)
    return bent


def test_it_asks_for_what_was_chosen(dialog: Any) -> None:
    dialog.chosen |= {"##format": 1, "##clips": 1, "Sampled": True, "##fps": 24.0, "##textures": 1}
    dialog.chosen |= {"##axes": 1}
    dialog.frames()
    dialog.pushed.add("Export")
    dialog.frames()
    choices = ExportChoices(24.0, "files", "file")
    assert dialog.posted == [ExportModel(".gltf", "playing", None, choices)]
    assert not dialog.state.interface.exports


def test_a_dialog_without_a_model_says_why_its_buttons_are_grey(dialog: Any) -> None:
    assert "No model is in view" not in drawn_labels(dialog)
    dialog.state.documents.remove(0)
    dialog.frames(2)
    assert "No model is in view" in drawn_labels(dialog)


def test_at_first_everything_is_written_into_one_file_in_the_axes_of_gltf(dialog: Any) -> None:
    dialog.frames()
    dialog.pushed.add("Export")
    dialog.frames()
    choices = ExportChoices(None, "embed", "gltf", bake_pose=False, materials=True)
    assert dialog.posted == [ExportModel(".glb", "all", None, choices)]


@pytest.mark.parametrize(("number", "more"), [(2, {"##materials", "##textures"}), (3, set())])
def test_a_posed_mesh_has_no_clips_and_only_an_obj_has_materials(
    number: int, more: set[str], dialog: Any
) -> None:
    dialog.chosen["##format"] = number
    dialog.frames()
    dialog.drawn.clear()
    dialog.frames()
    assert dialog.drawn - {"##lod"} == {"##format", "##axes"} | more


def test_tracks_are_sampled_at_thirty_frames_per_second_at_first(dialog: Any) -> None:
    dialog.chosen["Sampled"] = True
    dialog.frames()
    assert dialog.state.interface.exporter.choices.fps == 30.0


@pytest.mark.parametrize(("held", "rate"), [("", 25.0), ("Ctrl", 29.0)])
def test_plus_adds_one_frame_per_second_and_with_ctrl_five(
    dialog: Any, monkeypatch: pytest.MonkeyPatch, held: str, rate: float
) -> None:
    plus: list[float] = []
    drawn = imgui.input_float

    def note(*values: Any) -> Any:
        found = drawn(*values)
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        plus[:] = high.x - imgui.get_frame_height() / 2, (low.y + high.y) / 2
        return found

    monkeypatch.setattr(imgui, "input_float", note)
    interface = dialog.state.interface
    interface.exporter = replace(interface.exporter, choices=ExportChoices(fps=24.0))
    dialog.frames(3)
    dialog.move(*plus)
    dialog.press(held=held)
    dialog.release()
    dialog.frames(2)
    assert interface.exporter.choices.fps == rate


def test_rates_are_kept_within_limits(dialog: Any) -> None:
    dialog.chosen |= {"Sampled": True, "##fps": 0.0}
    dialog.frames()
    assert dialog.state.interface.exporter.choices.fps == 1.0


def test_it_can_ask_where_to_again(dialog: Any) -> None:
    dialog.pushed.add("Export as…")
    dialog.frames()
    assert dialog.posted == [SaveAs(ExportModel())] and dialog.state.interface.exports


def test_enter_exports_and_the_choices_stay(dialog: Any) -> None:
    interface = dialog.state.interface
    interface.exporter = replace(interface.exporter, suffix=".ply")
    dialog.key("ENTER")
    assert dialog.posted == [ExportModel(".ply")] and interface.exporter.suffix == ".ply"


def test_cancel_closes_it(dialog: Any) -> None:
    dialog.pushed.add("Cancel")
    dialog.frames()
    assert not dialog.state.interface.exports and dialog.posted == []


def test_several_files_are_exported_to_a_folder(dialog: Any) -> None:
    dialog.state.files.exported = ("/files/a.mdl", "/files/b.mdl")
    dialog.state.interface.exporter = ExportModel(clips="playing")
    dialog.frames(2)
    dialog.key("ENTER")
    assert dialog.posted == [ExportFiles(("/files/a.mdl", "/files/b.mdl"), ExportModel(clips="all"))]
    assert dialog.state.interface.exports, "the dialog waits for the chosen file"
