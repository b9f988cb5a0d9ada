"""Radiance pictures: flat, with old and with new run lengths; damage is refused."""

from __future__ import annotations

import numpy as np
import pytest

from tests.hdr import hdr
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.storage.radiance import BRIGHTEST, decode_radiance

FORMS = ("flat", "old", "new")


def striped(height: int = 5, width: int = 600) -> Array:
    """A picture with long runs, and with colours of very different brightness."""
    picture = np.full((height, width, 3), 0.25)
    picture[:, width // 2 :: 7] = (1.0, 0.5, 0.125)
    picture[1::4] = (4096.0, 2048.0, 1024.0)
    picture[2::4, 3:9] = 0.0
    return picture


@pytest.mark.parametrize("form", FORMS)
def test_a_picture_has_its_colours_in_every_form(form: str) -> None:
    np.testing.assert_allclose(decode_radiance(hdr(striped(), form), 600), striped(), rtol=0.01)


def test_the_three_forms_differ_and_may_be_mixed() -> None:
    flat, old, new = (hdr(striped(2), form) for form in FORMS)
    assert len(new) < len(flat) > len(old)
    head = flat[: -2 * 600 * 4]
    mixed = head + flat[len(head) :][: 600 * 4] + hdr(striped(2)[1:], "new")[len(head) :]
    np.testing.assert_allclose(decode_radiance(mixed, 600), striped(2), rtol=0.01)


def test_a_wide_picture_is_reduced_by_its_means() -> None:
    picture = striped(70, 601)
    small = decode_radiance(hdr(picture), 301)
    assert small.shape == (35, 301, 3)
    means = picture[:, :600].reshape(35, 2, 300, 2, 3).mean(axis=(1, 3))
    np.testing.assert_allclose(small[:, :300], means, rtol=0.01)
    np.testing.assert_allclose(small[:, 300], picture[:, 600].reshape(35, 2, 3).mean(axis=1), rtol=0.01)


def test_the_exposure_of_the_header_is_divided_out() -> None:
    picture = hdr(striped(), lines=b"EXPOSURE=2.0\nEXPOSURE= 4\n")
    np.testing.assert_allclose(decode_radiance(picture, 600), striped() / 8, rtol=0.01)


@pytest.mark.parametrize(
    ("size", "turned"),
    [
        (b"+Y 5 +X 600", (slice(None, None, -1), slice(None))),
        (b"-Y 5 -X 600", (slice(None), slice(None, None, -1))),
        (b"+Y 5 -X 600", (slice(None, None, -1), slice(None, None, -1))),
    ],
)
def test_the_first_row_and_column_may_be_at_any_side(size: bytes, turned: tuple[slice, slice]) -> None:
    found = decode_radiance(hdr(striped(), size=size), 600)
    np.testing.assert_allclose(found, striped()[turned], rtol=0.01)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("left", [0, 20, 60, 200, -1])
def test_a_cut_file_is_refused(form: str, left: int) -> None:
    with pytest.raises(FormatError):
        decode_radiance(hdr(striped(), form)[:left], 600)


BROKEN = {
    "no Radiance picture": (b"\x89PNG", "does not begin with #?"),
    "no end of the header": (b"#?RADIANCE\n" + b"A=1\n" * 20_000, "has no end"),
    "another format": (
        hdr(striped(), lines=b"FORMAT=32-bit_rle_xyze\n"),
        "xyze are not supported",
    ),
    "columns first": (hdr(striped(), size=b"+X 600 -Y 5"), "states no size by rows"),
    "a negative size": (hdr(striped(), size=b"-Y -5 +X 600"), "no size in pixels"),
    "no pixels": (hdr(striped(), size=b"-Y 0 +X 600"), "no pixels"),
    "16k": (hdr(striped(), size=b"-Y 8192 +X 16384"), f"limit of {BUDGET.environment_pixels}"),
    "an endless exposure": (hdr(striped(), lines=b"EXPOSURE=inf\n"), "no positive finite number"),
    "an exposure that is no number": (hdr(striped(), lines=b"EXPOSURE=nan\n"), "no positive finite number"),
    "no exposure": (hdr(striped(), lines=b"EXPOSURE=0\n"), "no positive finite number"),
    "a brightness without limit": (hdr(striped()[:1])[: -600 * 4] + b"\1\2\3\xff" * 600, "brighter than"),
    "a run before a pixel": (hdr(striped(1))[: -600 * 4] + b"\1\1\1\4" * 600, "row 0 of 1 is broken"),
    "a run of 0": (hdr(striped(1))[: -600 * 4] + b"\2\2\2\x58" + b"\0" * 999, "row 0 of 1 is broken"),
    "a run past its channel": (hdr(striped(1))[: -600 * 4] + b"\2\2\2\x58" + b"\xff\1" * 99, "row 0 of 1"),
    "another width": (hdr(striped(1))[: -600 * 4] + b"\2\2\2\x59" + b"\xff\1" * 99, "row 0 of 1 is broken"),
    "a long old run": (
        hdr(striped(1))[: -600 * 4] + b"\3\3\3\x80" + b"\1\1\1\xff" * 5,
        "row 0 of 1 is broken",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_damage_is_refused_with_its_reason(name: str) -> None:
    data, why = BROKEN[name]
    with pytest.raises(FormatError) as error:
        decode_radiance(data, 600)
    assert why in str(error.value)


@pytest.mark.parametrize("form", FORMS)
def test_any_damage_is_refused_or_gives_finite_colours(form: str) -> None:
    whole, random = hdr(striped(), form), np.random.default_rng(1)
    for _ in range(300):
        data = bytearray(whole)
        for at in random.integers(0, len(data), 3):
            data[at] = random.integers(0, 256)
        try:
            found = decode_radiance(bytes(data[: random.integers(1, len(data) + 1)]), 600)
        except FormatError:
            continue
        assert np.isfinite(found).all() and found.max() <= BRIGHTEST


def test_the_limit_of_brightness_is_above_the_sun() -> None:
    assert decode_radiance(hdr(np.full((1, 8, 3), 1e6)), 600).max() == pytest.approx(1e6, rel=0.01)
