"""Unpack the data of the PKWARE Data Compression Library, `implode`.

Source: StormLib, `pklib/explode.c`; libmpq, `explode.c`.
"""

from __future__ import annotations

from viewer.errors import FormatError

LITERALS = (
    "bcccccccc87cc7ccccccccccccdccccc4a8caca87789767876777787788cb79b"
    "c676657886b967667b66679899b8b9c8c566656665b756556a55558788abbccc"
    "ddddddddddddddddddddddddddddddddddddddddddddddddcccccccccccccccc"
    "ccccccccccccccccccccccccccccccccdcdddcdddcddddcdddcccddddddddddd"
)
"""The code length in bits for each byte, as a hexadecimal digit."""
LENGTHS = "2333444555566677"
DISTANCES = "2" + "44" + "5555" + "6" * 15 + "7" * 26 + "8" * 16
SHORTEST_LENGTHS = (3, 2, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 40, 72, 136, 264)
"""The smallest length of each length code; the extra bits are added."""
EXTRAS = (0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8)
END = 519
"""The length that ends the stream."""
REFILL = 16
"""Number of bytes that are added to the bit buffer at a time."""
MOST_BITS = 64
"""The bit buffer is refilled while it has fewer bits than this. No literal or match takes more."""
CUT = "the imploded data ends too early"

Codes = tuple[list[tuple[int, int]], int]


def _codes(lengths: str) -> Codes:
    """Return the table of a canonical code, and the mask of the bits that choose an entry. For each value of
    the next bits, the table has the symbol and its number of bits. The bits are stored inverted, with the
    highest first.
    """
    sizes = [int(digit, 16) for digit in lengths]
    longest = max(sizes)
    table, code = [(0, 0)] * (1 << longest), 0
    for size in range(1, longest + 1):
        for symbol in (each for each, wide in enumerate(sizes) if wide == size):
            bits = int(f"{code ^ ((1 << size) - 1):0{size}b}"[::-1], 2)
            for above in range(1 << (longest - size)):
                table[bits | above << size] = (symbol, size)
            code += 1
        code <<= 1
    return table, (1 << longest) - 1


LITERAL_CODES, LENGTH_CODES, DISTANCE_CODES = _codes(LITERALS), _codes(LENGTHS), _codes(DISTANCES)


def explode(data: bytes, size: int) -> bytes:
    """Unpack `data` to at most `size` bytes. FormatError if the data is broken."""
    if len(data) < 2 or data[0] > 1 or data[1] not in (4, 5, 6):
        raise FormatError("the imploded data has no valid header")
    coded, dictionary = data[0], data[1]
    (lengths, length_mask), (distances, distance_mask) = LENGTH_CODES, DISTANCE_CODES
    literals, literal_mask = LITERAL_CODES
    at, bits, held, out = 2, 0, 0, bytearray()
    while len(out) < size:
        if held < MOST_BITS:
            if held <= 0 and at >= len(data):
                raise FormatError(CUT)
            bits |= int.from_bytes(data[at : at + REFILL], "little") << held
            held += 8 * min(REFILL, max(len(data) - at, 0))
            at += REFILL
        if not bits & 1:
            if coded:
                symbol, wide = literals[bits >> 1 & literal_mask]
                out.append(symbol)
            else:
                out.append(bits >> 1 & 0xFF)
                wide = 8
            bits >>= wide + 1
            held -= wide + 1
            continue
        symbol, wide = lengths[bits >> 1 & length_mask]
        extra = EXTRAS[symbol]
        length = SHORTEST_LENGTHS[symbol] + (bits >> 1 + wide & (1 << extra) - 1)
        if length == END:
            break
        used = 1 + wide + extra
        symbol, wide = distances[bits >> used & distance_mask]
        low = 2 if length == 2 else dictionary
        distance = (symbol << low) + (bits >> used + wide & (1 << low) - 1) + 1
        used += wide + low
        bits >>= used
        held -= used
        if held < 0:
            raise FormatError(CUT)
        if distance > len(out):
            raise FormatError(f"a match begins {distance - len(out)} bytes before the imploded data")
        start = len(out) - distance
        if distance >= length:
            out += out[start : start + length]
        else:
            out += (out[start:] * (length // distance + 1))[:length]
    if held < 0:
        raise FormatError(CUT)
    return bytes(out[:size])
