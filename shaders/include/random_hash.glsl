// Random numbers of particles: a hash of seed and index, as in animation/effects/random_hash.py.
uint scrambled(uint word) {
    word ^= word >> 16;
    word *= HASH_FIRST;
    word ^= word >> 15;
    word *= HASH_SECOND;
    return word ^ (word >> 16);
}

// The random number `what` of a birth, in [0, 1) and in [-1, 1).
uint start_of(uint seed, uint number) { return scrambled(number ^ seed); }
uint drawn(uint start, int what) { return scrambled(start + uint(what) * HASH_GOLDEN); }
float part_of(uint start, int what) { return float(drawn(start, what) >> PART_SHIFT) / PART_STEPS; }
float swing(uint start, int what) { return part_of(start, what) * 2.0 - 1.0; }
