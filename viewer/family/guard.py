"""Keeps the faults of an installed family away from the rest of the program.

A family that cannot be used is left out with a line. A part that raises at run time is a `FormatError` that
names the plugin, where its file is read, and a line elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from threading import get_ident
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from viewer.errors import FormatError, Topic, ViewerError
from viewer.family.family import API, Family
from viewer.family.format import Format, OpenedFile
from viewer.family.gate import pass_gate
from viewer.family.installed import Installed
from viewer.family.looks import Looks
from viewer.scene.animation import LazyTracks, Track
from viewer.scene.document import Document

if TYPE_CHECKING:
    from viewer.family.archive import ArchiveFormat
    from viewer.family.picture import ImageDecoder

Complain = Callable[[str], None]
"""A function that records a line about a plugin."""
Result = TypeVar("Result")


_BUSY: dict[int, tuple[str, float]] = {}
"""For each thread in which a plugin reads a file, the name of the plugin and the time at which it began."""


def busy_plugin(thread: int, seconds: float) -> str | None:
    """The name of the plugin that has been reading a file in a thread for more than `seconds`."""
    name, begun = _BUSY.get(thread, ("", 0.0))
    return name if name and monotonic() - begun > seconds else None


def described(error: BaseException) -> str:
    """The class and the text of an error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


FAULTS = (Exception, SystemExit)
"""What a plugin may raise without an end of the program."""


class Guard:
    """An installed family whose functions are guarded, so that their faults stay in the plugin."""

    def __init__(self, row: Installed, complain: Complain) -> None:
        self._name, self._named, self._complain = row.distribution, row.named, complain

    def family(self, family: Family, taken: Iterable[str], magics: tuple[bytes, ...]) -> Family:
        """The family with guarded functions, without formats whose names are `taken` or whose magics are
        `magics` of built-in families. A suffix that no entry point names gets a line.
        """
        for format in family.formats:
            for suffix in format.suffixes:
                if suffix not in self._named:
                    self._complain(
                        f"the plugin {self._name}: {format.name} has the suffix {suffix}, which no entry "
                        f"point of the plugin names"
                    )
        known = set(taken)
        kept: list[Format] = []
        for format in family.formats:
            magic = next((each for each in format.magics if each.startswith(magics)), None)
            if format.name in known:
                self._complain(f"the plugin {self._name} names the format {format.name}, which exists")
            elif magic is not None:
                self._complain(f"the plugin {self._name} names the magic {magic!r}, which is taken")
            else:
                known.add(format.name)
                kept.append(self._format(format))
        return replace(
            family,
            formats=tuple(kept),
            archives=tuple(map(self._archive, family.archives)),
            places=tuple(self._quiet(each, None, "its places") for each in family.places),
            pictures=tuple(map(self._picture, family.pictures)),
            pages=self._quiet(family.pages, (), "its pages"),
            rules=self._quiet(lambda: [self._rule(each) for each in family.rules()], (), "its rules"),
        )

    def fault(self, error: BaseException, part: str = "") -> str:
        """The line about an error in a part of the plugin."""
        return f"the plugin {self._name} failed{part and f' in {part}'}: {described(error)}"

    def _format(self, format: Format) -> Format:
        def load(file: OpenedFile) -> Document:
            _BUSY[get_ident()] = self._name, monotonic()
            try:
                document = self._loaded(format, file)
            except FormatError as error:
                error.file = error.file or str(file.path)
                raise
            finally:
                del _BUSY[get_ident()]
            document.origin.guard(lambda make: self._quiet(make, {}, "the origin of a document"))
            for clip in document.animations:
                if isinstance(clip.tracks, LazyTracks):
                    clip.tracks.guard(self._tracks)
            return document

        return replace(
            format,
            probe=self._quiet(format.probe, False, f"the probe of {format.name}"),
            load=load,
            clips=self._quiet(format.clips, (), f"the clips of {format.name}"),
            looks=format.looks and self._looks(format.looks),
            edits=replace(
                format.edits,
                stored_text=self._strict(format.edits.stored_text),
                place_text=self._strict(format.edits.place_text),
            ),
        )

    def _tracks(self, make: Callable[[], Iterable[Track]]) -> Callable[[], Iterable[Track]]:
        """The tracks that a function makes; none if it raises."""
        return self._quiet(lambda: tuple(make()), (), "the tracks of a clip")

    def _loaded(self, format: Format, file: OpenedFile) -> Document:
        """The document of a file, which has passed the gate."""
        try:
            document = format.load(file)
        except ViewerError:
            raise
        except FAULTS as error:
            raise FormatError(self.fault(error), topic=Topic.PLUGIN) from error
        why = ""
        if not isinstance(document, Document):
            why = "its loader returned no document"
        elif document.format != format.name:
            why = f"its document has the format {document.format!r} instead of {format.name!r}"
        if why:
            raise FormatError(f"the plugin {self._name} failed: {why}", topic=Topic.PLUGIN)
        try:
            pass_gate(document, strict=True)
        except FormatError as error:
            error.why, error.topic = f"the plugin {self._name} failed: {error.why}", Topic.PLUGIN
            raise
        except Exception as error:
            raise FormatError(self.fault(error, "a document of its loader"), topic=Topic.PLUGIN) from error
        return document

    def _looks(self, looks: Looks) -> Looks:
        def dress(document: Document) -> Document:
            try:
                return looks.dress(document)
            except FAULTS as error:
                self._complain(self.fault(error, "its displays"))
                return document

        return replace(
            looks,
            dress=dress,
            wear=self._strict(looks.wear),
            files=self._quiet(looks.files, set(), "its looks"),
            model_of_row=self._strict(looks.model_of_row),
        )

    def _rule(self, rule: Any) -> Any:
        """A rule whose findings end with a line when it raises."""

        def find(context: object) -> Iterator[object]:
            try:
                for found in rule.find(context):
                    if not hasattr(found, "span"):
                        raise TypeError(f"it yields {type(found).__name__} instead of Found")
                    yield found
            except FAULTS as error:
                self._complain(self.fault(error, f"the rule {rule.id}"))

        return rule._replace(find=find)

    def _archive(self, format: ArchiveFormat) -> ArchiveFormat:
        return format._replace(
            probe=self._quiet(format.probe, False, "the probe of an archive"), open=self._strict(format.open)
        )

    def _picture(self, decoder: ImageDecoder) -> ImageDecoder:
        return replace(
            decoder,
            probe=self._quiet(decoder.probe, False, "the probe of a picture"),
            decode=self._strict(decoder.decode),
            small=decoder.small and self._strict(decoder.small),
            header=decoder.header and self._strict(decoder.header),
        )

    def _quiet(self, function: Callable[..., Result], instead: Result, part: str) -> Callable[..., Result]:
        """The function of a part; it returns `instead`, and a line is recorded, when it raises."""

        def call(*given: Any) -> Result:
            try:
                return function(*given)
            except FAULTS as error:
                self._complain(self.fault(error, part))
                return instead

        return call

    def _strict(self, function: Callable[..., Result]) -> Callable[..., Result]:
        """The function; errors of the plugin become FormatErrors."""

        def call(*given: Any) -> Result:
            try:
                return function(*given)
            except ViewerError:
                raise
            except FAULTS as error:
                raise FormatError(self.fault(error), topic=Topic.PLUGIN) from error

        return call


def refusal(value: object) -> str:
    """Why a value cannot be used as a family; empty if it can."""
    if not isinstance(value, Family):
        return f"its value is no Family but {type(value).__name__}"
    if value.api != API:
        return f"it was written for version {value.api} of viewer.plugin, and this program has {API}"
    return ""
