"""The options about reading reach every verb, for one command alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.packages import MATERIAL, png
from tests.synthetic import animation_bytes, model_bytes
from viewer.commands.cli import main
from viewer.commands.options.parser import UsageError
from viewer.commands.reading import READING, context_of, take_reading
from viewer.scene.reading_context import DEFAULT, ReadingContext

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A model whose texture is in the folder `given`, which no search reaches."""
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "models/Box.mdl"
    (path.parent / ".git").mkdir(parents=True)
    path.write_bytes(model_bytes())
    path.with_suffix(".txt").write_text("Box.xml\n")
    path.with_suffix(".xml").write_text(MATERIAL)
    (tmp_path / "given/Textures").mkdir(parents=True)
    (tmp_path / "given/Textures/P.png").write_bytes(png())
    return str(path)


def test_options_about_reading_become_one_value(tmp_path: Path) -> None:
    (tmp_path / "order.txt").touch()
    values = {
        "resources": (str(tmp_path),),
        "search": "near",
        "max_size": 7,
        "listfile": (str(tmp_path / "none.txt"),),
        "client": "1.12",
        "archive_order": str(tmp_path / "order.txt"),
        "json": True,
    }
    take_reading(values)
    assert set(values) == {"json", READING}
    assert context_of(values) == ReadingContext(
        resources=(str(tmp_path),),
        search="near",
        max_size=7,
        listfiles=(str(tmp_path / "none.txt"),),
        client="1.12",
        archive_order=str(tmp_path / "order.txt"),
    )
    plain: dict[str, object] = {}
    take_reading(plain)
    assert context_of(plain) == DEFAULT == context_of({})


@pytest.mark.parametrize(
    ("name", "value", "flag"),
    [("resources", ("/no/such",), "--resources /no/such"), ("archive_order", "/", "--archive-order /")],
)
def test_a_path_that_is_missing_is_refused(name: str, value: object, flag: str) -> None:
    with pytest.raises(UsageError, match=f"{flag}: no such"):
        take_reading({name: value})


def read_by(verb: str, model: str, out: Path, more: list[str], capsys: Captured) -> bool:
    """Whether a verb finds the texture of the model."""
    folder = str(Path(model).parent)
    match verb:
        case "info":
            main(["info", model, "--json", *more])
            return all(each["found"] for each in json.loads(capsys.readouterr().out)["textures"])
        case "check":
            main(["check", model, *more])
            return "P.png" not in capsys.readouterr().out
        case "find":
            main(["find", folder, "missing:texture", *more])
            return "Box.mdl" not in capsys.readouterr().out
        case "export":
            assert main(["export", model, "-o", str(out / "a.glb"), "--force", *more]) == 0
            return b"image/png" in (out / "a.glb").read_bytes()
        case _:
            assert main(["export", folder, "-o", str(out / "{name}.glb"), "--force", *more]) == 0
            return b"image/png" in (out / "Box.glb").read_bytes()


@pytest.mark.parametrize("verb", ["info", "check", "find", "export", "export of a folder"])
def test_resource_folders_reach_a_verb_and_do_not_stay(
    model: str, tmp_path: Path, verb: str, capsys: Captured
) -> None:
    given = ["--resources", str(tmp_path / "given")]
    found = [read_by(verb, model, tmp_path, more, capsys) for more in ([], given, [], given)]
    assert found == [False, True, False, True]


def test_pictures_are_drawn_with_the_resource_folders(model: str, tmp_path: Path) -> None:
    given = ["--resources", str(tmp_path / "given")]
    drawn = []
    for more in ([], given, []):
        assert main(["render", model, "-o", str(tmp_path / "a.png"), "--size", "64x64", *more]) == 0
        drawn.append((tmp_path / "a.png").read_bytes())
        (tmp_path / "a.png").unlink()
    assert drawn[0] == drawn[2] != drawn[1]


def test_a_usage_error_leaves_nothing_behind(model: str, tmp_path: Path, capsys: Captured) -> None:
    assert main(["info", model, "--search", "none", "--resources", str(tmp_path / "none")]) == 2
    assert "no such folder or file" in capsys.readouterr().err
    assert main(["info", model, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["textures"][0]["searched"]


def test_a_clip_for_thumbnails_is_read_in_the_context_of_the_command(
    model: str, tmp_path: Path, capsys: Captured
) -> None:
    clip = tmp_path / "Walk.ani"
    clip.write_bytes(animation_bytes() + bytes(4000))
    words = ["thumbs", model, "-o", str(tmp_path / "a.png"), "--animation", str(clip), "--jobs", "1"]
    assert main(words) == 0
    (tmp_path / "a.png").unlink()
    assert Path(model).stat().st_size < 4000 < clip.stat().st_size
    main([*words, "--max-size", "4000"])
    assert "more than the limit of 4,000" in capsys.readouterr().err
