"""The pages of geosets, cameras and markers."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.actions.visibility import toggle
from viewer.scene.camera import Camera
from viewer.scene.items import BoneItem, GeometryItem, Item
from viewer.scene.model import GROUP, Attachment, EventPoint, Light, members
from viewer.session.state import State
from viewer.ui.item_text import shown_part
from viewer.ui.kit.texts import ExactText, label_text
from viewer.ui.kit.widgets import hint
from viewer.ui.properties.page_widgets import array_text, field, heading, jump, link, section, short
from viewer.view.item_points import OnBone, positions


def geoset_page(state: State, item: Item) -> None:
    """Draw the page of a geoset with a switch for its visibility and links to its geometries."""
    model, geoset = state.model, item.number
    own = members(model, geoset)
    if model is None or not own:
        return
    heading(state, item)
    field("Group", model.geoset_groups.get(geoset // GROUP, str(geoset // GROUP)) if geoset else "body")
    if imgui.checkbox("Shown", not state.view.hidden.issuperset(own))[0]:
        toggle(state, own)
    if geoset and imgui.button("Only this variant"):
        state.view.show_variant(model, geoset)
    hint("Show this variant and hide the other variants of its group")
    with section("Geometries") as shown:
        for number in own if shown else ():
            jump(state, GeometryItem(number))


def camera_page(state: State, item: Item) -> None:
    """Draw the page of a camera of the file at the current time, with a switch to look through it."""
    number, stored = item.number, shown_part(state, item)
    if stored is None:
        return
    heading(state, item)
    looks_through = state.view.file_camera_number == number
    if imgui.checkbox("Look through", looks_through)[0]:
        state.view.file_camera_number = None if looks_through else number
    camera: Camera = stored.at(state.playback.clip_time())
    field("Position", short(camera.position), "Now, in the file's axes")
    field("Target", short(camera.target), "Now, in the file's axes")
    field("Roll", ExactText.of(f"{camera.roll:.4g}°", camera.roll), "Now; positive is to the left")
    angle = f"{camera.fov:.4g}° vertical in a 4:3 picture"
    across = camera.diagonal
    shown = (
        ExactText.of(angle, camera.fov) if across is None else ExactText.of(f"{across:.4g}° diagonal", across)
    )
    field("Field of view", shown, angle)
    field("Near, far", array_text((camera.near, camera.far)))
    field("Moves", "no" if stored.motion is None else "with the animation")


def marker_page(state: State, item: Item) -> None:
    """Draw the page of a marker: its positions in the rest pose and now, and its other values."""
    part: Attachment | EventPoint | Light | None = shown_part(state, item)
    if part is None:
        return
    heading(state, item)
    position_fields(state, part)
    match part:
        case Attachment(id):
            field("ID", str(id))
        case Light():
            _light(part.at(state.playback.clip_time()))
        case EventPoint(name):
            _times(state, name)


def position_fields(state: State, marker: OnBone) -> None:
    """Draw the bone that a marker follows, and its positions in the rest pose and now."""
    known = state.skeleton is not None and 0 <= marker.bone < len(state.skeleton)
    link(state, "Bone", BoneItem(marker.bone) if known else None)
    field("Position", short(marker.position), "In the rest pose, in model space")
    pose = state.playback.posed()
    if pose is not None:
        field("Now", short(positions([marker], pose.skin)[0]), "Moved by its bone, in model space")


def _light(light: Light) -> None:
    field("Type", light.type)
    field("Diffuse", short(light.diffuse), "Now: red green blue × intensity")
    field("Ambient", short(light.ambient), "Now: red green blue × intensity")
    field(
        "Attenuation", short(light.attenuation), "Now: distances at which the light begins and ends to fade"
    )
    field("Visible", "yes" if light.visible else "no", "Now")
    field("Used", "while View › Use lights of the file is on")


def _times(state: State, name: str) -> None:
    """Draw the times of an event in the playing animations. A click goes to a time."""
    for chosen in state.view.playlist:
        for number, event in enumerate(chosen.animation.events):
            if event.name != name:
                continue
            text = f"{label_text(chosen.animation.name)} at {event.time:.3f} s##{number}"
            if imgui.selectable(text, False)[0]:
                state.view.clock.show(event.time, state.playback.duration)
