"""The page of the document."""

from __future__ import annotations

import time

from imgui_bundle import imgui

from viewer import errors
from viewer.actions.looks import look_of
from viewer.binary.span import unclaimed
from viewer.errors import printable
from viewer.scene.document import Document
from viewer.scene.finding import Severity
from viewer.scene.items import TextureItem
from viewer.scene.material import Image
from viewer.scene.model import Model
from viewer.scene.package import Package, ratio
from viewer.scene.parts import PartOwner, kind_named
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.item_menu import give_file
from viewer.ui.kit.texts import ExactText, grouped
from viewer.ui.kit.theme import TEXT, WARNING
from viewer.ui.kit.widgets import Memo, hint, wrapped
from viewer.ui.needs import shown_needs
from viewer.ui.problems.problem_rows import counts, problem_rows, version
from viewer.ui.properties.displays import DisplayList
from viewer.ui.properties.materials import material_candidates
from viewer.ui.properties.page_widgets import field, matrix, section, table
from viewer.view.lengths import dimensions, is_converted

BUDGET = 1e-3
"""Seconds per frame for counting bytes."""
NAMED = 12
"""The largest number of shown names in the game."""
MOST_NEEDS = 24
"""The largest number of needs that the page lists."""
COUNTED = ("geometry", "bone", "morph", "material", "texture", "animation")
"""The kinds of parts whose numbers are shown."""
DIMENSIONS = "Size in the rest pose, along the axes of the file"


class DocumentPage:
    """The page of the document.

    The page counts the unexplained bytes; to visit all spans takes several frames. `displays` is the list of
    displays; the state of this list outlasts the page.
    """

    def __init__(self, document: Document, displays: DisplayList) -> None:
        self._document, self._displays = document, displays
        self._parts = unclaimed(document.root)
        self._unexplained = 0
        self._archives = Memo()
        self._counts = Memo()
        self.counting = True
        """Whether the count is running."""

    def __call__(self, state: State, post: Post) -> None:
        """Draw the page."""
        document = self._document
        wrapped(printable(document.path))
        field("Format", document.format)
        field("Version", document.version)
        if document.displays.names:
            field("In the game", ", ".join(document.displays.names[:NAMED]), "Names in the game's tables")
        archives = self._archives.get(document, lambda: tuple(state.files.sources(document.path)))
        if archives:
            field("Archive", printable(archives[0]), "Archive of the game from which the file is read")
        if len(archives) > 1:
            field(
                "Hides",
                printable(", ".join(archives[1:])),
                "These archives also have the file, but their copies are not read",
            )
        self._count()
        if not (isinstance(document.content, Package) and document.content.sources):
            field("Size", f"{grouped(len(document.data))} bytes")
            left = f"{grouped(self._unexplained)} bytes" + (" …" if self.counting else "")
            field("Unexplained", left, "Bytes that belong to no field")
        self._messages(state)
        if isinstance(document.content, Image):
            _picture(document.content)
        elif document.model is not None:
            self._displays(state, post, document)
            _look(state, post, document)
            self._model(document)
            material_candidates(post, document.model)
        if isinstance(document.content, Package):
            _package(document.content)
        self._needs(state, post)

    def _messages(self, state: State) -> None:
        """Draw a link to the Problems panel, with the counts that it lists for the files in view."""
        found: dict[Severity, int] = self._counts.get(version(state), lambda: counts(problem_rows(state)))
        parts = [errors.counted(count, kind.word) for kind, count in found.items() if count]
        if not parts:
            return
        whole = f"{', '.join(parts)} in Problems"
        fewer = [f"{', '.join(parts[:number])}, …" for number in range(len(parts) - 1, 0, -1)]
        texts = [whole, ", ".join(parts), *fewer]
        room = imgui.get_content_region_avail().x
        shown = next((text for text in texts if imgui.calc_text_size(text).x <= room), texts[-1])
        if imgui.text_link(shown):
            state.interface.bring("problems")
        if shown != whole:
            hint(whole)

    def _needs(self, state: State, post: Post) -> None:
        """Draw the needs that the engine does not find, with buttons to provide the files that are missing or
        cannot be used.
        """
        needs = [need for need in shown_needs(state, self._document) if need.rule]
        for number, need in enumerate(needs[:MOST_NEEDS]):
            wrapped(printable(need.fault), TEXT if need.is_met else WARNING)
            if not need.is_met:
                item = next(iter(need.items), None)
                imgui.push_id(number)
                give_file(post, need.name, item.number if isinstance(item, TextureItem) else None)
                imgui.pop_id()
        if len(needs) > MOST_NEEDS:
            wrapped(f"{len(needs) - MOST_NEEDS} more in Problems", WARNING)

    def _count(self) -> None:
        end = time.perf_counter() + BUDGET
        while self.counting and time.perf_counter() < end:
            part = next(self._parts, None)
            self._unexplained += part or 0
            self.counting = part is not None

    def _model(self, document: Document) -> None:
        model = document.model
        assert model is not None, "only models have counts"
        owner = PartOwner.shown(document)
        for kind in map(kind_named, COUNTED):
            field(kind.plural.capitalize(), str(len(kind.parts(owner))))
        if document.content is model:
            self._lengths(model)
        if model.bounds is not None:
            matrix(f"Bounds in the file, {model.unit}", model.bounds)

    def _lengths(self, model: Model) -> None:
        """Draw the size of the model at rest, in units of the file and in metres."""
        found = dimensions(model)
        if found is not None:
            text = found.text.removesuffix(f" {found.name}")
            field(f"Dimensions, {found.name}", ExactText.of(text, found.units), DIMENSIONS)
            if is_converted(found.name):
                field("In metres", ExactText.of(found.metric, found.metres), DIMENSIONS)


def _look(state: State, post: Post, document: Document) -> None:
    """Draw the files of a character's look: the layers of the body texture from the top, then its other
    files.
    """
    if document.character is None:
        return
    from viewer.ui.looks.looks_panel import draw_layers  # imported late, because few models are characters

    with section("Look") as shown:
        if shown:
            draw_layers(state, post, document.character, look_of(state, document.character))


def _picture(image: Image) -> None:
    field("Pixels", f"{image.size[0]} × {image.size[1]}")
    field("Levels", str(len(image.levels)), "Mip levels in the file")


def _package(package: Package) -> None:
    size, packed = int(package.sizes.sum()), int(package.packed.sum())
    field("Files", str(len(package)))
    field("Unpacked", f"{grouped(size)} bytes")
    if package.compressed:
        field("Packed", f"{grouped(packed)} bytes", f"{ratio(packed, size):.0%} of the unpacked size")
    if package.checksum is not None:
        field("Checksum", f"{package.checksum:08X}", "SDBM of the unpacked bytes of all files in order")
    if package.sources:
        with section(f"Sources ({len(package.sources)})") as shown:
            if shown:
                states = [f"not loaded: {each.why}" if each.why else "loaded" for each in package.sources]
                rows = [*zip([each.name for each in package.sources], states, strict=True)][::-1]
                table("sources", ("source", "state"), rows)
    if package.start:
        field(
            "Begins at",
            f"0x{package.start:X}",
            "Offset of the package in the file. Another file, such as a program, precedes it.",
        )
