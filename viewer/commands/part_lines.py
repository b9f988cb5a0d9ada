"""The text of `rigscope info` about what belongs to a model beside its mesh: cameras, lights, effects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from viewer.commands.columns import number, numbers, section

Facts = dict[str, Any]


def models(facts: Facts) -> Iterator[str]:
    """The models that emitters name."""
    rows = [(each["name"], each["found"] or "not found") for each in facts["models"]]
    yield from section("models of particles", ("name", "file"), rows)
    for each in facts["models"]:
        if each["searched"]:
            yield f"  {each['name']}: searched {', '.join(each['searched'])}"
        elif each["why"]:
            yield f"  {each['name']} {each['why']}"


def cameras(facts: Facts) -> Iterator[str]:
    """Where the file looks from."""
    rows = [
        (each["name"], numbers(each["position"]), numbers(each["target"]), f"{number(each['fov'])}°")
        for each in facts["cameras"]
    ]
    yield from section("cameras", ("name", "position", "target", "field of view"), rows)


def lights(facts: Facts) -> Iterator[str]:
    """What it is lit by."""
    rows = [(each["type"], _bone(each["bone"])) for each in facts["lights"]]
    yield from section("lights", ("type", "bone"), rows)


def attachments(facts: Facts) -> Iterator[str]:
    """Where things are fastened."""
    rows = [
        (str(each["id"]), each["name"], _bone(each["bone"]), numbers(each["position"]))
        for each in facts["attachments"]
    ]
    yield from section("attachments", ("id", "name", "bone", "position"), rows)


def emitters(facts: Facts) -> Iterator[str]:
    """What gives off particles, and what of it is not exactly as in the client."""
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
    for place, each in enumerate(facts["emitters"]):
        yield from (f"  emitter {place}: {line}" for line in each["approximations"])


def ribbons(facts: Facts) -> Iterator[str]:
    """What leaves a trail, and what of it is not exactly as in the client."""
    rows = [
        (
            str(place),
            _bone(each["bone"]),
            numbers(each["position"]),
            ", ".join(each["blend"]),
            *(number(each["parameters"][name][0]) for name in ("edges_per_second", "edge_lifetime")),
        )
        for place, each in enumerate(facts["ribbons"])
    ]
    yield from section("ribbons", ("#", "bone", "position", "blend", "edges a second", "lifetime"), rows)
    for place, each in enumerate(facts["ribbons"]):
        yield from (f"  ribbon {place}: {line}" for line in each["approximations"])


def _bone(number: int) -> str:
    return "none" if number < 0 else f"#{number}"
