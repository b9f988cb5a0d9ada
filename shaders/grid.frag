// The lines of the ground, anti-aliased by their coverage of a pixel. Lines of one spacing fade before they get dense.
uniform vec2 middle;   // x and z in viewer space of a crossing of the coarsest lines
uniform float reach;   // distance at which lines have faded, viewer units
uniform float cell;    // side of the smallest cell, viewer units
uniform vec2 hub;      // the model's x and z from the middle; lines fade with the distance from it
uniform vec3 ink;      // sRGB

in vec2 offset;

out vec4 color;        // premultiplied sRGB

const vec3 X_AXIS = vec3(0.90, 0.24, 0.30);
const vec3 Z_AXIS = vec3(0.22, 0.50, 0.95);
const float MINOR = 0.22;
const float MAJOR = 0.42;
const float AXIS = 0.85;
const float SPARSE = 14.0; // lines with at least this distance in pixels are opaque,
const float DENSE = 4.0;   // and lines with at most this distance are invisible

// Pixels per viewer unit along x and along y.
vec2 density(vec2 p) {
    vec2 right = dFdx(p), up = dFdy(p);
    return inversesqrt(max(right * right + up * up, 1e-24));
}

// The share of a pixel that a line covers. `away` is the pixel's distance from the middle of the line; in pixels.
vec2 cover(vec2 away, float half_width) { return clamp(half_width + 0.5 - away, 0.0, 1.0); }

float lines(float spacing, vec2 pixels, float half_width) {
    vec2 apart = spacing * pixels;
    vec2 covered = cover(abs(fract(offset / spacing - 0.5) - 0.5) * apart, half_width);
    covered *= smoothstep(DENSE, SPARSE, apart);
    return max(covered.x, covered.y);
}

void main() {
    vec2 pixels = density(offset);
    float strength = MINOR * lines(cell, pixels, 0.5);
    strength = max(strength, MAJOR * lines(cell * 10.0, pixels, 0.5));
    strength = max(strength, MAJOR * lines(cell * 100.0, pixels, 0.5));
    vec2 axes = cover(abs(offset + middle) * pixels, 0.9) * AXIS;
    float fade = 1.0 - smoothstep(0.15, 1.0, distance(offset, hub) / reach);
    vec3 line_color = mix(mix(ink, X_AXIS, step(strength, axes.y)), Z_AXIS, step(max(strength, axes.y), axes.x));
    float alpha = max(strength, max(axes.x, axes.y)) * fade * fade;
    if (alpha < 1.0 / 512.0) discard;  // skips blending, the slowest part, of invisible pixels
    color = vec4(line_color * alpha, alpha);
}
