// Particles. Colours are multiplied in sRGB, as clients do. LIT particles get the light of the mesh.
#include "emitter.glsl"
#ifdef LIT
#include "frame.glsl"
#include "color.glsl"
#include "light.glsl"
#endif

uniform sampler2D diffuse_map;
uniform int spot;  // 1: the texture is missing, so a spot is drawn

in vec2 uv;
in vec4 tint;
#ifdef LIT
in vec3 eye_position;
flat in vec3 eye_normal;
flat in vec3 studio_light;
#endif
out vec4 color;

#ifdef LIT
vec3 lit(vec3 plain) {
    if (LIGHT == LIGHT_FILE) return min(plain * given_light(eye_normal, eye_position), 1.0);
    return to_srgb(exposed(to_linear(max(plain, 0.0)) * studio_light));
}
#endif

const float HALF_SPOT = 0.25;  // alpha of a spot halfway from its middle to its edge

void main() {
    vec4 texel = texture(diffuse_map, uv);
    if (spot == 1 && variation.w > 0.5 && texel.a < HALF_SPOT) discard;
    color = texel * tint;
    if (color.a < variation.z - SAME_ALPHA) discard;
#ifdef LIT
    color.rgb = lit(color.rgb);
#endif
    if (variation.w > 0.5) color.a = 1.0;
}
