// Particles. Numbers are multiplied as the bytes lie, which is what clients do. On those that are LIT the lights
// shine that shine on the mesh, from both sides.
#include "emitter.glsl"
#ifdef LIT
#include "frame.glsl"
#include "color.glsl"
#include "light.glsl"
#endif

uniform sampler2D diffuse_map;
uniform int spot;  // 1: the picture is missing, and a spot takes its place

in vec2 uv;
in vec4 tint;
#ifdef LIT
in vec3 eye_position;
flat in vec3 eye_normal;
#endif
out vec4 color;

#ifdef LIT
const vec4 DULL = vec4(0.0, 0.0, 0.0, 1.0);

vec3 lit(vec3 plain) {
    vec3 to_eye = way_to_eye(eye_position);
    vec3 normal = dot(eye_normal, to_eye) < 0.0 ? -eye_normal : eye_normal;
    if (light_count > 0) return min(plain * given_light(normal, eye_position), 1.0);
    return to_srgb(exposed(studio(normal, to_eye, to_linear(max(plain, 0.0)), DULL)));
}
#endif

const float HALF_SPOT = 0.25;  // the alpha of a spot half way from its middle to its edge

void main() {
    vec4 texel = texture(diffuse_map, uv);
    if (spot == 1 && variation.w > 0.5 && texel.a < HALF_SPOT) discard;
    color = texel * tint;
    if (color.a < variation.z - SAME_ALPHA) discard;
#ifdef LIT
    if (shading == SHADING_LIT) color.rgb = lit(color.rgb);
#endif
    if (variation.w > 0.5) color.a = 1.0;
}
