"""Particles on the command line: baked, chosen, seeded, left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests import m2_files
from tests.m2_files import CLASSIC, keys
from viewer.commands.cli import main
from viewer.render.effects.particle_rows import PARTICLE


def constant(value: float) -> Any:
    return keys(CLASSIC, [([0], [value])])


@pytest.fixture
def fire(tmp_path: Path) -> Path:
    """A model with emitters of ten, of five and of 7.3 particles a second that live for a second; another
    follows a loop of 0.3 s of its own."""
    shared = {
        "type": 1,
        "bone": 1,
        "blend": 4,
        "lifespan": constant(1.0),
        "speed": constant(1.0),
        "vertical_range": constant(0.5),
        "twinkle_share": 1.0,
        "twinkle_scale": (1.0, 1.0),
        "scales": (1.0, 1.0, 1.0),
        "colors": (0xFFFFFFFF,) * 3,
    }
    records = [{**shared, "rate": constant(rate)} for rate in (10.0, 5.0, 7.3)]
    own = keys(CLASSIC, [([0, 200], [5.0, 10.0])], global_sequence=0)
    records.append({**shared, "rate": own})
    path = tmp_path / "fire.m2"
    path.write_bytes(m2_files.model(CLASSIC, particles=records, global_sequences=[300]))
    return path


def baked(fire: Path, *words: str) -> Any:
    output = fire.with_suffix(".npz")
    assert main(["bake", str(fire), "--time", "2.05", *words, "-o", str(output)]) == 0
    return np.load(output)


def test_a_bake_has_the_live_particles_of_each_emitter(fire: Path) -> None:
    found = baked(fire)
    assert found["emitter_0"].dtype == PARTICLE and len(found["emitter_1"]) == 5
    assert found["emitter_0"]["number"].tolist() == list(range(11, 21))
    np.testing.assert_allclose(found["emitter_0"]["age"], 2.05 - np.arange(11, 21) / 10, atol=1e-5)
    np.testing.assert_allclose(found["emitter_0"]["color"], 1.0)


def test_only_the_chosen_emitter(fire: Path) -> None:
    found = baked(fire, "--emitter", "1")
    assert len(found["emitter_0"]) == 0 and len(found["emitter_1"]) == 5


def test_no_particles(fire: Path) -> None:
    found = baked(fire, "--no-particles")
    assert len(found["emitter_0"]) == len(found["emitter_1"]) == 0


def test_a_cold_start(fire: Path) -> None:
    assert len(baked(fire, "--cold", "--time", "0.35")["emitter_0"]) == 4
    assert len(baked(fire, "--time", "0.35")["emitter_0"]) == 10


def test_a_seed_is_another_fire_and_the_same_one_the_same(fire: Path) -> None:
    one, two, other = (baked(fire, "--seed", seed)["emitter_0"] for seed in ("1", "1", "2"))
    assert one.tobytes() == two.tobytes()
    assert not np.allclose(one["position"], other["position"])


def test_an_emitter_that_does_not_exist_is_status_2(fire: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bake", str(fire), "--emitter", "4", "-o", str(fire.with_suffix(".npz"))]) == 2
    assert "the model has no emitter 4; it has 4 emitters, counted from 0" in capsys.readouterr().err


def test_pictures_show_them_unless_told_not_to(fire: Path) -> None:
    pictures = []
    for number, words in enumerate(([], ["--no-particles"], [])):
        output = fire.with_name(f"{number}.png")
        small = ["--size", "64x64", "--samples", "0", "--time", "2.05"]
        assert main(["render", str(fire), *small, *words, "-o", str(output)]) == 0
        pictures.append(np.asarray(Image.open(output).convert("RGB")).astype(int))
    assert (pictures[0] == pictures[2]).all()
    assert (pictures[0].sum(axis=2) > pictures[1].sum(axis=2) + 30).sum() > 20


def test_info_names_what_is_done_otherwise(fire: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = fire.with_name("odd.m2")
    path.write_bytes(
        m2_files.model(CLASSIC, particles=[{"type": 1, "bone": 1, "geometry_model": "Rock.mdx"}])
    )
    assert main(["info", str(path)]) == 0
    assert (
        "emitter 0: each particle is the model Rock.mdx, which is missing; a quad is drawn instead"
        in capsys.readouterr().out
    )


def frames(fire: Path, *words: str) -> tuple[Any, Any]:
    """The first picture of a loop of 1 s, and the one that follows its last one."""
    output = fire.parent / "f{frame}.png"
    shown = ("--size", "48x32", "--frames", "0:10", "--fps", "10", "--distance", "2", "--emitter", "2")
    assert main(["render", str(fire), *shown, *words, "-o", str(output)]) == 0
    return tuple(np.asarray(Image.open(fire.parent / f"f{number}.png")) for number in (0, 10))  # type: ignore


def test_a_film_without_a_seam_ends_as_it_begins(fire: Path) -> None:
    first, last = frames(fire, "--seamless")
    assert (first == last).all()
    first, last = frames(fire)
    assert (first != last).any()


@pytest.mark.parametrize(
    ("words", "output", "told"),
    [
        (["--seamless"], "one.png", "one picture"),
        (["--seamless", "--cold"], "film.gif", "--cold"),
        (["--seamless", "--no-loop"], "film.gif", "--no-loop"),
    ],
)
def test_what_cannot_be_without_a_seam_is_status_2(
    fire: Path, capsys: pytest.CaptureFixture[str], words: list[str], output: str, told: str
) -> None:
    assert main(["render", str(fire), *words, "-o", str(fire.parent / output)]) == 2
    assert told in capsys.readouterr().err


def test_a_seam_that_is_left_is_told(fire: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--seamless", "--fps", "10", "--size", "32x32", "--emitter", "1", "--shading", "unlit"]
    assert main(["render", str(fire), *words, "-o", str(fire.parent / "film.gif")]) == 0
    assert "emitter 3 does not repeat after 1 s, so the loop has a seam" in capsys.readouterr().err
