"""What an action is, and when one can be done."""

from __future__ import annotations

from collections.abc import Callable

from viewer.actions.camera import Operation
from viewer.dataclass import dataclass
from viewer.scene.camera import Orbit
from viewer.session.requests import Request
from viewer.session.state import State


def always(state: State) -> bool:
    """It can be done at any time."""
    return True


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do. `keys` are chords such as `Ctrl+O`, the first is the one that menus show; `menu` is
    the path of menus above it. `checked` is None where there is nothing to be on or off."""

    name: str
    title: str
    keys: tuple[str, ...]
    menu: tuple[str, ...]
    run: Operation
    enabled: Callable[[State], bool] = always
    checked: Callable[[State], bool] | None = None


def opened(state: State) -> bool:
    """A document is in view."""
    return state.document is not None


def playing(state: State) -> bool:
    """An animation plays, or is paused."""
    return bool(state.playlist)


def trimmed(state: State) -> bool:
    """Less than the whole clip plays."""
    return state.trimmed


def following(state: State) -> bool:
    """The timeline follows the time."""
    return state.timeline.follow


def counting(state: State) -> bool:
    """Times are counted in frames."""
    return state.timeline.frames


def animated(state: State) -> bool:
    """There are animations to play."""
    return bool(state.animations)


def boned(state: State) -> bool:
    """There are bones."""
    return state.skeleton is not None


def modelled(state: State) -> bool:
    """A model is in view."""
    return state.model is not None


def hiding(state: State) -> bool:
    """Geometries, emitters or ribbons are hidden."""
    effects = state.look.effects
    return bool(state.look.hidden or effects.muted or effects.solo)


def varied(state: State) -> bool:
    """The model has geometries that are hidden at first."""
    return bool(state.model and not all(each.shown for each in state.model.geometries))


def selected(state: State) -> bool:
    """Something is selected."""
    return state.selection.picked is not None or state.look.bone is not None


def morphed(state: State) -> bool:
    """The model has morphs."""
    return bool(state.model and state.model.morphs)


def filmed(state: State) -> bool:
    """The model has cameras."""
    return bool(state.model and state.model.cameras)


def looking_through(state: State) -> bool:
    """A camera of the file is looked through."""
    return state.look.through is not None


def detailed(state: State) -> bool:
    """There are levels of detail."""
    return state.lods > 1


def recording(state: State) -> bool:
    """A film is being recorded."""
    return bool(state.recording)


def asks(request: Request) -> Operation:
    """What posts a request."""
    return lambda state, post: post(request)


def orbiting(state: State) -> bool:
    """The camera turns around a point."""
    return isinstance(state.camera, Orbit)


def flying(state: State) -> bool:
    """The letters move the camera."""
    return state.interface.flying


def parallel(state: State) -> bool:
    """The projection is parallel."""
    return isinstance(state.camera, Orbit) and state.camera.ortho
