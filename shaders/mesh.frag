// Every mesh pixel: material, light, and the shading modes. NORMAL_MAP: the material has a normal map.
// INSTANCED surfaces are multiplied by their colour and its alpha.
// BACK_FACES draws the surface in one colour. CASTING draws its height above the ground, see passes/shadow_pass.py.
// SURFACES draws its normal and its distance, see passes/occlusion_pass.py.
#include "frame.glsl"
#include "material.glsl"
#include "color.glsl"
#include "distance.glsl"
#include "light.glsl"
#include "physical.glsl"
#ifdef ENVIRONMENT
#include "environment_surface.glsl"
#endif

uniform sampler2D diffuse_map;
uniform sampler2D specular_map;
uniform sampler2D emissive_map;
uniform sampler2D second_map;
#ifdef NORMAL_MAP
uniform sampler2D normal_map;
#endif

in vec3 eye_position;
in vec3 eye_normal;
in vec4 vertex_color;  // or the colour of the bones by weight, or of the distance
in vec2 uv;
in vec2 second_uv;
#ifdef NORMAL_MAP
in vec3 eye_tangent;
in vec3 eye_bitangent;
#endif
#ifdef INSTANCED
in vec4 dye;
#endif

out vec4 color;

float mirrored(float at) { return 1.0 - abs(mod(at, 2.0) - 1.0); }

// The texture coordinates of a sphere map around the viewer. Source: wowdev.wiki M2/.skin, environment mapping;
// its eye space has a z axis that points away from the viewer.
vec2 sphere_uv() {
    vec3 from = normalize(-eye_position);
    vec3 mirrored_ray = from - 2.0 * dot(from, eye_normal) * eye_normal;
    mirrored_ray.z = 1.0 - mirrored_ray.z;
    return normalize(mirrored_ray).xy * 0.5 + 0.5;
}

// The place of the direction from the model's origin in the picture of a cube map, which has the faces +X, -X, +Y in
// the upper row and -Y, +Z, -Z in the lower one. Source: OpenGL 3.3, 3.8.10; its axes are left-handed.
vec2 cube_uv() {
    vec3 way = (inverse(view) * vec4(eye_position, 1.0)).xyz * vec3(1.0, 1.0, handedness);
    vec3 reach = abs(way);
    float face = 4.0, along = way.z;
    vec2 at = vec2(way.x, -way.y);
    if (reach.x >= reach.y && reach.x >= reach.z) { face = 0.0; along = way.x; at = vec2(-way.z, -way.y); }
    else if (reach.y >= reach.z) { face = 2.0; along = way.y; at = way.xz; }
    if (along < 0.0) {
        at *= face == 2.0 ? vec2(1.0, -1.0) : vec2(-1.0, 1.0);
        face += 1.0;
    }
    vec2 faces = vec2(3.0, 2.0), half_texel = 0.5 * faces / vec2(textureSize(diffuse_map, 0));
    at = clamp(at / max(abs(along), 1e-30) * 0.5 + 0.5, half_texel, 1.0 - half_texel);
    return (at + vec2(mod(face, 3.0), floor(face / 3.0))) / faces;
}

// The texture coordinates of the first textures.
vec2 placed_uv() {
    if (has(CUBE)) return cube_uv();
    vec2 from = has(SPHERE) ? sphere_uv() : uv;
    vec2 at = vec2(dot(from, u_offset.xy) + u_offset.w, dot(from, v_offset.xy) + v_offset.w);
    if (has(MIRROR_U)) at.x = mirrored(at.x);
    if (has(MIRROR_V)) at.y = mirrored(at.y);
    return at;
}

vec4 diffuse_texel(vec2 at) {
    vec4 found = texture(diffuse_map, at);
    bvec2 outside = notEqual(at, clamp(at, 0.0, 1.0));
    return (has(BORDER_U) && outside.x) || (has(BORDER_V) && outside.y) ? border : found;
}

// Combines the second texture with `below`, in sRGB, as clients do.
vec4 combined(vec4 below) {
    vec2 from = has(SECOND_SPHERE) ? sphere_uv() : second_uv;
    vec2 at = vec2(dot(from, second_u.xy) + second_u.w, dot(from, second_v.xy) + second_v.w);
    vec4 over = texture(second_map, at);
    vec3 base = to_srgb(below.rgb);
    over.rgb = to_srgb(over.rgb);
    if (combine == COMBINE_DECAL) return vec4(to_linear(mix(base, over.rgb, over.a)), below.a);
    if (combine == COMBINE_FADE) return vec4(to_linear(mix(base, over.rgb, below.a)), below.a);
    bool alphaless = combine == COMBINE_OPAQUE || combine >= COMBINE_MOD2X_NA;
    if (alphaless) over.a = 1.0;
    if (combine <= COMBINE_MOD) return vec4(to_linear(base * over.rgb), below.a * over.a);
    if (combine == COMBINE_MOD2X) over.a *= 2.0;
    if (combine == COMBINE_MOD2X || combine == COMBINE_MOD2X_NA)
        return vec4(to_linear(2.0 * base * over.rgb), below.a * over.a);
    return vec4(to_linear(base + over.rgb), alphaless ? below.a : below.a + over.a);
}

// Diffuse colour and alpha, linear.
vec4 surface(vec2 at) {
    vec4 found = diffuse;
    if (has(DIFFUSE_MAP)) {
        vec4 texel = diffuse_texel(at);
        if (has(OPAQUE_MAP)) texel.a = 1.0;
        if (has(PHYSICAL)) texel.rgb = with_details(texel.rgb, at);
        found *= texel;
    } else if (has(PHYSICAL)) {
        found.rgb = with_details(found.rgb, at);
    }
    if (has(SECOND_MAP)) found = combined(found);
    if (has(VERTEX_COLOR)) found *= vec4(to_linear(vertex_color.rgb), vertex_color.a);
#ifdef INSTANCED
    found *= vec4(to_linear(dye.rgb), dye.a);
#endif
    return found;
}

bool has_normal() { return dot(eye_normal, eye_normal) > 0.01; }

// The face's normal in eye space; it always points to the viewer.
vec3 flat_normal() {
    vec3 normal = cross(dFdx(eye_position), dFdy(eye_position));
    float size = length(normal);
    return size > 0.0 ? normal / size : vec3(0.0, 0.0, 1.0);
}

// The normal in eye space, length 1, towards the visible side.
vec3 seen_normal(vec2 at) {
    if (!has_normal()) return flat_normal();
    vec3 normal = eye_normal;
#ifdef NORMAL_MAP
    vec4 stored = texture(normal_map, at);
    vec3 bump = stored.rgb * 2.0 - 1.0;
    if (has(PACKED_NORMAL)) {
        bump.xy = stored.ag * 2.0 - 1.0;
        bump.z = sqrt(max(1.0 - dot(bump.xy, bump.xy), 0.0));
    }
    if (has(PHYSICAL)) {  // blue is not read, because it is missing in pictures of two channels
        bump.z = sqrt(max(1.0 - dot(bump.xy, bump.xy), 0.0));
        bump.xy *= physical.z;
    }
    if (dot(eye_tangent, eye_tangent) > 0.01)
        normal = bump.x * eye_tangent + bump.y * eye_bitangent + bump.z * eye_normal;
#endif
    return normalize(gl_FrontFacing ? normal : -normal);
}

// The limit of plain colours, which are often white. No white surface reflects more light.
const float WHITE_ALBEDO = 0.75;
const vec4 NO_GLOSS = vec4(0.0, 0.0, 0.0, 1.0);

// The share of the surroundings that the surface sees: 1 in the open, less in cavities.
#ifdef OCCLUDED
#include "openness.glsl"
#else
const float OPEN = 1.0;
float openness() { return OPEN; }
#endif

vec3 lit(vec3 albedo, vec2 at) {
    if (LIGHT == LIGHT_FILE) {
        vec3 client = to_srgb(albedo) * given_light(seen_normal(at), eye_position);
        return to_linear(min(client, 1.0)) + emissive.rgb;
    }
    vec3 glow = emissive.rgb;
    if (has(EMISSIVE_MAP)) glow *= texture(emissive_map, at).rgb;
    if (has(PHYSICAL)) {
        vec3 dielectric = specular.rgb;
        if (has(SPECULAR_MAP)) dielectric *= texture(specular_map, at).rgb;
        Surface found = surface_of(albedo, dielectric, at);
#ifdef ENVIRONMENT
        vec3 normal = seen_normal(at), to_eye = way_to_eye(eye_position);
        return exposed(environment_light(normal, to_eye, openness(), found) + glow);
#else
        return exposed(physical_light(seen_normal(at), way_to_eye(eye_position), found) * openness() + glow);
#endif
    }
    if (!has(DIFFUSE_MAP)) albedo *= WHITE_ALBEDO;
    vec4 gloss = has(GLOSS) ? specular : NO_GLOSS;
    if (has(SPECULAR_MAP)) gloss.rgb *= texture(specular_map, at).rgb;
#ifdef ENVIRONMENT
    vec3 normal = seen_normal(at), to_eye = way_to_eye(eye_position);
    return exposed(environment_gloss(normal, to_eye, openness(), albedo, gloss) + glow);
#else
    return exposed(lamp_light(seen_normal(at), way_to_eye(eye_position), albedo, gloss) * openness() + glow);
#endif
}

// A plain colour with a little light, which shows the form.
vec3 formed(vec3 plain, vec2 at) {
    vec3 normal = seen_normal(at);
    return plain * (0.45 + 0.4 * max(normal.z, 0.0) + 0.25 * (normal.y * 0.5 + 0.5));
}

// Squares with sides of an eighth of the texture; u is red and v is green.
vec3 uv_squares() {
    vec2 square = floor(uv * 8.0);
    float light = mod(square.x + square.y, 2.0) < 0.5 ? 1.0 : 0.45;
    return vec3(fract(uv), 0.35) * light;
}

vec3 world_normal_color() {
    vec3 world = mat3(eye_to_world) * (has_normal() ? eye_normal : flat_normal());
    return to_linear(normalize(world) * 0.5 + 0.5);
}

// The colour of surfaces without their materials, linear.
const vec3 SOLID = vec3(0.55);

// The colour of back faces, linear.
const vec3 BACK_FACE = vec3(0.20, 0.24, 0.30);

#ifdef CASTING
uniform vec4 layer_ends;  // heights

const float HALF_OPAQUE = 0.5;  // with lower alpha, a blended surface casts no shadow

// The share of each layer at a height. The shares fade into each other, and their sum is 1 below the last fade.
vec4 height_layers(float height) {
    vec4 begins = vec4(0.0, layer_ends.xyz);
    vec4 passed = clamp((height - begins) / (layer_ends - begins), 0.0, 1.0);
    return vec4(1.0, passed.xyz) - passed;
}
#endif

void main() {
    if (SHADING == SHADING_SILHOUETTE) { color = vec4(1.0); return; }
    vec2 at = placed_uv();
    vec4 base = surface(at);
    if (has(MASKED) && !passes(base.a)) discard;
#ifdef CASTING
    if (has(BLENDED) && base.a < HALF_OPAQUE) discard;
    color = height_layers(-eye_position.z);
    return;
#endif
#ifdef SURFACES
    color = vec4(seen_normal(at), -eye_position.z);
    return;
#endif
#ifdef BACK_FACES
    color = vec4(to_srgb(formed(BACK_FACE, at)), 1.0);
    return;
#endif
    vec3 shown;
    if (SHADING == SHADING_LIT && LIGHT != LIGHT_NONE && !has(UNLIT)) shown = lit(base.rgb, at);
    else if (SHADING == SHADING_LIT) shown = base.rgb;
    else if (SHADING == SHADING_NORMALS) shown = world_normal_color();
    else if (SHADING == SHADING_UV) shown = formed(uv_squares(), at);
    else if (SHADING == SHADING_DISTANCE) shown = formed(distance_color(vertex_color.x, vertex_color.y), at);
    else if (SHADING == SHADING_SOLID) shown = formed(SOLID, at);
    else shown = formed(vertex_color.rgb, at);
    bool blends = has(BLENDED);
#ifdef INSTANCED
    blends = blends || dye.a < 1.0;
#endif
    color = vec4(to_srgb(shown), blends && SHADING == SHADING_LIT ? base.a : 1.0);
}
