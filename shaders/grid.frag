// Lines of the ground, anti-aliased by how much of them a pixel sees; each spacing fades before it gets dense.
uniform vec2 middle;   // x and z in viewer space: a crossing of the coarsest lines
uniform float reach;   // where the lines have faded, viewer units
uniform float cell;    // side of the smallest cell, viewer units
uniform vec2 hub;      // the model's x and z from the middle: the lines fade around it
uniform vec3 ink;      // sRGB

in vec2 offset;

out vec4 color;        // premultiplied sRGB

const vec3 X_AXIS = vec3(0.90, 0.24, 0.30);
const vec3 Z_AXIS = vec3(0.22, 0.50, 0.95);
const float MINOR = 0.22;
const float MAJOR = 0.42;
const float AXIS = 0.85;
const float SPARSE = 14.0; // pixels between lines: from here on they are drawn fully,
const float DENSE = 4.0;   // below this not at all

vec2 footprint(vec2 p) { return max(vec2(length(vec2(dFdx(p.x), dFdy(p.x))), length(vec2(dFdx(p.y), dFdy(p.y)))), 1e-12); }

// How much of the pixel lines of this half width (in pixels) cover, for x and y apart.
vec2 cover(vec2 distance, vec2 pixel, float half_width) {
    return clamp(half_width + 0.5 - distance / pixel, 0.0, 1.0);
}

float lines(float spacing, vec2 pixel, float half_width) {
    vec2 p = offset / spacing;
    vec2 covered = cover(abs(fract(p - 0.5) - 0.5) * spacing, pixel, half_width);
    covered *= smoothstep(DENSE, SPARSE, spacing / pixel);
    return max(covered.x, covered.y);
}

void main() {
    vec2 pixel = footprint(offset);
    float strength = MINOR * lines(cell, pixel, 0.5);
    strength = max(strength, MAJOR * lines(cell * 10.0, pixel, 0.5));
    strength = max(strength, MAJOR * lines(cell * 100.0, pixel, 0.5));
    vec2 axes = cover(abs(offset + middle), pixel, 0.9) * AXIS;
    float fade = 1.0 - smoothstep(0.15, 1.0, distance(offset, hub) / reach);
    vec3 line_color = mix(mix(ink, X_AXIS, step(strength, axes.y)), Z_AXIS, step(max(strength, axes.y), axes.x));
    float alpha = max(strength, max(axes.x, axes.y)) * fade * fade;
    if (alpha < 1.0 / 512.0) discard;
    color = vec4(line_color * alpha, alpha);
}
