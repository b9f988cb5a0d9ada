"""What outputs say about missing parts, and how they end."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import m2_files
from tests.gltf_files import GltfFile
from tests.ogre_files import rich_mesh
from tests.synthetic import model_bytes, write_pair
from viewer.commands.cli import main
from viewer.families.ogre.versions import MeshVersion
from viewer.library.desktop.entries import thumbnailer_entry
from viewer.storage.resource_folders import forget_resources

OUTPUTS = {
    "render": ("out.png", "--size", "32x24"),
    "bake": ("out.npz",),
    "export": ("out.glb",),
    "thumbs": ("out.png", "--size", "32x24"),
    "extract": ("out", "--with-parts"),
}
"""The name of the output and further words, by verb."""
EMPTY = {**OUTPUTS, "check": ()}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty project."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


def rabbit(project: Path, skin: str = "Rabbit00.skin") -> Path:
    """A model whose textures and file of EmoteTalk are missing, with its view under this name."""
    path = project / "Rabbit.m2"
    path.write_bytes(m2_files.model(m2_files.WRATH))
    (project / skin).write_bytes(m2_files.skin())
    return path


def written(verb: str, path: Path, tmp_path: Path, *more: str) -> int:
    """Write the output of a verb; return the exit status."""
    name, *words = OUTPUTS[verb]
    output = tmp_path / name
    status = main([verb, str(path), "-o", str(output), *words, *more])
    assert output.exists()
    return status


@pytest.mark.parametrize("verb", OUTPUTS)
def test_a_missing_first_view_is_a_line_with_the_file_that_may_be_meant(
    verb: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = rabbit(project, "BlueRabbit00.skin")
    assert written(verb, path, tmp_path) == 1
    said = capsys.readouterr().err.splitlines()
    assert f"rigscope: {path}: Rabbit00.skin is missing; BlueRabbit00.skin is there" in said
    assert written(verb, path, tmp_path, "--no-strict", *(["--force"] * (verb == "extract"))) == 0


@pytest.mark.parametrize("verb", OUTPUTS)
def test_a_missing_skeleton_is_a_line(
    verb: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project / "square.mesh"
    path.write_bytes(rich_mesh(MeshVersion.V1_100))
    assert written(verb, path, tmp_path) == 1
    assert f"rigscope: {path}: bones.skeleton is missing\n" in capsys.readouterr().err
    (project / "other.skeleton").write_bytes(b"")
    written(verb, path, tmp_path, *(["--force"] * (verb == "extract")))
    assert "bones.skeleton is missing; other.skeleton is there\n" in capsys.readouterr().err


def test_a_clip_of_a_missing_skeleton_is_an_unknown_name_that_says_why(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project / "square.mesh"
    path.write_bytes(rich_mesh(MeshVersion.V1_100))
    assert main(["bake", str(path), "-o", str(tmp_path / "out.npz"), "--animation", "Walk"]) == 2
    line = capsys.readouterr().err
    assert "'Walk'" in line and line.endswith("; bones.skeleton is missing\n")


@pytest.mark.parametrize("verb", OUTPUTS)
def test_other_missing_parts_are_one_line_and_count_if_the_check_is_strict(
    verb: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = rabbit(project)
    assert written(verb, path, tmp_path) == 0
    said = [line for line in capsys.readouterr().err.splitlines() if "missing" in line]
    assert said == [f"rigscope: {path}: 1 animation and 1 texture missing"]
    assert written(verb, path, tmp_path, "--strict", *(["--force"] * (verb == "extract"))) == 1


@pytest.mark.parametrize("verb", ["render", "bake", "export", "thumbs"])
def test_the_file_of_a_named_clip_is_required(
    verb: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = rabbit(project)
    assert written(verb, path, tmp_path, "--animation", "EmoteTalk") == 1
    keys = "Rabbit0060-00.anim, which has the keys of EmoteTalk, is missing"
    assert f"rigscope: {path}: {keys}\n" in capsys.readouterr().err
    assert written(verb, path, tmp_path, "--animation", "Walk") == 0


def test_only_a_single_file_of_no_other_model_is_offered(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = rabbit(project, "Bear00.skin")
    for name in ("Hare0060-00.anim", "Hare0061-00.anim", "Bear01.skin"):
        (project / name).write_bytes(b"")
    written("bake", path, tmp_path, "--animation", "EmoteTalk")
    said = capsys.readouterr().err
    assert "Rabbit00.skin is missing; Bear00.skin is there\n" in said
    assert (
        "Rabbit0060-00.anim, which has the keys of EmoteTalk, is missing; Hare0060-00.anim is there\n" in said
    )
    shutil.copy(path, project / "Bear.m2")
    (project / "Fox0060-00.anim").write_bytes(b"")
    written("bake", path, tmp_path, "--animation", "EmoteTalk")
    said = capsys.readouterr().err
    assert "Rabbit00.skin is missing\n" in said and "which has the keys of EmoteTalk, is missing\n" in said


def test_clips_without_their_files_are_left_out_of_an_export(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, output = rabbit(project), tmp_path / "out.glb"
    assert written("export", path, tmp_path) == 0
    names = [each["name"] for each in GltfFile(output).json["animations"]]
    assert "Walk" in names and "EmoteTalk" not in names
    assert "left out 1 clip without a file\n" in capsys.readouterr().err
    assert written("export", path, tmp_path, "--animation", "all") == 0
    written("export", path, tmp_path, "--animation", "EmoteTalk")
    assert "animations" not in GltfFile(output).json


@pytest.mark.parametrize("verb", ["render", "bake", "export", "thumbs"])
def test_the_chosen_view_is_required(
    verb: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = rabbit(project)
    path.write_bytes(m2_files.model(m2_files.WRATH, view_count=2))
    assert written(verb, path, tmp_path) == written(verb, path, tmp_path, "--lod", "0") == 0
    before = (tmp_path / OUTPUTS[verb][0]).read_bytes()
    assert written(verb, path, tmp_path, "--lod", "1") == 1
    assert "Rabbit01.skin is missing\n" in capsys.readouterr().err
    assert (tmp_path / OUTPUTS[verb][0]).read_bytes() == before, "with the view that is there"
    assert main([verb, str(path), "-o", str(tmp_path / OUTPUTS[verb][0]), "--lod", "2"]) == 2


@pytest.mark.parametrize("verb", ["render", "bake", "export", "thumbs"])
def test_a_guess_is_not_missing(
    verb: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A picture with the stem of the model is shown on a model that names none."""
    path = project / "Post.mdl"
    path.write_bytes(model_bytes())
    assert written(verb, path, tmp_path, "--strict") == 1
    picture = Path(__file__).parents[2] / "assets/urho3d/Textures/Beacon.png"
    shutil.copy(picture, project / "Post.png")
    capsys.readouterr()
    assert written(verb, path, tmp_path, "--strict") == 0
    assert " is missing" not in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["render", "bake", "export", "thumbs"])
def test_a_batch_says_the_same_and_fails_for_a_required_part(
    verb: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = rabbit(project)
    (project / "Post.mdl").write_bytes(model_bytes())
    words, out = [*OUTPUTS[verb][1:], "--force"], f"{tmp_path}/out/"
    assert main([verb, str(project), "-o", out, *words]) == 0
    assert f"rigscope: {path}: 1 animation and 1 texture missing\n" in capsys.readouterr().err
    assert main([verb, str(project), "-o", out, *words, "--strict"]) == 1
    (project / "Rabbit00.skin").unlink()
    forget_resources()
    assert main([verb, str(project), "-o", out, *words]) == 1
    said = capsys.readouterr()
    assert f"rigscope: {path}: Rabbit00.skin is missing\n" in said.err
    assert said.err.endswith("1 of 2 files could not be read completely, or a required file is missing\n")
    assert "2 " in said.out and len([*(tmp_path / "out").iterdir()]) == 2


def test_thumbnails_of_the_cache_say_the_same(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rabbit(project, "BlueRabbit00.skin")
    said = []
    for _ in range(2):
        assert main(["thumbs", str(project), "-o", f"{tmp_path}/out/", "--size", "32x24"]) == 1
        said.append(capsys.readouterr())
    assert said[0] == said[1] and "Rabbit00.skin is missing; BlueRabbit00.skin is there" in said[0].err


@pytest.mark.parametrize("verb", ["render", "bake", "export", "thumbs", "check"])
def test_nothing_to_do_is_status_2(
    verb: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = () if verb == "check" else ("-o", f"{tmp_path}/out/")
    assert main([verb, str(project), *output]) == 2
    said = capsys.readouterr()
    assert str(project) in said.err and said.out == "" and not (tmp_path / "out").exists()


def test_a_batch_with_failures_and_earlier_pictures_is_status_1(project: Path, tmp_path: Path) -> None:
    write_pair(project)
    (tmp_path / "out").mkdir()
    (tmp_path / "out/Post.png").write_bytes(b"mine")
    command = ["thumbs", str(project), "-o", f"{tmp_path}/out/", "--size", "32x24"]
    assert main(command) == 2
    assert main([*command, str(project / "absent.mdl")]) == 1
    rabbit(project, "BlueRabbit00.skin")
    assert main(command) == 1


def test_the_thumbnailer_of_the_desktop_ends_with_0_if_there_is_a_picture(
    project: Path, tmp_path: Path
) -> None:
    path, output = rabbit(project, "BlueRabbit00.skin"), tmp_path / "thumbnail-XY12"
    output.write_bytes(b"")
    line = next(each for each in thumbnailer_entry(["rigscope"]).splitlines() if each.startswith("Exec="))
    words = line.partition(" ")[2].replace("%sx%s", "32x24").replace("%i", str(path))
    assert main(words.replace("%o", str(output)).split()) == 0
    assert output.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("name", "line", "offer"),
    [
        ("renamed/BlueRabbit.m2", "BlueRabbit00.skin is missing", "; Rabbit00.skin is there"),
        ("body.mesh", "body.skeleton is missing", ""),
    ],
)
@pytest.mark.parametrize("verb", OUTPUTS)
def test_the_folders_of_the_corpus(
    name: str,
    line: str,
    offer: str,
    verb: str,
    corpus: Path,
    project: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(corpus / "needs/missing-part", project, dirs_exist_ok=True)
    assert written(verb, project / name, tmp_path) == 1
    assert f"rigscope: {project / name}: {line}{offer}\n" in capsys.readouterr().err


def test_the_clips_of_the_corpus(corpus: Path, project: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus / "needs/missing-part", project, dirs_exist_ok=True)
    path, output = project / "noanim/Hobgoblin.M2", tmp_path / "out.glb"
    assert written("export", path, tmp_path) == 0
    assert len(GltfFile(output).json["animations"]) == 82
    assert written("export", path, tmp_path, "--strict") == 1
    assert written("export", path, tmp_path, "--animation", "EmoteTalk") == 1
    assert written("render", path, tmp_path, "--animation", "EmoteTalk") == 1
