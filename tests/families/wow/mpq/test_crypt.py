"""The hashes and the encryption of MPQ archives, against published values and a loop over the words."""

from __future__ import annotations

import random

import pytest

from viewer.families.wow.mpq.crypt import decrypt, decrypt_all, encrypt, key_stream
from viewer.storage.name_hashes import HASH_NUMBERS, hash_name, hash_names


def test_the_table_has_the_published_values() -> None:
    assert [int(HASH_NUMBERS[at]) for at in (0, 1, 0x4FF)] == [0x55C636E2, 0x02BE0170, 0x7303286C]


@pytest.mark.parametrize(
    ("name", "kind", "value"),
    [
        (b"(listfile)", 0, 0x5F3DE859),
        (b"(listfile)", 1, 0xFD657910),
        (b"(listfile)", 2, 0x4E9B98A7),
        (b"(hash table)", 3, 0xC3AF3770),
        (b"(block table)", 3, 0xEC83B3A3),
    ],
)
def test_names_have_the_published_hashes(name: bytes, kind: int, value: int) -> None:
    assert hash_name(name, kind) == value


def test_names_are_hashed_without_case_and_with_either_slash() -> None:
    assert hash_name(b"Creature/Bear.M2", 1) == hash_name(b"CREATURE\\bear.m2", 1)


def test_many_names_have_the_hashes_of_each() -> None:
    names = [b"", b"a", b"Creature\\Bear\\Bear.m2", b"a/b", b"\xe4" * 40, b"b"]
    assert hash_names(names, (1, 2)).tolist() == [
        [hash_name(name, kind) for name in names] for kind in (1, 2)
    ]


def test_the_keys_of_a_stream_are_those_of_the_step() -> None:
    key, expected = 0x12345678, []
    for _ in range(100):
        expected.append(key)
        key = ((~key << 21) + 0x11111111 & 0xFFFFFFFF) | key >> 11
    assert key_stream(0x12345678, 100).tolist() == expected
    assert key_stream(0x12345678, 3).tolist() == expected[:3]


@pytest.mark.parametrize("size", [0, 3, 4, 5, 4096, (1 << 16) + 70_001])
def test_a_stream_is_decrypted_to_what_was_encrypted(size: int) -> None:
    data = random.Random(size).randbytes(size)
    assert decrypt(encrypt(data, 0xC3AF3770), 0xC3AF3770) == data


def test_streams_of_different_lengths_are_decrypted_side_by_side() -> None:
    made = [random.Random(size).randbytes(size) for size in (4096, 17, 0, 4095, 2)]
    stored = [encrypt(data, key) for key, data in enumerate(made, 0xFFFFFFFE)]
    assert decrypt_all(stored, range(0xFFFFFFFE, 0xFFFFFFFE + 5)) == made


def test_encrypted_words_packed_by_hand_are_decrypted() -> None:
    # key 0: the first word is plain xor (0xEEEEEEEE + table[0x400])
    word = 0x11223344 ^ (0xEEEEEEEE + int(HASH_NUMBERS[0x400]) & 0xFFFFFFFF)
    assert decrypt(word.to_bytes(4, "little"), 0) == (0x11223344).to_bytes(4, "little")
