// The light of an environment from surfaces.
#include "environment.glsl"
#include "physical.glsl"

// The part of the reflection that does not depend on its colour, and the factor of this colour.
vec2 reflection_share(float facing, float roughness) {
    vec2 at = clamp(vec2(facing, roughness) * ENVIRONMENT_TABLE_SIDE, 0.5, ENVIRONMENT_TABLE_SIDE - 0.5);
    return textureLod(environment_map, (at + vec2(ENVIRONMENT_TABLE_LEFT, ENVIRONMENT_TABLE_TOP)) / MAP_SIZE, 0.0).rg;
}

// The share of the reflected light that reaches a surface in a cavity. Source: Lagarde and de Rousiers, "Moving
// Frostbite to physically based rendering".
float reflection_openness(float facing, float openness, float roughness) {
#ifdef OCCLUDED
    return clamp(pow(facing + openness, exp2(-16.0 * roughness - 1.0)) - 1.0 + openness, 0.0, 1.0);
#else
    return 1.0;
#endif
}

// The light of the environment from a physical surface. `openness` is 1 in the open and 0 in the deepest cavity.
vec3 environment_light(vec3 normal, vec3 to_eye, float openness, Surface s) {
    float facing = clamp(dot(normal, to_eye), 0.0, 1.0);
    vec2 share = reflection_share(facing, s.roughness);
    vec3 once = s.reflected * share.x + share.y;
    // Light that leaves a microfacet of a metal towards another one is reflected again; below other surfaces it is
    // part of the diffuse light.
    vec3 whole = once * (1.0 + s.metalness * s.reflected * (1.0 / max(share.x + share.y, 0.01) - 1.0));
    vec3 ray = environment_way(reflect(-to_eye, normal));
    vec3 mirrored = whole * reflected_from(ray, s.roughness) * reflection_openness(facing, openness, s.roughness);
    return s.albedo * (1.0 - whole) * mean_light_from(environment_way(normal)) * openness + mirrored;
}

// The largest share of the environment that a classic surface reflects, because none of them is a metal.
const float DULLEST = 0.3;

// The light of the environment from a surface with the shininess of Blinn and Phong in `gloss`. The highlight of a lamp
// has as much light in total as the reflection of a surface of the same spread; of that, half is reflected straight
// back and more at grazing angles, as by lacquer, so that colours stay deep.
vec3 environment_gloss(vec3 normal, vec3 to_eye, float openness, vec3 albedo, vec4 gloss) {
    vec3 color = albedo * mean_light_from(environment_way(normal)) * openness;
    if (gloss.rgb == vec3(0.0)) return color;
    float power = max(gloss.w, 1.0), roughness = sqrt(sqrt(2.0 / (power + 2.0)));
    float facing = clamp(dot(normal, to_eye), 0.0, 1.0);
    vec3 ray = environment_way(reflect(-to_eye, normal));
    float grazing = 1.0 - facing, squared = grazing * grazing;
    vec3 share = gloss.rgb * min(8.0 / (power + 8.0), DULLEST) * (0.5 + 1.5 * squared * squared * grazing);
    return color + share * reflected_from(ray, roughness) * reflection_openness(facing, openness, roughness);
}
