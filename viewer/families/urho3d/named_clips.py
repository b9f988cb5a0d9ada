"""Animations that are named after a model, such as `Jack_Walk.ani` for `Jack.mdl`."""

from __future__ import annotations

from pathlib import PurePath

from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.storage.package_path import as_path, folder_of

MODEL, CLIP = ".mdl", ".ani"


def named_clips(document: Document) -> tuple[str, ...]:
    """Find the animations of a skinned Urho3D model: animations in its folder whose names begin with the name
    of the model, such as `Jack_Walk.ani` for `Jack.mdl`. An animation belongs to the model with the longest
    matching name.
    """
    content = document.content
    if not isinstance(content, Model) or content.skeleton is None:
        return ()
    path = as_path(document.path)
    names = [PurePath(name) for name in folder_of(path, document.context).names()]
    own = path.stem.lower()
    others = [each.stem.lower() for each in names if each.suffix.lower() == MODEL]
    longer = [other for other in others if _begins(other, own)]
    return tuple(
        str(path.with_name(each.name))
        for each in names
        if each.suffix.lower() == CLIP
        and _begins(each.stem.lower(), own)
        and not any(_begins(each.stem.lower(), other) for other in longer)
    )


def _begins(stem: str, model: str) -> bool:
    """Whether a name begins with the name of a model as a whole word: `jack_walk` with `jack`."""
    rest = stem.removeprefix(model)
    return rest != stem and rest != "" and not rest[0].isalnum()
