"""`rigscope render --compare`: what is printed, what the options apply to, and the pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.compared_files import two_engines
from tests.synthetic import animation_bytes, model_bytes, model_record, track, write_pair
from viewer.arrays import Array
from viewer.commands.cli import main
from viewer.commands.comparison import follow, opened, together, warn_of_sizes
from viewer.commands.options.given_options import Options
from viewer.errors import ResourceError
from viewer.families.urho3d.model_layout import MODEL
from viewer.scene.choices import CompareMode, TimeTie
from viewer.session.comparison import find_partner, in_order, pane_names
from viewer.session.comparison import follow as follow_partner

Captured = pytest.CaptureFixture[str]
SMALL = ("--size", "96x48", "--no-grid")


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, str]:
    """A post that bends, and one of the same name in another folder that has no animation."""
    (tmp_path / "old").mkdir()
    other = tmp_path / "old" / "Post.mdl"
    other.write_bytes(model_bytes())
    return str(write_pair(tmp_path)), str(other)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "x.png"


def drawn(output: Path) -> Array:
    """[height, width, channels] of the picture."""
    with Image.open(output) as picture:
        return np.asarray(picture).copy()


def test_side_has_both_models_in_equal_panes(pair: tuple[str, str], output: Path) -> None:
    assert main(["render", *pair, "--compare", "side", "-o", str(output), *SMALL]) == 0
    pixels = drawn(output)
    assert pixels.shape == (48, 96, 3)
    assert (pixels[:, :47] == pixels[:, 49:]).all() and pixels[24, 47].min() > 60


def test_the_pose_of_one_time_is_that_of_all_that_have_the_clip(
    pair: tuple[str, str], output: Path, capsys: Captured
) -> None:
    words = ("--animation", "Bend", "--time", "0.5", "--compare", "difference", *SMALL)
    assert main(["render", *pair, "-o", str(output), *words]) == 0
    said = capsys.readouterr()
    assert "old/Post.mdl: no animation 'Bend'" in said.err.replace("\\", "/")
    assert said.out.endswith(" % of the pixels differ\n") and not said.out.startswith("0.00")
    Path(pair[1]).with_name("Post_Bend.ani").write_bytes(animation_bytes())
    assert main(["render", *pair, "-o", str(output), *words]) == 0
    assert capsys.readouterr().out == "0.00 % of the pixels differ\n"


def test_one_camera_has_all_models_in_the_picture(pair: tuple[str, str], output: Path) -> None:
    """A post of four times the size makes the first one small, and the light is the same."""
    fixed = ("--background", "black", "--shading", "silhouette", "--samples", "0", "-o", str(output))
    assert main(["render", *pair, "--compare", "side", *SMALL, *fixed]) == 0
    before = drawn(output)[:, :47, 0] > 200
    large = model_record()
    large.vertex_buffers[0].vertices["position"] *= 4
    Path(pair[1]).write_bytes(MODEL.pack(large))
    assert main(["render", *pair, "--compare", "side", *SMALL, *fixed]) == 0
    after = drawn(output)[:, :, 0] > 200
    assert 0 < 4 * after[:, :47].sum() < before.sum()
    assert not after[0].any() and after[:, 49:].sum() > before.sum() / 4


def test_the_slider_is_where_split_says(pair: tuple[str, str], output: Path) -> None:
    words = ("--compare", "slider", "--split", "0.25", "--background", "black", "--view", "front")
    assert main(["render", *pair, "-o", str(output), *words, *SMALL]) == 0
    blue = drawn(output)[2, :, 2]
    assert blue[24] > 100 and not blue[:22].any() and not blue[27:60].any()


def test_distances_are_told_and_have_a_legend(
    pair: tuple[str, str], tmp_path: Path, output: Path, capsys: Captured
) -> None:
    record = model_record()
    record.vertex_buffers[0].vertices["position"][16:] += (0, 0.25, 0)
    taller = tmp_path / "Taller.mdl"
    taller.write_bytes(MODEL.pack(record))
    words = ("--compare", "distance", "--size", "640x320", "--no-grid", "--background", "white")
    assert main(["render", pair[0], str(taller), "-o", str(output), *words]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Post.mdl: 4 of 20 vertices moved",
        "Taller.mdl: 4 of 20 vertices moved",
        "the largest distance is 0.25 units",
    ]
    legend = drawn(output)[-60:-24, 200:440].astype(int)
    assert (legend.sum(axis=2) < 250).mean() > 0.2, "a dark band"
    assert ((legend[..., 0] > 200) & (legend[..., 2] < 90)).any(), "with the end of the ramp"


def test_a_film_compares_every_frame(pair: tuple[str, str], tmp_path: Path, capsys: Captured) -> None:
    words = ("--animation", "Bend", "--frames", "0:1", "--fps", "2", "--compare", "difference", *SMALL)
    assert main(["render", *pair, "-o", str(tmp_path / "f_{frame}.png"), *words]) == 0
    assert capsys.readouterr().out.startswith("0.00 to ")
    assert (drawn(tmp_path / "f_0.png") != drawn(tmp_path / "f_1.png")).any()


@pytest.mark.parametrize(
    ("count", "mode", "wanted"),
    [
        (1, "side", "two or more models, or one with --with-animation, not 1"),
        (1, "slider", "two models, or one with --with-animation, not 1"),
        (3, "difference", "not 3"),
        (3, "distance", "one with --with-animation, not 3"),
    ],
)
def test_a_wrong_number_of_models_is_status_2(
    count: int, mode: str, wanted: str, pair: tuple[str, str], output: Path, capsys: Captured
) -> None:
    files = [*pair, pair[0]][:count]
    assert main(["render", *files, "--compare", mode, "-o", str(output)]) == 2
    assert wanted in capsys.readouterr().err and not output.exists()


@pytest.mark.parametrize("words", [("--compare", "beside"), ("--compare", "slider", "--split", "1.5")])
def test_an_unknown_way_or_place_is_status_2(
    words: tuple[str, ...], pair: tuple[str, str], output: Path
) -> None:
    assert main(["render", *pair, *words, "-o", str(output)]) == 2


def test_an_animation_among_the_models_is_status_2(
    pair: tuple[str, str], output: Path, capsys: Captured
) -> None:
    clip = str(Path(pair[0]).with_name("Post_Bend.ani"))
    assert main(["render", pair[0], clip, "--compare", "side", "-o", str(output)]) == 2
    assert f"--animation {clip} plays it" in capsys.readouterr().err


def test_an_unreadable_file_is_status_1(pair: tuple[str, str], output: Path) -> None:
    assert main(["render", pair[0], "nowhere.mdl", "--compare", "side", "-o", str(output)]) == 1


def test_a_part_that_one_model_lacks_is_left_out_there_and_told(
    pair: tuple[str, str], capsys: Captured
) -> None:
    options = Options(compare=CompareMode.SIDE, animation=("Bend",), morph=(("taller", 1.0),), lod=1)
    (first, _), (second, _) = opened(pair, options)
    assert [each.animation.name for each in first.view.playlist] == ["Bend"] and not second.view.playlist
    assert first.view.morphs == second.view.morphs == {0: 1.0}
    assert first.view.lod == second.view.lod == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_part_that_no_model_has_is_an_error(pair: tuple[str, str]) -> None:
    with pytest.raises(ResourceError, match="Bendd"):
        opened(pair, Options(compare=CompareMode.SIDE, animation=("Bendd",)))


def test_the_window_has_both_in_tabs_and_compares_them(pair: tuple[str, str]) -> None:
    options = Options(compare=CompareMode.SLIDER, split=0.25, morph=(("taller", 1.0),))
    states = [state for state, _ in opened(pair, options)]
    state = together(states, options)
    assert [each.path for each in state.documents.opened] == list(pair) and state.documents.current == 0
    assert state.documents.compared is state.documents.opened[1] and state.documents.comparison.split == 0.25
    assert state.documents.view_of(state.documents.compared).morphs == {0: 1.0}


def test_the_window_compares_two_sides(pair: tuple[str, str], output: Path, capsys: Captured) -> None:
    words = ("--compare", "side", "--ui", "-o", str(output))
    assert main(["render", *pair, pair[0], *words]) == 2
    assert "needs two sides" in capsys.readouterr().err


@pytest.fixture
def post(tmp_path: Path) -> str:
    """A post with the clip Bend of one second, and Sway of two seconds, which bends by half the angle."""
    path = write_pair(tmp_path)
    half = [[np.cos(angle / 2), 0, 0, np.sin(angle / 2)] for angle in (0, np.pi / 4, 0)]
    sway = animation_bytes("Sway", 2.0, [track("tip", [0, 1, 2], rotation=half)])
    path.with_name("Post_Sway.ani").write_bytes(sway)
    return str(path)


def sides(*words: str, post: str, output: Path) -> tuple[Array, Array]:
    """The left and the right half of the picture of Bend beside another clip."""
    words = ("--compare", "side", "--animation", "Bend", *words, *SMALL, "--background", "black")
    assert main(["render", post, "-o", str(output), "--shading", "silhouette", *words]) == 0
    pixels = drawn(output)
    return pixels[:46, :47], pixels[:46, 49:]


def test_two_clips_of_one_model_are_drawn_beside_each_other(post: str, output: Path) -> None:
    first, second = sides("--with-animation", "Sway", "--time", "0.5", post=post, output=output)
    assert (first != second).any()
    first, second = sides("--with-animation", "Bend", "--time", "0.5", post=post, output=output)
    assert (first == second).all()


def test_the_times_of_two_clips_are_tied_by_seconds_by_share_or_not(post: str) -> None:
    options = Options(compare=CompareMode.SIDE, animation=("Bend",), with_animation=("Sway",), time=0.25)
    for tie, with_time, wanted in (
        (TimeTie.SECONDS, None, 0.25),
        (TimeTie.SHARE, None, 0.5),
        (TimeTie.SECONDS, 1.5, 1.5),
    ):
        given = options._replace(tie=tie, with_time=with_time)
        one, other = (state for state, _ in opened([post], given))
        assert follow(other, one, given).of(0.25) == wanted == other.view.clock.time


def test_a_film_of_two_clips_is_one_loop_of_the_first_by_share(post: str, tmp_path: Path) -> None:
    words = ("--compare", "side", "--animation", "Bend", "--with-animation", "Sway", "--fps", "4", *SMALL)
    for tie, count in (("share", 4), ("seconds", 8)):
        folder = tmp_path / tie
        folder.mkdir()
        film = str(folder / "{frame}.png")
        assert main(["render", post, "-o", film, *words, "--tie", tie]) == 0
        assert len(list(folder.iterdir())) == count


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--with-animation", "Sway"), "--with-animation needs --compare"),
        (("--tie", "share"), "--tie needs --compare"),
        (("--compare", "side"), "or one with --with-animation, not 1"),
        (("--compare", "side", "--with-animation", "Swai"), "near: Sway"),
        (("other.mdl", "--compare", "side", "--with-animation", "Sway"), "a single model"),
    ],
)
def test_a_second_clip_without_a_comparison_of_one_model_is_status_2(
    words: tuple[str, ...], told: str, post: str, output: Path, capsys: Captured
) -> None:
    assert main(["render", post, "-o", str(output), "--animation", "Bend", *words]) == 2
    assert told in capsys.readouterr().err and not output.exists()


def test_the_window_compares_a_model_with_itself(post: str) -> None:
    options = Options(
        compare=CompareMode.SIDE, animation=("Bend",), with_animation=("Sway",), tie=TimeTie.SHARE
    )
    state = together([each for each, _ in opened([post], options)], options)
    find_partner(state)
    follow_partner(state)
    assert state.partner is not None and state.documents.comparison.tie is TimeTie.SHARE
    names = [[each.animation.name for each in one.view.playlist] for one in in_order(state)]
    assert names == [["Bend"], ["Sway"]]
    assert pane_names(in_order(state)) == ["Post.mdl (Bend)", "Post.mdl (Sway)"]


def test_one_model_of_two_engines_is_laid_onto_itself(tmp_path: Path, output: Path, capsys: Captured) -> None:
    words = ("--compare", "difference", "--shading", "silhouette", *SMALL)
    assert main(["render", *map(str, two_engines(tmp_path)), "-o", str(output), *words]) == 0
    said = capsys.readouterr()
    assert float(said.out.split()[0]) < 0.5 and "as large as" not in said.err


def test_models_of_two_engines_can_be_left_where_their_files_say(
    tmp_path: Path, output: Path, capsys: Captured
) -> None:
    words = ("--compare", "side", "--no-align", *SMALL)
    assert main(["render", *map(str, two_engines(tmp_path)), "-o", str(output), *words]) == 0
    assert "leaning.mesh is 100 times as large as Leaning.mdl" in capsys.readouterr().err


def test_models_in_different_units_are_told(capsys: Captured) -> None:
    box = np.array(((0.0, 0.0, 0.0), (1.0, 2.0, 1.0)))
    warn_of_sizes(["a", "b"], [box, box * 5])
    assert not capsys.readouterr().err
    warn_of_sizes(["a", "b", "c"], [box, box * 3, box * 100])
    assert "c is 100 times as large as a" in capsys.readouterr().err
    warn_of_sizes(["a", "b"], [box, box * 0])
    assert "a is much larger than b" in capsys.readouterr().err
