"""`rigscope render`: the engine's silhouettes, and what the picture options do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests import m2_files
from tests.synthetic import animation_bytes, model_bytes, standing_on_z, track, write_pair
from tests.synthetic import post as post_vertices
from viewer.arrays import Array
from viewer.commands.cli import main
from viewer.render.standalone import keep_renderer, release_renderer

MODELS = "Data/Models"
MADE = "made-by-engine"
SILHOUETTES = {
    "sil_jack_walk_0.5": (f"{MODELS}/Jack.mdl", "--animation", "Walk", "--time", "0.5"),
    "sil_bones200_0.35": (f"{MADE}/bones200_mapped3.mdl", "--animation", "Wave", "--time", "0.35"),
    "sil_morph_wave1": (f"{MADE}/morphs4_2buffers.mdl", "--morph", "wave=1"),
    "sil_ninja_walk_0.4": (f"{MODELS}/NinjaSnowWar/Ninja.mdl", "--animation", "Walk", "--time", "0.4"),
}


def rendered(output: Path, *words: str) -> Array:
    """[height, width, channels] of a picture that went well."""
    assert main(["render", *words, "-o", str(output)]) == 0
    with Image.open(output) as picture:
        return np.asarray(picture).copy()


@pytest.fixture
def post(tmp_path: Path) -> str:
    return str(write_pair(tmp_path))


@pytest.fixture
def shot(post: str, tmp_path: Path) -> Any:
    """Render the post at 64x48 with more options."""

    def take(*words: str) -> Array:
        return rendered(tmp_path / "x.png", post, "--size", "64x48", *words)

    return take


@pytest.mark.parametrize("name", SILHOUETTES)
def test_silhouettes_of_the_engine(name: str, corpus: Path, oracle: Path, tmp_path: Path) -> None:
    shot = json.loads((oracle / f"urho3d/pictures/{name}.json").read_text())
    camera = tmp_path / "camera.json"
    camera.write_text(json.dumps({"view": shot["view"], "projection": shot["gpuProj"]}))
    with Image.open(oracle / f"urho3d/pictures/{name}.png") as picture:
        truth = np.asarray(picture.convert("L")) > 200
    file, *words = SILHOUETTES[name]
    size = f"{truth.shape[1]}x{truth.shape[0]}"
    fixed = ("--camera", str(camera), "--size", size, "--shading", "silhouette", "--samples", "0")
    ours = rendered(tmp_path / "x.png", str(corpus / "urho3d" / file), *words, *fixed)[..., 0] > 200
    assert (ours & truth).sum() / (ours | truth).sum() >= 0.995


def test_a_picture_has_the_size_asked_for_and_no_alpha(shot: Any) -> None:
    assert shot().shape == (48, 64, 3)


def test_a_transparent_picture_is_clear_around_the_model(shot: Any) -> None:
    picture = shot("--background", "transparent")
    assert picture.shape == (48, 64, 4)
    assert not picture[0].any() and picture[24, 32, 3] == 255


def test_the_background_is_the_colour_asked_for(shot: Any) -> None:
    assert (shot("--background", "#336699", "--no-grid")[0, 0] == (0x33, 0x66, 0x99)).all()


def test_the_grid_is_seen(shot: Any) -> None:
    words = ("--background", "black", "--view", "iso")
    assert (shot(*words, "--grid") != shot(*words, "--no-grid")).any()


def test_the_shadow_is_drawn_only_if_asked_for(shot: Any) -> None:
    words = ("--background", "white", "--view", "iso")
    assert (shot(*words, "--shadow") != shot(*words)).any()
    assert (shot(*words, "--no-shadow") == shot(*words)).all()


def test_the_light_is_the_studio_unless_chosen(shot: Any) -> None:
    assert (shot("--light", "studio") == shot()).all()
    lights = [shot("--light", each).sum() for each in ("studio", "headlamp", "studio:120,0", "unlit")]
    assert len(set(map(int, lights))) == 4


def test_a_figure_stands_beside_the_model_on_request(shot: Any) -> None:
    assert (shot() != shot("--figure")).any()


def test_farther_is_smaller(shot: Any) -> None:
    words = ("--shading", "silhouette", "--samples", "0")
    near, far = ((shot(*words, "--distance", factor)[..., 0] > 200).sum() for factor in ("1", "2"))
    assert 0 < 3 * far < near


@pytest.mark.parametrize(
    "words",
    [
        ("--view", "left"),
        ("--yaw", "60"),
        ("--pitch", "60"),
        ("--ortho",),
        ("--wireframe",),
        ("--skeleton",),
        ("--shading", "normals"),
        ("--animation", "Bend", "--time", "0.5"),
        ("--morph", "taller=1"),
        ("--lod", "1"),
        ("--samples", "0"),
    ],
    ids=" ".join,
)
def test_every_option_changes_the_picture(words: tuple[str, ...], shot: Any) -> None:
    assert (shot(*words) != shot()).any()


@pytest.mark.parametrize(
    "words", [("--ghosts", "2:0.2"), ("--ghosts", "keys", "--trail", "tip"), ("--trail", "tip")], ids=" ".join
)
def test_ghosts_and_trails_change_the_picture_of_a_clip(words: tuple[str, ...], shot: Any) -> None:
    clip = ("--animation", "Bend", "--time", "0.4", "--no-grid")
    assert (shot(*clip, *words) != shot(*clip)).any()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--trail", "tpi"), "tip"),
        (("--ghosts", "30"), "more than 20"),
        (("--ghosts", "2:0"), "more than 0"),
        (("--ghosts", "some"), "whole number"),
    ],
)
def test_ghosts_and_trails_that_cannot_be_are_refused(
    words: tuple[str, ...], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_pair(tmp_path)
    assert main(["render", str(path), "-o", str(tmp_path / "x.png"), *words]) == 2
    assert why in capsys.readouterr().err and not (tmp_path / "x.png").exists()


def test_missing_textures_are_clay_or_a_checker(tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(textures=[{"type": 6}]))
    fixed = (str(path), "--size", "64x48", "--background", "black", "--shading", "unlit", "--no-grid")
    middles = []
    for words in ((), ("--missing", "checker")):
        picture = rendered(tmp_path / "x.png", *fixed, *words)[..., :3].astype(int)
        middles.append(np.median(picture[picture.sum(axis=2) > 60], axis=0))
    assert [bool(min(red, blue) > green + 40) for red, green, blue in middles] == [False, True]
    assert np.ptp(middles[0]) < 60 < middles[0].min()


def test_a_clip_that_nobody_chose_does_not_move_the_camera_away(corpus: Path, tmp_path: Path) -> None:
    """The first clip of this file swings an arm high above the first pose."""
    goblin = str(corpus / "character/Character/Goblin/Male/GoblinMale.M2")
    fixed = (goblin, "--size", "96x96", "--background", "transparent", "--no-grid")
    shares = []
    for words in ((), ("--time", "0")):
        rows, columns = np.nonzero(rendered(tmp_path / "x.png", *fixed, *words)[..., 3] > 128)
        shares.append(np.ptp(rows) / 96)
        middle = (columns.min() + columns.max()) / 2
        assert words or abs(middle - 47.5) < 4
    assert shares[0] > 0.8 > 0.6 > shares[1]


def test_a_model_whose_bones_stand_along_z_is_stood_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Man.mdl"
    path.write_bytes(model_bytes(bones=standing_on_z()))
    pictures = {}
    for words in ((), ("--up", "z"), ("--up", "file"), ("--up", "y")):
        pictures[words] = rendered(tmp_path / "x.png", str(path), "--size", "64x48", *words)
        told = "+Z is up" in capsys.readouterr().err
        assert told is (words == ()), "only what was not asked for is told"
    stood, z, file, y = pictures.values()
    assert (stood == z).all() and (file == y).all() and (stood != file).any()


def test_baked_vertices_keep_the_axes_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Man.mdl"
    path.write_bytes(model_bytes(bones=standing_on_z()))
    assert main(["bake", str(path), "-o", str(tmp_path / "x.npz")]) == 0
    np.testing.assert_allclose(
        np.load(tmp_path / "x.npz")["positions_0"], post_vertices()[0]["position"], atol=1e-6
    )
    assert "+Z" not in capsys.readouterr().err


def test_a_picture_of_nothing_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Empty.mdl"
    path.write_bytes(
        model_bytes(vertex_buffers=[], index_buffers=[], geometries=[], morphs=[], bones=[], centers=[])
    )
    picture = rendered(
        tmp_path / "x.png", str(path), "--size", "120x80", "--background", "black", "--no-grid"
    )
    assert (picture[30:50, 20:100, :3].min(axis=2) > 180).any()
    assert capsys.readouterr().err == f"rigscope: {path}: No vertices\n"


@pytest.mark.parametrize("clip", ["Bend", "bend", "#0", "Bend@1", "#0@1", "FILE", "FILE@1"])
def test_an_animation_by_any_of_its_names(clip: str, shot: Any, post: str) -> None:
    named = clip.replace("FILE", post.replace("Post.mdl", "Post_Bend.ani"))
    assert (shot("--animation", named, "--time", "0.5") == shot("--animation", "Bend", "--time", "0.5")).all()


def test_half_the_weight_is_between(shot: Any) -> None:
    rest, half, full = (
        shot("--animation", f"Bend@{weight}", "--time", "0.5", "--distance", "3") for weight in (0, 0.5, 1)
    )
    assert (half != rest).any() and (half != full).any()
    assert (rest == shot("--animation", "none", "--time", "0.5", "--distance", "3")).all()


def test_an_animation_given_as_a_further_file_can_be_named(shot: Any, post: str, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    moved = Path(post).with_name("Post_Bend.ani").rename(tmp_path / "far" / "Post_Bend.ani")
    assert (shot(str(moved), "--animation", "Bend", "--time", "0.5") != shot()).any()


def test_tracks_without_a_bone_are_told(
    shot: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = track("ghost", [0.0], position=[[0, 0, 0]])
    (tmp_path / "Ghost.ani").write_bytes(animation_bytes("Ghost", tracks=[other]))
    shot("--animation", str(tmp_path / "Ghost.ani"))
    line = capsys.readouterr().err.splitlines()[0]
    assert line == "rigscope: Ghost: 0 of 1 tracks matched; without a bone: ghost"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "cannot be read: No such file or directory"),
        ("{", "the camera is not JSON"),
        ("{}", "is missing (camera/view"),
        ("\udcff", "is not UTF-8 text"),
    ],
)
def test_a_bad_camera_file(
    text: str | None, why: str, post: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera = tmp_path / "camera.json"
    if text is not None:
        camera.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert main(["render", post, "--camera", str(camera), "-o", str(tmp_path / "x.png")]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"{camera}: ") and why in err and len(err.splitlines()) == 1


def test_an_unwritable_picture_is_status_2(
    post: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", post, "-o", str(tmp_path / "no" / "x.png")]) == 2
    assert "its folder does not exist" in capsys.readouterr().err


def test_a_lone_animation_cannot_be_drawn(
    post: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = post.replace("Post.mdl", "Post_Bend.ani")
    assert main(["render", clip, "-o", str(tmp_path / "x.png")]) == 2
    assert "give its model first" in capsys.readouterr().err


def test_a_broken_model_is_drawn_as_far_as_it_goes(
    post: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "Cut.mdl"
    cut.write_bytes(Path(post).read_bytes()[:-200])
    assert main(["render", str(cut), "-o", str(tmp_path / "x.png"), "--size", "32x32"]) == 1
    assert (tmp_path / "x.png").exists()
    assert " at 0x" in capsys.readouterr().err


def test_a_broken_animation_beside_the_model_matters_where_it_plays(
    post: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = Path(post).with_name("Post_Bend.ani")
    tracks = [track(name, [0.0], position=[[0, 0, 0]]) for name in ("base", "tip")]
    clip.write_bytes(animation_bytes(tracks=tracks)[:-4])
    words = ["render", post, "-o", str(tmp_path / "x.png"), "--size", "32x32"]
    assert main(words) == 0
    capsys.readouterr()
    assert main([*words, "--animation", "Bend"]) == 1
    assert f"\n{clip}: " in capsys.readouterr().err
    assert main(["info", post]) == 0
    assert f"warning: {clip}: " in capsys.readouterr().out


def test_without_opengl_the_status_is_3(
    post: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import moderngl

    def refuse(**_: Any) -> None:
        raise Exception("libEGL.so not loaded")

    release_renderer()
    monkeypatch.setattr(moderngl, "create_context", refuse)
    assert main(["render", post, "-o", str(tmp_path / "x.png")]) == 3
    err = capsys.readouterr().err
    assert "libEGL.so not loaded" in err and "install" in err and len(err.splitlines()) == 1
    keep_renderer()


def test_the_camera_of_a_file_is_used_as_it_is(post: str, shot: Any, tmp_path: Path) -> None:
    """A parallel projection of 8 by 6 units, so that a pixel of 64x48 is an eighth of a unit: the post is one
    unit high and stands on the middle of the picture."""
    view = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 5]
    projection = [1 / 4, 0, 0, 0, 0, 1 / 3, 0, 0, 0, 0, 1 / 10, 0, 0, 0, 0, 1]
    camera = tmp_path / "camera.json"
    camera.write_text(json.dumps({"view": view, "projection": projection}))
    fixed = ("--camera", str(camera), "--shading", "silhouette", "--samples", "0", "--lod", "0")
    rows = np.flatnonzero((shot(*fixed)[..., 0] > 200).any(axis=1))
    assert rows.tolist() == list(range(16, 24))
