// The numbers of the particle or ribbon that covers this pixel. Almost invisible pixels do not count.
uniform sampler2D diffuse_map;
uniform int emitter;   // ribbons have the numbers after the emitters
uniform int glows;     // 1: dark pixels are invisible

in vec2 uv;
in vec4 tint;
flat in uint number;
out uvec4 picked;      // emitter + 1, number of the birth or segment, bits of the depth

const float SEEN = 0.1;

void main() {
    vec4 color = texture(diffuse_map, uv) * tint;
    float seen = glows == 1 ? color.a * max(color.r, max(color.g, color.b)) : color.a;
    if (seen < SEEN) discard;
    picked = uvec4(uint(emitter + 1), number, floatBitsToUint(gl_FragCoord.z), 0u);
}
