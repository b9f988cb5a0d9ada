"""The files of a gallery."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.gallery_entries import ENTRIES, entry, png, write_gallery
from viewer.library.gallery.writer import SCRIPTS, SOURCE, GalleryWriter, page, quoted

WAYS_TO_HTML = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|https?:"
)


def test_a_page_and_a_folder_with_pictures_are_written(tmp_path: Path) -> None:
    write_gallery(tmp_path / "out.html")
    pictures = [each for each in (tmp_path / "out_files").iterdir() if each.suffix == ".png"]
    assert sorted(os.listdir(tmp_path)) == ["out.html", "out_files"]
    assert len(pictures) == len(ENTRIES) - 1
    assert png(0) in [each.read_bytes() for each in pictures]


def test_equal_pictures_are_one_file(tmp_path: Path) -> None:
    gallery = GalleryWriter(str(tmp_path / "out.html"), "")
    for name in ("a", "b"):
        gallery.add(entry(name), png(1))
    assert len(os.listdir(tmp_path / "out_files")) == 1


def test_entries_in_another_order_make_the_same_bytes(tmp_path: Path) -> None:
    for number, entries in enumerate((ENTRIES, ENTRIES[::-1])):
        gallery = GalleryWriter(str(tmp_path / f"{number}.html"), "")
        for each in entries:
            gallery.add(each, png(len(each.name)))
        gallery.finish()
    first, second = ((tmp_path / f"{number}_files/entries.js").read_bytes() for number in range(2))
    assert second == first.replace(b'"0_files"', b'"1_files"')


def test_nothing_but_the_pictures_of_an_earlier_gallery_is_removed(tmp_path: Path) -> None:
    write_gallery(tmp_path / "out.html")
    (tmp_path / "out_files/notes.png").write_bytes(b"mine")
    before = set(os.listdir(tmp_path / "out_files"))
    write_gallery(tmp_path / "out.html", ENTRIES[:1])
    left = set(os.listdir(tmp_path / "out_files"))
    assert "notes.png" in left and len(left) == 3 and left < before


def test_an_interrupted_gallery_leaves_the_earlier_one_whole(tmp_path: Path) -> None:
    write_gallery(tmp_path / "out.html")
    before = {each.name: each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()}
    GalleryWriter(str(tmp_path / "out.html"), "other").add(entry("new"), png(99))
    after = {each.name: each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()}
    assert before.items() <= after.items()


def test_no_folder_is_made_for_the_page(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        GalleryWriter(str(tmp_path / "none/out.html"), "")
    assert os.listdir(tmp_path) == []


def test_texts_are_escaped_in_the_page() -> None:
    text = page("</title><script>", "a&b")
    assert "&lt;/title&gt;&lt;script&gt;" in text and "</title><script>" not in text
    assert 'src="a&amp;b/entries.js"' in text


@pytest.mark.parametrize(
    ("name", "address"), [("a b#?%_files", "a%20b%23%3F%25_files"), ("\udcff", "%FF"), ("模", "%E6%A8%A1")]
)
def test_the_folder_is_an_address(name: str, address: str) -> None:
    assert quoted(name) == address


@pytest.mark.parametrize("name", [*SCRIPTS, "page.html", "page.css"])
def test_no_source_makes_elements_of_texts_or_asks_the_network(name: str) -> None:
    text = (SOURCE / name).read_text()
    assert not WAYS_TO_HTML.search(text)
    assert "</script" not in text or name == "page.html"
