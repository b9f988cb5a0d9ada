// Physically based materials: detail textures and the reflection by roughness and metalness.
uniform sampler2D roughness_map;
uniform sampler2D metalness_map;
uniform sampler2D detail0_map;
uniform sampler2D detail1_map;
uniform sampler2D detail_weight_map;

// Lays a detail texture over a linear colour. Source: OGRE-Next, PbsBlendModes and its pixel shader.
vec3 overlaid(vec3 base, vec4 over, int mode, float weight) {
    vec3 top = over.rgb;
    if (mode == DETAIL_NORMAL) return mix(base, top, over.a * weight);
    if (mode == DETAIL_PREMULTIPLIED) return (1.0 - over.a * weight) * base + top * weight;
    if (mode == DETAIL_ADD) return base + top * weight;
    if (mode == DETAIL_SUBTRACT) return base - top * weight;
    vec3 blended = abs(base - top);
    if (mode == DETAIL_MULTIPLY) blended = base * top;
    else if (mode == DETAIL_MULTIPLY2X) blended = 2.0 * base * top;
    else if (mode == DETAIL_SCREEN) blended = 1.0 - (1.0 - base) * (1.0 - top);
    else if (mode == DETAIL_OVERLAY)
        blended = mix(1.0 - 2.0 * (1.0 - base) * (1.0 - top), 2.0 * base * top, lessThan(base, vec3(0.5)));
    else if (mode == DETAIL_LIGHTEN) blended = max(base, top);
    else if (mode == DETAIL_DARKEN) blended = min(base, top);
    else if (mode == DETAIL_GRAIN_EXTRACT) blended = base - top + 0.5;
    else if (mode == DETAIL_GRAIN_MERGE) blended = base + top - 0.5;
    return mix(base, blended, over.a * weight);
}

vec3 with_details(vec3 base, vec2 at) {
    vec4 weights = detail_weights;
    if (has(DETAIL_WEIGHT_MAP)) weights *= texture(detail_weight_map, at);
    int mask = (1 << DETAIL_BLEND_BITS) - 1;
    if (has(DETAIL0_MAP)) {
        vec4 over = texture(detail0_map, at * detail_scales[0].xy + detail_scales[0].zw);
        base = overlaid(base, over, detail_blends & mask, weights.x);
    }
    if (has(DETAIL1_MAP)) {
        vec4 over = texture(detail1_map, at * detail_scales[1].xy + detail_scales[1].zw);
        base = overlaid(base, over, detail_blends >> DETAIL_BLEND_BITS & mask, weights.y);
    }
    return max(base, 0.0);
}

// A surface in light: diffuse colour, colour that is reflected straight back, roughness, metalness.
struct Surface { vec3 albedo; vec3 reflected; float roughness; float metalness; };

const float SMOOTHEST = 0.06;  // no lamp is a point, so that smooth surfaces keep a visible highlight

Surface surface_of(vec3 base, vec3 dielectric, vec2 at) {
    float roughness = physical.x, metalness = physical.y;
    if (has(ROUGHNESS_MAP)) roughness *= texture(roughness_map, at).r;
    if (has(METALNESS_MAP)) metalness *= texture(metalness_map, at).r;
    float smoothest = LIGHT == LIGHT_ENVIRONMENT ? 0.0 : SMOOTHEST;  // an environment shows no point either
    vec3 reflected = mix(dielectric, base, metalness);
    return Surface(base * (1.0 - metalness), reflected, max(roughness, smoothest), metalness);
}

// Light from one lamp: Lambert, and GGX with Karis's approximation of visibility and Fresnel.
vec3 physical_lamp(vec3 from, vec3 light, vec3 normal, vec3 to_eye, Surface s) {
    float facing = max(dot(normal, from), 0.0);
    vec3 half_way = normalize(from + to_eye);
    float aligned = max(dot(normal, half_way), 0.0), grazing = max(dot(from, half_way), 0.0);
    float squared = s.roughness * s.roughness * s.roughness * s.roughness;
    float spread = aligned * aligned * (squared - 1.0) + 1.0;
    float shine = 0.25 * squared / (spread * spread * max(grazing * grazing, 0.1) * (s.roughness + 0.5));
    return light * facing * (s.albedo + s.reflected * shine);
}

// The light of the sky and the ground that a surface reflects to the viewer. Rough surfaces see both.
vec3 mirrored_sky(vec3 normal, vec3 to_eye, vec3 up, vec3 down, Surface s) {
    float facing = max(dot(normal, to_eye), 0.0);
    vec3 ray = 2.0 * dot(normal, to_eye) * normal - to_eye;
    float height = mix(smoothstep(-0.25, 0.25, ray.y), normal.y * 0.5 + 0.5, s.roughness);
    vec3 fresnel = s.reflected + (max(vec3(1.0 - s.roughness), s.reflected) - s.reflected) * pow(1.0 - facing, 5.0);
    return mix(down, up, height) * fresnel;
}

vec3 physical_light(vec3 normal, vec3 to_eye, Surface s) {
    vec3 up = LIGHT == LIGHT_LAMPS ? sky.rgb : SKY, down = LIGHT == LIGHT_LAMPS ? ground.rgb : GROUND;
    vec3 color = s.albedo * mix(down, up, normal.y * 0.5 + 0.5) + mirrored_sky(normal, to_eye, up, down, s);
    if (LIGHT == LIGHT_LAMPS) {
        for (int i = 0; i < light_count; i++)
            color += physical_lamp(light_positions[i].xyz, light_diffuse[i].rgb, normal, to_eye, s);
        return color;
    }
    color += physical_lamp(KEY_FROM, KEY, normal, to_eye, s);
    color += physical_lamp(FILL_FROM, FILL, normal, to_eye, s);
    return color + physical_lamp(RIM_FROM, RIM, normal, to_eye, s);
}
