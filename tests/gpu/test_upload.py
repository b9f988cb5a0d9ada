from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.synthetic import QUAD, vertex_buffer
from viewer.arrays import Array
from viewer.gpu.shader import Composer
from viewer.gpu.target import RenderTarget
from viewer.gpu.upload import DEFAULTS, Buffers, VertexColumn, direct, layout, vertex_columns
from viewer.scene.model import IndexBuffer, Lod, Primitive, VertexBuffer, VertexElement

SHADER = """
in vec4 in_position; in vec3 in_normal; in vec4 in_tangent; in vec4 in_color0; in vec2 in_uv0;
in vec2 in_second_uv; in vec4 in_joints; in vec4 in_weights;
out vec4 position; out vec3 normal; out vec4 tangent; out vec4 color0; out vec2 uv0;
out vec2 second_uv; out vec4 joints; out vec4 weights;
void main() {
    position = in_position; normal = in_normal; tangent = in_tangent; color0 = in_color0; uv0 = in_uv0;
    second_uv = in_second_uv; joints = in_joints; weights = in_weights;
}
"""
WIDTHS = {
    "position": 4,
    "normal": 3,
    "tangent": 4,
    "color0": 4,
    "uv0": 2,
    "second_uv": 2,
    "joints": 4,
    "weights": 4,
}


@pytest.fixture
def composer(ctx: Any, tmp_path: Path) -> Iterator[Composer]:
    """Its `all.vert` passes every attribute on."""
    (tmp_path / "all.vert").write_text(SHADER)
    (tmp_path / "uv.vert").write_text("in vec2 in_uv0; out vec2 out_uv; void main() { out_uv = in_uv0; }")
    made = Composer(ctx, tmp_path)
    target = RenderTarget(ctx, (1, 1))
    target.framebuffer.use()
    yield made
    target.release()
    made.release()


def lod(*streams: int, indices: int | None = None, start: int = 0, count: int = 4) -> Lod:
    return Lod(0.0, streams, indices, start, count, Primitive.TRIANGLES)


def delivered(
    composer: Composer, *buffers: VertexBuffer, uv_set: int = 0, second_set: int | None = None
) -> dict[str, Array]:
    """By semantic, [V, components]: what the vertex shader gets."""
    ctx = composer.ctx
    program = composer.program("all.vert", varyings=tuple(WIDTHS))
    held = Buffers(ctx, buffers, ())
    level = lod(*range(len(buffers)))
    count, width = held.vertex_count(level), sum(WIDTHS.values())
    out = ctx.buffer(reserve=count * width * 4)
    held.vertex_array(program, level, (), uv_set, second_set).transform(out, ctx.POINTS, vertices=count)
    rows = np.frombuffer(out.read(), np.float32).reshape(count, width)
    out.release()
    held.release()
    borders = np.cumsum(list(WIDTHS.values()))[:-1]
    return dict(zip(WIDTHS, np.split(rows, borders, axis=1), strict=True))


def test_gaps_become_padding() -> None:
    elements = (
        VertexElement("joints", "u8", 4, 20),
        VertexElement("position", "f32", 3, 4),
        VertexElement("color0", "u8", 4, 16, True),
    )
    assert layout(elements, 32) == ("4x 3f4 4f1 4u1 8x", ["in_position", "in_color0", "in_joints"])


def test_what_gl_cannot_deliver_is_known() -> None:
    assert direct(VertexElement("joints", "u8", 4, 0)) and direct(VertexElement("uv0", "f32", 2, 0))
    assert not direct(VertexElement("normal", "i16", 3, 0, True))
    assert not direct(VertexElement("weights", "f32", 3, 0)) and direct(VertexElement("weights", "f32", 4, 0))


def test_missing_attributes_have_constants(composer: Composer) -> None:
    seen = delivered(composer, vertex_buffer(position=QUAD))
    assert seen["position"].tolist() == [[*corner, 1.0] for corner in QUAD.tolist()]
    for semantic in set(WIDTHS) - {"position"}:
        assert seen[semantic].tolist() == [list(DEFAULTS[semantic][: WIDTHS[semantic]])] * 4


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int32, np.uint32, np.float32])
def test_joints_are_numbers_in_any_type(composer: Composer, dtype: Any) -> None:
    joints = np.array(((1, 2, 3, 255),) * 4, dtype)
    assert (
        delivered(composer, vertex_buffer(position=QUAD, joints=joints))["joints"].tolist() == joints.tolist()
    )


def test_a_single_integer_is_a_joint(composer: Composer) -> None:
    joints = np.array(((7,),) * 4, np.int32)
    assert delivered(composer, vertex_buffer(position=QUAD, joints=joints))["joints"][0, 0] == 7


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int16, np.int8])
def test_normalised_integers_arrive_as_parts_of_one(composer: Composer, dtype: Any) -> None:
    colors = np.full((4, 4), np.iinfo(dtype).max, dtype)
    seen = delivered(composer, vertex_buffer(("color0",), position=QUAD, color0=colors))
    assert seen["color0"].tolist() == [[1.0] * 4] * 4


@pytest.mark.parametrize("components", [1, 2, 3])
def test_missing_weights_arrive_as_zero(composer: Composer, components: int) -> None:
    weights = np.full((4, components), 0.5, np.float32)
    seen = delivered(composer, vertex_buffer(weights=weights, position=QUAD))
    assert seen["weights"][3].tolist() == [0.5] * components + [0.0] * (4 - components)


def test_the_first_of_two_equal_semantics_counts(composer: Composer) -> None:
    first, second = vertex_buffer(position=QUAD), vertex_buffer(position=QUAD * 9, uv0=QUAD[:, :2].copy())
    seen = delivered(composer, first, second)
    assert seen["position"][:, :3].tolist() == QUAD.tolist() and seen["uv0"].tolist() == QUAD[:, :2].tolist()


def test_nothing_past_the_buffers_is_drawn(ctx: Any) -> None:
    short, long = vertex_buffer(position=QUAD[:3]), vertex_buffer(uv0=QUAD[:, :2].copy())
    held = Buffers(ctx, (short, long), (IndexBuffer(np.array((0, 1, 2, 3), np.uint16)),))
    assert held.drawn_count(lod(0, indices=0, count=3)) == 3
    assert held.drawn_count(lod(0, 1, indices=0)) == 0
    assert held.drawn_count(lod(1, indices=0, start=2, count=900)) == 2
    assert held.drawn_count(lod(0, start=1, count=900)) == 2
    assert held.drawn_count(lod(0, start=50, count=3)) == 0
    held.release()


def test_vertex_arrays_are_kept_until_their_program_changes(composer: Composer) -> None:
    program = composer.program("all.vert", varyings=tuple(WIDTHS))
    held = Buffers(composer.ctx, (vertex_buffer(position=QUAD),), ())
    first = held.vertex_array(program, lod(0))
    assert held.vertex_array(program, lod(0, count=2)) is first
    path = composer.root / "all.vert"
    os.utime(path, ns=(0, 0))
    assert composer.reload() == []
    assert held.vertex_array(program, lod(0)).program is program.handle is not first.program
    held.release()


def test_the_shortest_stream_counts(ctx: Any) -> None:
    held = Buffers(ctx, (vertex_buffer(position=QUAD), vertex_buffer(position=QUAD[:0])), ())
    assert (
        held.vertex_count(lod(0)) == 4 and held.vertex_count(lod(0, 1)) == 0 and held.vertex_count(lod()) == 0
    )
    held.release()


def test_a_share_comes_twice_before_a_large_buffer(ctx: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    buffers = (vertex_buffer(position=QUAD), vertex_buffer(position=QUAD[:1]))
    size = buffers[0].data.nbytes
    monkeypatch.setattr("viewer.gpu.upload.SLICE", size // 2)
    held = Buffers(ctx, buffers, (), filled=False)
    total = size + buffers[1].data.nbytes
    slices = [0, 0, 0, size // 2, size, total]
    assert [round(share * total) for share in held.fill()] == slices
    held.release()


def test_a_large_vertex_buffer_has_a_buffer_for_each_element(
    composer: Composer, monkeypatch: pytest.MonkeyPatch
) -> None:
    colors = (QUAD[:, :1] * np.ones(4, "f4") * 255).astype(np.uint8)
    stored = vertex_buffer(position=QUAD, color0=colors, uv0=QUAD[:, :2].copy())
    whole = delivered(composer, stored)
    assert vertex_columns(stored) == (VertexColumn(0, stored.stride),)
    monkeypatch.setattr("viewer.gpu.upload.WHOLE", stored.data.nbytes - 1)
    monkeypatch.setattr("viewer.gpu.upload.SLICE", 20)
    assert [each.stride for each in vertex_columns(stored)] == [12, 4, 8]
    apart = delivered(composer, stored)
    assert all(np.array_equal(apart[semantic], whole[semantic]) for semantic in WIDTHS)


def test_a_large_vertex_buffer_with_an_element_of_three_bytes_stays_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored = vertex_buffer(position=QUAD, normal=QUAD.astype(np.int8))
    monkeypatch.setattr("viewer.gpu.upload.WHOLE", 1)
    assert vertex_columns(stored) == (VertexColumn(0, stored.stride),)


UVS = {"uv0": QUAD[:, :2].copy(), "uv1": QUAD[:, :2] * 9}


@pytest.mark.parametrize(
    ("stored", "uv_set", "second_set", "first", "second"),
    [
        (("uv0", "uv1"), 0, 1, "uv0", "uv1"),
        (("uv0", "uv1"), 1, 0, "uv1", "uv0"),
        (("uv0", "uv1"), 1, 1, "uv1", "uv1"),
        (("uv0",), 1, 0, "uv0", "uv0"),
        (("uv0",), 0, 1, "uv0", None),
        (("uv1",), 0, 1, None, "uv1"),
    ],
)
def test_texture_coordinates_are_those_of_the_sets(
    composer: Composer, stored: tuple[str, ...], uv_set: int, second_set: int, first: str, second: str
) -> None:
    buffer = vertex_buffer(position=QUAD, **{name: UVS[name] for name in stored})
    seen = delivered(composer, buffer, uv_set=uv_set, second_set=second_set)
    for name, expected in (("uv0", first), ("second_uv", second)):
        assert np.array_equal(seen[name], UVS[expected] if expected else np.zeros((4, 2)))
    assert np.array_equal(seen["position"][:, :3], QUAD)


def test_a_program_without_a_second_texture_reads_the_first_set(composer: Composer) -> None:
    buffers = Buffers(composer.ctx, (vertex_buffer(position=QUAD, uv0=UVS["uv0"]),), ())
    program = composer.program("uv.vert", varyings=("out_uv",))
    buffers.vertex_array(program, lod(0), (), uv_set=1, second_set=0)
    buffers.release()
