// The light of the studio, which is fixed to the viewer, so that a model is clear from every side: a warm key from
// the upper left, a cool fill from the right, a rim from behind, sky above and ground below. The values are constants,
// because that is fast. A turned studio and the headlamp are lamps of the frame.
const vec3 KEY_FROM = normalize(STUDIO_KEY_FROM);
const vec3 FILL_FROM = normalize(STUDIO_FILL_FROM);
const vec3 RIM_FROM = normalize(STUDIO_RIM_FROM);
const vec3 KEY = STUDIO_KEY;
const vec3 FILL = STUDIO_FILL;
const vec3 RIM = STUDIO_RIM;
const vec3 SKY = STUDIO_SKY;
const vec3 GROUND = STUDIO_GROUND;

// The direction from a position in eye space to the viewer, length 1.
vec3 way_to_eye(vec3 place) {
    bool parallel = projection[2][3] == 0.0;
    return parallel ? vec3(0.0, 0.0, 1.0) : normalize(-place);
}

// Blinn-Phong from one light. `to_eye` and `normal` have length 1, eye space.
vec3 lamp(vec3 from, vec3 light, vec3 normal, vec3 to_eye, vec3 albedo, vec4 gloss) {
    float facing = max(dot(normal, from), 0.0);
    float shine = facing > 0.0 ? pow(max(dot(normal, normalize(from + to_eye)), 1e-4), max(gloss.w, 1.0)) : 0.0;
    return light * facing * (albedo + gloss.rgb * shine);
}

// Compresses brightness above KNEE, so that white materials, which are common, keep visible shading.
const float KNEE = 0.45;
vec3 compressed(vec3 color) {
    vec3 above = max(color - KNEE, 0.0);
    return min(color, KNEE) + (1.0 - KNEE) * (1.0 - exp(-above / (1.0 - KNEE)));
}

#ifdef TONED
#include "tone.glsl"
vec3 exposed(vec3 color) { return tone == TONE_FILMIC ? filmic(color * exposure) : compressed(color * exposure); }
#else
vec3 exposed(vec3 color) { return compressed(color); }
#endif

// The light of the file's lights at a position: Lambert, fading linearly with distance, added in sRGB as clients do.
vec3 given_light(vec3 normal, vec3 place) {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < light_count; i++) {
        vec4 from = light_positions[i];
        vec3 way = from.xyz - place * from.w;
        float away = max(length(way), 1e-6);
        float begin = light_diffuse[i].w, end = max(light_ambient[i].w, begin + 1e-6);
        float strength = from.w > 0.0 ? 1.0 - clamp((away - begin) / (end - begin), 0.0, 1.0) : 1.0;
        sum += strength * (light_ambient[i].rgb + light_diffuse[i].rgb * max(dot(normal, way / away), 0.0));
    }
    return sum;
}

vec3 studio(vec3 normal, vec3 to_eye, vec3 albedo, vec4 gloss) {
    vec3 color = albedo * mix(GROUND, SKY, normal.y * 0.5 + 0.5);
    color += lamp(KEY_FROM, KEY, normal, to_eye, albedo, gloss);
    color += lamp(FILL_FROM, FILL, normal, to_eye, albedo, gloss);
    return color + lamp(RIM_FROM, RIM, normal, to_eye, albedo, gloss);
}

// The light of the lamps of the frame.
vec3 lamps(vec3 normal, vec3 to_eye, vec3 albedo, vec4 gloss) {
    vec3 color = albedo * mix(ground.rgb, sky.rgb, normal.y * 0.5 + 0.5);
    for (int i = 0; i < light_count; i++)
        color += lamp(light_positions[i].xyz, light_diffuse[i].rgb, normal, to_eye, albedo, gloss);
    return color;
}

// The light of the studio or of other lamps.
vec3 lamp_light(vec3 normal, vec3 to_eye, vec3 albedo, vec4 gloss) {
    if (LIGHT == LIGHT_LAMPS) return lamps(normal, to_eye, albedo, gloss);
    return studio(normal, to_eye, albedo, gloss);
}
