"""Batches as materials: flags, blends, layers, texture coordinates, and what their tracks say at a moment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import pytest

from tests.m2_files import CLASSIC, CRUSADE, GENERATIONS, HALF, WRATH, keys, model, view
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.families.wow.m2.layout.writer import WrittenTrack, skin_bytes
from viewer.scene.material import ClipTime, Material
from viewer.scene.model import Model
from viewer.storage.documents import open_document

Made = Callable[..., Model]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """The model of the tests with other fields, its first batch with others too."""

    def open_changed(
        generation: VersionTraits = CLASSIC, batch: dict[str, Any] | None = None, **changes: Any
    ) -> Model:
        shown = view()
        shown["batches"][0] |= batch or {}
        if not generation.nested:
            changes["views"] = [shown]
        (tmp_path / "Made.m2").write_bytes(model(generation, **changes))
        (tmp_path / "Made00.skin").write_bytes(skin_bytes(WRATH, shown))
        found = open_document(tmp_path / "Made.m2")
        assert found.report.complete
        assert found.model is not None
        return found.model

    return open_changed


def first(model: Model) -> Material:
    """What the lowest layer of the first geometry is painted with."""
    number = model.geometries[0].material
    assert number is not None
    return model.materials[number]


def weight(*rows: tuple[list[int], list[float]], loop: int = -1) -> list[dict[str, Any]]:
    """A table of one texture weight with keys for each sequence."""
    return [{"weight": keys(CLASSIC, [(t, [round(v * HALF) for v in vs]) for t, vs in rows], loop)}]


@pytest.mark.parametrize(
    ("mode", "blend", "mask"),
    [
        (0, "replace", None),
        (1, "replace", 128 / 255),
        (2, "alpha", 1 / 255),
        (3, "add", 1 / 255),
        (4, "addalpha", 1 / 255),
        (5, "multiply", 1 / 255),
        (6, "dst_color src_color", 1 / 255),
        (7, "premulalpha", 1 / 255),
    ],
)
def test_blend_modes(made: Made, mode: int, blend: str, mask: float | None) -> None:
    material = first(made(materials=[{"blend": mode}]))
    assert (material.blend, material.alpha_mask) == (blend, mask)
    assert material.opaque_texture == (mode == 0)


@pytest.mark.parametrize(
    ("flags", "changed"),
    [
        (0, {}),
        (1, {"unlit": True}),
        (4, {"cull": "none"}),
        (8, {"depth_test": False}),
        (16, {"depth_write": False}),
        (0xFFE2, {"depth_write": True}),
    ],
)
def test_flags(made: Made, flags: int, changed: dict[str, Any]) -> None:
    usual = {"unlit": False, "cull": "back", "depth_test": True, "depth_write": True}
    material = first(made(materials=[{"flags": flags}]))
    assert {name: getattr(material, name) for name in usual} == usual | changed


@pytest.mark.parametrize("generation", GENERATIONS)
def test_batches_of_a_submesh_are_its_layers_in_order(made: Made, generation: VersionTraits) -> None:
    model = made(generation, batch={"layer": 2, "priority": 3})
    geometry = model.geometries[0]
    assert len(model.materials) == 3
    painted = [model.materials[number] for number in (geometry.material or 0, *geometry.layers)]
    assert [(each.layer, each.render_order) for each in painted] == [(1, 128), (2, 131)]


def test_a_batch_that_clients_never_draw_is_left_out(made: Made) -> None:
    model = made(batch={"shader": 0x8000})
    assert (model.geometries[0].material, model.geometries[0].layers) == (0, ())


def test_a_geometry_without_any_other_batch_draws_the_first_that_clients_leave_out(tmp_path: Path) -> None:
    """Converted models mark all batches; the mark of the other geometries is obeyed."""
    shown = view()
    for batch in shown["batches"][:2]:
        batch["shader"] = 0x8000
    (tmp_path / "Made.m2").write_bytes(model(CLASSIC, views=[shown]))
    found = open_document(tmp_path / "Made.m2")
    assert found.model is not None
    assert [(each.material, each.layers) for each in found.model.geometries] == [(0, ()), (1, ())]
    assert found.model.materials[0].layer == 0
    note = (
        "every batch of 1 geometry has the shader bit 0x8000, which hides a batch: the first batch is drawn"
    )
    assert note in found.report.notes


def test_a_converted_bear_wears_its_skin(corpus: Path) -> None:
    found = open_document(corpus / "archives/models/Koward+Improved_Models/Creature/Bear2/Bear2.m2")
    assert found.model is not None
    skin = found.model.textures[first(found.model).units["diffuse"]]
    assert PurePath(skin.path or "").name == "bear2Skin.blp"


@pytest.mark.parametrize(("listed", "uv_set", "sphere"), [(0, 0, False), (1, 1, False), (-1, 0, True)])
def test_texture_coordinates(made: Made, listed: int, uv_set: int, sphere: bool) -> None:
    material = first(made(uv_lookup=[listed]))
    assert (material.uv_set, material.sphere) == (uv_set, sphere)


def test_the_second_texture_and_how_it_is_mixed_in(made: Made) -> None:
    batch = {"texture_count": 2, "shader": 1}
    model = made(
        WRATH, batch=batch, flags=8, combiners=[0, 1, 6], uv_lookup=[0, -1], materials=[{"blend": 2}]
    )
    material = first(model)
    assert material.units == {"diffuse": 0, "second": 1}
    assert material.second is not None
    assert (material.second.combine, material.second.sphere) == ("mod2x_na", True)


def test_numbers_that_lead_nowhere_are_none(made: Made) -> None:
    wild = {"texture": 900, "uv": 900, "transparency": 900, "transform": 900, "color": 900, "material": 900}
    material = first(made(batch=wild))
    assert (material.units, material.diffuse, material.blend) == ({}, (1.0, 1.0, 1.0, 1.0), "replace")


@pytest.mark.parametrize("generation", [CLASSIC, CRUSADE])
def test_colour_and_weight_follow_the_sequence_that_plays(tmp_path: Path, generation: VersionTraits) -> None:
    rgb = keys(generation, [([0, 1000], [(0, 0, 0), (1, 0.5, 0)]), ([0, 2000], [(0, 0, 1), (0, 0, 1)])])
    alpha = keys(generation, [([0, 1000], [HALF, HALF]), ([0, 2000], [0, HALF])])
    shown = view()
    shown["batches"][0] |= {"color": 0}
    made = model(generation, views=[shown], colors=[{"rgb": rgb, "alpha": alpha}])
    (tmp_path / "Made.m2").write_bytes(made)
    found = open_document(tmp_path / "Made.m2")
    assert found.model is not None
    motion = first(found.model).motion
    assert motion is not None
    stand, walk = found.animations[:2]
    assert motion(ClipTime(9.0, stand, 0.5)).diffuse == pytest.approx((0.5, 0.25, 0.0, 1.0))
    assert motion(ClipTime(9.0, walk, 1.0)).diffuse == pytest.approx((0.0, 0.0, 1.0, 0.5), abs=1e-4)
    assert motion(ClipTime(9.0)).diffuse == pytest.approx((0.0, 0.0, 0.0, 1.0)), "the first, at its start"


def test_a_global_sequence_follows_the_time_that_is_never_wrapped(made: Made) -> None:
    motion = first(made(transparency=weight(([0, 500], [0.0, 1.0]), loop=0))).motion
    assert motion is not None
    assert motion(ClipTime(100.25, None, 0.0)).diffuse[3] == pytest.approx(0.5, abs=1e-4)


def test_keys_that_step_hold(made: Made) -> None:
    stepped = [{"weight": WrittenTrack([0, 400], [0, HALF], interpolation=0, global_sequence=0)}]
    motion = first(made(transparency=stepped)).motion
    assert motion is not None
    assert [motion(ClipTime(time)).diffuse[3] for time in (0.3, 0.45)] == [0.0, 1.0]


def test_what_never_moves_is_said_once(made: Made) -> None:
    material = first(made(transparency=weight(([0], [0.25])), materials=[{"blend": 0}]))
    assert material.motion is None
    assert material.diffuse[3] == pytest.approx(0.25, abs=1e-4)
    assert (material.blend, material.opaque_texture) == ("alpha", True), "an opaque batch fades"


def test_a_flag_keeps_the_weight_out(made: Made) -> None:
    material = first(made(batch={"flags": 0x40}, transparency=weight(([0], [0.25]))))
    assert material.diffuse[3] == 1.0


def test_texture_transforms_turn_and_scale_around_the_middle(made: Made) -> None:
    quarter = (0.0, 0.0, 0.5**0.5, 0.5**0.5)
    rows = [
        {
            "translation": WrittenTrack([0], [(0.25, 0, 0)]),
            "rotation": WrittenTrack([0], [quarter]),
            "scale": WrittenTrack([0], [(2, 3, 1)]),
        }
    ]
    material = first(made(transforms=rows, transform_lookup=[0]))
    at = np.array((0.75, 0.5, 0.0, 1.0))
    found = np.array(material.u_offset) @ at, np.array(material.v_offset) @ at
    # from the middle (¼, 0): scaled (½, 0), turned (0, ½), moved (¼, ½)
    assert found == pytest.approx((0.75, 1.0))


def test_numbers_of_a_damaged_track_can_be_drawn(made: Made) -> None:
    wild = [{"rgb": WrittenTrack([0], [(np.nan, np.inf, 1)]), "alpha": WrittenTrack([0], [-5])}]
    material = first(made(batch={"color": 0}, colors=wild))
    assert np.isfinite(material.diffuse).all()
    assert material.diffuse[3] == 0.0


def test_the_centre_of_a_submesh_moves_with_its_bone(tmp_path: Path) -> None:
    shown = view()
    shown["submeshes"][0] |= {"center": (1, 2, 3), "center_bone": 2}
    shown["submeshes"][1] |= {"center_bone": 99}
    (tmp_path / "Made.m2").write_bytes(model(views=[shown]))
    found = open_document(tmp_path / "Made.m2").model
    assert found is not None
    first_, second = found.geometries
    assert (first_.center, first_.center_bone) == ((1, 2, 3), 2)
    assert second.center_bone is None, "there is no such bone"


def test_more_than_two_textures_are_told(tmp_path: Path) -> None:
    shown = view()
    shown["batches"][0]["texture_count"] = 3
    (tmp_path / "Made.m2").write_bytes(model(views=[shown]))
    notes = open_document(tmp_path / "Made.m2").report.notes
    assert "1 batch has more than two textures: only the first two are shown" in notes


def test_since_cataclysm_a_high_shader_number_is_drawn(made: Made) -> None:
    later = VersionTraits(265, True, True)
    high = {"shader": 0x8001}
    assert len(made(WRATH, high, particles=[], ribbons=[]).materials) == 2
    assert len(made(later, high, particles=[], ribbons=[]).materials) == 3


@pytest.mark.parametrize("moving", ["translation", "rotation", "scale"])
def test_one_track_of_a_texture_transform_moves_it(made: Made, moving: str) -> None:
    values: dict[str, Any] = {
        "translation": [(0, 0, 0), (1, 0, 0)],
        "rotation": [(0, 0, 0, 1), (0, 0, 1, 0)],
        "scale": [(1, 1, 1), (2, 2, 2)],
    }
    track = WrittenTrack([0, 500], values[moving], global_sequence=0)
    material = first(made(transforms=[{moving: track}], transform_lookup=[0]))
    assert material.motion is not None
    assert material.motion(ClipTime(0.25)) != material.motion(ClipTime(0.0))


def test_a_material_has_no_highlight_and_does_not_glow(made: Made) -> None:
    dark = (0.0, 0.0, 0.0)
    assert {(each.specular[:3], each.emissive) for each in made().materials} == {(dark, dark)}
