// The numbers of the particle that covers this pixel, if particles are models (otherwise pick_particle.frag).
uniform int emitter;

flat in uint number;
out uvec4 picked;  // emitter + 1, number of the birth, bits of the depth

void main() {
    picked = uvec4(uint(emitter + 1), number, floatBitsToUint(gl_FragCoord.z), 0u);
}
