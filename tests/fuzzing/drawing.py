"""Draws and bakes documents in one GL context, and finds its errors and objects that nobody released."""

from __future__ import annotations

import gc
import random
from typing import Any

import moderngl

from tests.conftest import left_in
from viewer.actions.effects import effects_time
from viewer.app.picking import Picking, view_info
from viewer.app.tasks import Tasks
from viewer.commands.options.apply_options import apply, point
from viewer.commands.options.given_options import Options
from viewer.errors import GraphicsError, ShaderError, ViewerError
from viewer.export.picture import frames
from viewer.render.bake import bake, bake_ribbons
from viewer.render.effects.particle_capture import capture_carried, capture_particles
from viewer.render.frame import Frame, frame_of
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.renderer import Renderer
from viewer.render.statistics import DrawStatistics
from viewer.render.view_parameters import EffectTime
from viewer.scene.camera import Orbit
from viewer.scene.choices import Shading
from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.scene.picture_options import SWITCHES
from viewer.scene.texture_images import decode_textures
from viewer.session.state import State

SIZE = (64, 64)
PICKED = 0.3
"""The share of the pictures in which something is picked."""
MOST_PIXELS = 1 << 22
RENEWED = 200
"""Draws until the renderer is made anew, with all its programs."""
OVERLAYS = ("light_theme", *(row.name for row in SWITCHES))
TIMES = (None, 0.0, 0.3, 1e4, -2.0)


class Drawing:
    """A context and its renderer."""

    def __init__(self) -> None:
        self.ctx: Any = moderngl.create_context(standalone=True, backend="egl", require=330)
        self.ctx.gc_mode = "context_gc"
        self._renderer: Renderer | None = None
        self._tasks = Tasks()
        self._picking: Picking | None = None
        self._drawn = 0

    def draw(self, document: Document, numbers: random.Random, baked: bool) -> bool:
        """Draw the document with options of these random numbers; False if there is nothing to draw."""
        state = State()
        state.put(document)
        if state.model is None and state.skeleton is None:
            return False
        try:
            self._draw(state, numbers, baked)
        except (GraphicsError, ShaderError):
            raise
        except ViewerError:
            pass  # the refusal of something, such as a camera without a direction
        except BaseException:
            self._forget()
            raise
        error = self.ctx.error
        assert error == "GL_NO_ERROR", f"OpenGL reports {error}"
        self._drawn += 1
        if self._drawn % RENEWED == 0:
            self.renew()
        self.check_objects()
        return True

    def check_objects(self) -> None:
        """No object is left that nothing refers to any more."""
        left = left_in(self.ctx)
        self.ctx.objects.clear()
        assert not left, (
            f"GL objects that were not released: {sorted({type(each).__name__ for each in left})}"
        )

    def _forget(self) -> None:
        """Release what an exception left behind, which is no finding of its own."""
        self.renew()
        for each in left_in(self.ctx):
            each.release()
        self.ctx.objects.clear()
        _ = self.ctx.error

    def renew(self) -> None:
        """Release the renderer, and every GL object with it."""
        for owner in (self._picking, self._renderer):
            if owner is not None:
                owner.release()
        self._picking = self._renderer = None
        gc.collect()

    def close(self) -> None:
        """Release everything."""
        self.renew()
        self.ctx.release()

    def _draw(self, state: State, numbers: random.Random, baked: bool) -> None:
        apply(state, Options(size=SIZE, shown={"samples": 0}))
        time = numbers.choice(TIMES)
        point(state, Options(size=SIZE, time=time))
        options = state.options
        options.shading = numbers.choice(list(Shading))
        for name in OVERLAYS:
            if numbers.random() < 0.2:
                setattr(options, name, not getattr(options, name))
        view = state.snapshot()
        at = [view.playback.clock.time]
        bounds = frames.extent([view], at)
        if isinstance(view.camera, Orbit) and view.file_camera_number is None:
            (camera,) = frames.fitted([view], at, [view.camera], SIZE)
        else:
            (camera,) = frames.cameras(view, at, SIZE)
        if self._renderer is None:
            self._renderer = Renderer(self.ctx)
        images = decode_textures(state.document) if state.document else {}
        small = {number: each for number, each in images.items() if each.size[0] * each.size[1] < MOST_PIXELS}
        mesh = self._renderer.upload(state.model or Model(""), small)
        try:
            shots = [(at[0], camera)]
            for _ in frames.pictures(self._renderer, [mesh], [view], shots, bounds, SIZE):
                pass
            if numbers.random() < PICKED:
                self._pick(self._renderer, mesh, frame_of(view, at[0], SIZE, bounds, camera))
            if baked and state.model is not None:
                _bake(state, mesh)
        finally:
            mesh.release()

    def _pick(self, renderer: Renderer, mesh: MeshResources, frame: Frame) -> None:
        """Ask what is in the middle of the picture, as the window does for the pointer."""
        picking = self._picking = self._picking or Picking(renderer, self._tasks)
        picking.ask(mesh, frame, (0.5, 0.5), 0, urgent=True)
        self._tasks.deliver()
        view_info(frame, mesh, DrawStatistics(), None, True, 1.0)


def _bake(state: State, mesh: MeshResources) -> None:
    """What `rigscope bake` captures."""
    pose = state.playback.posed_alone()
    bake(mesh, pose, state.view)
    effect_time = EffectTime(effects_time(state), state.playback.layers(), pose, effects=state.view.effects)
    capture_particles(mesh, effect_time, state.view)
    capture_carried(mesh, effect_time, state.view)
    bake_ribbons(mesh, effect_time)
