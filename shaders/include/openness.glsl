// How open the surroundings of a surface are, from the map of passes/occlusion_pass.py.
uniform sampler2D occlusion_map;  // half the picture's size: openness, distance from the eye's plane, reach

float openness() {
    if (has(BLENDED)) return 1.0;
    ivec2 last = textureSize(occlusion_map, 0) - 1;
    vec2 at = gl_FragCoord.xy * 0.5 - 0.5;
    vec2 low = floor(at), share = at - low;
    float sum = 0.0, total = 0.0;
    for (int i = 0; i < 4; i++) {
        vec2 corner = vec2(i & 1, i >> 1);
        vec3 texel = texelFetch(occlusion_map, clamp(ivec2(low + corner), ivec2(0), last), 0).rgb;
        vec2 near = mix(1.0 - share, share, corner);
        // texels of another surface count little
        float apart = abs(texel.g + eye_position.z) / texel.b;
        float weight = (near.x * near.y + 1e-3) * max(1.0 - 2.0 * apart, 1e-3);
        sum += weight * texel.r;
        total += weight;
    }
    return sum / total;
}
