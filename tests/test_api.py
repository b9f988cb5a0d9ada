"""`viewer.api`: the public names, and what each function does with values."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path
from shutil import copy
from typing import Any

import numpy as np
import PIL.Image
import pytest

import viewer
from tests.synthetic import model_bytes, write_pair
from viewer import api
from viewer.commands.cli import main
from viewer.commands.options.table import PICTURE, POSE, SEQUENCE
from viewer.errors import FormatError, ResourceError, ViewerError
from viewer.paths import folder
from viewer.scene.choices import Lighting, LightKind, MissingTextures, Shading

PUBLIC = {
    *("Change", "Difference", "Differences", "Document", "FileEntry", "FileFacts", "Finding", "FormatError"),
    *("GraphicsError", "Picture", "ResourceError", "Severity", "Thumbnail", "ViewerError", "bake", "check"),
    *("diff", "export", "find", "open_document", "render", "show", "thumbnails"),
}
SIZE = (48, 40)


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model with a clip beside it; the cache and the index are of this test."""
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "models"
    folder.mkdir()
    return write_pair(folder)


def test_the_public_names() -> None:
    assert set(api.__all__) == PUBLIC
    assert all(hasattr(api, name) for name in PUBLIC)
    assert viewer.__all__ == ["__version__", "open_document"]


def test_the_functions_are_functions_after_all_modules_were_imported() -> None:
    for module in pkgutil.walk_packages(viewer.__path__, "viewer."):
        if not module.name.endswith("__main__") and not module.name.startswith("viewer.window."):
            importlib.import_module(module.name)
    functions = ("bake", "check", "diff", "export", "find", "open_document", "render", "show", "thumbnails")
    assert all(callable(getattr(api, name)) for name in functions)
    assert callable(viewer.open_document)


def test_the_options_are_those_of_the_command_line() -> None:
    assert set(api.PoseOptions.__annotations__) == {option.name for option in POSE}
    assert set(api.PictureOptions.__annotations__) == {option.name for option in (*POSE, *PICTURE)}
    assert set(api.FilmOptions.__annotations__) == {option.name for option in (*POSE, *PICTURE, *SEQUENCE)}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"figure": "yes"}, "figure: 'yes' is not True or False"),
        ({"grid": [1, 2]}, "grid: [1, 2] is not True or False"),
        ({"samples": 2.5}, "samples: '2.5' is not a whole number"),
        ({"samples": True}, "samples: 'True' is not a whole number"),
        ({"yaw": [1]}, "yaw: [1] is not DEGREES"),
        ({"time": float("nan")}, "time: 'nan' is not finite"),
        ({"size": 5}, "size: '5' is not a size such as 1280x720"),
        ({"size": (0, 5)}, "size: '0x5' is not between 1x1 and 16384x16384"),
        ({"background": (1, 0)}, "background: (1, 0) is not a colour"),
        ({"background": (2, 0, 0, 1)}, "background: (2, 0, 0, 1) is not a colour"),
        ({"background": 5}, "background: '5' is not a colour"),
        ({"light": 3}, "light: '3' is not studio|headlamp|file|environment|unlit"),
        ({"light": {}}, "light: '' is not studio|headlamp|file|environment|unlit"),
        ({"missing": b"clay"}, "missing: \"b'clay'\" is not clay|checker"),
        ({"morph": {"Smile": "big"}}, "morph: 'big' is not a number"),
        ({"morph": 3}, "morph: '3' is not a morph with a weight, such as Smile=0.5"),
        ({"geoset": [1, 2.5]}, "geoset: '2.5' is not a whole number"),
        ({"frames": (2, 0)}, "frames: '2:0' ends before it begins"),
        ({"seed": -1}, "seed: '-1' is not a whole number"),
    ],
)
def test_a_value_of_the_wrong_kind_names_its_option(options: Any, says: str) -> None:
    with pytest.raises(ViewerError, match=re.escape(says)):
        api._options(options)


def test_the_values_of_options_are_those_of_python() -> None:
    numbers = api._options({"yaw": np.float32(0.5), "samples": np.int64(2), "grid": np.True_, "lod": None})
    assert (numbers.yaw, numbers.lod) == (0.5, None) and numbers.shown == {"samples": 2, "grid": True}
    colors = api._options({"background": (0.1, 0.2, 0.3, 1), "light": "studio:30,45", "shading": "uv"})
    light = Lighting(LightKind.STUDIO, (30.0, 45.0))
    assert colors.shown == {"background": (0.1, 0.2, 0.3, 1.0), "shading": Shading.UV, "light": light}
    members = api._options({"light": light, "missing": MissingTextures.CHECKER, "size": [8, 9]})
    assert members.shown == {"light": light, "missing": MissingTextures.CHECKER} and members.size == (8, 9)
    parts = api._options({"morph": {"a=b": 0.5}, "texture": {11: Path("x.png")}, "animation": Path("a.ani")})
    assert (parts.morph, parts.texture) == ((("a=b", 0.5),), ((11, "x.png"),))
    assert parts.animation == ("a.ani",) and api._options({"camera": Path("c.json")}).camera == "c.json"


def test_show_draws_what_render_writes(model: Path, tmp_path: Path) -> None:
    picture = api.show(model, size=SIZE, yaw=20.0)
    out = tmp_path / "out.png"
    assert main(["render", str(model), "--size", "48x40", "--yaw", "20", "-o", str(out)]) == 0
    assert picture.pixels.shape == (40, 48, 4)
    with PIL.Image.open(out, formats=["PNG"]) as written:
        assert np.array_equal(picture.pixels[..., :3], np.asarray(written)[..., :3])


def test_show_takes_a_document_and_a_clip(model: Path) -> None:
    document = api.open_document(model)
    clip = next(model.parent.glob("*.ani"))
    rest = api.show(document, size=SIZE)
    posed = api.show(document, clip, animation="Bend", time=0.5, size=SIZE)
    assert not np.array_equal(rest.pixels, posed.pixels)


@pytest.mark.parametrize(
    ("old", "new"),
    [({"shading": "unlit"}, {"light": "unlit"}), ({"file_lights": True}, {"light": "file"})],
)
def test_earlier_options_are_accepted(old: Any, new: Any) -> None:
    assert api._options(old) == api._options(new) != api._options({})


def test_an_earlier_switch_that_is_off_changes_nothing() -> None:
    assert api._options({"file_lights": False}) == api._options({})


def test_a_notebook_shows_a_picture(model: Path, tmp_path: Path) -> None:
    picture = api.show(model, size="48x40")
    assert picture._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"
    picture.save(tmp_path / "saved.png")
    assert (tmp_path / "saved.png").read_bytes() == picture.png


def test_render_writes_a_film(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.gif"
    lines = api.render(model, output=out, size=SIZE, turntable=True, frames=(0, 2))
    assert lines == (f"{model}: material Materials/Post.xml is missing",)
    assert out.read_bytes()[:6] == b"GIF89a"


def test_bake_gives_the_arrays_that_the_command_writes(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.npz"
    arrays = api.bake(model, time=0.0)
    assert main(["bake", str(model), "-o", str(out)]) == 0
    with np.load(out) as written:
        assert set(arrays) == set(written.files)
        assert all(np.array_equal(arrays[name], written[name], equal_nan=True) for name in written.files)


def test_bake_writes_its_output_too(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.ply"
    assert "positions_0" in api.bake(model, output=out)
    assert out.read_bytes().startswith(b"ply")


def test_export_writes_a_model(model: Path, tmp_path: Path) -> None:
    out, same = tmp_path / "out.glb", tmp_path / "same.glb"
    notes = api.export(model, output=out, materials=False)
    assert main(["export", str(model), "--no-materials", "-o", str(same)]) == 0
    assert out.read_bytes() == same.read_bytes() and isinstance(notes, tuple)


def test_an_output_never_replaces_an_input(model: Path) -> None:
    before = model.read_bytes()
    named = model.with_name("model.glb")
    named.symlink_to(model)
    with pytest.raises(ViewerError, match="would replace"):
        api.export(model, output=named)
    assert model.read_bytes() == before


@pytest.mark.parametrize("output", ["out.mdl", "out", "{name}.glb", "folder/"])
def test_an_output_is_one_file_of_a_known_format(output: str, model: Path) -> None:
    for write in (api.render, api.bake, api.export):
        with pytest.raises(ViewerError, match="output"):
            write(model, output=f"{model.parent}/{output}")


def test_check_finds_what_is_wrong(model: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.mdl"
    broken.write_bytes(model_bytes()[:100])
    findings = api.check(broken)
    assert any(each.severity is api.Severity.ERROR for each in findings)
    assert all(each.file == str(broken) for each in findings)
    assert api.check(broken, ignore=[each.rule for each in findings]) == ()


def test_diff_compares_by_meaning(model: Path) -> None:
    assert api.diff(model, api.open_document(model)).same
    clip = next(model.parent.glob("*.ani"))
    assert not api.diff(model, clip).same


def test_find_searches_folders(model: Path) -> None:
    found = api.find("kind:model", model.parent)
    assert [each.path for each in found] == [str(model)]
    assert found[0].facts is not None and found[0].facts.kind == "model"
    assert api.find("bones>1000", model.parent) == ()


def test_thumbnails_of_a_folder(model: Path) -> None:
    (model.parent / "broken.mdl").write_bytes(b"UMD2")
    made = {Path(each.path).name: each for each in api.thumbnails(model.parent, size=SIZE)}
    assert made[model.name]._repr_png_() == made[model.name].png != b""
    assert made["broken.mdl"]._repr_png_() is None and made["broken.mdl"].error


def test_worker_processes_do_the_same(model: Path) -> None:
    one, other = (list(api.thumbnails(model.parent, size=(16, 16), jobs=jobs)) for jobs in (1, None))
    assert [each.png for each in one] == [each.png for each in other]


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (FormatError, lambda model: api.show(model.with_name("none.mdl"))),
        (ResourceError, lambda model: api.show(model, animation="Nothing")),
        (ViewerError, lambda model: api.show(model, shading="shiny")),
        (ViewerError, lambda model: api.find("bones>", model)),
        (TypeError, lambda model: api.show(model, colour="red")),
        (ViewerError, lambda model: api.show(model, copy(model, model.with_name("Other.mdl")))),
    ],
)
def test_errors(model: Path, error: type[Exception], call: Any) -> None:
    with pytest.raises(error):
        call(model)


PAGE = folder("assets") / "manual/python.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def test_the_page_has_ten_examples() -> None:
    assert len(EXAMPLES) >= 10


@pytest.mark.usefixtures("wow")
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_page_run(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "assets").symlink_to(folder("assets"), target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, str(PAGE), "exec"), {})
    assert capsys.readouterr().out or "print" not in example
