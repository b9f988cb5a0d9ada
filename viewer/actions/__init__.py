"""The table of all user actions. Menu, shortcuts, palette, help, tests and the manual's keys are made
from it.

Each topic is a file with its rows, conditions and operations. An operation on files or the GPU posts one of
`viewer.session.requests`; every other operation changes the State.
"""

from viewer.actions.action import Action
from viewer.actions.animations import ANIMATIONS
from viewer.actions.camera import CAMERA
from viewer.actions.compare import COMPARE
from viewer.actions.display import DISPLAY
from viewer.actions.displays import DISPLAYS
from viewer.actions.edit import EDIT
from viewer.actions.effects import EFFECTS
from viewer.actions.file_list import FILE_LIST
from viewer.actions.files import FILES
from viewer.actions.find import FIND
from viewer.actions.help import HELP
from viewer.actions.looks import LOOKS
from viewer.actions.measure import MEASURE
from viewer.actions.motion import MOTION
from viewer.actions.playback import LOOP, PLAY
from viewer.actions.record import RECORD
from viewer.actions.timeline import TIMELINE
from viewer.actions.visibility import VISIBILITY
from viewer.actions.window import WINDOW

ACTIONS: tuple[Action, ...] = (
    *FILES,
    *EDIT,
    *FIND,
    *CAMERA,
    *DISPLAY,
    *MOTION,
    *DISPLAYS,
    *LOOKS,
    *EFFECTS,
    *MEASURE,
    *COMPARE,
    *WINDOW,
    *FILE_LIST,
    *VISIBILITY,
    *PLAY,
    *ANIMATIONS,
    *LOOP,
    *TIMELINE,
    *RECORD,
    *HELP,
)

ACTIONS_BY_NAME = {action.name: action for action in ACTIONS}

__all__ = ["ACTIONS", "ACTIONS_BY_NAME", "Action"]
