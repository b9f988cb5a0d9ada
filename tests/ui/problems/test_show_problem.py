"""What a problem selects and marks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.synthetic import animation_bytes, model_bytes, track
from tests.ui.problems.test_problem_rows import model_state, put
from viewer.app.opened_check import check_opened
from viewer.errors import MISSING_PART, FormatError, NeededFile
from viewer.scene.finding import Finding, Severity
from viewer.scene.items import AnimationItem, BoneItem, ByteItem, KeyItem, TextureItem
from viewer.session.requests import FitView
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.ui.item_text import item_bytes
from viewer.ui.problems.problem_rows import ProblemRow, problem_rows
from viewer.ui.problems.show_problem import (
    present_problem,
    select_problem,
    select_problems,
    show_bytes,
)

NOTE = Severity.NOTE


def only(state: State, rule: str) -> ProblemRow:
    (found,) = (row for row in problem_rows(state) if row.rule == rule)
    return found


def held_by(state: State) -> Any:
    """The document with the bytes of the selected item."""
    found = item_bytes(state, state.view.selection.picked)
    return found and found[0]


def check_all(desk: Any) -> None:
    """Check the document in view, as the window does."""
    document = desk.state.document
    put(desk, *check_opened(document, desk.state.playback.animations))


def test_the_first_item_is_selected_and_all_are_marked(post: Any) -> None:
    items = (BoneItem(1), BoneItem(0))
    put(post, Finding("skeleton/unused-bone", NOTE, "2 bones", post.state.document.path, items=items))
    select_problem(post.state, only(post.state, "skeleton/unused-bone"))
    assert post.state.view.selection.picked == BoneItem(1)
    assert post.state.view.selection.group == items
    assert post.state.interface.front == "", "the list stays in front"


def test_problems_of_one_document_are_marked_together(post: Any, tmp_path: Path) -> None:
    (tmp_path / "Second.mdl").write_bytes(model_bytes())
    path = post.state.document.path
    put(post, *(Finding("skeleton/a", NOTE, f"bone {n}", path, items=(BoneItem(n),)) for n in (0, 1)))
    rows = problem_rows(post.state)
    post.state.put(open_document(tmp_path / "Second.mdl"))
    put(post, Finding("skeleton/a", NOTE, "other", str(tmp_path / "Second.mdl"), items=(BoneItem(5),)))
    rows += problem_rows(post.state)
    assert [row.text for row in problem_rows(post.state)] == ["other"], "only of the document in view"
    select_problems(post.state, [row for row in rows if row.rule == "skeleton/a"])
    assert post.state.document.path == path
    assert post.state.view.selection.group == (BoneItem(0), BoneItem(1))


def test_a_problem_of_bytes_alone_brings_them_to_the_front(post: Any) -> None:
    put(post, Finding("file/broken", Severity.ERROR, "cut off", post.state.document.path, 1 << 40, "bones"))
    row = only(post.state, "file/broken")
    last = ByteItem(len(post.state.document.data) - 1)
    select_problem(post.state, row, bring=False)
    assert (post.state.view.selection.picked, post.state.interface.front) == (last, "")
    select_problem(post.state, row)
    assert (post.state.view.selection.picked, post.state.interface.front) == (last, "chunks")


def test_keys_of_an_attached_file_are_selected_there_and_their_bones_are_marked(
    desk: Any, tmp_path: Path
) -> None:
    (tmp_path / "Post.mdl").write_bytes(model_bytes())
    keys = track("tip", [0.0, 9.0], position=[[0, 1, 0], [0, 2, 0]])
    (tmp_path / "Post_Late.ani").write_bytes(animation_bytes("Late", 1.0, [keys]))
    desk.state.put(open_document(tmp_path / "Post.mdl"))
    check_all(desk)
    select_problem(desk.state, only(desk.state, "animation/late-key"))
    selection = desk.state.view.selection
    assert isinstance(selection.picked, KeyItem)
    assert selection.source is desk.state.document.attached[0]
    assert BoneItem(1) in selection.group and AnimationItem(0) in selection.group
    desk.state.purge()
    assert isinstance(selection.picked, KeyItem), "it exists"


def test_animations_are_found_whatever_their_number_is_now(bent: Any) -> None:
    check_all(bent)
    row = only(bent.state, "animation/unmatched-track")
    document = bent.state.document
    document.animations = document.animations[::-1]
    select_problem(bent.state, row)
    assert bent.state.playback.animations[bent.state.view.selection.picked.number].name == "Other"
    document.animations = ()
    select_problem(bent.state, row)
    assert bent.state.view.selection.group == (), "it is no longer open"


def test_another_document_comes_into_view(post: Any, tmp_path: Path) -> None:
    put(post, Finding("skeleton/unused-bone", NOTE, "1 bone", post.state.document.path, items=(BoneItem(1),)))
    row, first = only(post.state, "skeleton/unused-bone"), post.state.document
    (tmp_path / "Second.mdl").write_bytes(model_bytes())
    post.state.put(open_document(tmp_path / "Second.mdl"))
    assert post.state.document is not first
    select_problem(post.state, row)
    assert post.state.document is first and post.state.view.selection.picked == BoneItem(1)
    post.state.close(post.state.documents.current)
    select_problem(post.state, row)
    assert post.state.view.selection.picked is None, "its document is closed"


def test_a_missing_texture_leads_to_its_page() -> None:
    text = "texture ax.png is missing; searched: /ax.png"
    items, need = (TextureItem(1),), ("texture", "ax.png")
    state = model_state(Finding("texture/missing", NOTE, text, "/a.mdl", items=items, need=need))
    select_problem(state, only(state, "texture/missing"))
    assert (state.view.selection.picked, state.interface.front) == (TextureItem(1), "properties")


def test_a_missing_file_leads_to_the_page_of_the_document(post: Any) -> None:
    file = NeededFile("skeleton", "a.skeleton")
    post.state.document.report.warn("the skeleton is missing", MISSING_PART, file)
    post.state.view.selection.pick(BoneItem(0))
    select_problem(post.state, only(post.state, "file/missing"))
    assert (post.state.view.selection.picked, post.state.interface.front) == (None, "properties")


@pytest.mark.parametrize(
    ("item", "posted"),
    [(BoneItem(0), [FitView(selected=True)]), (AnimationItem(0), []), (TextureItem(0), [])],
)
def test_a_problem_is_framed_or_played(post: Any, item: Any, posted: list[Any]) -> None:
    put(post, Finding("a/b", NOTE, "one", post.state.document.path, items=(item,)))
    present_problem(post.state, post.posted.append, only(post.state, "a/b"))
    assert post.posted == posted
    assert bool(post.state.view.playlist) == isinstance(item, AnimationItem)


def test_the_bytes_of_a_problem_come_to_the_front(post: Any) -> None:
    document = post.state.document
    bone = document.origin.span(BoneItem(0)).offset
    put(post, Finding("a/b", NOTE, "one", document.path, bone, items=(BoneItem(0),)))
    show_bytes(post.state, only(post.state, "a/b"))
    assert (post.state.view.selection.picked, post.state.interface.front) == (BoneItem(0), "chunks")
    put(post, Finding("a/b", NOTE, "one", document.path, 9, items=(BoneItem(0),)))
    show_bytes(post.state, only(post.state, "a/b"))
    assert post.state.view.selection.picked == ByteItem(9), "the item begins elsewhere"


def test_bytes_of_another_file_of_the_model_are_selected_there(desk: Any, tmp_path: Path) -> None:
    (tmp_path / "Post.mdl").write_bytes(model_bytes())
    keys = track("tip", [0.0, 0.5], position=[[0, 1, 0], [0, 2, 0]])
    other = tmp_path / "Post_Late.ani"
    other.write_bytes(animation_bytes("Late", 1.0, [keys]))
    desk.state.put(open_document(tmp_path / "Post.mdl"))
    put(desk, Finding("file/broken", NOTE, "one", str(other), 9))
    row, (attached,) = only(desk.state, "file/broken"), desk.state.document.attached
    select_problem(desk.state, row)
    assert held_by(desk.state) is attached
    desk.state.view.selection.pick(ByteItem(9))
    assert held_by(desk.state) is desk.state.document


def test_bytes_of_a_file_that_is_not_open_are_not_looked_for_in_the_model(post: Any) -> None:
    script = FormatError("no closing brace", "material Wood", 9, "/other/post.material")
    post.state.document.report.fail(script)
    row = only(post.state, "file/broken")
    assert (row.document, row.file, row.offers_bytes) == (None, "post.material", False)
    select_problem(post.state, row)
    assert post.state.view.selection.picked is None
