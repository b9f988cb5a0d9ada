// The light of an environment (map and block: scene/environment.py and render/mesh/environments.py).
layout(std140) uniform Environment {
    vec4 mean_light[9];  // linear factors of the polynomials in mean_light_from
    vec4 placement;      // cosine and sine of its turn, strength
};

uniform sampler2D environment_map;

const vec2 MAP_SIZE = vec2(ENVIRONMENT_WIDTH, ENVIRONMENT_HEIGHT);
const float TEXEL_ANGLE = ENVIRONMENT_TEXEL;  // of the sharpest level, in radians
const float FLICKER = 0.3;  // squared roughness of a surface that spreads light over 1 radian

// A direction of eye space in the axes of the environment.
vec3 environment_way(vec3 eye_way) {
    vec3 way = mat3(eye_to_world) * eye_way;
    return vec3(placement.x * way.x - placement.y * way.z, way.y, placement.y * way.x + placement.x * way.z);
}

// The mean light on a matt surface with this normal.
vec3 mean_light_from(vec3 n) {
    vec3 sum = mean_light[0].rgb + mean_light[1].rgb * n.y + mean_light[2].rgb * n.z + mean_light[3].rgb * n.x;
    sum += mean_light[4].rgb * (n.x * n.y) + mean_light[5].rgb * (n.y * n.z);
    sum += mean_light[6].rgb * (3.0 * n.z * n.z - 1.0) + mean_light[7].rgb * (n.x * n.z);
    return max(sum + mean_light[8].rgb * (n.x * n.x - n.y * n.y), 0.0) * placement.z;
}

vec2 octahedral(vec3 way) {
    vec3 at = way / (abs(way.x) + abs(way.y) + abs(way.z));
    if (at.y < 0.0) at.xz = (1.0 - abs(at.zx)) * vec2(at.x < 0.0 ? -1.0 : 1.0, at.z < 0.0 ? -1.0 : 1.0);
    return at.xz * 0.5 + 0.5;
}

// The levels lie below each other; each has a border of a texel. `half_before` is half of the side of the level
// before, which is the side of the level, unless that is the least.
vec3 at_level(vec2 at, float level, float half_before) {
    vec2 corner = vec2(1.0, 2.0 * (ENVIRONMENT_SIDE - half_before + level) + 1.0);
    return textureLod(environment_map, (corner + at * max(half_before, ENVIRONMENT_LEAST_SIDE)) / MAP_SIZE, 0.0).rgb;
}

// The light from around a direction, the more of it the higher the level.
vec3 light_at_level(vec3 way, float level) {
    vec2 at = octahedral(way);
    int sharp = clamp(int(level), 0, ENVIRONMENT_COUNT - 2);
    float side = float(int(ENVIRONMENT_SIDE) >> sharp), first = float(sharp);
    vec3 wide = at_level(at, first + 1.0, 0.5 * side);
    return mix(at_level(at, first, side), wide, clamp(level - first, 0.0, 1.0)) * placement.z;
}

// The light that a surface of this roughness reflects along a ray. Where neighbouring pixels reflect very different
// directions, a rougher surface keeps the picture from flickering.
vec3 reflected_from(vec3 ray, float roughness) {
    float apart = max(length(fwidth(ray)) - TEXEL_ANGLE, 0.0);
    float level = sqrt(1.0 + ENVIRONMENT_SPREAD * max(roughness, sqrt(FLICKER * apart))) - 1.0;
    return light_at_level(ray, level);
}
