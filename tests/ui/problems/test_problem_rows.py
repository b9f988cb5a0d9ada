"""The rows of the Problems panel, and their order."""

from __future__ import annotations

from typing import Any
from weakref import ref

from tests.ui.conftest import Desk
from viewer.binary.span import Span
from viewer.errors import MISSING_PART, MISSING_TEXTURE, FormatError, NeededFile, Report
from viewer.scene.document import Document
from viewer.scene.finding import Finding, Severity
from viewer.scene.items import TextureItem
from viewer.scene.material import Material, Texture
from viewer.scene.model import Model
from viewer.session.check_result import CheckResult
from viewer.session.state import State
from viewer.ui.problems.problem_rows import ProblemRow, counts, problem_rows, version

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


def test_messages_of_the_program_are_told_once_the_latest_first(post: Any) -> None:
    put(post)
    state: State = post.state
    error = FormatError("cut off", "bones", 7)
    state.document.report.fail(error)  # type: ignore[union-attr]
    for text, kind in (("one", "error"), ("two", "error"), ("one", "error"), (str(error), "error")):
        state.say(text, kind)
    state.say("saved")
    assert told(state) == [("", "one"), ("", "two"), ("", "saved")]


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
    assert ProblemRow(Finding("", NOTE, "saved", "")).whole == "saved"


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
