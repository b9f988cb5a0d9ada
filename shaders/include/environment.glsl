// The light of an environment (map and block: scene/environment.py and render/mesh/environments.py).
layout(std140) uniform Environment {
    vec4 mean_light[9];  // linear factors of the polynomials in mean_light_from
    vec4 placement;      // cosine and sine of its turn, strength
};

uniform sampler2D environment_map;

const vec4 LEVELS[ENVIRONMENT_COUNT] = vec4[](ENVIRONMENT_LEVELS);  // left, top, width, height in the map
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

vec3 at_level(vec2 at, int level) {
    vec4 place = LEVELS[level];
    return textureLod(environment_map, place.xy + at * place.zw, 0.0).rgb;
}

// The light from around a direction, the more of it the higher the level.
vec3 light_at_level(vec3 way, float level) {
    level = clamp(level, 0.0, float(ENVIRONMENT_COUNT - 1));
    vec2 at = octahedral(way);
    int sharp = min(int(level), ENVIRONMENT_COUNT - 2);
    return mix(at_level(at, sharp), at_level(at, sharp + 1), level - float(sharp)) * placement.z;
}

// The light that a surface of this roughness reflects along a ray. Where neighbouring pixels reflect very different
// directions, a rougher surface keeps the picture from flickering.
vec3 reflected_from(vec3 ray, float roughness) {
    float apart = max(length(fwidth(ray)) - TEXEL_ANGLE, 0.0);
    float level = sqrt(1.0 + ENVIRONMENT_SPREAD * max(roughness, sqrt(FLICKER * apart))) - 1.0;
    return light_at_level(ray, level);
}

// The part of the reflection that does not depend on its colour, and the factor of this colour.
vec2 reflection_share(float facing, float roughness) {
    vec2 at = clamp(vec2(facing, roughness), 0.5 / ENVIRONMENT_TABLE_SIDE, 1.0 - 0.5 / ENVIRONMENT_TABLE_SIDE);
    return textureLod(environment_map, ENVIRONMENT_TABLE.xy + at * ENVIRONMENT_TABLE.zw, 0.0).rg;
}

// The share of the reflected light that reaches a surface in a cavity. Source: Lagarde and de Rousiers, "Moving
// Frostbite to physically based rendering".
float reflection_openness(float facing, float openness, float roughness) {
    return clamp(pow(facing + openness, exp2(-16.0 * roughness - 1.0)) - 1.0 + openness, 0.0, 1.0);
}

// The light of the environment from a physical surface. `openness` is 1 in the open and 0 in the deepest cavity.
vec3 environment_light(vec3 normal, vec3 to_eye, float openness, vec3 albedo, vec3 reflected, float roughness) {
    float facing = clamp(dot(normal, to_eye), 0.0, 1.0);
    vec2 share = reflection_share(facing, roughness);
    vec3 once = reflected * share.x + share.y;
    // Light that leaves a microfacet towards another one is reflected again.
    vec3 whole = once * (1.0 + reflected * (1.0 / max(share.x + share.y, 0.01) - 1.0));
    vec3 ray = environment_way(reflect(-to_eye, normal));
    vec3 mirrored = whole * reflected_from(ray, roughness) * reflection_openness(facing, openness, roughness);
    return albedo * (1.0 - whole) * mean_light_from(environment_way(normal)) * openness + mirrored;
}

// The largest share of the environment that a classic surface reflects, because none of them is a metal.
const float DULLEST = 0.3;

// The light of the environment from a surface with the shininess of Blinn and Phong in `gloss`. The highlight of a lamp
// has as much light in total as the reflection of a surface of the same spread.
vec3 environment_gloss(vec3 normal, vec3 to_eye, float openness, vec3 albedo, vec4 gloss) {
    vec3 color = albedo * mean_light_from(environment_way(normal)) * openness;
    if (gloss.rgb == vec3(0.0)) return color;
    float power = max(gloss.w, 1.0), roughness = sqrt(sqrt(2.0 / (power + 2.0)));
    float facing = clamp(dot(normal, to_eye), 0.0, 1.0);
    vec3 ray = environment_way(reflect(-to_eye, normal));
    vec3 share = gloss.rgb * min(8.0 / (power + 8.0), DULLEST);
    return color + share * reflected_from(ray, roughness) * reflection_openness(facing, openness, roughness);
}
