// Light faces with dark edges, which are visible on every background.
uniform float parallel;    // 1: the camera has no perspective

in vec3 place;
in vec3 outward;
in vec3 edge;
in float width;
flat in float joint;
flat in float chosen;
flat in vec3 plain;

out vec4 color;            // sRGB

const vec3 DARK = vec3(0.055, 0.06, 0.075);
const float THICK = 1.3;   // width of an edge in pixels
const float WIDEST = 0.16; // largest width of an edge, in heights of its face,
const float FAINT = 0.5;   // and its strength on a bone of only a few pixels, so that thin bones stay light

void main() {
    vec3 viewer = parallel > 0.5 ? vec3(0.0, 0.0, 1.0) : normalize(-place);
    vec3 flat_ = cross(dFdx(place), dFdy(place));
    vec3 normal = normalize(joint > 0.5 ? outward : flat_);
    float facing = abs(dot(normal, viewer));
    vec3 toward = normal * (dot(normal, viewer) < 0.0 ? -1.0 : 1.0);
    float light = 0.45 + 0.40 * facing + 0.15 * toward.y;

    vec3 slope = fwidth(edge);
    vec3 inner = edge / clamp(slope * THICK, vec3(1e-6), vec3(WIDEST));
    float line = 1.0 - smoothstep(0.5, 1.0, min(inner.x, min(inner.y, inner.z)));
    line *= mix(FAINT, 1.0, smoothstep(1.0, 5.0, width));
    if (joint > 0.5) line = 1.0 - smoothstep(0.40, 0.60, facing);

    vec3 surface = mix(plain, chosen < 0.0 ? GROUP : ACCENT, abs(chosen)) * light;
    color = vec4(mix(surface, DARK, line * 0.9), 1.0);
}
