// Lines in space, with the same thickness in pixels everywhere.
#include "stroke.glsl"

uniform mat4 clip;     // the file's axes -> clip space

in vec3 in_start;      // the file's axes
in vec3 in_end;
in float in_radius;    // pixels
in vec4 in_color;      // sRGB, straight alpha

const float NEAREST = 1e-5;

vec2 pixel(vec4 place) { return (place.xy / place.w * 0.5 + 0.5) * size; }

void main() {
    vec4 from = clip * vec4(in_start, 1.0);
    vec4 to = clip * vec4(in_end, 1.0);
    if (max(from.w, to.w) < NEAREST) {
        stroke(vec2(-9.0), vec2(-9.0), 0.0, vec4(0.0));  // the whole line is behind the camera
        return;
    }
    float part = (NEAREST - from.w) / (to.w - from.w);
    if (from.w < NEAREST) from = mix(from, to, part);
    else if (to.w < NEAREST) to = mix(from, to, part);
    stroke(pixel(from), pixel(to), in_radius, in_color);
}
