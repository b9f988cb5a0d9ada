"""One open model on the GPU: its meshes, its textures in panels, and its last picture in the window."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import numpy as np
from msgspec.structs import replace

from viewer.app.panel_textures import PanelTextures
from viewer.app.picking import view_info, with_distances, with_markers
from viewer.app.tasks import Tasks
from viewer.arrays import Array, Size
from viewer.errors import FormatError, ViewerError, words_of
from viewer.gpu.shader import Composer
from viewer.render.frame import Frame, frame_of
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.statistics import DrawStatistics
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions, Placement, effect_of
from viewer.scene.items import BoneItem, EffectItem, Item, RibbonItem
from viewer.scene.looks import changed_textures
from viewer.scene.material import Image
from viewer.scene.mesh.surface_points import SurfaceMarks
from viewer.scene.model import Model
from viewer.scene.texture_images import ALL_PIXELS, within_budget
from viewer.session.state import State
from viewer.session.texture_view import Region
from viewer.storage.image import read_image
from viewer.storage.search import lone
from viewer.view.camera import Matrices, matrices
from viewer.view.figure import boxes_at_rest
from viewer.view.measures import Measure, finished, pending
from viewer.view.selection import Selection
from viewer.view.view_info import LiveEffect, ViewInfo
from viewer.view.view_snapshot import ViewSnapshot

NO_JOINTS = np.empty((0, 3))
MARK, TINT = (1.0, 0.82, 0.28), 0.5
"""The colour of a marked region, rgb 0..1, and its share in the pixels."""


class OpenModel:
    """The GPU part of one open document.

    `box` [2, 3] is the bounding box of the document's model in viewer space. `images` are the decoded images
    by texture number. `frame` and `drawn` describe the last picture of the window; `frame` is None if
    the picture did not show the model. `replaced` counts the textures that were replaced.
    """

    def __init__(
        self,
        composer: Composer,
        mesh: MeshResources,
        box: Array,
        images: Mapping[int, Image],
        tasks: Tasks,
    ) -> None:
        self.mesh = mesh
        self._composer, self._images, self._tasks = composer, images, tasks
        self.gallery = PanelTextures(composer, mesh.model, images, tasks)
        self.frame: Frame | None = None
        self.drawn = DrawStatistics()
        self.replaced = 0
        self._box = box
        self._overrides = TextureOverrides(images)
        self._marked: tuple[int, Region | None] = (0, None)
        self._boxes: tuple[object, list[Array]] | None = None
        self._matrices: tuple[object, Matrices, object] | None = None
        self._info: tuple[object, ViewInfo] | None = None
        self._effect_probe = EffectProbe()

    def use_textures(self, state: State) -> None:
        """Upload the textures that the user chose since the last call."""
        for number, image in self._overrides.changes(state):
            self._replace(number, image)
            self.gallery.replace_texture(number, image)
            if number == self._marked[0]:
                self._marked = (number, None)

    def mark_region(self, state: State, windowed: bool) -> None:
        """Tint the marked region of a texture on the model, only in a picture for the window."""
        view = state.view.texture_view
        region = view.marked_region(state.view.selection.picked) if windowed else None
        wanted = (view.number or 0, region)
        if wanted == self._marked or (wanted[1] is None and self._marked[1] is None):
            return
        for number in {self._marked[0], wanted[0]}:
            image, tinted = self.gallery.image(number), region is not None and number == wanted[0]
            if image is not None:
                self._replace(number, with_region(image, region) if tinted and region else image)
        self._marked = wanted

    def _replace(self, number: int, image: Image | None) -> None:
        self.mesh.replace_texture(number, image)
        self.replaced += 1

    def boxes(self, placement: Placement, figured: bool) -> list[Array]:
        """See `boxes_at_rest`. The same objects are returned until an argument changes."""
        key = placement, figured
        if self._boxes is None or self._boxes[0] != key:
            self._boxes = key, boxes_at_rest(self.mesh.model, self._box, placement, figured)
        return self._boxes[1]

    def _seen(self, view: ViewSnapshot, size: Size, extent: Array) -> Matrices:
        """The matrices of the view's camera for a picture of `size`. The camera does not clip the box
        `extent`. The same object is returned until a value changes.
        """
        camera = view.camera
        key = (camera if isinstance(camera, Orbit) else id(camera), view.display.placement, size, id(extent))
        if self._matrices is None or self._matrices[0] != key:
            held = camera, extent  # keep both objects, so that no other object gets their ids
            made = matrices(camera, view.display.to_world(self.mesh.model), size, extent)
            self._matrices = key, made, held
        return self._matrices[1]

    def next_frame(
        self,
        state: State,
        options: DisplayOptions,
        size: Size,
        extent: Array,
        density: float,
        windowed: bool,
    ) -> Frame:
        """Return the frame of the model in the State's view, for a picture of `size`. The camera does not
        clip the box `extent`.

        Only a picture that is `windowed`, which means drawn for the window, shows a selection; only its frame
        is kept as `frame`.
        """
        self.use_textures(state)
        self.mark_region(state, windowed)
        view, selection = replace(state.live_view, options=options), state.view.selection
        made = frame_of(
            view,
            view.playback.clock.time,
            size,
            extent,
            seen=self._seen(view, size, extent),
            selection=Selection(selection.hover, state.marked, selection.group) if windowed else None,
            marks=_marks(state) if windowed else None,
            density=density,
        )
        self.frame = made if windowed else None
        return made

    def info(self, state: State, density: float) -> ViewInfo:
        """A description of the last picture of the window; `density` is pixels per theme point."""
        frame = self.frame
        if frame is None:
            return ViewInfo()
        marked, options = state.options.names or _boned(state), state.options
        key = (frame.matrices, self.drawn, options.axes, state.view.lod, density)
        if marked or self._info is None or self._info[0] != key:
            self._info = key, view_info(frame, self.mesh, self.drawn, self.gallery, marked, density)
        elif len(self._info[1].joints):
            self._info = key, replace(self._info[1], joints=NO_JOINTS)
        live = self._effect_probe.of(self.mesh, frame, state.focus)
        found = self._info[1] if live is None else replace(self._info[1], live=live)
        found = with_distances(found, frame, finished(state.view.measures), _following(state))
        return with_markers(found, frame, (state.focus, state.view.selection.hover))

    def dressed(self, model: Model, images: Mapping[int, Image]) -> OpenModel:
        """Return the open model in another look. The returned object takes over the meshes of this object,
        which is released.
        """
        changed = {*changed_textures(self.mesh.model, model), *self._overrides.applied}
        if self._marked[1] is not None:
            changed.add(self._marked[0])
        self.mesh.dress(model, images, changed)
        self.gallery.release()
        return OpenModel(self._composer, self.mesh, self._box, images, self._tasks)

    def beside(self) -> OpenModel:
        """Return an open model with the meshes of this object, for the other side of a comparison of the
        document with itself. Its `close` leaves the meshes.
        """
        return OpenModel(self._composer, self.mesh, self._box, self._images, self._tasks)

    def close(self) -> None:
        """Release the panel textures, but not the meshes."""
        self.gallery.release()

    def release(self) -> None:
        """Release the meshes and the panel textures."""
        self.mesh.release()
        self.gallery.release()


def _following(state: State) -> Measure | None:
    """The distance that still lacks its second point, measured to the point under the pointer. None if there
    is no such distance.
    """
    begun, touched = pending(state.view.measures), state.view.selection.touched
    if not state.interface.measuring or begun is None or not touched:
        return None
    return Measure(begun.start, touched[0])


def _marks(state: State) -> SurfaceMarks:
    """The measured distances and the points under the pointer."""
    begun, following = pending(state.view.measures), _following(state)
    measures = (*finished(state.view.measures), *filter(None, (following,)))
    lines = tuple((each.start, each.end) for each in measures if each.end is not None)
    starts = () if begun is None else (begun.start,)
    return SurfaceMarks(lines, (*starts, *state.view.selection.touched))


def _boned(state: State) -> bool:
    """Whether a bone is selected or hovered; then its name is drawn."""
    return any(isinstance(item, BoneItem) for item in (state.marked, state.view.selection.hover))


def with_region(image: Image, region: Region) -> Image:
    """A copy of an image whose `region` is tinted: left, top, right and bottom in texture coordinates."""
    pixels = image.levels[0].copy()
    height, width = pixels.shape[:2]
    left, top, right, bottom = (
        round(each * side) for each, side in zip(region, (width, height) * 2, strict=True)
    )
    inside = pixels[top:bottom, left:right, :3]
    inside[:] = (inside * (1 - TINT) + np.array(MARK) * (255 * TINT)).astype(np.uint8)
    return Image((pixels,), image.encoding)


class TextureOverrides:
    """Images that the user chose instead of a model's own images.

    `own` are the model's images by texture number.
    """

    def __init__(self, own: Mapping[int, Image]) -> None:
        self._own = own
        self._applied: dict[int, str] = {}

    @property
    def applied(self) -> frozenset[int]:
        """The numbers of the textures whose images the user replaced."""
        return frozenset(self._applied)

    def changes(self, state: State) -> Iterator[tuple[int, Image | None]]:
        """Yield the number and the new image of each texture whose image changes; None removes the image.

        Unreadable files are reported.
        """
        wanted = state.view.textures
        for number in sorted(wanted.keys() | self._applied.keys()):
            path = wanted.get(number)
            if path != self._applied.get(number):
                yield number, self._own.get(number) if path is None else _read(state, path)
        self._applied = dict(wanted)


def _read(state: State, path: str) -> Image | None:
    try:
        return within_budget(read_image(lone(path, state.context)), ALL_PIXELS)
    except (ViewerError, OSError) as error:
        words = error.why if isinstance(error, FormatError) else words_of(error)
        state.say(f"{path}: {words}", "error")
        return None


SMOOTH = 0.9
"""The weight of earlier pictures in the displayed average cost."""


class EffectProbe:
    """Reads the positions of particles and ribbon edges back from the GPU, because only a shader computes
    them.

    It also measures the CPU time of effects in milliseconds, averaged over several pictures.
    """

    def __init__(self) -> None:
        self._item: EffectItem | None = None
        self._cost = 0.0

    def of(self, mesh: MeshResources, frame: Frame, picked: Item | None) -> LiveEffect | None:
        """The particles or ribbon edges of the picked item in the last drawn picture.

        None if the item is not an emitter or ribbon, or is not drawn.
        """
        item = effect_of(picked)
        if item is None or not frame.display.effects.draws(item):
            self._item = None
            return None
        from viewer.render.effects.particle_capture import live_particles

        number, effect_time = item.number, frame.effect_time
        began = time.thread_time()
        if isinstance(item, RibbonItem):
            mesh.ribbons.prepared(number, effect_time)
            spent = time.thread_time() - began
            rows = mesh.ribbons.capture(number, effect_time)
        else:
            mesh.particles.emitters[number].prepare(effect_time)
            spent = time.thread_time() - began
            rows = live_particles(mesh, number)
        self._cost = SMOOTH * self._cost + (1 - SMOOTH) * spent if item == self._item else spent
        self._item = item
        return LiveEffect(item, rows, self._cost * 1000)
