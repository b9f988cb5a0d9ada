"""Installed families: what they give, and what their faults cost."""

from __future__ import annotations

import builtins
import json
import os
import struct
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.plugins import POINTS, installed, points_bytes, write_plugin
from viewer.check.checking import check_file
from viewer.check.rules import all_rules
from viewer.commands import family_check
from viewer.commands.cli import main
from viewer.edit.operations import edited
from viewer.edit.values import EditError
from viewer.errors import FormatError
from viewer.family import registry
from viewer.library.index.database import default_path
from viewer.library.workers.batches import LocalRunner, run_batch
from viewer.scene.edits import Edit
from viewer.scene.model import Model
from viewer.storage.documents import open_document, open_undressed

LINE = {"pts3": "made_points:FAMILY"}


@pytest.fixture
def points(tmp_path: Path) -> Path:
    """A file of points."""
    path = tmp_path / "three.pts3"
    path.write_bytes(points_bytes())
    return path


def faults() -> list[str]:
    """The lines about plugins."""
    return registry.take_faults()


def test_a_file_of_an_installed_family_opens(tmp_path: Path, points: Path) -> None:
    with installed(write_plugin(tmp_path / "site", LINE, POINTS)):
        document = open_document(points)
        assert (document.format, document.report.errors, faults()) == ("Points", [], [])
        assert isinstance(document.content, Model) and document.content.vertex_buffers[0].count == 3
        assert ".pts3" in registry.suffixes("model") and registry.has_role("A.PTS3", "model")
        assert registry.plugin_versions() == ("made-points 1.0",)
    with pytest.raises(FormatError, match="the format is unknown"):
        open_document(points)


def test_a_file_of_an_installed_family_is_edited_by_its_layout(tmp_path: Path, points: Path) -> None:
    ruled = POINTS.replace(
        'magics=(b"PTS3",))', 'magics=(b"PTS3",), edits=EditRules(stored_text=lambda *given: 1 / 0))'
    ).replace("Document, Family", "Document, EditRules, Family")
    with installed(write_plugin(tmp_path / "site", LINE, POINTS)):
        document = open_undressed(points)
        made = edited(document, [Edit("points[1]/position", "7 8 9")]).document
        assert made.data == document.data[:20] + struct.pack("<3f", 7, 8, 9) + document.data[32:]
        assert made.root.child("points").children[1].children[0].value == [7.0, 8.0, 9.0]
        with pytest.raises(EditError, match=r"unreadable|read differently|belong to no field"):
            edited(document, [Edit("count", "2")])
    with installed(write_plugin(tmp_path / "other", LINE, ruled)), pytest.raises(FormatError, match="failed"):
        edited(open_undressed(points), [Edit("points[1]/position", "7 8 9")])


def test_a_plugin_is_found_by_its_bytes_if_nothing_else_fits(tmp_path: Path) -> None:
    path = tmp_path / "three.bin"
    path.write_bytes(points_bytes())
    with installed(write_plugin(tmp_path / "site", LINE, POINTS)):
        assert open_document(path).format == "Points"


def test_a_plugin_reads_what_is_known_as_a_format_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "quake.mdl"
    path.write_bytes(b"IDPO" + points_bytes()[4:])
    with pytest.raises(FormatError, match="is a Quake model"):
        open_document(path)
    with installed(write_plugin(tmp_path / "site", LINE, POINTS.replace("PTS3", "IDPO"))):
        assert open_document(path).format == "Points"


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("raise RuntimeError('no licence')", "cannot be imported: RuntimeError: no licence"),
        ("import nothing_of_this_name", "cannot be imported: ModuleNotFoundError"),
        ("FAMILY = 3", "cannot be used: its value is no Family but int"),
        (POINTS.replace("(FORMAT,))", "(FORMAT,), api=99)"), "written for version 99 of viewer.plugin"),
        ("OTHER = 1", "cannot be imported: AttributeError"),
    ],
)
def test_a_plugin_that_cannot_be_used_is_a_line(tmp_path: Path, points: Path, source: str, line: str) -> None:
    with installed(write_plugin(tmp_path / "site", LINE, source)):
        with pytest.raises(FormatError, match="made-points") as caught:
            open_document(points)
        assert "the format is unknown" in caught.value.why
        (told,) = faults()
        assert told.startswith("the plugin made-points ") and line in told
        assert ".mdl" in registry.suffixes("model"), "the rest of the program is unharmed"


@pytest.mark.usefixtures("wow")
def test_suffixes_of_others_stay_theirs(tmp_path: Path) -> None:
    lines = {"mdl": "made_points:FAMILY", **LINE}
    with installed(write_plugin(tmp_path / "site", lines, POINTS)):
        assert [row.suffixes for row in registry.installed()] == [(".pts3",)]
        assert faults() == [
            "the plugin made-points names the suffix .mdl, which Urho3D has: Urho3D opens these files"
        ]
        assert registry.kind_of("x.mdl") is registry.kind_of("x.m2")


def test_the_first_plugin_on_the_path_has_a_suffix(tmp_path: Path) -> None:
    first = write_plugin(tmp_path / "a", LINE, POINTS)
    second = write_plugin(tmp_path / "b", {"pts3": "other:FAMILY"}, POINTS, name="other")
    with installed(first, second):
        assert [(row.distribution, row.suffixes) for row in registry.installed()] == [
            ("made-points", (".pts3",)),
            ("other", ()),
        ]
        assert faults() == [
            "the plugin other names the suffix .pts3, which made-points has: made-points opens these files"
        ]


def test_magics_and_names_of_others_stay_theirs(tmp_path: Path) -> None:
    source = POINTS.replace("PTS3", "UMDL").replace('Format("Points"', 'Format("OGRE mesh"', 1)
    source += (
        "\nTWO = Format('Two', ('.pts3',), probe, document_of, magics=(b'UMDLX',))"
        "\nFAMILY = Family('Points', (FORMAT, TWO))"
    )
    with installed(write_plugin(tmp_path / "site", LINE, source)):
        family = registry.plugin_of(registry.installed()[0])
        assert family is not None and family.formats == ()
        assert faults() == [
            "the plugin made-points names the format OGRE mesh, which exists",
            "the plugin made-points names the magic b'UMDLX', which is taken",
        ]


def test_a_plugin_that_is_installed_twice_is_used_once(tmp_path: Path, points: Path) -> None:
    folders = [write_plugin(tmp_path / name, LINE, POINTS, version=name) for name in ("1.0", "2.0")]
    with installed(*folders):
        assert [row.version for row in registry.installed()] == ["1.0"]
        (line,) = faults()
        assert line.startswith("the plugin made-points is installed twice") and "made_points-2.0" in line


@pytest.mark.parametrize("damage", ["folder", "encoding", "value"])
def test_an_unreadable_distribution_is_a_line(tmp_path: Path, points: Path, damage: str) -> None:
    folder = write_plugin(tmp_path / "site", LINE, POINTS)
    file = folder / "made_points-1.0.dist-info/entry_points.txt"
    file.unlink()
    if damage == "folder":
        file.mkdir()
    else:
        value = b"made_points:FAMILY # \xff" if damage == "encoding" else b"made points"
        file.write_bytes(b"[rigscope.families]\npts3 = " + value)
    with installed(folder):
        assert registry.installed() == ()
        (line,) = faults()
        assert line.startswith("the plugin made-points ")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("def document_of(file):\n    raise ValueError('half of it')", "ValueError: half of it"),
        ("def document_of(file):\n    return None", "its loader returned no document"),
        ("def document_of(file):\n    raise MemoryError", "MemoryError"),
        ("def document_of(file):\n    raise SystemExit(3)", "SystemExit: 3"),
        (
            "made = document_of\ndef document_of(file):\n    d = made(file); d.format = 'P'; return d",
            "its document has the format 'P'",
        ),
    ],
)
def test_a_loader_that_fails_refuses_its_file(tmp_path: Path, points: Path, change: str, why: str) -> None:
    source = (
        POINTS + f"\n{change}\nFAMILY = Family('Points', (Format('Points', ('.pts3',), probe, document_of),))"
    )
    with installed(write_plugin(tmp_path / "site", LINE, source)):
        with pytest.raises(FormatError, match=f"the plugin made-points failed: {why}") as caught:
            open_document(points)
        assert caught.value.file == str(points)
        (found,) = check_file(str(points))
        assert found.rule == "file/plugin"


def test_an_error_of_a_loader_names_its_file(tmp_path: Path, points: Path) -> None:
    source = POINTS + (
        "\nfrom viewer.plugin import FormatError\n"
        "def document_of(file):\n    raise FormatError('bad bytes', 'points/count', 4)\n"
        "FAMILY = Family('Points', (Format('Points', ('.pts3',), probe, document_of),))"
    )
    with installed(write_plugin(tmp_path / "site", LINE, source)):
        with pytest.raises(FormatError) as caught:
            open_document(points)
        assert str(caught.value) == f"{points}: bad bytes (points/count at 0x4)"


def test_functions_of_a_document_that_fail_are_lines(tmp_path: Path, points: Path) -> None:
    source = POINTS + (
        "\nfrom viewer.plugin import Animation, LazyTracks, Origin\n"
        "def tracks():\n    yield 1 / 0\n"
        "def more(file):\n"
        "    document = document_of(file)\n"
        "    document.origin = Origin(lambda: 1 / 0)\n"
        "    document.animations = (Animation('wave', 1.0, LazyTracks(tracks)),)\n"
        "    return document\n"
        "FAMILY = Family('Points', (Format('Points', ('.pts3',), probe, more),))"
    )
    with installed(write_plugin(tmp_path / "site", LINE, source)):
        document = open_document(points)
        assert document.origin.item(8) is None and len(document.animations[0].tracks) == 0
        assert faults() == [
            "the plugin made-points failed in the origin of a document: ZeroDivisionError: division by zero",
            "the plugin made-points failed in the tracks of a clip: ZeroDivisionError: division by zero",
        ]


def test_suffixes_without_an_entry_point_are_told(tmp_path: Path) -> None:
    source = POINTS.replace('(".pts3",)', '(".pts3", ".pts4")')
    with installed(write_plugin(tmp_path / "site", LINE, source)):
        assert registry.kind_of("x.pts3") is not None
        (line,) = faults()
        assert line.startswith("the plugin made-points: Points has the suffix .pts4")


WRONG = {
    "lods=(Lod(0.0, (3,), None, 0, 1, Primitive.POINTS),)": r"vertex buffer 3 does not exist: there are 1",
    "lods=(Lod(0.0, (0,), None, 0, 9, Primitive.POINTS),)": r"draws 9 from 0 on, of 3",
    "lods=(Lod(0.0, (0,), 4, 0, 3, Primitive.POINTS),)": r"index buffer 4 does not exist",
    "material=7": r"material 7 does not exist: there are 0",
    "bone_map=np.zeros(2, np.float32)": r"has float32 \[2\] instead of whole numbers",
}


@pytest.mark.parametrize("field", WRONG)
def test_a_document_that_points_outside_is_refused(tmp_path: Path, points: Path, field: str) -> None:
    source = POINTS + (
        "\nfrom msgspec.structs import replace\n"
        "def wrong(points, name):\n"
        "    model = model_of(points, name)\n"
        f"    return replace(model, geometries=(replace(model.geometries[0], {field}),))\n"
        "FAMILY = Family('Points', (replace(FORMAT, load=lambda file: document_of(file, wrong)),))"
    )
    with installed(write_plugin(tmp_path / "site", LINE, source)):
        with pytest.raises(FormatError, match=WRONG[field]) as caught:
            open_document(points)
        assert "the plugin made-points failed" in caught.value.why and "geometries[0]" in caught.value.path


@pytest.mark.parametrize(
    ("bones", "why"),
    [
        ("parents=np.array([1, 0], np.int32)", "parent cycle"),
        ("parents=np.array([-1, 2], np.int32)", "are no numbers of 2 bones"),
        ("parents=np.array([-1, 0], np.int32), positions=np.zeros((3, 3))", r"has the shape \[3, 3\]"),
        ("parents=np.array([-1, 0], np.int32), scales=np.full((2, 3), np.nan)", "not finite"),
    ],
)
def test_a_skeleton_without_sense_is_refused(tmp_path: Path, points: Path, bones: str, why: str) -> None:
    source = POINTS + (
        "\nfrom viewer.plugin import Skeleton\nfrom msgspec.structs import replace\n"
        "turns = np.tile((0.0, 0, 0, 1), (2, 1))\n"
        "TRS = dict(positions=np.zeros((2, 3)), rotations=turns, scales=np.ones((2, 3)))\n"
        f"bones = Skeleton(('a', 'b'), **(TRS | dict({bones})))\n"
        "FAMILY = Family('Points', (replace(FORMAT, load=lambda file: document_of(\n"
        "    file, lambda points, name: model_of(points, name, skeleton=bones))),))"
    )
    with installed(write_plugin(tmp_path / "site", LINE, source)), pytest.raises(FormatError, match=why):
        open_document(points)


def test_a_probe_and_a_rule_that_fail_are_lines(tmp_path: Path, points: Path) -> None:
    source = POINTS + (
        "\nfrom viewer.plugin import Found, Rule, Severity\n"
        "def fails(context):\n    yield Found('before')\n    raise KeyError('x')\n"
        "RULE = Rule('points/made', Severity.NOTE, 'Made', fails, {}, 'None.', 'b', after='file/foreign')\n"
        "def broken(data, suffix):\n    raise IndexError\n"
        "BROKEN = Format('Broken', ('.pts3',), broken, document_of)\n"
        "FAMILY = Family('Points', (BROKEN, FORMAT), rules=lambda: (RULE,))"
    )
    with installed(write_plugin(tmp_path / "site", LINE, source)):
        ids = [rule.id for rule in all_rules()]
        assert ids[ids.index("file/foreign") + 1] == "points/made"
        findings = check_file(str(points), select=["points/made"])
        assert [each.text for each in findings] == ["before"]
        assert faults() == [
            "the plugin made-points failed in the probe of Broken: IndexError",
            "the plugin made-points failed in the rule points/made: KeyError: 'x'",
        ]
    assert "points/made" not in [rule.id for rule in all_rules()]


def test_rules_of_others_stay_theirs(tmp_path: Path) -> None:
    source = POINTS + (
        "\nfrom viewer.plugin import Rule, Severity\n"
        "RULE = Rule('file/foreign', Severity.NOTE, 'Made', lambda context: (), {}, 'None.', 'b')\n"
        "FAMILY = Family('Points', (FORMAT,), rules=lambda: (RULE,))"
    )
    with installed(write_plugin(tmp_path / "site", LINE, source)):
        assert [rule.title for rule in all_rules() if rule.id == "file/foreign"] != ["Made"]
        assert faults() == ["the family Points names the rule file/foreign, which exists"]


def test_the_command_line_says_which_plugin_failed(
    tmp_path: Path, points: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with installed(write_plugin(tmp_path / "site", LINE, "raise RuntimeError('no licence')")):
        assert main(["info", str(points)]) == 1
        error = capsys.readouterr().err
        assert "rigscope: the plugin made-points cannot be imported: RuntimeError: no licence" in error
        assert "Traceback" not in error


def test_a_program_without_plugins(tmp_path: Path, points: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with installed(write_plugin(tmp_path / "site", LINE, POINTS)):
        assert main(["info", str(points), "--no-plugins"]) == 1
        assert "the format is unknown" in capsys.readouterr().err
        assert main(["info", str(points)]) == 0
        assert registry.uses_plugins()


def test_a_verb_comes_before_options(points: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--no-plugins", "info", str(points)]) == 2
    assert "info is a verb: the verb comes first" in capsys.readouterr().err


def test_families_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with installed(write_plugin(tmp_path / "site", LINE, POINTS)):
        assert main(["families"]) == 0
        lines = capsys.readouterr().out.splitlines()
        at = lines.index("Points  plugin made-points 1.0")
        assert lines[at + 1] == "  Points  .pts3" and lines[0] == "Urho3D  built in"
        assert main(["families", "--json"]) == 0
        row = json.loads(capsys.readouterr().out)[-1]
        assert (row["name"], row["usable"], row["suffixes"]) == ("Points", True, [".pts3"])
        assert row["plugin"] == {"name": "made-points", "version": "1.0"}


def test_an_author_tries_a_family(tmp_path: Path, points: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with installed(write_plugin(tmp_path / "site", LINE, POINTS)):
        assert main(["families", "--check", "Points", str(points)]) == 0
        out = capsys.readouterr().out
        assert "read as Points: 0 of 44 bytes unexplained" in out and "written again: the same bytes" in out
        assert "damaged 100 times: 100 times" in out
    with installed(
        write_plugin(tmp_path / "two", LINE, POINTS.replace("report = Report()", "report = Nothing()"))
    ):
        assert main(["families", "--check", "Points", str(points)]) == 1
        assert "NameError: name 'Nothing' is not defined" in capsys.readouterr().out
        assert main(["families", "--check", "Pionts", str(points)]) == 2


def test_an_author_is_told_of_names_that_mean_nothing(
    tmp_path: Path, points: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with installed(
        write_plugin(tmp_path / "site", LINE, POINTS.replace('"position", "f32"', '"postion", "f32"'))
    ):
        assert main(["families", "--check", "Points", str(points)]) == 1
        out = capsys.readouterr().out
        assert "vertices have 'postion', which is not drawn; drawn are position, normal" in out
        assert "geometry 'points' has no positions, and is not drawn" in out


def test_an_author_is_told_of_a_loader_that_does_not_end(
    tmp_path: Path, points: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(family_check, "SECONDS", 3.0)
    source = POINTS.replace("report = Report()", "report = Report()\n    while True: pass")
    with installed(write_plugin(tmp_path / "site", LINE, source)):
        assert main(["families", "--check", "Points", str(points)]) == 1
        assert "takes longer than 3 s" in capsys.readouterr().out


def test_an_author_is_told_that_a_cut_file_is_not_written(
    tmp_path: Path, points: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    points.write_bytes(points_bytes()[:-4])
    with installed(write_plugin(tmp_path / "site", LINE, POINTS)):
        assert main(["families", "--check", "Points", str(points)]) == 1
        assert "not written again: the file is incomplete" in capsys.readouterr().out


def test_caches_know_plugins(tmp_path: Path) -> None:
    before = default_path()
    with installed(write_plugin(tmp_path / "site", LINE, POINTS)):
        with_plugin = default_path()
    with installed(write_plugin(tmp_path / "new", LINE, POINTS, version="1.1")):
        assert len({before, with_plugin, default_path()}) == 3
    assert default_path() == before


def formats_of(path: str) -> str:
    """The task of a worker."""
    return open_document(path).format


def test_workers_see_plugins_and_end_those_that_hang(tmp_path: Path, points: Path) -> None:
    runner = LocalRunner(1, seconds=20)
    with installed(write_plugin(tmp_path / "site", LINE, POINTS)):
        (outcome,) = run_batch(formats_of, [str(points)], runner)
        assert outcome.value == "Points"
        registry.use_plugins(False)
        (outcome,) = run_batch(formats_of, [str(points)], runner)
        assert "the format is unknown" in outcome.why
    hangs = POINTS + (
        "\ndef document_of(file):\n    while True: pass\n"
        "FAMILY = Family('P', (Format('P', ('.pts3',), probe, document_of),))"
    )
    with installed(write_plugin(tmp_path / "hangs", LINE, hangs)):
        (outcome,) = run_batch(formats_of, [str(points)], LocalRunner(1, seconds=3))
        assert "takes longer than 3 s" in outcome.why


def test_a_plugin_whose_import_hangs_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "IMPORTING", 0.2)
    source = "import builtins\nbuiltins.made_started.set()\nbuiltins.made_gate.wait(30)\n" + POINTS
    first = write_plugin(tmp_path / "site", LINE, source)
    source = POINTS.replace('Format("Points", (".pts3"', 'Format("Other", (".pts4"').replace("PTS3", "PTS4")
    other = write_plugin(tmp_path / "other", {"pts4": "other:FAMILY"}, source, name="other")
    started, gate = threading.Event(), threading.Event()
    monkeypatch.setattr(builtins, "made_started", started, raising=False)
    monkeypatch.setattr(builtins, "made_gate", gate, raising=False)
    with installed(first, other):
        thread = threading.Thread(target=registry.kind_of, args=("x.pts3",))
        thread.start()
        assert started.wait(30)
        assert registry.kind_of("x.mdl") is not None
        assert registry.kind_of("x.pts4") is None
        assert faults() == ["the plugin other is not used: the import of a plugin does not end"]
        gate.set()
        thread.join()
        assert registry.kind_of("x.pts4") is not None


STARTS = """
import sys
from viewer.commands.cli import main
status = main(sys.argv[1:])
loaded = [each for each in ("made_points", "importlib.metadata", "other") if each in sys.modules]
print(status, *loaded, file=sys.stderr)
"""


@pytest.mark.parametrize(
    "verb", [["info"], ["info", "--json"], ["render", "-o", "out.png", "--size", "32x32"]]
)
def test_a_start_imports_no_plugin_that_is_not_asked_for(tmp_path: Path, verb: list[str]) -> None:
    one = write_plugin(tmp_path / "site", LINE, POINTS)
    two = write_plugin(tmp_path / "two", {"pts4": "other:FAMILY"}, POINTS, name="other")
    sample = str(ROOT / "assets/urho3d/Models/Beacon.mdl")
    done = subprocess.run(
        [sys.executable, "-c", STARTS, verb[0], sample, *verb[1:]],
        cwd=tmp_path,
        env=environment(one, two),
        capture_output=True,
        text=True,
    )
    assert done.stderr.split() == ["0"], done.stderr


def test_the_version_is_told_without_looking_for_plugins(tmp_path: Path) -> None:
    code = "import sys; from viewer.commands.cli import main; main(['--version']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment(), capture_output=True, text=True, check=True
    )
    assert "viewer.family.registry" not in done.stdout.split()


def environment(*folders: Path) -> dict[str, str]:
    """The variables of a process in which plugins are installed."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (*folders, ROOT)))}
