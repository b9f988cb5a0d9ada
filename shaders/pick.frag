// The triangle that covers this pixel, as numbers.
uniform int geometry;  // the number of the geometry

out uvec4 picked;      // geometry + 1, primitive, depth as bits

void main() {
    picked = uvec4(uint(geometry + 1), uint(gl_PrimitiveID), floatBitsToUint(gl_FragCoord.z), 0u);
}
