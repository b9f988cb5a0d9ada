// The environment behind the model.
#define TONED
#include "frame.glsl"
#include "color.glsl"
#include "light.glsl"
#include "environment.glsl"

uniform float blur;  // 0: sharp, 1: the level of the roughest surfaces

in vec2 place;

out vec4 color;

const float PARALLEL_VIEW = 0.4;  // tangent of half of the angle that pictures in parallel projection show

void main() {
    vec2 at = place * 2.0 - 1.0, scale = vec2(projection[0].x, projection[1].y);
    vec3 ray = vec3(at * PARALLEL_VIEW * vec2(scale.y / scale.x, 1.0), -1.0);
    if (projection[2][3] != 0.0) ray.xy = (at * -projection[2][3] + projection[2].xy) / scale;
    vec3 light = light_at_level(environment_way(normalize(ray)), blur * float(ENVIRONMENT_COUNT - 1));
    color = vec4(to_srgb(exposed(light)), 1.0);
}
