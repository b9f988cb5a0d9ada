// A texture in the plane of its coordinates, with its repetitions around it.
uniform sampler2D first_picture;
uniform vec2 size;        // pixels of the picture
uniform vec2 low;         // texture coordinates of its upper left corner
uniform vec2 high;        // texture coordinates of its lower right corner
uniform vec4 tiles;       // the repetitions that are shown: first u and v, last u and v
uniform ivec2 address;    // of u and v: 0 wrap, 1 mirror, 2 clamp, 3 border
uniform int channels;     // 0: rgb, 1: rgb over a checker, 2 to 5: red, green, blue, alpha
uniform bool crisp;       // whether the pixels of the texture are sharp squares
uniform float lod;        // the level of the texture that is smooth at this size
uniform vec3 backdrop;
uniform vec3 ink;         // colour of outlines

out vec4 color;

const float FAR = 0.4;              // strength of the repetitions
const float GRID = 12.0;            // pixels of a texel from which on its edges are drawn

float placed(float at, int mode) {
    if (mode == 0) return fract(at);
    if (mode == 1) return 1.0 - abs(mod(at, 2.0) - 1.0);
    return clamp(at, 0.0, 1.0);
}

vec4 texel(vec2 at) {
    ivec2 count = textureSize(first_picture, 0);
    if (crisp) return texelFetch(first_picture, clamp(ivec2(at * vec2(count)), ivec2(0), count - 1), 0);
    return textureLod(first_picture, at, lod);
}

vec3 shown(vec4 found) {
    if (channels == 0) return found.rgb;
    if (channels > 1) return vec3(found[channels - 2]);
    vec2 square = floor(gl_FragCoord.xy / CHECKER_SQUARE);
    return mix(vec3(mod(square.x + square.y, 2.0) < 1.0 ? CHECKER_BRIGHT : CHECKER_DARK), found.rgb, found.a);
}

// How much a pixel is covered by the lines at whole numbers of `at`, which are `width` pixels thick.
vec2 lines(vec2 at, vec2 each, float width) {
    return clamp(width * 0.5 + 0.5 - abs(at - round(at)) / each, 0.0, 1.0);
}

void main() {
    vec2 each = (high - low) / size;
    vec2 at = low + vec2(gl_FragCoord.x, size.y - gl_FragCoord.y) * each;
    vec2 edge = max(tiles.xy - at, at - tiles.zw) / each;  // pixels beyond the repetitions
    color = vec4(backdrop, 1.0);
    if (max(edge.x, edge.y) > 1.0) return;
    bvec2 away = notEqual(floor(at), vec2(0.0));
    bool outside = any(away);
    bool bare = (away.x && address.x == 3) || (away.y && address.y == 3);
    if (max(edge.x, edge.y) <= 0.0 && !bare) {
        vec3 found = shown(texel(vec2(placed(at.x, address.x), placed(at.y, address.y))));
        vec2 count = vec2(textureSize(first_picture, 0));
        if (!outside && crisp && min(1.0 / (each.x * count.x), 1.0 / (each.y * count.y)) >= GRID) {
            vec2 grid = lines(at * count, each * count, 0.0);
            found = mix(found, vec3(dot(found, vec3(0.3, 0.6, 0.1)) > 0.5 ? 0.0 : 1.0), max(grid.x, grid.y) * 0.3);
        }
        color.rgb = outside ? mix(backdrop, found, FAR) : found;
    }
    vec2 rim = lines(at, each, 1.0);
    vec2 own = step(abs(at - 0.5) - each, vec2(0.5));  // within a pixel of the texture itself
    float strong = max(rim.x * own.y * own.x, rim.y * own.x * own.y);
    color.rgb = mix(color.rgb, ink, max(strong, max(rim.x, rim.y) * 0.35) * 0.9);
}
