"""Draws a frame: background and ground, mesh, effects, then overlays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import moderngl

from viewer.animation.pose import Pose, rest
from viewer.arrays import Array, Size, damaged_numbers
from viewer.gpu.bindings import NO_BINDINGS, Bindings
from viewer.gpu.shader import Composer
from viewer.gpu.target import clear
from viewer.render.frame import Frame
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.mesh.morphs import NO_RECORDS, RecordsByStreams
from viewer.render.overlays.axes import AxesOverlay
from viewer.render.overlays.grid import Ground, GroundGrid
from viewer.render.overlays.marks import LineMarks
from viewer.render.overlays.outline import SelectionOutline
from viewer.render.overlays.segments import ACCENT, GROUP_COLOR
from viewer.render.overlays.skeleton_overlay import SkeletonOverlay
from viewer.render.passes.background import Background, behind
from viewer.render.passes.mesh_pass import Tint, draw_mesh
from viewer.render.shader_constants import SHADER_CONSTANTS
from viewer.render.statistics import DrawStatistics
from viewer.scene.choices import Shading
from viewer.scene.display import DisplayOptions
from viewer.scene.items import BoneItem, GeometryItem, GeosetItem, IndexItem, Item
from viewer.scene.material import Image
from viewer.scene.model import Model, members
from viewer.view.selection import Selection

if TYPE_CHECKING:
    from viewer.render.mesh.environments import Environments
    from viewer.render.overlays.figure_overlay import FigureOverlay
    from viewer.render.overlays.group_marks import GroupMarks
    from viewer.render.passes.effect_pass import EffectPass
    from viewer.render.passes.occlusion_pass import OcclusionPass
    from viewer.render.passes.shadow_pass import ContactShadow
    from viewer.view.marked_parts import MarkedParts

PICKED: Tint = (*ACCENT[:3], 0.20)
HOVERED: Tint = (*ACCENT[:3], 0.09)
MARKED: Tint = (*GROUP_COLOR[:3], 0.30)


def geometry_tints(model: Model, frame: Frame, group: MarkedParts | None) -> dict[int, Tint]:
    """Return the tints of the marked, hovered and selected geometries by geometry number.

    `group` is the marked group of items (None: no group).
    """
    found: dict[int, Tint] = dict.fromkeys(group.geometries if group else (), MARKED)
    geometries, geosets = frame.points_at(GeometryItem), frame.points_at(GeosetItem)
    for slot, tint in ((1, HOVERED), (0, PICKED)):
        geometry, geoset = geometries[slot], geosets[slot]
        numbers = [] if geoset is None else members(model, geoset)
        found |= dict.fromkeys(numbers if geometry is None else [geometry], tint)
    return found


class Renderer:
    """Draws frames in one OpenGL context.

    It owns the shader programs; the caller owns and releases the result of `upload`.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self.ctx = ctx
        self.composer = Composer(ctx, constants=SHADER_CONSTANTS)
        self._grid = GroundGrid(self.composer)
        self._background = Background(self.composer, self._grid)
        self._overlay = SkeletonOverlay(self.composer)
        self._axes = AxesOverlay(self.composer)
        self._marks = LineMarks(self.composer)
        self._outline = SelectionOutline(self.composer)
        self._group: GroupMarks | None = None
        self._shadow: ContactShadow | None = None
        self._figure: FigureOverlay | None = None
        self._environments: Environments | None = None
        self._occlusion: OcclusionPass | None = None

    def upload(
        self,
        model: Model,
        images: Mapping[int, Image] | None = None,
        records: RecordsByStreams = NO_RECORDS,
        filled: bool = True,
    ) -> MeshResources:
        """Upload a model to the GPU; unless `filled` is True, the caller then has to run `arrive` of the
        result.

        `images` are decoded images by texture number. `records` are the model's morph records if they are
        already built.
        """
        return MeshResources(self.composer, model, images or {}, records, filled)

    @property
    def environments(self) -> Environments:
        """The environments that frames can show, made on the first call."""
        if self._environments is None:
            # Imported late, because few frames have the light of an environment.
            from viewer.render.mesh.environments import Environments

            self._environments = Environments(self.composer)
        return self._environments

    @damaged_numbers()
    def draw(
        self, mesh: MeshResources | None, frame: Frame, framebuffer: moderngl.Framebuffer
    ) -> DrawStatistics:
        """Clear the framebuffer and draw the frame. Without a mesh only the background is drawn."""
        self.composer.begin_frame()
        options, size = frame.options, framebuffer.size
        if mesh is None:
            self._background.draw(framebuffer, size, options)
            return DrawStatistics(0, 0)
        mesh.show_missing(options.missing)
        mesh.show_surroundings(self._environment(options), self._openness(mesh, frame, framebuffer.size))
        aided = options.shading is not Shading.SILHOUETTE
        ground = Ground(frame.matrices, frame.extent, behind(options)) if aided and options.grid else None
        above = ground is not None and not ground.is_beneath
        if mesh.environment and options.environment_background is not None and options.background is None:
            self._draw_surroundings(mesh, frame, options.environment_background, framebuffer)
            if ground is not None and not above:
                self._grid.draw(ground, framebuffer)
        else:
            self._background.draw(framebuffer, size, options, None if above else ground)
        if aided and options.shadow:
            self._shadowed().draw(mesh, frame, framebuffer)
        group = self._marked(mesh.model, frame.selection)
        tints = geometry_tints(mesh.model, frame, group)
        if aided and options.figure:
            self._draw_figure(frame, framebuffer)
        drawn = DrawStatistics()
        if aided and frame.ghosts:
            # Imported late, because few frames have ghosts.
            from viewer.render.passes.ghost_pass import draw_ghosts

            drawn += draw_ghosts(mesh, frame, framebuffer)
        effects = _effects(mesh, frame, framebuffer)
        drawn += effects.draw_solid() if effects else DrawStatistics()
        drawn += draw_mesh(mesh, frame, framebuffer, tints)
        if ground is not None and above:
            self._grid.draw(ground, framebuffer)
        drawn += effects.draw() if effects else DrawStatistics()
        if aided:
            if options.vertex_normals:
                # Imported late, because few frames show normals.
                from viewer.render.overlays.normals import draw_normals

                draw_normals(mesh, frame, framebuffer)
            self._draw_aids(mesh, frame, group, framebuffer)
            picked = [number for number, tint in tints.items() if tint == PICKED]
            if picked:
                self._outline.draw(mesh, frame, picked, framebuffer)
        return drawn

    def release(self) -> None:
        """Release the programs and the passes."""
        for part in (self._background, self._grid, self._overlay, self._axes, self._marks, self._outline):
            part.release()
        if self._shadow is not None:
            self._shadow.release()
        for rare in (self._figure, self._environments, self._occlusion):
            if rare is not None:
                rare.release()
        self.composer.release()

    def _draw_figure(self, frame: Frame, framebuffer: moderngl.Framebuffer) -> None:
        """Draw the figure of a person beside the model."""
        if self._figure is None:
            # Imported late, because few frames have a figure.
            from viewer.render.overlays.figure_overlay import FigureOverlay

            self._figure = FigureOverlay(self.composer)
        self._figure.draw(frame, framebuffer)

    def _environment(self, options: DisplayOptions) -> Bindings:
        """Return the bindings of the environment; empty if the frame has another light."""
        return self.environments.bindings(options) if options.with_environment else NO_BINDINGS

    def _draw_surroundings(
        self, mesh: MeshResources, frame: Frame, blur: float, framebuffer: moderngl.Framebuffer
    ) -> None:
        """Draw the environment in place of the background."""
        view, projection = frame.matrices.towards_viewer
        mesh.write(frame.pose, frame.options, frame.display, view, projection, frame.clip_time)
        clear(framebuffer, framebuffer.size)
        self.environments.draw(mesh, blur, framebuffer)

    def _openness(self, mesh: MeshResources, frame: Frame, size: Size) -> Bindings:
        """Draw the occlusion of the surfaces and return its bindings; empty if the frame shows none."""
        if not frame.options.occlusion or not frame.options.with_materials:
            return NO_BINDINGS
        if self._occlusion is None:
            # Imported late, because few frames have occlusion.
            from viewer.render.passes.occlusion_pass import OcclusionPass

            self._occlusion = OcclusionPass(self.composer)
        return self._occlusion.draw(mesh, frame, size)

    def _shadowed(self) -> ContactShadow:
        """Return the pass that draws shadows, made on the first call."""
        if self._shadow is None:
            # Imported late, because few frames have a shadow.
            from viewer.render.passes.shadow_pass import ContactShadow

            self._shadow = ContactShadow(self.composer)
        return self._shadow

    def _marked(self, model: Model, selection: Selection | None) -> MarkedParts | None:
        """Return the parts of the model that the selected group marks; None if no group is selected."""
        if selection is None or not selection.group:
            self._group = None
            return None
        if self._group is None:
            # Imported late, because few frames mark a group.
            from viewer.render.overlays.group_marks import GroupMarks

            self._group = GroupMarks()
        return self._group.parts(model, selection.group)

    def _draw_aids(
        self,
        mesh: MeshResources,
        frame: Frame,
        group: MarkedParts | None,
        framebuffer: moderngl.Framebuffer,
    ) -> None:
        """Draw bones, lines, dots and axes over the model. A skeleton without a mesh always shows its
        bones.
        """
        model, options, skeleton = mesh.model, frame.options, mesh.model.skeleton
        posed = frame.pose or (rest(skeleton) if skeleton is not None else None)
        picked, hovered = frame.points_at(BoneItem)
        shown = options.skeleton or not model.has_surface or frame.bone_shares is not None
        wanted = shown or picked is not None or hovered is not None or group is not None
        if skeleton is not None and posed is not None and wanted:
            chosen = frame.display.bone if picked is None else picked
            self._overlay.draw(
                skeleton,
                posed,
                frame.matrices,
                chosen,
                framebuffer,
                framebuffer.size,
                hovered,
                everything=shown,
                group=group.bones if group else (),
                shares=frame.bone_shares,
            )
        marked = frame.selection.picked if frame.selection else None
        more = _emission(mesh, frame, marked)
        if group is not None or isinstance(marked, IndexItem):
            more = [*more, *_marked_vertices(model, posed, frame, group, marked)]
        if frame.marks.lines or frame.marks.dots:
            # Imported late, because few frames mark points of the surface.
            from viewer.render.overlays.surface_segments import surface_segments

            more = [*more, *surface_segments(model, posed, frame.display.morphs, frame.marks)]
        if options.root_motion and skeleton is not None:
            # Imported late, because few frames show the root motion.
            from viewer.render.overlays.root_path import root_path_segments

            more = [*more, *root_path_segments(skeleton, frame.layers, frame.display.to_world(model))]
        if frame.trails and frame.pose is not None:
            # Imported late, because few frames have trails.
            from viewer.render.overlays.trail_segments import trail_segments

            more = [*more, *trail_segments(frame.trails, frame.pose)]
        self._marks.draw(frame, posed, framebuffer, more)
        if options.axes:
            self._axes.draw(frame.matrices, framebuffer, framebuffer.size, frame.density)


def _marked_vertices(
    model: Model, pose: Pose | None, frame: Frame, group: MarkedParts | None, picked: Item | None
) -> list[Array]:
    """Make the lines around the vertices and primitives of a group, and around the selected primitive."""
    from viewer.render.overlays.group_marks import group_segments
    from viewer.view.marked_parts import marked_parts

    morphs = frame.display.morphs
    found = [] if group is None else group_segments(model, pose, morphs, group)
    if isinstance(picked, IndexItem):
        found += group_segments(model, pose, morphs, marked_parts(model, (picked,)), ACCENT)
    return found


def _effects(mesh: MeshResources, frame: Frame, framebuffer: moderngl.Framebuffer) -> EffectPass | None:
    """Make the pass for ribbons and particles; None for a model that has neither."""
    if not mesh.model.effects:
        return None
    from viewer.render.passes.effect_pass import EffectPass

    view, projection = frame.matrices.towards_viewer
    lights = mesh.lights(frame.options, frame.pose, view, frame.clip_time)
    return EffectPass(mesh, frame, frame.parameters(framebuffer, view, projection, lights))


def _emission(mesh: MeshResources, frame: Frame, picked: Item | None) -> list[Array]:
    """Make the lines of emitters and ribbons, see `emission_segments`."""
    if not mesh.model.effects:
        return []
    from viewer.render.effects.emission_marks import emission_segments

    return emission_segments(mesh, frame.effect_time, frame.options, picked)
