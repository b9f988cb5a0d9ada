"""The words that a scan of a script finds: never fewer than a parse of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.families.ogre.materials.script import parse_script
from viewer.families.ogre.materials.script_words import SCRIPTS, words_in, words_of
from viewer.storage.contents import ANY

KINDS = ("material", "hlms", "technique", "pass", "texture_unit")
TEXTS = {
    "plain.material": "material M { technique { pass { } } }\nMATERIAL\n\tN : M { }",
    "comments.material": "material // the first\n/* of two */ M\n{\n}\nmaterial/**/N{ }",
    "quoted.material": 'material "red brick" { }\n"material" N { }\nmaterial\'s { }\nmaterial"X"{ }',
    "import.material": 'import * from "root.material"\nmaterial M { }',
    "blocks.material": "abstract technique T { }\nabstract pass P { }\nabstract\tmaterial A { }",
    "unfinished.material": "material M {\nmaterial N {",
    "hlms.material": 'hlms D pbs { }\n{ "pbs" : { "J j" : { }, "a\\"b" : { } } }',
    "next.material.json": '{ "unlit" : { "x/y" : { }, "\\u0041b" : { } , " c" : { }, "{" : { } } }',
    "encodings.material": "material caf\u00e9 { }\nmaterial \u6b66\u5668 { }",
}


def assert_no_block_is_lost(data: bytes, file: str) -> None:
    words = {*words_in(data)}
    for kind, name in parse_script(data, file).named:
        sought = words_of(name)
        assert kind not in KINDS or sought is None or ANY in words or words & sought, (file, kind, name)


@pytest.mark.parametrize("file", TEXTS)
def test_a_scan_finds_each_block_of_a_script(file: str) -> None:
    for encoding in ("utf-8", "gb18030", "utf-8-sig"):
        assert_no_block_is_lost(TEXTS[file].encode(encoding), file)


def test_a_scan_finds_each_block_of_the_corpus(corpus: Path) -> None:
    files = [each for suffix in SCRIPTS for each in corpus.rglob(f"*{suffix}")]
    assert files
    for path in files:
        assert_no_block_is_lost(path.read_bytes(), str(path))


def test_a_scan_leaves_out_what_a_script_only_uses() -> None:
    text = b"material M : Base { technique { pass { texture_unit { texture skin.png } } } }"
    assert {*words_in(text)} == {"M"}


def test_a_name_without_a_first_word_may_be_in_each_script() -> None:
    assert words_of(":x") is None and words_of("red brick") == {"red"}
