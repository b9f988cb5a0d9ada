"""The surface that the program draws on, and the GPU part of the 3D view."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import moderngl
import numpy as np

from viewer.animation.view_snapshot import ViewSnapshot
from viewer.app.adaptive_quality import FULL, AdaptiveQuality
from viewer.app.effect_probe import EffectProbe
from viewer.app.hover import Hover, picture_key, view_info, with_markers
from viewer.app.loader import LoadResult
from viewer.app.pictures import PanelTextures
from viewer.app.texture_overrides import TextureOverrides
from viewer.arrays import Array, Size
from viewer.dataclass import dataclass, replace
from viewer.gpu.target import RenderTarget, straight_alpha
from viewer.gpu.texture import draws_in_software
from viewer.render.camera import Matrices, matrices
from viewer.render.framing import posed_bounds, turned_box
from viewer.render.mesh import towards_viewer
from viewer.render.mesh_resources import MeshResources
from viewer.render.morphs import NONE
from viewer.render.pick import PickView
from viewer.render.renderer import Frame, Renderer
from viewer.render.statistics import DrawStatistics
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions
from viewer.scene.document import Document
from viewer.scene.items import BoneItem
from viewer.scene.material import Image
from viewer.scene.model import Model
from viewer.scene.selection import Selection
from viewer.scene.up_axis import UpAxis
from viewer.scene.view_info import PickResult, PicturePosition, ViewInfo
from viewer.session.state import State

if TYPE_CHECKING:
    from viewer.export.frames import FrameShot

NO_JOINTS = np.empty((0, 3))
CLEAR = (0.0, 0.0, 0.0, 0.0)
NOTHING = (None, None)


@dataclass(slots=True)
class Surface:
    """The drawing surface: a framebuffer of `pixels`; `points` is its size for the mouse.

    `scale` is points per theme point: above 1 on a dense screen whose points are pixels.
    """

    framebuffer: moderngl.Framebuffer
    points: Size
    pixels: Size
    scale: float = 1.0

    def begin(self) -> None:
        """Bind and clear the surface."""
        self.use()
        self.framebuffer.clear(*CLEAR)

    def use(self) -> None:
        """Bind the surface."""
        self.framebuffer.use()
        self.framebuffer.viewport = (0, 0, *self.pixels)


def photograph(ctx: moderngl.Context, size: Size, draw: Callable[[], None]) -> Array:
    """[height, width, 3] u8: the picture that `draw` draws. moderngl cannot read a window's own
    framebuffer."""
    target = RenderTarget(ctx, size)
    Surface(target.framebuffer, size, size).begin()
    draw()
    pixels = target.read()[..., :3].copy()
    target.release()
    return pixels


class Viewport:
    """The GPU part of the 3D view: the open models, and the target that they are drawn to.

    `density` is pixels per theme point.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self.renderer = Renderer(ctx)
        self.pictures_of: dict[Document | None, PanelTextures] = {}
        self._overrides: dict[Document | None, TextureOverrides] = {}
        self.density = 1.0
        self.quality = AdaptiveQuality(draws_in_software(ctx))
        self.hasty = False
        """Whether the next picture shows the model alone without multisampling, to be ready sooner."""
        self._hover = Hover(self.renderer)
        self._effect_probe = EffectProbe()
        self._view: PickView | None = None
        self._whole: tuple[object, Matrices, object] | None = None
        self._view_info: tuple[object, ViewInfo] | None = None
        self._drawn = DrawStatistics()
        self._meshes: dict[Document | None, tuple[MeshResources, Array]] = {}
        self._box: tuple[Array, UpAxis | None, Array] | None = None
        self._target: RenderTarget | None = None
        self._made_for = ((0, 0), 0)

    def put(
        self, document: Document, images: Mapping[int, Image], loaded: LoadResult | None = None
    ) -> Iterator[float]:
        """Upload the document's model in small steps; yields the share that is done.

        Data that `loaded` lacks are computed here.
        """
        if document.model is not None:
            extent = loaded.extent if loaded else None
            records = loaded.records if loaded else NONE
            mesh = self.renderer.upload(document.model, images, records, filled=False)
            self._meshes[document] = (mesh, posed_bounds(document.model) if extent is None else extent)
            self.pictures_of[document] = PanelTextures(self._ctx, images)
            self._overrides[document] = TextureOverrides(images)
            yield from mesh.arrive()

    def keep(self, documents: Iterable[Document]) -> None:
        """Release the models of all other documents."""
        for gone in self._meshes.keys() - set(documents):
            self.drop(gone)

    def drop(self, document: Document | None) -> None:
        """Release the model of a document; no effect for a document without a model."""
        if document in self._meshes:
            self._meshes.pop(document)[0].release()
            self.pictures_of.pop(document).release()
            del self._overrides[document]

    def draw(self, state: State, options: DisplayOptions, size: Size) -> RenderTarget:
        """Draw the picture of `size` pixels; the target is reused until size or samples change.

        With the options of the State the picture is for the window: it has the level of `quality`, and may
        have fewer pixels.
        """
        windowed = options is state.options
        level = self.quality.level if windowed else FULL
        drawn = level.size(size)
        target = self._fitting(drawn, 0 if self.hasty else level.samples(options.samples))
        mesh, extent = self._textured(state)
        selection = Selection(state.selection.hover, state.marked) if windowed else None
        whole = self._matrices(state, mesh.model, size, extent) if mesh else None
        frame = Frame(
            state.posed(),
            replace(options, grid=False, axes=False) if self.hasty else options,
            state.camera,
            extent,
            selection,
            whole,
            self.density * level.scale,
            state.clock.time,
            state.playing,
            state.layers(),
            state.view,
        )
        self._drawn, self.hasty = self.renderer.draw(mesh, frame, target.framebuffer, drawn), False
        self._view = None
        if windowed and mesh and whole:
            effect_time = frame.effect_time(towards_viewer(whole)[0])
            self._view = PickView(
                mesh.model, frame.pose, options, whole, size, effect_time=effect_time, display=state.view
            )
        return target

    def _textured(self, state: State) -> tuple[MeshResources, Array] | tuple[None, None]:
        """The model in view with the chosen textures, and its box."""
        found = self._meshes.get(state.document)
        if found is None:
            return NOTHING
        mesh, extent = found
        for number, image in self._overrides[state.document].changes(state):
            mesh.replace_texture(number, image)
            self.pictures_of[state.document].replace_texture(number, image)
        return mesh, self._turned(mesh.model, extent, state.view.up)

    def _turned(self, model: Model, extent: Array, up: UpAxis | None) -> Array:
        """The box with the axis `up` upwards: the same object until box or axis change."""
        if self._box is None or self._box[0] is not extent or self._box[1] is not up:
            self._box = extent, up, turned_box(model, extent, up)
        return self._box[2]

    def _matrices(self, state: State, model: Model, size: Size, extent: Array | None) -> Matrices:
        """The matrices of the camera: the same object until the camera changes."""
        camera = state.camera
        key = (camera if isinstance(camera, Orbit) else id(camera), id(model), size, id(extent))
        if self._whole is None or self._whole[0] != key:
            # Keep references, so that no other object gets the same id.
            held = camera, model, extent
            self._whole = key, matrices(camera, state.view.to_world(model), size, extent), held
        return self._whole[1]

    def view_info(self, state: State) -> ViewInfo:
        """A description of the last drawn picture."""
        mesh, _ = self._meshes.get(state.document, NOTHING)
        if mesh is None or self._view is None:
            return ViewInfo()
        gallery = self.pictures_of.get(state.document)
        marked, options, view = state.options.names or _boned(state), state.options, self._view
        key = (view.matrices, self._drawn, gallery, options.axes, state.view.lod, self.density)
        if marked or self._view_info is None or self._view_info[0] != key:
            self._view_info = key, view_info(view, mesh, self._drawn, gallery, marked, self.density)
        elif len(self._view_info[1].joints):
            self._view_info = key, replace(self._view_info[1], joints=NO_JOINTS)
        live = self._effect_probe.of(mesh, view, state.focus)
        found = self._view_info[1] if live is None else replace(self._view_info[1], live=live)
        return with_markers(found, view, (state.focus, state.selection.hover))

    def ask(self, state: State, position: PicturePosition | None, urgent: bool = False) -> None:
        """Ask for the items at the pixel `position`; None: the pointer is elsewhere. `urgent`: answer for
        this picture."""
        mesh, _ = self._meshes.get(state.document, NOTHING)
        size = self._view.size if self._view else None
        self._hover.ask(mesh, self._view, position, (size, picture_key(state)), urgent)

    def hover_result(self) -> PickResult | None:
        """The answer to the question of an earlier picture."""
        return self._hover.answer()

    @property
    def waiting(self) -> bool:
        """Whether the next picture brings an answer."""
        return self._hover.waiting

    def pictures(
        self, document: Document, view: ViewSnapshot, shots: Iterable[FrameShot], size: Size
    ) -> Generator[Array, None, None]:
        """The picture of each shot of a document, drawn when requested: see `frames.pictures`."""
        mesh, extent = self._meshes.get(document, NOTHING)
        if mesh is not None and extent is not None:
            extent = self._turned(mesh.model, extent, view.display.up)
        from viewer.export.frames import pictures  # imported for films alone

        return pictures(self.renderer, mesh, view, shots, extent, size)

    def clean(self, state: State, size: Size) -> Array:
        """[height, width, 4] u8: only the model, on a transparent background."""
        return straight_alpha(self.draw(state, bare(state.options), size).read())

    def _fitting(self, size: Size, samples: int) -> RenderTarget:
        if self._target is None or self._made_for != (size, samples):
            if self._target is not None:
                self._target.release()
                self._target = None
            self._target, self._made_for = RenderTarget(self._ctx, size, samples), (size, samples)
        return self._target

    def release(self) -> None:
        """Release everything."""
        self.keep(())
        self._hover.release()
        if self._target is not None:
            self._target.release()
        self.renderer.release()


def bare(options: DisplayOptions) -> DisplayOptions:
    """The options without grid and background, for pictures to be laid over others."""
    return replace(options, background=CLEAR, grid=False, axes=False)


def _boned(state: State) -> bool:
    """Whether a bone is selected or hovered; then its name shows."""
    marked = (state.marked, state.selection.hover)
    return any(isinstance(item, BoneItem) for item in marked)
