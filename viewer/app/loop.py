"""The frame loop's body, with or without a window."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

import moderngl

from viewer.app.background_services import BackgroundServices
from viewer.app.camera import FileCamera, ViewFitting, aim
from viewer.app.open_files.manager import FileManager
from viewer.app.settings_sync import SettingsSync
from viewer.app.tasks import Tasks
from viewer.app.viewport import DrawSurface, Viewport, photograph
from viewer.arrays import Array, Size, damaged_numbers
from viewer.family.registry import take_faults
from viewer.gpu.target import RenderTarget
from viewer.scene.camera import Orbit
from viewer.scene.texture_images import decode_textures
from viewer.session.comparison import advance, find_partner, follow, in_order, pane_size
from viewer.session.documents import foremost
from viewer.session.requests import (
    CheckFiles,
    ContinueFileBatch,
    CopyCommand,
    CopyPicture,
    CopyText,
    ExportFiles,
    ExportModel,
    FitView,
    MarkFiles,
    Quit,
    RecordFilm,
    RemoveFileBatch,
    Request,
    SaveAs,
    SaveFilePictures,
    SaveLook,
    SaveMotion,
    SaveTexture,
    Screenshot,
    ShowAbout,
    ShowFiles,
    StopExport,
    StopFileBatch,
    StopRecording,
)
from viewer.session.state import State, UserMessage
from viewer.ui.dialogs.file_dialog import FileDialog
from viewer.ui.kit.host import Host
from viewer.ui.kit.theme import window_color
from viewer.ui.kit.widgets import copy_text
from viewer.ui.view.view_panel import SHOWN
from viewer.ui.workspace import STEADY, Workspace
from viewer.view.framing import Margins

Start = Callable[[State, Size], None]


class App:
    """The application without the window. Call `frame` repeatedly while `running` is True.

    The files at `paths` are opened first. When the files are loaded, `frame` calls `start(state, size of the
    picture)`, and lets exceptions of `start` pass. `unread` is True if one of these files could not be read
    completely. `settings` is the path of the settings file; with None, settings are not stored. `workers` is
    the number of processes that read listed files and draw their thumbnails; 0 for none. GL objects are
    created in `ctx`, which must be current; `close` releases them.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        state: State,
        surface: DrawSurface,
        paths: Iterable[str] = (),
        start: Start | None = None,
        dialog: FileDialog | None = None,
        settings: Path | None = None,
        request_frame: Callable[[], None] = lambda: None,
        workers: int = 0,
        together: bool = False,
    ) -> None:
        self._ctx = ctx
        self.state = state
        self.surface = surface
        self.running = True
        self.host = Host()
        self._settings_sync = SettingsSync(settings, state)
        self._workspace = Workspace()
        self._workspace.settle(self.host, state, surface.points, surface.scale)
        self._tasks = Tasks(request_frame)
        self._viewport = Viewport(ctx, self._tasks)
        self._file_camera = FileCamera()
        self._fitting = ViewFitting()
        self._background = BackgroundServices(ctx, state, self._viewport, self._tasks, workers)
        listing = self._background.list_files
        self._files = FileManager(state, self._viewport, dialog, self._tasks, self.post, listing)
        self._requests: list[Request] = []
        self._screenshots: list[Screenshot] = []
        self._unsteady = 0
        self._target: RenderTarget | None = None
        self._start = start or present
        self._said = ((0.0, 0), 0.0)
        self._before, self._waits = list[UserMessage](), False
        for document in state.documents.opened:
            deque(self._viewport.put(document, decode_textures(document)), maxlen=0)
        self._files.begin(paths, together)

    @property
    def loading(self) -> tuple[str, ...]:
        """The paths of the files being loaded."""
        return self._files.loading

    @property
    def busy(self) -> bool:
        """Whether tasks are running or waiting."""
        return self._tasks.busy

    @property
    def unread(self) -> bool:
        """Whether one of the first files could not be read, or not completely."""
        return self._files.unread

    @property
    def pause(self) -> float | None:
        """Seconds until the next frame is due if no event comes.

        The value is 0 if the next frame is due now, because it may look different. The value is None if the
        loop can wait for an event.
        """
        state = self.state
        moving = state.view.clock.playing and bool(state.view.playlist) and not state.files.wall
        differs = (
            moving
            or bool(self._requests)
            or self.host.input.waiting
            or state.pending_files.unsettled
            or self._viewport.waiting
            or self._viewport.quality.unsettled
        )
        return 0.0 if differs else self._tasks.pause

    def await_first(self, seconds: float) -> None:
        """Wait at most `seconds` for the first files, because small files can then be shown in the first
        frame. The first frame is drawn at low quality.
        """
        end = time.perf_counter() + seconds
        while self._files.starting and (left := end - time.perf_counter()) > 0:
            self._tasks.wait(left)
            self._tasks.step()
        self._viewport.draft = True

    def watch(self) -> None:
        """Begin to reload files when they change."""
        self._files.watch(True)

    def post(self, request: Request) -> None:
        """Queue a request; it is carried out at the start of the next frame."""
        self._requests.append(request)

    @damaged_numbers()
    def frame(self, dt: float) -> None:
        """Run one frame: requests, documents, time, picture, panels.

        `dt` is the time in seconds since the last frame.
        """
        state, surface, view = self.state, self.surface, self._workspace.view
        self._take_requests()
        for line in take_faults():
            state.say(line, "warning")
        self._files.dress()
        self._files.join()
        self._tasks.step()
        self._take_files()
        state.pending_files.unsettled = False
        if not state.files.wall:  # the wall covers the picture, so nothing has to move
            advance(state, dt)
        state.purge()
        find_partner(state)
        self._background.step()
        self._quit_if_done()
        size = self._picture_size()
        self._fitting.step(state, size, self._covered())
        self._file_camera.step(state, pane_size(state, size))
        follow(state)
        self._viewport.density = surface.scale * surface.pixels[0] / max(surface.points[0], 1)
        self._viewport.quality.step(state, dt, full=bool(self._screenshots))
        if not state.files.wall:
            self._target = self._viewport.draw(state, state.options, size)
            view.picture = self._target.resolve().glo
        elif self._target is not None and self._target.released:
            view.picture = 0  # the target was released when a picture was saved behind the wall
        # the driver draws the picture while Python builds the panels
        surface.begin(window_color(state.interface.preferences.theme))
        for each in in_order(state):
            each.view_info = self._viewport.view_info(each)
        view.hover_result = self._viewport.hover_result(state)
        self._workspace.prepare(self.host, state, surface.points, surface.scale)
        self.host.input.awaits_field = bool(state.interface.finding) or state.pending_files.lists_folder
        self.host.input.takes_text = state.files.takes_text
        self.host.new_frame(dt, surface.points, surface.pixels)
        self._workspace.draw(state, self.post, surface.points)
        self._viewport.ask(view.state_under(state), view.position, view.urgent)
        surface.use()
        self.host.render()
        self._save_screenshots()
        self._count_down(dt)
        self._settings_sync.tick(state, self._files.starting)

    def close(self) -> None:
        """Release all resources. The only wait is for a running export to remove its unfinished files."""
        self._workspace.keep(self.host, self.state)
        self._settings_sync.write(self.state)
        self._files.close()
        self._background.close()
        self._tasks.close()
        self._viewport.release()
        self.host.release()

    def _quit_if_done(self) -> None:
        """Quit if the awaited work is done. If some of it failed, the window stays open with the message."""
        state = self.state
        if state.unfinished or not (self._waits or state.interface.quits):
            return
        self.running = any(each.kind == "error" for each in state.messages if each not in self._before)
        self._waits = state.interface.quits = False

    def _count_down(self, dt: float) -> None:
        """Count down the display time of the latest message or note."""
        count, left = self._said
        messages = self.state.messages
        now = messages[-1].time if messages else 0.0, self.state.interface.notes
        left = SHOWN + dt if now != count else max(left - dt, 0.0)
        self._said = now, left
        if left:
            self._tasks.request_frame_in(left)

    def _picture_size(self) -> Size:
        """The size of the 3D view in pixels, in the present layout of the window."""
        surface = self.surface
        rect = self._workspace.picture(self.state, surface.points)
        density = surface.pixels[0] / max(surface.points[0], 1)
        return max(round(rect.width * density), 1), max(round(rect.height * density), 1)

    def _covered(self) -> Margins:
        """The parts of the 3D view that buttons and texts cover, as margins (left, top, right, bottom) in
        pixels.
        """
        surface = self.surface
        density = surface.pixels[0] / max(surface.points[0], 1)
        top, bottom = self._workspace.covered(self.state)
        return 0.0, top * density, 0.0, bottom * density

    def _save_screenshots(self) -> None:
        if self._screenshots and self._unsteady:
            self._unsteady -= 1
            self._tasks.request_frame_in(0.0)
        elif self._screenshots:
            # imported late, so that the first picture comes sooner
            from viewer.app.output.screenshot import save_all

            save_all(self.state, self._screenshots, self._picture)

    def _take_requests(self) -> None:
        requests, self._requests = self._requests, []
        for request in requests:
            self._take(request)

    def _take(self, request: Request) -> None:
        match request:
            case FitView() if self.state.shows_picture:
                self.state.view.texture_view.fit()
            case FitView(selected, padding):
                aim(self.state, self._picture_size(), selected, self._covered(), padding)
            case SaveAs(wanted, str(chosen)):
                from viewer.app.output.save_paths import named

                shown = self.state.document
                if self._files.show_asked(request):
                    self._take(named(wanted, chosen))
                if self.state.document is not shown:
                    self._unsteady = STEADY + 2  # the panels of the document that came into view
            case Screenshot() | RecordFilm() | ExportModel() | SaveTexture() | SaveLook() | SaveMotion() if (
                request.path is None
            ):
                from viewer.app.output.save_paths import planned

                self._take(planned(self.state, request))
            case Screenshot():
                self._screenshots.append(request)
            case SaveLook():
                self._background.output.save_look(request)
            case SaveMotion():
                self._background.output.save_motion(request)
            case SaveTexture():
                self._background.output.save_texture(request)
            case CopyPicture():
                self._background.output.copy(self._picture_size())
            case CopyCommand():
                self._copy_command()
            case CopyText(text):
                copy_text(text)
            case ShowFiles(paths):
                self._background.output.show_files(paths)
            case RecordFilm():
                self.state.interface.records = False
                self._background.output.record(request, self._picture_size())
            case SaveFilePictures(path=str()) | ExportFiles(path=str()) | CheckFiles():
                self.state.interface.exports = False
                self._background.batches.take(request)
            case StopFileBatch() | ContinueFileBatch() | RemoveFileBatch():
                self._background.batches.take(request)
            case MarkFiles():
                if self._background.library is not None:
                    self._background.library.mark(request)
            case StopRecording():
                self._background.output.stop()
            case ExportModel():
                self.state.interface.exports = False
                self._background.output.export(request)
            case StopExport():
                self._background.output.stop_export()
            case ShowAbout():
                from viewer.session.about import about

                self.state.interface.about = about(self._ctx.info)
            case Quit(unfinished):
                asks = bool(self.state.unfinished) and unfinished != "stop"
                self.state.interface.quits = asks and unfinished == "ask"
                self._before, self._waits = [*self.state.messages], unfinished == "wait"
                self.running = asks
                if self._waits:
                    self.state.interface.note("The window closes when the work is done")
            case _:
                self._files.take(request)

    def _take_files(self) -> None:
        """Add loaded documents. Present the document in view if it is new: start its animation, fit the
        camera.
        """
        self._files.step()
        state = self.state
        known = state.document is None or state.view.presented
        if self._files.starting or (self._start is present and known):
            return
        start, self._start = self._start, present
        if start is not present:
            self._show_first_model()
            start(state, self._picture_size())
        else:
            present(state, self._picture_size(), self._files.kept_camera())
        state.view.presented, state.view.home = True, state.view.camera

    def _show_first_model(self) -> None:
        """Show the first model among several files; without a model, the first file that is not a lone
        animation.
        """
        first = foremost(self.state.documents.opened)
        if first is not None and first != self.state.documents.current:
            self.state.show(first)

    def _copy_command(self) -> None:
        """Copy the command that draws the picture; a message names what the command leaves out."""
        from viewer.app.output.view_command import (
            view_command,  # imported late, so that the first picture comes sooner
        )

        text, left_out = view_command(self.state, self._picture_size())
        copy_text(text)
        if left_out:
            self.state.say(f"Copied the command; it leaves out {', '.join(left_out)}", "warning")
        else:
            self.state.say("Copied the command")

    def _picture(self, request: Screenshot) -> Array:
        """Return the picture as [height, width, 3] u8; a picture of only the model has a transparent
        background and the shape [height, width, 4].
        """
        size = request.size or self._picture_size()
        match request.content:
            case "view":
                return self._viewport.whole(self.state, size)
            case "model":
                return self._viewport.clean(self.state, size)
            case "window":
                color = window_color(self.state.interface.preferences.theme)
                return photograph(self._ctx, self.surface.pixels, color, self.host.draw)


def present(state: State, size: Size, keep_camera: bool = False) -> None:
    """Present a document that just came into view: play its idle or first animation and fit the camera."""
    if not state.view.playlist:
        state.playback.choose(state.playback.idle())
        state.play_visible()
    state.show_on_light()
    if state.view.playlist:
        state.view.clock.play()
    if keep_camera:
        state.stand()
    else:
        state.begin_view(state.view.orbit or Orbit())
        state.view.fitted = state.view.camera
