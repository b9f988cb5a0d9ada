// Combines two pictures: a copy of the first, both with a line between them, or their difference.
uniform sampler2D first_picture;   // premultiplied
uniform sampler2D second_picture;  // premultiplied
uniform int mode;          // 0: copy, 1: slider, 2: difference
uniform int left;          // the column in which the copy begins
uniform float split;       // the column in which the second picture begins
uniform float thickness;   // thickness of the line, in pixels
uniform vec4 edge;         // colour of the line
uniform float paper;       // background of the difference (0: black, 1: white)
uniform bool opaque;       // whether the result ignores alpha

out vec4 color;            // premultiplied

const float NOTHING = 2.5 / 255.0;  // differences of up to two steps in 8 bits come from rounding
const vec3 LITTLE = vec3(0.98, 0.72, 0.16);
const vec3 MUCH = vec3(0.90, 0.10, 0.22);

float luminance(vec4 color) { return dot(color.rgb, vec3(0.2126, 0.7152, 0.0722)); }

// The second picture in pale grey. Differing pixels are yellow to red and keep their shading.
vec4 difference(vec4 one, vec4 two) {
    vec4 faded = vec4(vec3(mix(luminance(two), paper * two.a, 0.5)), two.a);
    vec4 away = abs(one - two);
    float amount = max(max(away.r, away.g), max(away.b, away.a));
    if (amount < NOTHING) return faded;
    float much = smoothstep(0.0, 0.5, amount);
    float shade = mix(0.45, 1.1, max(luminance(one), luminance(two)));
    return mix(faded, vec4(mix(LITTLE, MUCH, much) * shade, 1.0), mix(0.6, 1.0, much));
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    if (mode == 0) {
        color = texelFetch(first_picture, at - ivec2(left, 0), 0);
    } else if (mode == 1) {
        float away = abs(gl_FragCoord.x - split);
        color = gl_FragCoord.x < split ? texelFetch(first_picture, at, 0) : texelFetch(second_picture, at, 0);
        color = mix(color, edge, clamp(0.5 + thickness * 0.5 - away, 0.0, 1.0) * edge.a);
    } else {
        vec4 one = texelFetch(first_picture, at, 0), two = texelFetch(second_picture, at, 0);
        if (opaque) one.a = two.a = 1.0;
        color = difference(one, two);
    }
}
