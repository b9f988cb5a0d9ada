// The particle that covers this pixel, as numbers, if particles are models (else pick_particle.frag).
uniform int emitter;

flat in uint number;
out uvec4 picked;  // emitter + 1, the number of the birth, depth as bits

void main() {
    picked = uvec4(uint(emitter + 1), number, floatBitsToUint(gl_FragCoord.z), 0u);
}
