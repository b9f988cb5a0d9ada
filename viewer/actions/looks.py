"""Actions on the look of a character: its choices, its items, and copies of it."""

from __future__ import annotations

import json
import random
import shlex

from msgspec.structs import replace

from viewer.actions.action import Action, otherwise, posts
from viewer.scene.characters import Character, CharacterLook
from viewer.session.requests import CopyText, OpenLook, Post, SaveAs, SaveLook
from viewer.session.state import State


def character_of(state: State) -> Character | None:
    """The character in view; None if the model in view is not a character."""
    return state.document.character if state.document is not None else None


@otherwise("The model is no character of a game")
def has_character(state: State) -> bool:
    """Whether a character is in view."""
    return character_of(state) is not None


def look_of(state: State, character: Character) -> CharacterLook:
    """The look that is chosen for the character, which may wear it only a few frames later. If a display is
    chosen, it is the look that the character wears now.
    """
    return state.view.display if isinstance(state.view.display, CharacterLook) else character.look


def choose_look(state: State, look: CharacterLook) -> None:
    """Choose a look. The document is replaced a few frames later."""
    state.view.display = look


def random_look(state: State, post: Post) -> None:
    """Choose a random look; the items stay."""
    character = character_of(state)
    if character is not None:
        look = look_of(state, character)
        choose_look(state, character.choices.random(look, random.randrange(1 << 31)))


def first_look(state: State, post: Post) -> None:
    """Choose the look in which the model opens."""
    character = character_of(state)
    if character is not None:
        choose_look(state, character.plain)


def is_first(state: State) -> bool:
    """Whether the character has the look in which it opened."""
    character = character_of(state)
    return character is not None and state.view.display == character.plain


def copy_command(state: State, post: Post) -> None:
    """Copy the `rigscope render` command that draws the look; a message names what it leaves out."""
    character = character_of(state)
    if character is None or state.document is None:
        return
    display = state.view.display
    options = f"--display {display}" if isinstance(display, int) else look_of(state, character).options
    post(CopyText(f"rigscope render {shlex.quote(state.document.path)} -o look.png {options}"))
    if not isinstance(display, int) and look_of(state, character).hidden:
        state.say("Copied the command; it leaves out hidden layers of the body texture", "warning")
    else:
        state.say("Copied the command")


def chosen_character(state: State) -> Character | None:
    """The character in the chosen look. It has no geosets until the character wears the look."""
    character = character_of(state)
    if character is None or (look := look_of(state, character)) == character.look:
        return character
    return replace(character, look=look, geosets=())


def copy_json(state: State, post: Post) -> None:
    """Copy the chosen look as JSON, which `--character` takes from a file."""
    character = chosen_character(state)
    if character is not None:
        post(CopyText(json.dumps(character.facts)))
        state.say("Copied the look as JSON")


MENU = ("View", "Look")

LOOKS = (
    Action("random_look", "Random look", (), MENU, random_look, has_character, words="character"),
    Action("first_look", "First look", (), MENU, first_look, has_character, is_first, words="reset"),
    Action(
        "save_look", "Save look as…", (), MENU, posts(SaveAs(SaveLook())), has_character, words="name json"
    ),
    Action("open_look", "Open look…", (), MENU, posts(OpenLook()), has_character, words="load json"),
    Action("copy_look_command", "Copy look as a command", (), MENU, copy_command, has_character),
    Action("copy_look_json", "Copy look as JSON", (), MENU, copy_json, has_character),
)
