// One direction of the blur of `passes/shadow_pass.py`; each channel has its own width.
uniform sampler2D layers;
uniform float level;     // mip level that is read
uniform vec2 step_size;  // from pixel to pixel, in fractions of the picture
uniform int reach;       // pixels to each side
uniform vec4 falloff;    // weight = exp(falloff * pixels * pixels)

in vec2 place;

out vec4 color;

void main() {
    vec4 sum = textureLod(layers, place, level), total = vec4(1.0);
    // From one pixel to the next, the weight is multiplied by a ratio, which is multiplied by a constant.
    vec4 weight = vec4(1.0), ratio = exp(falloff), change = ratio * ratio;
    for (int i = 1; i <= reach; i++) {
        weight *= ratio;
        ratio *= change;
        vec2 away = step_size * float(i);
        sum += weight * (textureLod(layers, place + away, level) + textureLod(layers, place - away, level));
        total += 2.0 * weight;
    }
    color = sum / total;
}
