"""The text of `rigscope info` about the parts of a model besides its mesh: cameras, lights, effects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from viewer.commands.columns import number, numbers, section

Facts = dict[str, Any]


def models(facts: Facts) -> Iterator[str]:
    """The models that emitters use as particles."""
    rows = [(each["name"], each["found"] or "not found") for each in facts["models"]]
    yield from section("models of particles", ("name", "file"), rows)
    for each in facts["models"]:
        if each["searched"]:
            yield f"  {each['name']}: searched {', '.join(each['searched'])}"
        elif each["why"]:
            yield f"  {each['name']} {each['why']}"


def cameras(facts: Facts) -> Iterator[str]:
    """The cameras of the file."""
    rows = [
        (each["name"], numbers(each["position"]), numbers(each["target"]), f"{number(each['fov'])}°")
        for each in facts["cameras"]
    ]
    yield from section("cameras", ("name", "position", "target", "field of view"), rows)


def lights(facts: Facts) -> Iterator[str]:
    """The lights of the file."""
    rows = [(each["type"], _bone(each["bone"])) for each in facts["lights"]]
    yield from section("lights", ("type", "bone"), rows)


def attachments(facts: Facts) -> Iterator[str]:
    """The attachment points of the model."""
    rows = [
        (str(each["id"]), each["name"], _bone(each["bone"]), numbers(each["position"]))
        for each in facts["attachments"]
    ]
    yield from section("attachments", ("id", "name", "bone", "position"), rows)


def emitters(facts: Facts) -> Iterator[str]:
    """The emitters of the model, with their differences from the client."""
    rows = [
        (
            each["type"],
            _bone(each["bone"]),
            str(each["texture"]),
            str(each["blend"]),
            ", ".join(each["flags"]),
        )
        for each in facts["emitters"]
    ]
    yield from section("emitters", ("type", "bone", "texture", "blend", "flags"), rows)
    for index, each in enumerate(facts["emitters"]):
        yield from (f"  emitter {index}: {line}" for line in each["approximations"])


def ribbons(facts: Facts) -> Iterator[str]:
    """The ribbons of the model, with their differences from the client."""
    rows = [
        (
            str(index),
            _bone(each["bone"]),
            numbers(each["position"]),
            ", ".join(each["blend"]),
            *(number(each["parameters"][name][0]) for name in ("edges_per_second", "edge_lifetime")),
        )
        for index, each in enumerate(facts["ribbons"])
    ]
    yield from section("ribbons", ("#", "bone", "position", "blend", "edges a second", "lifetime"), rows)
    for index, each in enumerate(facts["ribbons"]):
        yield from (f"  ribbon {index}: {line}" for line in each["approximations"])


def _bone(number: int) -> str:
    return "none" if number < 0 else f"#{number}"
