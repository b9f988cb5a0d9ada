// The colour of a surface by its distance from its counterpart in a compared model (scene/vertex_distances.py).
const vec3 DISTANCES_RAMP[DISTANCE_COLORS] = vec3[DISTANCE_COLORS](DISTANCE_RAMP);

// The linear colour. `share`: share of the largest distance; `known`: 1 if the surface has a counterpart, else 0.
vec3 distance_color(float share, float known) {
    if (known < 0.5) {
        bool odd = mod(gl_FragCoord.x + gl_FragCoord.y, 2.0 * STRIPE_PIXELS) < STRIPE_PIXELS;
        return to_linear(odd ? UNMATCHED_FIRST : UNMATCHED_SECOND);
    }
    if (share <= 0.0) return to_linear(UNMOVED_COLOR);
    float at = clamp(share, 0.0, 1.0) * float(DISTANCE_COLORS - 1);
    int color = min(int(at), DISTANCE_COLORS - 2);
    return to_linear(mix(DISTANCES_RAMP[color], DISTANCES_RAMP[color + 1], at - float(color)));
}
