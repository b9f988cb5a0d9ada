"""All GPU data of one model, with its ribbons and particles and the models that particles show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from viewer.gpu.bindings import NO_BINDINGS, Bindings
from viewer.gpu.shader import Composer
from viewer.render.mesh.geometry_resources import GeometryResources
from viewer.render.mesh.morphs import NO_RECORDS, RecordsByStreams
from viewer.scene.choices import MissingTextures
from viewer.scene.material import Image
from viewer.scene.model import Model, pictures_of

if TYPE_CHECKING:
    from viewer.render.effects.particles import Particles
    from viewer.render.effects.ribbons import Ribbons


class MeshResources(GeometryResources):
    """All GPU data of one model. Unless `filled` is True, `arrive` must run to its end before the first draw.

    `images` are decoded images by the texture numbers of `scene.model.pictured`.
    """

    def __init__(
        self,
        composer: Composer,
        model: Model,
        images: Mapping[int, Image],
        records: RecordsByStreams = NO_RECORDS,
        filled: bool = True,
    ) -> None:
        super().__init__(composer, model, images, records, filled)
        self._named = {
            each: GeometryResources(composer, each.model, own, filled=filled)
            for each, own in pictures_of(model, images).items()
            if each.model is not None
        }

    @cached_property
    def ribbons(self) -> Ribbons:
        """The ribbons of the model, made on first use. Their code is imported late, because few models have
        ribbons.
        """
        from viewer.render.effects.ribbons import Ribbons

        return Ribbons(self.composer, self.model, self.materials, self.frame)

    @cached_property
    def particles(self) -> Particles:
        """The emitters of the model, made on first use. Their code is imported late, because few models have
        emitters.
        """
        from viewer.render.effects.particles import Particles

        return Particles(self.composer, self.model, self.materials, self.frame, self._named)

    def arrive(self) -> Iterator[float]:
        """Upload buffers, textures and programs in small steps. A step of a buffer yields the uploaded share
        0..1 of the buffer; any other step yields 1.
        """
        yield from super().arrive()
        for each in self._named.values():
            yield from (1.0 for _ in each.buffers.fill())
        if self.model.ribbons:
            self.ribbons.prepare()
        if self.model.emitters:
            yield from self.particles.arrive()

    def show_missing(self, missing: MissingTextures) -> None:
        """Choose the placeholders of missing textures, in this model and in the models that
        particles show.
        """
        super().show_missing(missing)
        for each in self._named.values():
            each.show_missing(missing)

    def show_surroundings(self, environment: Bindings, occlusion: Bindings) -> None:
        """Choose the environment of this model and of the models that particles show, and the occlusion of
        this model.
        """
        super().show_surroundings(environment, occlusion)
        for each in self._named.values():
            each.show_surroundings(environment, NO_BINDINGS)

    def release(self) -> None:
        """Release all GPU data of the model."""
        for each in self._named.values():
            each.release()
        for made in ("ribbons", "particles"):
            if made in vars(self):
                getattr(self, made).release()
        super().release()
