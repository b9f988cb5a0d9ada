"""The surface that the program draws on, and the GPU part of the 3D view."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import moderngl
from msgspec import Struct
from msgspec.structs import replace

from viewer.app.adaptive_quality import FULL, AdaptiveQuality
from viewer.app.comparison import ComparedDrawing, distances_between, distances_of, motion_of
from viewer.app.open_files.loading import LoadResult
from viewer.app.open_model import OpenModel
from viewer.app.picking import Picking, picture_key
from viewer.app.tasks import Task, Tasks
from viewer.arrays import Array, Color, Size
from viewer.errors import FormatError, ShaderError
from viewer.gpu.mip_levels import draws_in_software
from viewer.gpu.target import RenderTarget, straight_alpha
from viewer.render.frame import frame_of
from viewer.render.mesh.morphs import NO_RECORDS
from viewer.render.renderer import Renderer
from viewer.render.statistics import DrawStatistics
from viewer.scene.choices import ROOM, CompareMode
from viewer.scene.comparison import Comparison, panes
from viewer.scene.display import DisplayOptions, Placement
from viewer.scene.document import Document
from viewer.scene.looks import differ_in_look
from viewer.scene.material import Image
from viewer.scene.model import Model
from viewer.scene.texture_images import channels_of
from viewer.session.comparison import in_order, in_view
from viewer.session.requests import SaveTexture
from viewer.session.state import State
from viewer.session.texture_view import shown_uses
from viewer.view.framing import posed_bounds
from viewer.view.texture_shot import uv_layers, whole_shot
from viewer.view.view_info import PickResult, PicturePosition, ViewInfo
from viewer.view.view_snapshot import ViewSnapshot

if TYPE_CHECKING:
    from viewer.animation.motion.clip_difference import ClipDifference
    from viewer.export.picture.frames import Picture, Shot
    from viewer.render.passes.compare_pass import Shown
    from viewer.scene.vertex_distances import VertexDistances

CLEAR = (0.0, 0.0, 0.0, 0.0)
NOTHING = (None, None)


class DrawSurface(Struct):
    """The framebuffer of the window. `pixels` is its size, `points` its size in mouse coordinates.

    `scale` is the number of points per theme point. It is above 1 on dense screens whose mouse coordinates
    are pixels.
    """

    framebuffer: moderngl.Framebuffer
    points: Size
    pixels: Size
    scale: float = 1.0

    def begin(self, color: Color) -> None:
        """Bind the surface and clear it to a colour."""
        self.use()
        self.framebuffer.clear(*color)

    def use(self) -> None:
        """Bind the surface."""
        self.framebuffer.use()
        self.framebuffer.viewport = (0, 0, *self.pixels)


def photograph(ctx: moderngl.Context, size: Size, color: Color, draw: Callable[[], None]) -> Array:
    """Return the picture that `draw` draws over the colour as [height, width, 3] u8.

    It is drawn into a separate target, because moderngl cannot read a window's framebuffer.
    """
    target = RenderTarget(ctx, size)
    DrawSurface(target.framebuffer, size, size).begin(color)
    draw()
    pixels = target.read()[..., :3].copy()
    target.release()
    return pixels


class KeptPicture(Struct, frozen=True):
    """What is drawn in `target`: the meshes with their `held` frames, the `counts` of each, and all other
    `settings`.
    """

    target: RenderTarget
    counts: Sequence[DrawStatistics]
    shown: Sequence[Shown]
    settings: tuple[object, ...]

    def shows(self, shown: Sequence[Shown], settings: tuple[object, ...]) -> bool:
        """Whether a picture of these meshes and frames would be the same."""
        return (
            settings == self.settings
            and len(shown) == len(self.shown)
            and all(
                mesh is kept and frame.draws_as(held)
                for (mesh, frame), (kept, held) in zip(shown, self.shown, strict=True)
            )
        )


class Viewport:
    """The GPU part of the 3D view: the open models, and the render target.

    `density` is the number of pixels per theme point.
    """

    def __init__(self, ctx: moderngl.Context, tasks: Tasks | None = None) -> None:
        self._ctx, self._tasks = ctx, tasks or Tasks()
        self.renderer = Renderer(ctx)
        self.density = 1.0
        self.quality = AdaptiveQuality(draws_in_software(ctx))
        self.draft = False
        """Whether the next picture is a quick draft: it shows only the model, without multisampling."""
        self._picking = Picking(self.renderer, self._tasks)
        self._models: dict[Document | None, OpenModel] = {}
        self._right: OpenModel | None = None
        self._asked: tuple[Document | None, bool] = (None, False)
        self._compared = ComparedDrawing(self.renderer)
        self._differing: float | None = None
        self._target: RenderTarget | None = None
        self._made_for = ((0, 0), 0)
        self._kept: KeptPicture | None = None
        self._environment: str | None = None

    def put(
        self, document: Document, images: Mapping[int, Image], loaded: LoadResult | None = None
    ) -> Iterator[float]:
        """Upload the document's model in small steps; yield the finished share, 0 to 1. If an uploaded
        document shows the same model in another look, `document` takes over the buffers of that document.

        `loaded` has the bounding box and the morph records, if a task has computed them; otherwise they are
        computed here.
        """
        if document.model is None:
            return
        before = self._in_other_look(document.model)
        if before is not None:
            self._close_right()
            self._models[document] = self._models.pop(before).dressed(document.model, images)
            return
        extent = loaded.extent if loaded else None
        box = posed_bounds(document.model) if extent is None else extent
        mesh = self.renderer.upload(
            document.model, images, loaded.records if loaded else NO_RECORDS, filled=False
        )
        self._models[document] = OpenModel(self.renderer.composer, mesh, box, images, self._tasks)
        for share in mesh.arrive():
            self._kept = None
            yield share
        self._kept = None

    def _in_other_look(self, model: Model) -> Document | None:
        """The uploaded document that shows the same model in another look; None if there is none."""
        opened = (each for each in self._models if each is not None and each.model is not None)
        return next((each for each in opened if each.model and differ_in_look(each.model, model)), None)

    def _opened(self, state: State) -> OpenModel | None:
        """The open model of the document in view. The right side of a document that is compared with itself
        has an open model of its own, with the same meshes.
        """
        model = self._models.get(state.document)
        if model is None or not state.view.is_right:
            return model
        if self._right is None or self._right.mesh is not model.mesh:
            self._close_right()
            self._right = model.beside()
        return self._right

    def _close_right(self) -> None:
        if self._right is not None:
            self._right.close()
            self._right = None

    def keep(self, documents: Iterable[Document]) -> None:
        """Release the models of all other documents."""
        for gone in self._models.keys() - set(documents):
            self.drop(gone)

    def drop(self, document: Document | None) -> None:
        """Release the model of a document, if it has one."""
        if document in self._models:
            self._kept = None  # it has the model and its meshes
            gone = self._models.pop(document)
            if self._right is not None and self._right.mesh is gone.mesh:
                self._close_right()
            gone.release()

    def draw(self, state: State, options: DisplayOptions, size: Size) -> RenderTarget:
        """Draw a picture of `size` pixels. The target is reused until the size or the number of samples
        changes.

        If `options` is the State's own object, the picture is for the window: it is drawn at the current
        level of `quality` and may have fewer pixels, and it is kept while nothing in it changes. All compared
        documents are drawn.
        """
        windowed = options is state.options
        level = self.quality.level if windowed else FULL
        drawn = level.size(size)
        samples = 0 if self.draft else level.samples(options.samples)
        if self.draft:
            options = replace(options, grid=False, axes=False, shadow=False, occlusion=False)
        self._prepare_environment(state, options, windowed)
        shown = self._shown(state, options, size, self.density * level.scale, windowed)
        self._differing = None
        settings = (drawn, samples, replace(state.documents.comparison), *self._textures(state))
        kept = self._kept if windowed and self._kept and self._kept.shows(shown, settings) else None
        if kept is not None:
            target, statistics = kept.target, kept.counts
        elif len(shown) == 1:
            (mesh, frame), target = shown[0], self._fitting(drawn, samples)
            statistics = [self.renderer.draw(mesh, frame, target.framebuffer)]
        else:
            target, statistics = self._compared.draw(shown, state, drawn, samples)
        if kept is None:
            held = [(mesh, frame.held()) for mesh, frame in shown]
            self._kept = KeptPicture(target, statistics, held, settings) if windowed else None
        sharp = windowed and level == FULL and not self.draft
        self._differing = self._compared.differing(state, size, sharp)
        self.draft = False
        for each, counts in zip(in_order(state), statistics, strict=True):
            model = self._opened(each)
            if model is not None:
                model.drawn = counts
        return target

    def _prepare_environment(self, state: State, options: DisplayOptions, windowed: bool) -> None:
        """Make the environment that the options choose.

        For the window a task makes it, and until then the light of the studio is drawn; a picture waits for
        it. If it cannot be read, the built-in one is chosen.
        """
        name = options.environment
        if not options.with_environment or self.renderer.environments.has(name):
            return
        # imported late, because few windows show an environment
        from viewer.storage.environments import make_environment

        def take(task: Task) -> None:
            """Upload the environment, or report the error."""
            self._kept = self._environment = None
            if task.value is not None:
                self.renderer.environments.put(name, task.value)
                return
            state.say(task.error, "error")
            if state.options.environment == name:
                state.options.environment = ROOM

        if not windowed:
            with suppress(FormatError):
                self.renderer.environments.put(name, make_environment(name, state.context))
        elif self._environment != name:
            self._environment = name
            self._tasks.submit("environment", lambda task: make_environment(name, state.context), take)

    def _textures(self, state: State) -> Iterator[object]:
        """How often textures of the models in view were replaced, and the differences between the models."""
        models = (self._opened(each) for each in in_order(state))
        yield from (model.replaced if model else 0 for model in models)
        yield distances_of(state)
        yield motion_of(state)

    def _shown(
        self, state: State, options: DisplayOptions, size: Size, density: float, windowed: bool
    ) -> list[Shown]:
        """The model in view, or each of the compared models, with its frame in a picture of `size` pixels."""
        states = in_order(state)
        models = [*map(self._opened, states)]
        extent = self._around(models, [each.view.placement for each in states], options.figure)
        widths = [pane.width for pane in panes(state.documents.comparison, len(states), size[0])]
        shown: list[Shown] = []
        for each, model, width in zip(states, models, widths, strict=True):
            pane = width, size[1]
            if model is None:
                view = replace(each.live_view, options=options)
                shown.append((None, frame_of(view, each.view.clock.time, pane, extent)))
            else:
                frame = model.next_frame(each, options, pane, extent, density, windowed)
                shown.append((model.mesh, frame))
        return shown

    def _around(
        self, models: Sequence[OpenModel | None], placements: Iterable[Placement], figured: bool
    ) -> Array:
        """The box [2, 3] around the placed models at rest, and if they are `figured`, the figures beside
        them.
        """
        pairs = zip(models, placements, strict=True)
        boxes = [box for model, each in pairs if model for box in model.boxes(each, figured)]
        return self._compared.around(boxes)

    def reload_shaders(self) -> list[ShaderError]:
        """Build the programs of edited shaders anew. Return the errors of the shaders that do not compile."""
        self._kept = None
        return self.renderer.composer.reload()

    def forget_environments(self) -> None:
        """Release the environments, so that their files are read again."""
        self._kept = None
        self.renderer.environments.forget()

    def view_info(self, state: State) -> ViewInfo:
        """A description of the last drawn picture of the document in view."""
        model = self._opened(state)
        found = ViewInfo() if model is None else model.info(state, self.density)
        return found if self._differing is None else replace(found, differing=self._differing)

    def ask(self, state: State, position: PicturePosition | None, urgent: bool = False) -> None:
        """Request the items at the pixel `position` of the document in view; None if the pointer is outside
        the picture.

        An `urgent` request is answered with this picture.
        """
        self._asked = state.document, state.view.is_right
        self._picking.density = self.density
        model = self._opened(state)
        mesh, frame = (model.mesh, model.frame) if model else NOTHING
        self._picking.ask(mesh, frame, position, (frame.size if frame else None, picture_key(state)), urgent)

    def hover_result(self, state: State) -> PickResult | None:
        """Return the answer to an earlier request; its items belong to the document in view."""
        found = self._picking.answer
        own = self._asked == (state.document, state.view.is_right)
        return found if found is None or own else in_view(state, found)

    @property
    def waiting(self) -> bool:
        """Whether the next picture brings an answer."""
        return self._picking.waiting or self._compared.counting

    def pictures(
        self,
        shown: Sequence[tuple[Document, ViewSnapshot]],
        shots: Iterable[Shot],
        size: Size,
        comparison: Comparison,
        distances: VertexDistances | None = None,
        motion: ClipDifference | None = None,
    ) -> Generator[Picture, None, None]:
        """Draw a picture of a document, or of compared documents, for each shot.

        The result is a generator: each picture is drawn when it is requested. All documents are drawn with
        the first document's cameras. See `viewer.export.picture.frames.pictures`.
        """
        from viewer.export.picture.frames import pictures  # imported late, because only films need it

        models = [self._models.get(document) for document, _ in shown]
        views = [view for _, view in shown]
        extent = self._around(models, [each.display.placement for each in views], views[0].options.figure)
        if len(views) > 1 and comparison.mode is CompareMode.DISTANCE and distances is None:
            distances = distances_between(views)
        meshes = [model.mesh if model else None for model in models]
        return pictures(self.renderer, meshes, views, shots, extent, size, comparison, distances, motion)

    def texture(self, state: State, request: SaveTexture) -> Array | None:
        """[height, width, 4] u8: the picture of a texture of the document in view. Without layouts it is a
        mip level with straight alpha. With layouts it is opaque, and shows the layouts of the Texture panel.
        None if there is no image.
        """
        # imported late, because this method is rarely called
        from viewer.export.picture.texture import BARE, layout_size, texture_picture

        model, opened = state.model, self._models.get(state.document)
        if model is None or opened is None:
            return None
        image = opened.gallery.image(request.number)
        level = min(request.level, len(image.levels) - 1) if image is not None else 0
        if not request.layouts:
            return None if image is None else channels_of(image.levels[level], request.channels)
        size = layout_size(BARE if image is None else image.levels[level].shape[1::-1])
        view, time = state.view.texture_view, state.playback.clip_time()
        uses = shown_uses(view, model, request.number, state.focus)
        layers = uv_layers(model, uses, state.view.lod or 0, time)
        shot = whole_shot(request.number, level, request.channels, size, layers)
        return texture_picture(self.renderer, model, image, shot)

    def whole(self, state: State, size: Size) -> Array:
        """Return the picture that the window shows, in full quality, as [height, width, 3] u8."""
        level, self.quality.level = self.quality.level, FULL
        pixels = self.draw(state, state.options, size).read()[..., :3].copy()
        self.quality.level = level
        return pixels

    def clean(self, state: State, size: Size) -> Array:
        """Return a picture of only the model, on a transparent background, as [height, width, 4] u8."""
        return straight_alpha(self.draw(state, bare(state.options), size).read())

    def _fitting(self, size: Size, samples: int) -> RenderTarget:
        if self._target is None or self._made_for != (size, samples):
            if self._target is not None:
                self._target.release()
                self._target = None
            self._target, self._made_for = RenderTarget(self._ctx, size, samples), (size, samples)
        return self._target

    def release(self) -> None:
        """Release all GPU objects."""
        self.keep(())
        self._picking.release()
        self._compared.release()
        if self._target is not None:
            self._target.release()
        self.renderer.release()


def bare(options: DisplayOptions) -> DisplayOptions:
    """The options without grid and background, for a picture that is pasted onto another picture."""
    return replace(options, background=CLEAR, grid=False, axes=False, environment_background=None)
