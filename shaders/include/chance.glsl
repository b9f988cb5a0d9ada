// Random numbers of particles: a hash of who asks, the same here and in animation/chance.py.
uint scrambled(uint word) {
    word ^= word >> 16;
    word *= 0x7feb352du;
    word ^= word >> 15;
    word *= 0x846ca68bu;
    return word ^ (word >> 16);
}

// The draw `what` of a birth, in [0, 1) and in [-1, 1).
uint start_of(uint seed, uint number) { return scrambled(number ^ seed); }
uint drawn(uint start, int what) { return scrambled(start + uint(what) * 0x9e3779b9u); }
float part_of(uint start, int what) { return float(drawn(start, what) >> 8) / 16777216.0; }
float swing(uint start, int what) { return part_of(start, what) * 2.0 - 1.0; }
