"""Everything a user can do, in one table: behind menu, shortcuts, palette, help, tests and the README's keys.

What touches files or the GPU is posted as one of `viewer.session.requests`; all else changes the State.
"""

from viewer.actions.action import Action
from viewer.actions.effect_rows import EFFECTS
from viewer.actions.files import FILE, RENDER
from viewer.actions.playback_rows import PLAY
from viewer.actions.view_rows import CAMERA, SELECT, SHOW
from viewer.actions.window import HELP, UNDO, WINDOW

ACTIONS: tuple[Action, ...] = (
    *FILE,
    *UNDO,
    *CAMERA,
    *SHOW,
    *EFFECTS,
    *WINDOW,
    *SELECT,
    *PLAY,
    *RENDER,
    *HELP,
)

__all__ = ["ACTIONS", "Action"]
