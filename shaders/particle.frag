// Particles are not lit. Numbers are multiplied as the bytes lie, which is what clients do.
#include "emitter.glsl"

uniform sampler2D diffuse_map;

in vec2 uv;
in vec4 tint;
out vec4 color;

const float SAME_ALPHA = 0.25 / 255.0;

void main() {
    color = texture(diffuse_map, uv) * tint;
    if (color.a < variation.z - SAME_ALPHA) discard;
    if (variation.w > 0.5) color.a = 1.0;
}
