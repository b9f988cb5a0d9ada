"""The view that a document begins with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.synthetic import write_pair
from viewer.formats import open_document
from viewer.session.view import DocumentView


def test_what_the_file_hides_is_hidden_at_first(tmp_path: Path) -> None:
    document = open_document(write_pair(tmp_path))
    assert document.model is not None
    shown = document.model.geometries[0]
    document.content = replace(document.model, geometries=(shown, replace(shown, shown=False)))
    assert DocumentView.of(document).hidden == {1}
    assert DocumentView.of(None).hidden == set()


def test_a_view_that_follows_another_has_a_clock_of_its_own() -> None:
    one, two = DocumentView(), DocumentView()
    one.clock.seek(2.0)
    two.follow(one)
    one.clock.seek(3.0)
    assert two.clock.time == 2.0
