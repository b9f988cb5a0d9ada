"""Everything of one model that is on the GPU: its geometries, ribbons and particles, and what these are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from viewer.gpu.shader import Composer
from viewer.render.geometry_resources import GeometryResources
from viewer.render.morphs import NONE, RecordsByStreams
from viewer.render.particles import Particles
from viewer.render.ribbons import Ribbons
from viewer.scene.material import Image
from viewer.scene.model import Model, pictures_of


class MeshResources(GeometryResources):
    """Everything of one model that is on the GPU; unless `filled` at once, `arrive` has to end first.
    `images` are counted like `scene.model.pictured`."""

    def __init__(
        self,
        composer: Composer,
        model: Model,
        images: Mapping[int, Image],
        records: RecordsByStreams = NONE,
        filled: bool = True,
    ) -> None:
        super().__init__(composer, model, images, records, filled)
        self._named = {
            each: GeometryResources(composer, each.model, own, filled=filled)
            for each, own in pictures_of(model, images).items()
            if each.model is not None
        }
        self.ribbons = Ribbons(composer, model, self.paint)
        self.particles = Particles(composer, model, self.paint, self._named)

    def arrive(self) -> Iterator[float]:
        """Upload it in small steps, textures and programs too; the share that is done after each."""
        yield from super().arrive()
        for each in self._named.values():
            yield from (1.0 for _ in each.buffers.fill())
        self.ribbons.prepare()
        yield from self.particles.arrive()

    def release(self) -> None:
        """Release all of it."""
        for each in self._named.values():
            each.release()
        self.ribbons.release()
        self.particles.release()
        super().release()
