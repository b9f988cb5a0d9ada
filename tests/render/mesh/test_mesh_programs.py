"""The programs of the mesh pass: which there are, when they are made, and that they draw the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import moderngl
import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import FRONT
from tests.synthetic import QUAD, model_of, vertex_buffer
from viewer.arrays import Array
from viewer.gpu import shader
from viewer.gpu.target import RenderTarget
from viewer.render.mesh import material_block
from viewer.render.mesh.lights import Illumination
from viewer.render.mesh.mesh_programs import OWN_PROGRAMS, SETTLED, FrameKind, MeshPrograms, features_define
from viewer.render.renderer import Renderer
from viewer.scene.choices import LightKind, Shading
from viewer.scene.display import DisplayOptions
from viewer.scene.material import Detail, Image, Material, PhysicalSurface, Texture, TextureStage
from viewer.scene.model import Geometry, Light, Lod, Model, Primitive

SIZE = (40, 40)
PLAIN, GLOSSY = material_block.MAPS["diffuse"], material_block.GLOSS
TESTED = PLAIN | material_block.MASKED

LIT = FrameKind()


class Builds:
    """A composer that only notes what it would build."""

    def __init__(self) -> None:
        self.built: list[tuple[str, ...]] = []

    def program(self, vertex: str, fragment: str, defines: tuple[str, ...], geometry: str | None) -> Any:
        if defines not in self.built:
            self.built.append(defines)
        return defines

    def has_room(self, *variant: object) -> bool:
        return True


def drawn(programs: MeshPrograms, kinds: list[int], frame: FrameKind = LIT) -> list[Any]:
    """The programs of one frame."""
    programs.begin(frame)
    return [programs.program((), features) for features in kinds]


def test_materials_of_one_kind_have_one_program_from_the_first_frame_on() -> None:
    builds = Builds()
    programs = MeshPrograms(builds, {PLAIN})  # type: ignore[arg-type]
    found = {drawn(programs, [PLAIN, PLAIN])[0] for _ in range(SETTLED + 4)}
    assert len(builds.built) == len(found) == 1
    assert features_define(PLAIN, 0) in builds.built[0]


def test_materials_share_a_program_at_first_then_each_kind_gets_its_own_one_a_frame() -> None:
    builds = Builds()
    kinds = [PLAIN, TESTED, GLOSSY]
    programs = MeshPrograms(builds, kinds)  # type: ignore[arg-type]
    numbers = []
    for _ in range(SETTLED + 6):
        found = drawn(programs, kinds)
        numbers.append(len(builds.built))
    assert numbers[0] == 1 and max(np.diff(numbers)) == 1 and numbers[-1] == 1 + len(kinds)
    assert len(set(found)) == 3
    assert features_define(0, PLAIN | TESTED | GLOSSY) in builds.built[0]
    assert features_define(TESTED, 0) in found[1]


def test_features_that_cost_little_make_no_programs() -> None:
    builds = Builds()
    kinds = [PLAIN, PLAIN | material_block.BLENDED, PLAIN | material_block.OPAQUE_MAP]
    programs = MeshPrograms(builds, kinds)  # type: ignore[arg-type]
    for _ in range(SETTLED + 6):
        drawn(programs, kinds)
    assert len(builds.built) == 1


def test_the_number_of_own_programs_is_limited() -> None:
    builds = Builds()
    kinds = [1 << bit for bit in (0, 1, 2, 3, 4, 12, 13, 14, 15, 16)] + [3, 5, 6]
    programs = MeshPrograms(builds, kinds)  # type: ignore[arg-type]
    for _ in range(SETTLED + 40):
        drawn(programs, kinds)
    assert len(builds.built) == 1 + OWN_PROGRAMS


def test_another_shading_shares_at_first_again_and_leaves_out_what_it_does_not_show() -> None:
    builds = Builds()
    programs = MeshPrograms(builds, [PLAIN, TESTED, GLOSSY])  # type: ignore[arg-type]
    drawn(programs, [PLAIN])
    drawn(programs, [PLAIN, GLOSSY], FrameKind(Shading.SILHOUETTE))
    assert len(builds.built) == 2 and features_define(0, 0) in builds.built[1]
    normals = FrameKind(Shading.NORMALS)
    assert normals.shown(PLAIN | GLOSSY) == 0
    assert normals.shown(TESTED | GLOSSY) == TESTED
    assert FrameKind(light=Illumination.NONE).shown(TESTED | GLOSSY) == TESTED


def test_a_material_that_the_model_did_not_name_gets_a_program_at_once() -> None:
    builds = Builds()
    programs = MeshPrograms(builds, [PLAIN])  # type: ignore[arg-type]
    (own,) = drawn(programs, [TESTED])
    assert features_define(TESTED, 0) in own


MASK = {"alpha_mask": 0.5}
MATERIALS = (
    Material("plain", units={"diffuse": 0}),
    Material("tested", units={"diffuse": 1}, **MASK),
    Material("glossy", units={"diffuse": 0, "specular": 1}, specular=(0.6, 0.5, 0.4, 20.0)),
    Material("glowing", units={"diffuse": 0, "emissive": 1}, emissive=(0.3, 0.1, 0.2)),
    Material("colored", units={"diffuse": 0}, vertex_color=True),
    Material("blended", units={"diffuse": 1}, blend="alpha"),
    Material("sphere", units={"diffuse": 0}, sphere=True, unlit=True),
    Material("second", units={"diffuse": 0, "second": 1}, second=TextureStage("mod2x", sphere=True)),
    Material("bumpy", units={"diffuse": 0, "normal": 2}, packed_normal=True),
    Material(
        "physical",
        units={"diffuse": 0, "roughness": 1, "metalness": 2, "detail0": 1, "detail1": 2, "detail_weight": 1},
        surface=PhysicalSurface(0.5, 0.5, details=(Detail("screen"), Detail("overlay"))),
    ),
    Material("untextured", diffuse=(0.7, 0.3, 0.2, 1.0)),
)


def sheets(*materials: Material) -> Model:
    """Sheets above each other, a sheet of each material."""
    dice, count = np.random.default_rng(3), len(materials)
    buffers = tuple(
        vertex_buffer(
            position=QUAD * np.array((1, 0.8 / count, 1), "f4") + np.array((0, row, 0), "f4"),
            normal=dice.normal((0, 0, 3), 1, (4, 3)).astype(np.float32),
            tangent=np.tile(np.array((1, 0, 0, 1), np.float32), (4, 1)),
            uv0=dice.random((4, 2)).astype(np.float32),
            color0=dice.random((4, 4)).astype(np.float32),
        )
        for row in np.arange(count) * 2 / count - 1 + 1 / count
    )
    lods = [Lod(0, (number,), 0, 0, 6, Primitive.TRIANGLES) for number in range(count)]
    return replace(
        model_of(buffers[0], indices=np.array((0, 1, 2, 0, 2, 3), np.uint16)),
        vertex_buffers=buffers,
        geometries=tuple(Geometry("g", (lod,), material=n) for n, lod in enumerate(lods)),
        materials=materials,
        textures=tuple(Texture(name) for name in "abc"),
        lights=(Light("point", -1, position=(0.5, 1.0, 2.0)),),
    )


@pytest.fixture
def frames(ctx: Any) -> Iterator[Any]:
    """Draws a model some frames long: the first and the last picture, and the programs of the last."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)
    dice = np.random.default_rng(1)
    images = {n: Image((dice.integers(0, 256, (8, 8, 4), np.uint8),)) for n in range(3)}

    def run(model: Model, options: DisplayOptions) -> tuple[list[Array], Any]:
        mesh = renderer.upload(model, images)
        pictures = []
        for _ in range(SETTLED + OWN_PROGRAMS):
            renderer.draw(mesh, frame_for(mesh, SIZE, None, options, FRONT), target.framebuffer)
            pictures.append(target.read().astype(int))
        own = [mesh.program(mesh.item(number, 0)).members for number in range(len(model.geometries))]
        mesh.release()
        return [pictures[0], pictures[-1]], own

    yield run
    target.release()
    renderer.release()


@pytest.mark.parametrize(
    ("count", "options"),
    [
        (10, DisplayOptions(grid=False)),
        (3, DisplayOptions(light=LightKind.UNLIT, grid=False)),
        (3, DisplayOptions(shading=Shading.NORMALS, grid=False)),
        (3, DisplayOptions(grid=False, light=LightKind.FILE)),
    ],
)
def test_shared_and_own_programs_draw_the_same(frames: Any, count: int, options: DisplayOptions) -> None:
    (first, last), own = frames(sheets(*MATERIALS[:count]), options)
    assert np.ptp(first[8:-8, 16:-16, 0], axis=0).min() > 20
    assert np.abs(first - last).max() <= 1
    assert len({id(each) for each in own}) > 1


def test_materials_beyond_the_limit_are_drawn_alike(frames: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shader, "LINKED_PROGRAMS", 0)
    (limited, _), programs = frames(sheets(*MATERIALS), DisplayOptions(grid=False))
    assert len({id(each) for each in programs}) == 2, "with colours of the vertices, and without"
    monkeypatch.undo()
    assert np.abs(frames(sheets(*MATERIALS), DisplayOptions(grid=False))[0][1] - limited).max() <= 1


def test_programs_that_were_released_draw_the_same_again(ctx: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shader, "LINKED_PROGRAMS", 1)
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)
    mesh = renderer.upload(sheets(*MATERIALS[:2]))
    pictures, handles = [], []
    unlit, lit = DisplayOptions(light=LightKind.UNLIT), DisplayOptions()
    for options in (unlit, lit, lit, lit, DisplayOptions(shading=Shading.NORMALS), unlit):
        renderer.draw(mesh, frame_for(mesh, SIZE, None, options, FRONT), target.framebuffer)
        pictures.append(target.read())
        handles.append(mesh.program(mesh.item(0, 0)).handle)
    assert isinstance(handles[0].mglo, moderngl.InvalidObject) and handles[-1] is not handles[0]
    assert (pictures[0] == pictures[-1]).all() and (pictures[0] != pictures[1]).any()
    mesh.release()
    target.release()
    renderer.release()


def test_a_program_reads_only_the_textures_that_its_material_has(frames: Any) -> None:
    _, (glossy, plain, second) = frames(
        sheets(MATERIALS[2], MATERIALS[0], MATERIALS[7]), DisplayOptions(grid=False)
    )
    maps = {"diffuse_map", "second_map", "specular_map", "emissive_map", "normal_map"}
    assert maps & second.keys() == {"diffuse_map", "second_map"}
    assert maps & plain.keys() == {"diffuse_map"}
    assert maps & glossy.keys() == {"diffuse_map", "specular_map"}
