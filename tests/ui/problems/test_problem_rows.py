"""The rows of the Problems panel, and their order."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from weakref import ref

from tests.synthetic import animation_bytes, model_bytes
from tests.ui.conftest import Desk
from viewer.binary.span import Span
from viewer.errors import MISSING_PART, MISSING_TEXTURE, FormatError, NeededFile, Report
from viewer.scene.choices import CompareMode
from viewer.scene.document import Document
from viewer.scene.finding import Finding, Severity
from viewer.scene.items import GeometryItem, TextureItem
from viewer.scene.material import Material, Texture
from viewer.scene.model import Model
from viewer.session.check_result import CheckResult
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.ui.problems.problem_rows import ProblemRow, count_text, counts, problem_rows, version

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


def put(desk: Desk, *findings: Finding) -> None:
    """Let the document in view have these findings."""
    state = desk.state
    state.view.checked = CheckResult(findings, tuple(map(ref, state.playback.animations)))


def told(state: State) -> list[tuple[str, str]]:
    return [(row.rule, row.text) for row in problem_rows(state)]


def test_before_the_check_the_messages_of_the_readers_are_listed(post: Any) -> None:
    report = post.state.document.report
    before = set(told(post.state))
    report.note("odd")
    report.warn("stray indices")
    report.fail(FormatError("cut off", "bones", 7))
    report.warn("texture a.png is missing", MISSING_TEXTURE)
    report.warn("the skeleton is missing", MISSING_PART, NeededFile("skeleton", "a.skeleton"))
    report.warn("the skeleton cannot be read", MISSING_PART)
    assert [each for each in told(post.state) if each not in before] == [
        ("file/missing", "skeleton a.skeleton is missing"),
        ("file/broken", "cut off"),
        ("file/damage", "the skeleton cannot be read"),
        ("file/damage", "stray indices"),
        ("file/oddity", "odd"),
    ]


def test_findings_take_the_place_of_messages(post: Any) -> None:
    post.state.document.report.warn("stray indices")
    put(post, Finding("mesh/zero-normal", WARNING, "4 normals", post.state.document.path))
    assert told(post.state) == [("mesh/zero-normal", "4 normals")]


def test_what_users_look_for_first_comes_first(post: Any) -> None:
    rules = (
        *("new/rule", "mesh/degenerate-triangle", "skeleton/unused-bone", "animation/loop-jump"),
        *("material/no-alpha", "texture/missing"),
    )
    put(post, *(Finding(rule, NOTE, rule, "") for rule in rules), Finding("mesh/a", WARNING, "worse", ""))
    assert [rule for rule, _ in told(post.state)] == ["mesh/a", *reversed(rules)]


def test_messages_of_the_program_are_no_rows(post: Any) -> None:
    put(post)
    before = version(post.state)
    post.state.say("no such file", "error")
    assert told(post.state) == [] and version(post.state) == before


def test_rows_do_not_change_while_the_first_check_runs(post: Any) -> None:
    before = version(post.state)
    post.state.document.report.warn("keys are out of order")
    assert version(post.state) == before
    post.state.interface.preferences.check_files = False
    assert version(post.state) != before


def test_findings_stay_without_their_items_until_a_reloaded_document_is_checked(post: Any) -> None:
    found = Finding("mesh/a", WARNING, "bad", post.state.document.path, 7, items=(GeometryItem(3),))
    put(post, found)
    post.state.put(open_document(post.state.document.path))
    (row,) = problem_rows(post.state)
    assert row.text == "bad" and row.finding.items == () and not row.offers_bytes
    post.state.interface.preferences.check_files = False
    post.state.put(open_document(post.state.document.path))
    assert post.state.view.checked is None


def test_rows_say_whose_they_are(post: Any, tmp_path: Path) -> None:
    state, bad = post.state, Finding("a/b", ERROR, "bad", "")
    put(post, bad)
    (tmp_path / "Walk.ani").write_bytes(animation_bytes())
    clip = open_document(tmp_path / "Walk.ani")
    state.put(clip)
    state.documents.view_of(clip).checked = CheckResult((bad,))
    rows = problem_rows(state)
    assert [row.text for row in rows] == ["bad", "Walk.ani (clip): bad"]
    assert count_text(rows, ERROR) == "2 errors, 1 in Walk.ani (clip)"
    state.close(1)
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / Path(state.document.path).name
    other.write_bytes(model_bytes())
    state.put(open_document(other))
    put(post, bad)
    state.compare(CompareMode.SIDE, state.documents.opened[0])
    assert sorted(row.text.split("/")[-1] for row in problem_rows(state)) == [f"{other.name}: bad"] * 2
    assert len({row.text for row in problem_rows(state)}) == 2, "equal names have their folders"


def test_ignored_rules_are_left_out(post: Any) -> None:
    put(post, Finding("mesh/a", NOTE, "a", ""), Finding("mesh/b", NOTE, "b", ""))
    before = version(post.state)
    post.state.interface.preferences.ignored_rules.append("mesh/a")
    assert told(post.state) == [("mesh/b", "b")] and version(post.state) != before


def test_rows_are_counted_by_severity(post: Any) -> None:
    put(post, Finding("a/b", NOTE, "a", ""), Finding("a/c", ERROR, "b", ""), Finding("a/d", NOTE, "c", ""))
    assert counts(problem_rows(post.state)) == {ERROR: 1, WARNING: 0, NOTE: 2}


def test_the_text_of_a_row_has_everything() -> None:
    finding = Finding("a/b", WARNING, "bad\x1b", "/x/y.mdl", 16, "bones[1]", (), "It breaks.", "Mend it.")
    row = ProblemRow(finding)
    assert row.whole.split("\n") == [
        "warning a/b: bad\\x1b",
        "/x/y.mdl (bones[1] at 0x10)",
        "It breaks.",
        "Mend it.",
    ]
    assert (row.file, row.location) == ("y.mdl", "bones[1] at 0x10")


def model_state(*findings: Finding) -> State:
    """A model with the missing textures `x.png` and `ax.png`."""
    model = Model(
        "",
        textures=(Texture("x.png", searched=("/x.png",)), Texture("ax.png", searched=("/ax.png",))),
        materials=(Material("M", "/m", units={"diffuse": 0, "normal": 1}),),
    )
    state, report = State(), Report()
    report.warn("texture ax.png is missing", MISSING_TEXTURE)
    state.put(Document("/a.mdl", "made up", "", b"", Span("a", 0, 0, "", None, ""), model, report))
    if findings:
        state.view.checked = CheckResult(findings)
    return state


def test_a_missing_texture_is_known_by_its_name() -> None:
    rows = problem_rows(model_state())
    assert [(row.rule, row.need and row.need.items) for row in rows] == [
        ("texture/missing", (TextureItem(0),)),
        ("texture/missing", (TextureItem(1),)),
    ]


def test_a_missing_file_is_known_by_its_kind_and_name(post: Any) -> None:
    file = NeededFile("skeleton", "a.skeleton", ("/a.skeleton",))
    post.state.document.report.warn("the skeleton is missing", MISSING_PART, file)
    text, need = "skeleton a.skeleton is missing; searched: /a.skeleton", ("skeleton", "a.skeleton")
    put(post, Finding("file/missing", ERROR, text, "", need=need))
    (row,) = problem_rows(post.state)
    assert row.need is not None and (row.need.name, row.need.text) == ("a.skeleton", text)


def test_a_texture_that_the_user_gave_is_not_missing() -> None:
    text = "texture ax.png is missing; searched: /ax.png"
    need = ("texture", "ax.png")
    state = model_state(Finding("texture/missing", WARNING, text, "/a.mdl", need=need))
    assert len(problem_rows(state)) == 1
    before = version(state)
    state.view.textures[1] = "/given.png"
    assert problem_rows(state) == [] and version(state) != before
