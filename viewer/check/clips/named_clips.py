"""The animation files that are named after a model: they are meant for it, whatever their tracks are."""

from __future__ import annotations

from pathlib import PurePath

from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.storage.package_path import as_path, folder_of

FORMAT, MODEL, CLIP = "Urho3D model", ".mdl", ".ani"


def named_after(document: Document) -> tuple[str, ...]:
    """The paths of the animations beside an Urho3D model with bones whose names begin with its name, such as
    `Jack_Walk.ani` beside `Jack.mdl`; those of a model with a longer name are left out.
    """
    content = document.content
    if document.format != FORMAT or not isinstance(content, Model) or content.skeleton is None:
        return ()
    path = as_path(document.path)
    names = [PurePath(name) for name in folder_of(path).names()]
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
    """Whether a name is that of a model and more, such as `jack_walk` of `jack`."""
    rest = stem.removeprefix(model)
    return rest != stem and rest != "" and not rest[0].isalnum()
