"""What the selected emitter or ribbon has: the same particles and edges that `bake` writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from viewer.animation.pose import Layer, pose
from viewer.app.open_model import EffectProbe
from viewer.app.picking import candidates
from viewer.paths import folder
from viewer.render.bake import bake_ribbons
from viewer.render.effects.particle_capture import capture_particles
from viewer.render.pick import EffectHit
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions, EffectOptions, ModelDisplay
from viewer.scene.items import BoneItem, EffectItem, EmitterItem, Item, ParticleItem, RibbonItem
from viewer.storage.documents import open_document
from viewer.view.view_info import LiveEffect

pytestmark = pytest.mark.usefixtures("wow")

PUFF = folder("assets") / "m2" / "Creature" / "Puff" / "Puff.m2"
SMOKE: EffectItem = EmitterItem(1)


class Scene:
    """Puff at 1.5 s on the GPU, and somebody who asks what lives."""

    def __init__(self, renderer: Renderer) -> None:
        document = open_document(Path(PUFF))
        assert document.model is not None and document.model.skeleton is not None
        layers = (Layer(document.animations[0], 1.5),)
        self.mesh = renderer.upload(document.model)
        posed = pose(document.model.skeleton, layers)
        self.frame = frame_for(
            document.model, (64, 64), posed, DisplayOptions(), Orbit(), time=1.5, layers=layers
        )
        self.effect_time = self.frame.effect_time
        self.probe = EffectProbe()

    def ask(self, item: Item | None, **options: Any) -> LiveEffect | None:
        return self.probe.of(self.mesh, replace(self.frame, display=ModelDisplay(**options)), item)


@pytest.fixture
def scene(ctx: Any) -> Iterator[Scene]:
    renderer = Renderer(ctx)
    made = Scene(renderer)
    yield made
    made.mesh.release()
    renderer.release()


def test_the_rows_are_those_of_bake(scene: Scene) -> None:
    particles, ribbon = scene.ask(SMOKE), scene.ask(RibbonItem(0))
    assert particles is not None and ribbon is not None
    assert (
        particles.rows.tobytes()
        == capture_particles(scene.mesh, scene.effect_time, ModelDisplay())[1].tobytes()
    )
    assert ribbon.rows.tobytes() == bake_ribbons(scene.mesh, scene.effect_time)[0].tobytes()
    assert particles.item == SMOKE and particles.cost > 0


def test_a_particle_means_its_emitter(scene: Scene) -> None:
    found = scene.ask(ParticleItem(1, 12))
    assert found is not None and found.item == SMOKE


@pytest.mark.parametrize(
    ("item", "effects"),
    [
        (None, EffectOptions()),
        (BoneItem(1), EffectOptions()),
        (SMOKE, EffectOptions(shown=False)),
        (SMOKE, EffectOptions(muted=frozenset({SMOKE}))),
    ],
)
def test_nothing_lives_where_nothing_is_drawn(
    scene: Scene, item: Item | None, effects: EffectOptions
) -> None:
    assert scene.ask(item, effects=effects) is None


def test_a_click_on_a_particle_means_it_then_its_emitter(scene: Scene) -> None:
    items = candidates(None, None, DisplayOptions(), EffectHit(ParticleItem(2, 77), (0.0, 0.0, 0.0)))
    assert items == (ParticleItem(2, 77), EmitterItem(2))
    assert candidates(None, None, DisplayOptions(), EffectHit(RibbonItem(0), (0.0, 0.0, 0.0))) == (
        RibbonItem(0),
    )
