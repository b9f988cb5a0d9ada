"""The feet of a clip: which bones they are, their contacts with the ground, and how far they slide."""

from __future__ import annotations

import math

from imgui_bundle import imgui
from msgspec.structs import replace

from viewer.actions import ACTIONS_BY_NAME
from viewer.animation.motion.contacts import Contact, Footwork, Slide
from viewer.animation.motion.ground import AT_REST
from viewer.errors import counted, printable
from viewer.scene.items import BoneItem
from viewer.session.feet import list_feet, listed_feet
from viewer.session.motion import MotionResult
from viewer.session.requests import Post, SaveAs, SaveMotion
from viewer.session.state import State
from viewer.ui.kit.theme import FAINT
from viewer.ui.kit.widgets import (
    button_width,
    faint,
    hint,
    mono,
    right_aligned,
    same_line_if_fits,
    toggle,
    wrapped,
)
from viewer.view.lengths import length_text
from viewer.view.measures import distance_text

TYPED = int(imgui.InputTextFlags_.enter_returns_true)
HINTS = {
    "height": "The height of the ground in the file's unit; by default the lowest foot of the rest pose",
    "speed": "The speed in units a second with which the game moves the model while the clip plays",
}
GUESSED = {"given": "", "names": "Guessed by the names of the bones.", "pose": "Guessed by the rest pose."}
"""What is said about the source of the list of feet."""
TABLE = int(imgui.TableFlags_.row_bg | imgui.TableFlags_.no_borders_in_body)
STRETCH = int(imgui.TableColumnFlags_.width_stretch)
FIXED = int(imgui.TableColumnFlags_.width_fixed)


class FeetTable:
    """The feet with their contacts."""

    def __call__(self, state: State, post: Post, result: MotionResult) -> None:
        """Draw the feet of the clip."""
        if toggle("Contacts", state.view.timeline.contacts):
            ACTIONS_BY_NAME["contacts"].run(state, post)
        hint(
            "Show in the timeline, in the rows of the feet, when each foot stands on the ground. A click on "
            "a foot scrolls the timeline to its row."
        )
        same_line_if_fits(button_width("Save…"))
        imgui.begin_disabled(result.footwork is None)
        if imgui.button("Save…##contacts"):
            post(SaveAs(SaveMotion("contacts")))
        imgui.end_disabled()
        hint("Save the contacts as CSV")
        work = result.footwork
        _choices(state, result)
        if not result.feet.bones:
            wrapped("Which bones are feet? Select a bone and press Add foot.")
        elif work is None:
            wrapped("The clip moves no foot.", FAINT)
        else:
            self._rows(state, result, work)
            _ground(state, work)
        if result.feet.bones and GUESSED[result.feet.source]:
            faint(GUESSED[result.feet.source])

    def _rows(self, state: State, result: MotionResult, work: Footwork) -> None:
        slides = {each.bone: each for each in work.slides}
        if not imgui.begin_table("feet", 4, TABLE):
            return
        imgui.table_setup_column("Foot", STRETCH)
        for title in ("Contacts", "Slides", "Speed"):
            imgui.table_setup_column(title, FIXED)
        imgui.table_headers_row()
        for bone in work.feet:
            slide = slides.get(bone)
            contacts = [each for each in work.contacts if each.bone == bone]
            imgui.table_next_row()
            imgui.table_next_column()
            _foot(state, bone, contacts, slide)
            values = () if slide is None else (length_text(slide.length), length_text(slide.speed))
            with mono():
                for text in (str(len(contacts)), *values):
                    imgui.table_next_column()
                    right_aligned(text)
        imgui.end_table()


def _choices(state: State, result: MotionResult) -> None:
    """Draw the buttons that change the list of feet of the model's folder."""
    document, names = state.document, state.skeleton.names if state.skeleton else ()
    bone, feet = state.view.bone, [names[each] for each in result.feet.bones]
    if document is None:
        return
    preferences, chosen = state.interface.preferences, None if bone is None else names[bone]
    is_foot = chosen in feet
    label = "Remove foot" if is_foot else "Add foot"
    same_line_if_fits(button_width(label))
    imgui.begin_disabled(not chosen)
    if imgui.button(label) and chosen:
        feet = [each for each in feet if each != chosen] if is_foot else [*feet, chosen]
        list_feet(preferences, document.path, feet)
    imgui.end_disabled()
    hint("Select a bone first" if not chosen else "Kept in the settings for the models of this folder")
    if listed_feet(state) is not None:
        same_line_if_fits(button_width("Guess"))
        if imgui.button("Guess"):
            list_feet(preferences, document.path, None)
        hint("Forget the list, and guess the feet again")


def _foot(state: State, bone: int, contacts: list[Contact], slide: Slide | None) -> None:
    """Draw the name of a foot. A click selects the bone and goes to its first contact."""
    names = state.skeleton.names if state.skeleton else ()
    name = printable(names[bone]) if bone < len(names) and names[bone] else f"#{bone}"
    flags = int(imgui.SelectableFlags_.span_all_columns)
    if imgui.selectable(f"{name}##{bone}", state.view.bone == bone, flags)[0]:
        state.view.selection.pick(BoneItem(bone))
        state.view.bone = bone
        if contacts:
            state.view.clock.pause()
            state.view.clock.show(contacts[0].start, state.playback.duration)
    if imgui.is_item_hovered():
        state.view.selection.point(BoneItem(bone))
    hint(
        lambda: "\n".join(
            (
                counted(len(contacts), "contact"),
                *(() if slide is None else (_slide(state, slide),)),
                *(f"{each.start:.3f} to {each.end:.3f} s" for each in contacts),
            )
        )
    )


def _ground(state: State, work: Footwork) -> None:
    """Say what ground the motion is judged on, with fields for its height and its speed."""
    ground, width = state.view.ground, imgui.get_font_size() * 6
    gap = imgui.get_style().item_inner_spacing.x
    for title, now, name in (("Ground", work.level, "height"), ("Speed", work.speed or 0.0, "speed")):
        if name == "speed":
            same_line_if_fits(width + gap + imgui.calc_text_size(title).x)
        imgui.set_next_item_width(width)
        imgui.begin_disabled(name == "speed" and work.travels)
        changed, value = imgui.input_float(title, now, 0.0, 0.0, "%.4g", TYPED)
        imgui.end_disabled()
        hint(HINTS[name])
        if changed and math.isfinite(value):
            state.view.ground = ground = replace(ground, **{name: value})
    same_line_if_fits(button_width("Reset"))
    imgui.begin_disabled(ground == AT_REST)
    if imgui.button("Reset"):
        state.view.ground = AT_REST
    imgui.end_disabled()
    missing = None if work.missing_speed is None else length_text(work.missing_speed)
    if missing is not None:
        same_line_if_fits(button_width(f"Use {missing}"))
        if imgui.button(f"Use {missing}###use"):
            state.view.ground = replace(ground, speed=float(missing))
        hint("The usual speed of the feet while they stand, as the speed of the ground")
    height = f"Ground at {_length(state, work.level)}"
    if work.travels:
        wrapped(f"{height}. The clip moves the model, so the ground stands still.", FAINT)
    elif work.speed is not None:
        wrapped(f"{height}. It moves by {_length(state, work.speed)} a second, as in the game.", FAINT)
    else:
        step = f" If the clip walks on the spot, type {missing} as the speed." if missing else ""
        wrapped(f"{height}. The ground stands still: no speed is known.{step}", FAINT)


def _slide(state: State, slide: Slide) -> str:
    """What a foot slides, in words."""
    return f"slides {_length(state, slide.length)}, usually {_length(state, slide.speed)} a second"


def _length(state: State, length: float) -> str:
    return length_text(length) if state.model is None else distance_text(state.model, length)
