"""Scripts: words to blocks, whatever the layout and the encoding; damage with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.damage import SCALE, peak
from viewer.budget import BUDGET
from viewer.families.ogre.materials import script as script_module
from viewer.families.ogre.materials.script import ParsedScript, ScriptBlock, parse_script


def parse(text: str | bytes) -> ParsedScript:
    return parse_script(text if isinstance(text, bytes) else text.encode(), "x.material")


def only(text: str | bytes) -> ScriptBlock:
    script = parse(text)
    assert not script.errors
    (block,) = script.blocks
    return block


@pytest.mark.parametrize(
    "text",
    [
        "material A\n{\n technique\n {\n  pass\n  {\n   lighting off\n  }\n }\n}",
        "material A{technique{pass{lighting off}}}",
        "material A // why\n\n\n{ technique /* { */ { pass { lighting off\r\n } } }",
        '\ufeffMATERIAL "A" {\nTechnique {\nPass {\nLighting off // on\n}\n}\n}\n',
    ],
)
def test_layouts_of_one_script(text: str) -> None:
    block = only(text)
    assert (block.kind, block.name) == ("material", "A")
    (technique,) = block.inner("technique")
    (drawn,) = technique.inner("pass")
    assert [(line.keyword, line.values) for line in drawn.lines] == [("lighting", ("off",))]


@pytest.mark.parametrize(
    ("head", "name", "parent"),
    [
        ("material My Car Paint", "My Car Paint", ""),
        ('material "a : b" : "My Parent"', "a : b", "My Parent"),
        ("material Child:Parent", "Child", "Parent"),
        ("abstract material Base", "Base", ""),
    ],
)
def test_heads(head: str, name: str, parent: str) -> None:
    block = only(head + "\n{\n}")
    assert (block.name, " ".join(block.parents), block.abstract) == (
        name,
        parent,
        head.startswith("abstract"),
    )


def test_words_with_slashes_and_drives_stay_whole() -> None:
    (line,) = only(r'material A { texture C:\art\a//b.png "two words" }').lines
    assert line.values == (r"C:\art\a//b.png", "two words")


def test_imports_and_variables() -> None:
    script = parse(
        'import A, B from "base.material"\nimport * from other\nset $x "1 2"\nmaterial M { set $y 3\n}'
    )
    assert [(each.file, each.names) for each in script.imports] == [
        ("base.material", ("A", "B")),
        ("other", ("*",)),
    ]
    assert (script.variables, script.blocks[0].variables) == ({"x": "1 2"}, {"y": "3"})


def test_names_in_gb18030_may_hold_braces_as_bytes() -> None:
    name = "亄骆驼"
    assert b"{" in name.encode("gb18030")
    assert only(f"material {name}\n{{\n}}".encode("gb18030")).name == name


BROKEN = """// 骆驼
material First
{
  technique
  {
material Second
{
  technique {
  }
}
}
material Third
{
"""


def test_a_material_without_an_end_does_not_take_the_next_one_with_it() -> None:
    script = parse(BROKEN)
    assert [block.name for block in script.blocks] == ["First", "Second", "Third"]
    assert [len(block.blocks) for block in script.blocks] == [1, 1, 0]


def test_an_open_quote_is_an_error_of_its_line() -> None:
    script = parse('material "A"\n{\n set_texture_alias x "stone\n}\nmaterial B\n{\n}\n')
    assert [(error.why, error.path) for error in script.errors] == [
        ("the quote is not closed", "material A/line 3")
    ]
    assert [block.name for block in script.blocks] == ["A", "B"]
    assert not parse('material "A B"\n{\n}\n').errors


def test_errors_say_line_and_offset_in_bytes() -> None:
    data = BROKEN.encode()
    found = [(error.why, error.path, error.offset) for error in parse(data).errors]
    assert found == [
        ("the material has no end", "material First/line 2", data.index(b"material First")),
        ("the material has no end", "material Third/line 12", data.index(b"material Third")),
    ]


def test_a_brace_too_many_is_an_oddity_with_line_and_offset() -> None:
    data = BROKEN.encode()
    (found,) = parse(data).oddities
    assert (found.path, found.offset) == ("line 11", data.index(b"}\nmaterial Third"))
    assert "closes no block" in found.why


@pytest.mark.parametrize(
    ("head", "first"), [('"Material #8"', "Material #8"), ("My Car Paint", "My"), ("M : Base", "M")]
)
def test_a_quoted_name_is_one_word(head: str, first: str) -> None:
    assert only(f"material {head}\n{{\n}}").first_word == first


def test_too_many_blocks_inside_each_other_are_passed_over() -> None:
    script = parse("material A {" + "x {" * 100_000 + "}" * 100_000 + "}\nmaterial B { }")
    assert [block.name for block in script.blocks] == ["A", "B"]
    assert "blocks are nested more than" in script.errors[0].why


@given(st.lists(st.sampled_from(["material", "A", "{", "}", "\n", ":", '"', "//", "/*", "set $x", "骆"])))
def test_any_text_is_read_to_its_end(words: list[str]) -> None:
    data = " ".join(words).encode()
    assert all(0 <= error.offset <= len(data) for error in parse(data).errors)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_to_their_end(data: bytes) -> None:
    assert parse(data).data == data


@pytest.mark.parametrize(
    "text",
    ["{" * 200_000, "}\n" * 200_000, "a {" * 200_000, "material a {\n" + "}\n" * 200_000],
    ids=["openings", "closings", "blocks", "ends"],
)
def test_the_errors_of_a_script_are_told_up_to_a_limit(text: str) -> None:
    script = parse(text)
    errors = (*script.errors, *script.oddities)
    assert 0 < len(errors) <= 2 * BUDGET.errors + 1
    assert max(error.offset for error in errors) <= len(text)


@pytest.mark.parametrize("text", ["x", ":/", "/*", '"', "ab ", "a\n"])
def test_the_memory_of_a_script_is_in_proportion(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        script_module, "BUDGET", replace(BUDGET, script_statements=BUDGET.script_statements // SCALE)
    )
    data = f"material a {{\n{text * 200_000}".encode()
    parse_script(data, "warm.material")
    assert peak(lambda: parse_script(data, "big.material")) < (64 << 20) // SCALE + 8 * len(data)


def test_a_script_is_read_up_to_its_number_of_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script_module, "BUDGET", replace(BUDGET, script_statements=10))
    read = parse("material a { }\n" * 20)
    assert len(read.blocks) == 5
    assert "more than 10 statements" in read.errors[-1].why


def test_the_blocks_of_a_block_are_kept_up_to_a_limit() -> None:
    read = parse("material a {" + "technique { }\n" * 2000 + "}\nmaterial b { }")
    assert [len(block.blocks) for block in read.blocks] == [BUDGET.block_children, 0]
    assert [error.why for error in read.errors] == [
        f"a material has more than {BUDGET.block_children} blocks"
    ]


def test_the_words_of_a_statement_are_kept_up_to_a_limit() -> None:
    read = parse("material a {\n" + "word " * 5000 + "\nb 1\n}")
    assert [len(line.values) for line in read.blocks[0].lines] == [BUDGET.statement_words - 1, 1]
    assert len(read.errors) == 1
