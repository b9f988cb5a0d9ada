"""The list of playable animations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from viewer.scene.animation import Animation, match
from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.scene.names import path_key
from viewer.scene.skeleton import Skeleton
from viewer.view.playlist import Playlist


class ClipList(Struct, eq=False):
    """Caches the list of playable animations until the documents change."""

    _key: tuple[object, ...] = ()
    _found: tuple[Animation, ...] = ()

    def of(self, shown: Document | None, documents: Sequence[Document]) -> tuple[Animation, ...]:
        """List the playable animations: first the animations of the document in view, then the animations of
        the other open files, if the document in view has bones. Each file counts once.
        """
        own = shown.animations if shown else ()
        key = (shown, own, *documents)
        if key != self._key:
            self._key, self._found = key, tuple(_offered(shown, own, documents))
        return self._found


def _offered(
    shown: Document | None, own: Sequence[Animation], documents: Iterable[Document]
) -> Iterable[Animation]:
    content = None if shown is None else shown.content
    boned = isinstance(content, Skeleton) or (isinstance(content, Model) and content.skeleton is not None)
    opened = [each for each in documents if isinstance(each.content, Animation) and (boned or each is shown)]
    lone = {path_key(document.path): document.content for document in opened}
    offered = [lone.pop(path_key(each.source), each) if each.source else each for each in own]
    more = (each for document in documents if gives_clips(document, shown) for each in document.animations)
    return dict.fromkeys(each for each in (*offered, *lone.values(), *more) if isinstance(each, Animation))


def gives_clips(document: Document, shown: Document | None) -> bool:
    """Whether a lone skeleton has clips for the model of the document `shown`. Two conditions must hold: for
    at least one clip, at least half of its targets match a bone of the model, and the model has no clips from
    the same file.
    """
    model = None if shown is None else shown.content
    if not isinstance(document.content, Skeleton) or not isinstance(model, Model) or model.skeleton is None:
        return False
    key, names = path_key(document.path), model.skeleton.names
    assert shown is not None, "the document is a model"
    if any(path_key(each.source) == key for each in shown.animations if each.source):
        return False
    found = (match(each, names) for each in document.animations)
    return any(each.bones and len(each.bones) >= len(each.unmatched) for each in found)


def renewed(playlist: Playlist, offered: Iterable[Animation]) -> Playlist:
    """Replace the animations of a playlist by the `offered` animations with the same names and files.

    An animation that is not offered is dropped.
    """
    known = {(each.name, path_key(each.source)): each for each in offered}
    found = (known.get((each.animation.name, path_key(each.animation.source))) for each in playlist)
    pairs = zip(playlist, found, strict=True)
    return tuple(replace(each, animation=now) for each, now in pairs if now is not None)
