"""Rows of the outline that only some models have."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.quads import quad
from viewer.actions.visibility import hide, isolate, only_variant, usual_variants
from viewer.scene.camera import Camera
from viewer.scene.items import AttachmentItem, CameraItem, GeometryItem, GeosetItem, LightItem
from viewer.scene.material import ClipTime, Material
from viewer.scene.model import Attachment, Geometry, Light, Lod, Model, Primitive, members
from viewer.scene.parts import PartOwner
from viewer.session.state import State
from viewer.ui.outline.tree import OutlineNode, counted, geometry_nodes, outline
from viewer.view.item_geometries import geometries_of

TWO = Lod(0.0, (), None, 0, 6, Primitive.TRIANGLES)
SKINS = (Material("Skin"), Material("Boot"))
DRESSED = Model(
    "",
    geometries=tuple(
        Geometry(f"geoset {geoset}", (TWO,), material=geoset > 0, geoset=geoset, shown=shown)
        for geoset, shown in ((0, True), (501, True), (502, False), (502, False))
    ),
    materials=SKINS,
    geoset_groups={5: "boots"},
)


def tree(nodes: list[OutlineNode]) -> Any:
    return [(node.label, node.item, node.detail, tree(node.below)) for node in nodes]


def test_variants_stand_below_their_group_and_the_body_before_them() -> None:
    boot = ("Boot", "2 tris", [])
    assert tree(geometry_nodes(DRESSED)) == [
        ("Skin", GeometryItem(0), "2 tris", []),
        (
            "boots",
            None,
            "2 variants",
            [
                ("geoset 501", GeosetItem(501), "2 tris", [(boot[0], GeometryItem(1), *boot[1:])]),
                (
                    "geoset 502",
                    GeosetItem(502),
                    "4 tris",
                    [(boot[0], GeometryItem(number), *boot[1:]) for number in (2, 3)],
                ),
            ],
        ),
    ]


def test_attached_models_stand_behind_the_geosets() -> None:
    helm = [Geometry(f"Helm {number}", (TWO,), owner="Helm") for number in range(2)]
    model = replace(DRESSED, geometries=(*DRESSED.geometries, *helm))
    below = [(f"Helm {number}", GeometryItem(4 + number), "2 tris", []) for number in range(2)]
    assert tree(geometry_nodes(model))[2:] == [("Helm", None, "4 tris", below)]


def test_other_models_have_a_row_for_each_geometry() -> None:
    assert [node.item for node in geometry_nodes(quad())] == [GeometryItem(0)]


def test_counts_of_several_kinds_stand_side_by_side() -> None:
    points = Lod(0.0, (), None, 0, 1200, Primitive.POINTS)
    assert counted(TWO, points) == "2 tris, 1 200 points"


def test_cameras_and_points_have_sections() -> None:
    still = Camera("portrait", (0, 0, 5), (0, 0, 0), 45.0)

    def fly(clip_time: ClipTime) -> Camera:
        return still

    moving = Camera("fly", (0, 0, 5), (0, 0, 0), 45.0, motion=fly)
    model = Model(
        "",
        cameras=(still, moving),
        attachments=(Attachment(0, "Shield", -1, (0, 0, 0)),),
        lights=(Light("point", -1, (0, 0, 0)),),
    )
    sections = outline(PartOwner(model)).tree.nodes
    found = {node.label: [(each.label, each.item, each.detail) for each in node.below] for node in sections}
    assert found == {
        "Cameras": [("portrait", CameraItem(0), ""), ("fly", CameraItem(1), "moves")],
        "Attachments": [("Shield 0", AttachmentItem(0), "")],
        "Lights": [("point light 0", LightItem(0), "")],
    }


@pytest.fixture
def state() -> State:
    from viewer.binary.span import Span
    from viewer.errors import Report
    from viewer.scene.document import Document

    state = State()
    root = Span("made", 0, 0, "model")
    state.put(Document("made", "made", "", b"", root, DRESSED, Report()))
    return state


def test_hiding_a_geoset_is_hiding_its_geometries(state: State) -> None:
    assert state.view.hidden == {2, 3}, "the client shows one variant"
    state.view.selection.pick(GeosetItem(501))
    hide(state, print)
    assert state.view.hidden == {1, 2, 3}
    assert geometries_of(state.model, GeosetItem(502)) == members(DRESSED, 502)


def test_only_one_variant_of_a_group_shows_and_the_usual_ones_come_back(state: State) -> None:
    state.view.selection.pick(GeometryItem(3))
    only_variant(state, print)
    assert state.view.hidden == {1}
    usual_variants(state, print)
    assert state.view.hidden == {2, 3}


def test_isolating_a_geoset_twice_shows_what_showed_at_first(state: State) -> None:
    state.view.selection.pick(GeosetItem(502))
    isolate(state, print)
    assert state.view.hidden == {0, 1}
    isolate(state, print)
    assert state.view.hidden == {2, 3}


def test_a_geoset_is_let_go_with_its_document(state: State) -> None:
    state.view.selection.pick(GeosetItem(502))
    state.purge()
    assert state.view.selection.picked == GeosetItem(502)
    state.view.selection.pick(GeosetItem(777))
    state.purge()
    assert state.view.selection.picked is None
