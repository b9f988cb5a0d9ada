"""Edits: what is set is read again, nothing else changes, and undo gives the first bytes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.conftest import SHARED
from tests.edit.edited_files import (
    IN_PLACE,
    WRITTEN_ANEW,
    leaves,
    opened,
    other_value,
    sample_name,
    samples,
)
from tests.fuzzing.samples import Sample
from tests.m2_files import chunk, model_file
from tests.m2_files import model as m2_bytes
from tests.ogre_files import NEWEST, rich_mesh
from tests.ogre_skeletons import rich_skeleton
from tests.synthetic import animation_bytes, bone, model_bytes, track
from tests.table_files import table_bytes
from viewer.binary.span import unexplained
from viewer.edit.operations import edited, replacements, rewritten, undone, with_bytes
from viewer.edit.paths import node_at
from viewer.edit.rules import names_of, value_of
from viewer.edit.values import EditError, text_field
from viewer.errors import ResourceError, ViewerError
from viewer.scene.document import Document
from viewer.scene.edits import ChangedValue, Edit
from viewer.storage.documents import open_undressed

REAL = [
    each
    for suffix in ("mdl", "ani", "mesh", "skeleton", "vs3", "ps3", "vs4", "ps4", "dbc")
    for each in sorted((SHARED / "corpus").rglob(f"*.{suffix}"))
]


def saved(folder: Path, name: str, data: bytes) -> Document:
    (folder / name).write_bytes(data)
    return open_undressed(folder / name)


def value(document: Document, path: str) -> str | None:
    return value_of(document, node_at(document.root, path))


def with_value(document: Document, path: str, text: str) -> Document:
    return edited(document, [Edit(path, text)]).document


@pytest.fixture
def model(tmp_path: Path) -> Document:
    return saved(tmp_path, "A.mdl", model_bytes())


@pytest.mark.parametrize("sample", samples(*WRITTEN_ANEW, *IN_PLACE), ids=sample_name)
def test_a_file_is_written_anew_with_the_same_bytes(sample: Sample, tmp_path: Path) -> None:
    assert rewritten(opened(tmp_path, sample)) == sample.data


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_a_real_file_is_written_anew_with_the_same_bytes(path: Path) -> None:
    try:
        document = open_undressed(path)
    except ViewerError:
        pytest.skip("is a file to refuse")
    if not document.report.complete:
        pytest.skip("is a file that cannot be read completely")
    assert rewritten(document) == path.read_bytes()


@pytest.mark.parametrize("sample", samples(*WRITTEN_ANEW, *IN_PLACE), ids=sample_name)
def test_random_edits_are_read_again_and_undone(sample: Sample, tmp_path: Path) -> None:
    document, chance, done = opened(tmp_path, sample), random.Random(sample.name), 0
    for node in chance.sample(parts := leaves(document), min(len(parts), 60)):
        old = value_of(document, node)
        assert old is not None
        new = other_value(old, chance)
        try:
            made = edited(document, [Edit(node.path, new)])
        except EditError:
            continue
        done += 1
        assert undone(made.document, made.undo).data == sample.data
        for each in made.changes:
            assert value(made.document, each.path) == each.after
    assert done > 3 or sample.format == "anim"


@pytest.mark.parametrize(
    "path", REAL[::7] + sorted((SHARED / "corpus").rglob("*.anim"))[::9], ids=lambda path: path.name
)
def test_random_edits_of_a_real_file_are_undone(path: Path) -> None:
    try:
        document = open_undressed(path)
    except ViewerError:
        pytest.skip("is a file to refuse")
    chance, parts = random.Random(path.name), leaves(document)
    for node in chance.sample(parts, min(len(parts), 8)):
        try:
            made = edited(document, [Edit(node.path, other_value(value_of(document, node) or "", chance))])
        except EditError:
            continue
        assert undone(made.document, made.undo).data == document.data
        for each in made.changes:
            assert value(made.document, each.path) == each.after


@pytest.mark.parametrize("format", [*WRITTEN_ANEW, "m2", "skel", "blp"])
def test_undo_of_all_edits_gives_the_first_bytes(format: str, tmp_path: Path) -> None:
    sample = samples(format)[0]
    first = document = opened(tmp_path, sample)
    chance, steps = random.Random(format), []
    for node in chance.sample(parts := leaves(first), min(len(parts), 40)):
        try:
            old = value_of(document, node_at(document.root, node.path)) or ""
            made = edited(document, [Edit(node.path, other_value(old, chance))])
        except (EditError, ResourceError):
            continue
        steps.append(made.undo)
        document = made.document
    assert len(steps) > 2 and document.data != sample.data
    for step in reversed(steps):
        document = undone(document, step)
    assert document.data == sample.data


@pytest.mark.parametrize("sample", samples(*WRITTEN_ANEW), ids=sample_name)
def test_a_name_set_to_another_length_and_back_gives_the_first_bytes(sample: Sample, tmp_path: Path) -> None:
    document = opened(tmp_path, sample)
    texts = [each for each in leaves(document) if text_field(each.span) is not None]
    names = [each for each in texts if each.path != "version"]
    assert names or sample.format == "dbc" or not texts
    for node in names:
        name = str(node.span.value)
        for other in (f"{name}, longer by some letters", "q", "") if name else ("q",):
            try:
                longer = with_value(document, node.path, other)
            except EditError:
                assert (
                    other == "" or sample.format == "mesh"
                )  # a strategy of levels, or a name that another bone has
                continue
            assert value(longer, node.path) == other
            assert with_value(longer, node.path, name).data == sample.data


@pytest.mark.parametrize("order", ["<", ">"])
def test_chunks_around_a_longer_text_grow(order: str, tmp_path: Path) -> None:
    document = saved(tmp_path, "a.mesh", rich_mesh(NEWEST, order))  # type: ignore[arg-type]
    path = "mesh/submesh[0]/material"
    declared = {each: value(document, each) for each in ("mesh/declared", "mesh/submesh[0]/declared")}
    longer = with_value(document, path, str(value(document, path)) + "12345")
    assert {each: value(longer, each) for each in declared} == {
        each: str(int(number or 0) + 5) for each, number in declared.items()
    }
    assert longer.report.complete


def test_a_wrong_length_stays_wrong_by_the_same_difference(tmp_path: Path) -> None:
    document = saved(tmp_path, "a.mesh", rich_mesh(NEWEST))
    wrong = with_value(document, "mesh/skeleton link/declared", "13")
    size = node_at(wrong.root, "mesh/skeleton link").span.size
    shorter = with_value(wrong, "mesh/skeleton link/file", "b")
    moved = node_at(shorter.root, "mesh/skeleton link").span.size - size
    assert moved < 0 and value(shorter, "mesh/skeleton link/declared") == str(13 + moved)


def test_lengths_that_do_not_count_the_name_stay(tmp_path: Path) -> None:
    document = saved(tmp_path, "a.skeleton", rich_skeleton())
    longer = with_value(document, "bone[0]", "a much longer name")
    assert value(longer, "bone[0]/declared") == value(document, "bone[0]/declared")
    assert not longer.report.notes


def test_unknown_chunks_and_bytes_behind_the_end_are_written_as_read(tmp_path: Path) -> None:
    unknown = b"\x99\x99\x0a\0\0\0\1\2\3\4"
    data = rich_skeleton() + unknown
    document = saved(tmp_path, "a.skeleton", data)
    assert rewritten(document) == data
    assert with_value(document, "bone[0]", "Q").data.endswith(unknown)
    model = saved(tmp_path, "a.mdl", model_bytes() + b"more bytes")
    assert with_value(model, "bones[0]", "another name").data.endswith(b"more bytes")


@pytest.mark.parametrize("page", ["latin-1", "cp1251", "gb18030"])
def test_texts_keep_their_encoding(page: str, tmp_path: Path) -> None:
    letters = {"latin-1": "Köpfe über", "cp1251": "Правая рука", "gb18030": "白骆驼左手"}[page]
    bones = [bone("base", 0, 0, 0), bone("#" * len(letters.encode(page)), 0, 0.5, 0.5)]
    data = model_bytes(bones=bones).replace(b"#" * len(letters.encode(page)), letters.encode(page))
    document = saved(tmp_path, "a.mdl", data)
    assert rewritten(document) == data
    assert value(document, "bones[1]") == letters
    shorter = with_value(document, "bones[1]", letters[:-1])
    assert shorter.data == data.replace(letters.encode(page), letters[:-1].encode(page))
    assert with_value(document, "bones[0]", letters[:-2]).data.count(letters[:-2].encode(page)) == 2
    if page != "gb18030":
        with pytest.raises(EditError, match="cannot be stored"):
            edited(document, [Edit("bones[1]", "骆")])


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        ("bones[1]/parent", "99999", "99999 is out of range: bones has 2 rows"),
        ("bones[1]/parent", "-1", "out of range: u32 holds 0 to 4294967295"),
        ("bones[1]/name", "base", r"bones\[0\]/name has the name 'base' already"),
        ("bones[1]/pose/position", "1 2", "3 numbers are needed, not 2"),
        ("bones[1]/pose/position", "1 2 nan", "'nan' is not finite"),
        ("bones[1]/pose/position", "1 2 1e39", "out of range"),
        ("bones[1]/pose/position", "1 2 x", "'x' is no number"),
        ("bones[1]/collision", "256", "u8 holds 0 to 255"),
        ("bones[1]/collision", "sphere", "the rest of the file would be read differently|unreadable"),
        ("bones[1]/collision", "sphere's", "no whole number; or a word: none, sphere, box, both"),
        ("bones/count", "1", "a count follows from the number of its items"),
        ("bones[1]/name", "a\0b", "a zero byte"),
        ("vertex_buffers[0]/vertex_count", "3", "unreadable|read differently"),
        ("index_buffers[0]/indices[0]", "60000", "out of range"),
        ("geometries[0]/lods/lods[0]/vertex_buffer", "3", "unreadable|out of range"),
        ("magic", "UMD3", "bytes of the type magic are not edited"),
        ("bones[1]/pose", "1", "no value of its own; its parts are position, rotation, scale, offset"),
    ],
)
def test_a_wrong_value_is_refused_with_the_reason(path: str, text: str, why: str, model: Document) -> None:
    with pytest.raises(EditError, match=why):
        edited(model, [Edit(path, text)])


def test_several_values_are_one_edit(model: Document) -> None:
    made = edited(
        model, [Edit("bones[1]", "a long name of a bone"), Edit("bones[1]/pose/position", "1, 2, 3")]
    )
    assert made.changes == (
        ChangedValue("bones[1]/name", "tip", "a long name of a bone"),
        ChangedValue("bones[1]/pose/position", "0.0 0.5 0.0", "1.0 2.0 3.0"),
    )
    assert undone(made.document, made.undo).data == model.data
    with pytest.raises(EditError, match="set twice"):
        edited(model, [Edit("bones[1]", "a"), Edit("bones[1]/name", "b")])


def test_values_of_the_same_bytes_are_refused_together(tmp_path: Path) -> None:
    document, path = saved(tmp_path, "a.mesh", rich_mesh(NEWEST)), "mesh/submesh[0]/indices"
    with pytest.raises(EditError, match="are of the same bytes"):
        edited(document, [Edit(path, str(value(document, path))), Edit(f"{path}[0]", "0")])


def test_a_length_that_is_set_with_its_text_is_the_given_one(tmp_path: Path) -> None:
    document = saved(tmp_path, "a.mesh", rich_mesh(NEWEST))
    made = edited(document, [Edit("mesh/skeleton link/declared", "77"), Edit("mesh/skeleton link/file", "x")])
    assert value(made.document, "mesh/skeleton link/declared") == "77"
    assert value(made.document, "mesh/skeleton link/file") == "x"


def test_a_broken_file_beside_does_not_keep_a_mesh_from_being_edited(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(rich_skeleton()[:-30])
    document = saved(tmp_path, "a.mesh", rich_mesh(NEWEST))
    assert document.report.errors
    assert value(with_value(document, "mesh/submesh[0]", "Other"), "mesh/submesh[0]") == "Other"


def test_a_value_that_is_there_already_changes_nothing(model: Document) -> None:
    made = edited(model, [Edit("bones[1]", "tip")])
    assert (made.changes, made.undo) == ((), ()) and made.document is model


def test_words_and_flags_are_numbers(tmp_path: Path) -> None:
    document = saved(tmp_path, "a.ani", animation_bytes("Bend", 1.0))
    assert value(document, "tracks[0]/mask") is not None
    skeleton = saved(tmp_path, "a.skeleton", rich_skeleton())
    assert value(with_value(skeleton, "blend mode/mode", "cumulative"), "blend mode/mode") == "1"
    m2 = saved(tmp_path, "a.m2", m2_bytes())
    assert value(with_value(m2, "header/flags", "0x1|0x2"), "header/flags") == "3"


def test_bytes_are_typed_over(model: Document) -> None:
    span = node_at(model.root, "bones[1]/name").span
    made = with_bytes(model, span.offset, b"TIP")
    assert value(made.document, "bones[1]") == "TIP"
    assert undone(made.document, made.undo).data == model.data
    with pytest.raises(EditError, match=r"read differently|unreadable"):
        with_bytes(model, span.offset, b"\0")
    with pytest.raises(EditError, match="outside"):
        with_bytes(model, len(model.data) - 1, b"ab")


def test_a_damaged_file_is_edited_only_where_it_was_read(tmp_path: Path) -> None:
    document = saved(tmp_path, "cut.mdl", model_bytes()[:-20])
    assert not document.report.complete
    with pytest.raises(EditError, match="was not read completely, and is left as it is"):
        edited(document, [Edit("bones[0]", "x")])
    made = edited(document, [Edit("bones[0]", "a longer name")], incomplete=True).document
    assert made.data == document.data.replace(b"base\0", b"a longer name\0")


@pytest.mark.parametrize("sample", samples("mdl", "ani", "mesh", "skeleton"), ids=sample_name)
def test_nothing_of_a_cut_file_is_lost(sample: Sample, tmp_path: Path) -> None:
    chance = random.Random(sample.name)
    for _ in range(15):
        data = sample.data[: chance.randrange(30, len(sample.data))]
        try:
            document = saved(tmp_path, f"cut-{sample.name}", data)
        except ViewerError:
            continue
        texts = [each for each in leaves(document) if text_field(each.span) is not None]
        for node in texts[1:4]:
            if document.report.errors:
                with pytest.raises(EditError, match="left as it is"):
                    edited(document, [Edit(node.path, "other")])
            try:
                made = edited(document, [Edit(node.path, "other name")], incomplete=True)
            except EditError:
                continue
            assert made.document.data[-8:] == data[-8:] or node.span.end > len(data) - 40
            assert undone(made.document, made.undo).data == data


@pytest.mark.parametrize("format", ["pak", "mpq", "axp", "script"])
def test_packages_and_programs_are_not_edited(format: str, tmp_path: Path) -> None:
    document = opened(tmp_path, samples(format)[0])
    with pytest.raises(EditError, match="is not edited"):
        edited(document, [Edit(leaves(document)[0].path, "1")])


def m2_texts(folder: Path, chunked: bool) -> Document:
    return saved(folder, "a.m2", model_file(chunk("TXID", b"")) if chunked else m2_bytes())


@pytest.mark.parametrize("chunked", [False, True])
def test_a_name_of_a_model_that_fits_is_written_in_its_place(chunked: bool, tmp_path: Path) -> None:
    document = m2_texts(tmp_path, chunked)
    path = f"{'MD21/' if chunked else ''}header/name"
    name = str(value(document, path))
    shorter = with_value(document, path, name[:-2])
    assert len(shorter.data) == len(document.data) and value(shorter, path) == name[:-2]
    assert with_value(shorter, path, name).data == document.data


@pytest.mark.parametrize("chunked", [False, True])
def test_a_longer_name_of_a_model_goes_to_the_end_of_its_block(chunked: bool, tmp_path: Path) -> None:
    document = m2_texts(tmp_path, chunked)
    root = "MD21/" if chunked else ""
    path, name = f"{root}header/name", "a name that is much longer than its place " * 3
    longer = with_value(document, path, name)
    assert value(longer, path) == name and longer.report.complete
    assert [each.span.size for each in leaves(longer) if each.path.endswith("name")]
    if chunked:
        grown = int(value(longer, "MD21/header/name") is not None) and len(longer.data) - len(document.data)
        sizes = [int.from_bytes(each.data[4:8], "little") for each in (document, longer)]
        assert sizes[1] - sizes[0] == grown
    back = with_value(longer, path, str(value(document, path)))
    assert value(back, path) == value(document, path)


def test_other_references_keep_a_shared_text(tmp_path: Path) -> None:
    data = m2_bytes()
    document = saved(tmp_path, "a.m2", data)
    textures = [(node, text) for node, text in names_of(document, "textures") if text]
    assert textures
    node, text = textures[0]
    other = node_at(document.root, "header/name").span
    shared = bytearray(data)
    shared[other.offset : other.end] = data[node.span.offset : node.span.end]
    both = saved(tmp_path, "a.m2", bytes(shared))
    assert value(both, "header/name") == text
    made = with_value(both, "header/name", text[:-1])
    assert value(made, "header/name") == text[:-1] and value(made, node.path) == text


def test_texts_of_a_table(tmp_path: Path) -> None:
    document = saved(tmp_path, "Some.dbc", table_bytes([(1, "one"), (2, "two"), (3, "one"), (4, "four")]))
    path = "records[1]/column_2"
    assert value(document, path) == "two"
    shorter = with_value(document, path, "x")
    assert len(shorter.data) == len(document.data) and value(shorter, path) == "x"
    assert with_value(shorter, path, "two").data == document.data
    longer = with_value(document, path, "a longer text")
    assert [value(longer, f"records[{row}]/column_2") for row in range(4)] == [
        "one",
        "a longer text",
        "one",
        "four",
    ]
    shared = with_value(document, "records[0]/column_2", "new")
    assert [value(shared, f"records[{row}]/column_2") for row in range(4)] == ["new", "two", "one", "four"]
    assert value(with_value(document, path, ""), path) == ""
    assert len(with_value(document, path, "four").data) == len(document.data)


def test_a_part_of_all_names_of_a_kind_is_replaced(tmp_path: Path) -> None:
    document = saved(tmp_path, "a.mesh", rich_mesh(NEWEST))
    names = [text for _, text in names_of(document, "materials")]
    letter = names[0][0]
    made = edited(document, replacements(document, "materials", letter, "OTHER")).document
    assert [text for _, text in names_of(made, "materials")] == [
        each.replace(letter, "OTHER") for each in names
    ]
    clip = saved(tmp_path, "a.ani", animation_bytes("Bend", 1.0))
    assert replacements(clip, "bones", "no such name", "x") == []
    assert [text for _, text in names_of(clip, "clips")] == ["Bend"]


def test_a_track_is_not_given_the_name_of_another(tmp_path: Path) -> None:
    tracks = [track("base", [0.0], position=[(0, 0, 0)]), track("tip", [0.0], position=[(0, 0, 0)])]
    document = saved(tmp_path, "a.ani", animation_bytes("Bend", 1.0, tracks=tracks))
    with pytest.raises(EditError, match="has the name 'tip' already"):
        edited(document, [Edit("tracks[0]", "tip")])


def test_the_tree_of_an_edited_file_explains_every_byte(model: Document) -> None:
    made = with_value(model, "bones[1]", "a longer name")
    assert unexplained(made.root) == unexplained(model.root)


def test_an_unknown_path_is_no_refusal_but_a_wrong_name(model: Document) -> None:
    with pytest.raises(ResourceError, match="near"):
        edited(model, [Edit("bones[1]/nam", "x")])
