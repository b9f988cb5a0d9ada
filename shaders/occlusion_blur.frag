// One direction of the blur of occlusion.frag, which does not blur across the edges of surfaces.
uniform sampler2D occlusion;
uniform ivec2 step_size;

out vec4 color;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(occlusion, 0) - 1;
    vec4 middle = texelFetch(occlusion, here, 0);
    float sum = middle.r, total = 1.0;
    for (int i = -2; i <= 2; i++) {
        if (i == 0) continue;
        vec4 other = texelFetch(occlusion, clamp(here + i * step_size, ivec2(0), last), 0);
        float weight = (abs(i) == 2 ? 0.5 : 1.0) * max(1.0 - 4.0 * abs(other.g - middle.g) / middle.b, 0.0);
        sum += weight * other.r;
        total += weight;
    }
    color = vec4(sum / total, middle.gba);
}
