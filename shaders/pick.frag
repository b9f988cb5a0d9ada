// The numbers of the triangle that covers this pixel.
uniform int geometry;  // the number of the geometry

out uvec4 picked;      // geometry + 1, primitive, bits of the depth

void main() {
    picked = uvec4(uint(geometry + 1), uint(gl_PrimitiveID), floatBitsToUint(gl_FragCoord.z), 0u);
}
